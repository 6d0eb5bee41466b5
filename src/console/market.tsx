// The pages about the whole market: movers, the universe of a date, short volume, earnings, dividends, economic series.
import { type ComponentType, render } from "preact";
import { lastDay } from "./as-of.ts";
import { DividendCalendarPage } from "./dividend-calendar-page.tsx";
import { EarningsPage } from "./earnings-page.tsx";
import { EconomyPage } from "./economy-page.tsx";
import { byId } from "./elements.ts";
import { clockOf, linkTo } from "./links.ts";
import { MoversPage } from "./movers-page.tsx";
import { NoSuchPage } from "./panel-parts.tsx";
import { serviceDay } from "./service-day.ts";
import { ShortRankingPage } from "./short-ranking-page.tsx";
import { Tabs } from "./tabs.tsx";
import { showTop } from "./top.tsx";
import { UniversePage } from "./universe-page.tsx";

interface Shown {
  /** The last day that the page may show: that of as_of, or the service's. */
  readonly day: string;
}

const PAGES: Readonly<Record<string, readonly [title: string, page: ComponentType<Shown>]>> = {
  movers: ["Movers", MoversPage],
  universe: ["Universe", UniversePage],
  "short-volume": ["Short volume", ShortRankingPage],
  earnings: ["Earnings", EarningsPage],
  dividends: ["Dividends", DividendCalendarPage],
  economy: ["Economic series", EconomyPage],
};

const [, , name = ""] = location.pathname.split("/");
const [title, Page] = PAGES[name] ?? ["No such page", NoSuchPage];
showTop();
document.title = `${title} – Asof`;
const day = lastDay(clockOf().as_of, await serviceDay);
render(
  <>
    <h1>{title}</h1>
    <Tabs
      label="Pages of the market"
      tabs={Object.entries(PAGES).map(([path, [each]]) => [path, each])}
      page={name}
      hrefOf={(path) => linkTo(`/market/${path}`)}
    />
    <div class="grid">
      <Page day={day} />
    </div>
  </>,
  byId("main"),
);
