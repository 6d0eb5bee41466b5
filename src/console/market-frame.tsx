// The frame that the pages of the market share: the heading and the tabs around a page.
import { type ComponentType, render } from "preact";
import { lastDay } from "./as-of.ts";
import { byId } from "./elements.ts";
import { clockOf, linkTo } from "./links.ts";
import { NoSuchPage } from "./panel-parts.tsx";
import { serviceDay } from "./service-day.ts";
import { Tabs } from "./tabs.tsx";
import { showTop } from "./top.tsx";

export type MarketPage = ComponentType<{
  /** The last day that the page may show: that of as_of, or the service's. */
  readonly day: string;
}>;

const TITLES: Readonly<Record<string, string>> = {
  movers: "Movers",
  universe: "Universe",
  "short-volume": "Short volume",
  earnings: "Earnings",
  dividends: "Dividends",
  economy: "Economic series",
};

/** Draws the page that the address names, one of `pages`. */
export async function showMarket(pages: Readonly<Record<string, MarketPage>>): Promise<void> {
  const [, , name = ""] = location.pathname.split("/");
  const Page = pages[name] ?? NoSuchPage;
  const title = TITLES[name] ?? "No such page";
  showTop();
  document.title = `${title} – Asof`;
  const day = lastDay(clockOf().as_of, await serviceDay);
  render(
    <>
      <h1>{title}</h1>
      <Tabs
        label="Pages of the market"
        tabs={Object.entries(TITLES)}
        page={name}
        hrefOf={(path) => linkTo(`/market/${path}`)}
      />
      <div class="grid">
        <Page day={day} />
      </div>
    </>,
    byId("main"),
  );
}
