// The pages about the whole market: movers, the universe of a date, short volume, earnings, dividends.
import { DividendCalendarPage } from "./dividend-calendar-page.tsx";
import { EarningsPage } from "./earnings-page.tsx";
import { showMarket } from "./market-frame.tsx";
import { MoversPage } from "./movers-page.tsx";
import { ShortRankingPage } from "./short-ranking-page.tsx";
import { UniversePage } from "./universe-page.tsx";

await showMarket({
  movers: MoversPage,
  universe: UniversePage,
  "short-volume": ShortRankingPage,
  earnings: EarningsPage,
  dividends: DividendCalendarPage,
});
