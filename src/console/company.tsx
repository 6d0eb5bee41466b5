// The pages of one company beside its overview: filings, insiders, holders, news, dividends, short volume,
// funds.
import { type ComponentType, render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { lastDay } from "./as-of.ts";
import { CompanyTabs } from "./company-tabs.tsx";
import { DividendsPage } from "./dividends-page.tsx";
import { byId } from "./elements.ts";
import { FilingsPage } from "./filings-page.tsx";
import { FundsPage } from "./funds-page.tsx";
import { HoldersPage } from "./holders-page.tsx";
import { InsidersPage } from "./insiders-page.tsx";
import { clockOf } from "./links.ts";
import { NewsPage } from "./news-page.tsx";
import { NoSuchPage } from "./panel-parts.tsx";
import { serviceDay } from "./service-day.ts";
import { ShortVolumePage } from "./short-volume-page.tsx";
import { StateLine } from "./state-line.tsx";
import { isTicker, NO_TICKER, tickerAt } from "./ticker-path.ts";
import { showTop } from "./top.tsx";
import { isUnknownTicker, UnknownTicker } from "./unknown-ticker.tsx";

interface Shown {
  readonly ticker: string;
  /** The as-of moment, or the day by the service's clock: some routes need one. */
  readonly moment: string;
}

const PAGES: Readonly<Record<string, readonly [title: string, page: ComponentType<Shown>]>> = {
  filings: ["filings", FilingsPage],
  insiders: ["insiders", InsidersPage],
  holders: ["holders", HoldersPage],
  news: ["news", NewsPage],
  dividends: ["dividends", DividendsPage],
  "short-volume": ["short volume", ShortVolumePage],
  funds: ["funds", FundsPage],
};

function NoTicker() {
  document.body.dataset.ready = "true";
  return <StateLine state="refused" text={NO_TICKER} />;
}

/** Whether nothing is known under a ticker; false until that is certain. */
function useUnknown(ticker: string, day: string): boolean {
  const [isUnknown, setUnknown] = useState(false);
  useEffect(() => {
    if (isTicker(ticker)) void isUnknownTicker(ticker, day).then(setUnknown);
  }, [ticker, day]);
  return isUnknown;
}

function Company({ ticker, name, moment }: { ticker: string; name: string; moment: string }) {
  const [title, Page] = PAGES[name] ?? ["no such page", NoSuchPage];
  if (useUnknown(ticker, lastDay(moment, moment)))
    return (
      <>
        <h1>{ticker}</h1>
        <div class="grid">
          <UnknownTicker ticker={ticker} />
        </div>
      </>
    );
  return (
    <>
      <h1>
        {ticker} · {title}
      </h1>
      <CompanyTabs ticker={ticker} page={name} />
      <div class="grid">{isTicker(ticker) ? <Page ticker={ticker} moment={moment} /> : <NoTicker />}</div>
    </>
  );
}

const [, , , name = ""] = location.pathname.split("/");
const ticker = tickerAt(location.pathname);
showTop();
document.title = `${ticker} ${name} – Asof`;
const moment = clockOf().as_of ?? (await serviceDay);
render(<Company ticker={ticker} name={name} moment={moment} />, byId("main"));
