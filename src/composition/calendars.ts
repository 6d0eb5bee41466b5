// Earnings and dividends: Nasdaq's calendars, and what the price provider knows beside them.
import { dividends } from "../capabilities/dividends/index.ts";
import { earnings } from "../capabilities/earnings/index.ts";
import { classifyNasdaq, nasdaq, nasdaqPolicy } from "../providers/nasdaq/index.ts";
import type { Context, Part } from "./context.ts";
import type { PriceProvider } from "./prices.ts";
import type { composeRegulator } from "./regulator.ts";

/** Composes them; splits, paid dividends and next reports come from the price provider. */
export function composeCalendars(
  context: Context,
  provider: PriceProvider,
  companies: ReturnType<typeof composeRegulator>["companies"],
) {
  const { clock, log, lake, sqlite, calendar, cacheDeps, connect } = context;
  const upstream = connect(nasdaqPolicy, classifyNasdaq);
  const source = { name: "nasdaq", ...nasdaq(upstream) };
  const companyBehind = (ticker: string, signal?: AbortSignal) =>
    companies.find(ticker, false, signal ?? new AbortController().signal);
  const shared = { source, lake, sqlite, clock, cacheDeps };
  const paid = dividends({
    ...shared,
    actions: {
      name: provider.name,
      // Months are the shortest answer that lists every split and dividend there was.
      history: (symbol, signal) =>
        provider.chart({ symbol, interval: "1mo", start: null, end: clock.now(), prePost: false, signal }),
      exDividendDate: async (symbol, signal) =>
        (await provider.calendarEvents(symbol, signal))?.ex_dividend_date ?? null,
    },
    knownTicker: companyBehind,
    calendar,
    log: log.child({ capability: "dividends" }),
  });
  const reported = earnings({
    ...shared,
    next: provider,
    companyBehind,
    log: log.child({ capability: "earnings" }),
  });
  const part: Part = {
    jobs: [...reported.jobs, ...paid.jobs],
    providers: () => [upstream.health()],
  };
  return { earnings: reported, dividends: paid, part };
}
