// Earnings and dividends: Nasdaq's calendars, with data from the price provider beside them.
import { dividends } from "../capabilities/dividends/index.ts";
import { earnings } from "../capabilities/earnings/index.ts";
import type { SplitsOf } from "../market/share-split.ts";
import { classifyNasdaq, nasdaq, nasdaqPolicy } from "../providers/nasdaq/index.ts";
import { type Context, type Part, servicesFor } from "./context.ts";
import type { PriceProvider } from "./prices.ts";
import type { composeRegulator } from "./regulator.ts";

/** Composes both; splits, paid dividends and next report dates come from the price provider. */
export function composeCalendars(
  context: Context,
  provider: PriceProvider,
  companies: ReturnType<typeof composeRegulator>["companies"],
  splitsOf: SplitsOf,
) {
  const { clock, connect } = context;
  const upstream = connect(nasdaqPolicy, classifyNasdaq);
  const source = { name: "nasdaq", ...nasdaq(upstream) };
  const companyBehind = (ticker: string, signal?: AbortSignal) =>
    companies.find(ticker, false, signal ?? new AbortController().signal);
  const dividendCapability = dividends({
    ...servicesFor(context, "dividends"),
    source,
    actions: {
      name: provider.name,
      // Monthly bars are the shortest answer that lists every split and dividend.
      history: (symbol, signal) =>
        provider.chart({ symbol, interval: "1mo", start: null, end: clock.now(), prePost: false, signal }),
      exDividendDate: async (symbol, signal) =>
        (await provider.calendarEvents(symbol, signal))?.ex_dividend_date ?? null,
    },
    knownTicker: companyBehind,
  });
  const earningsCapability = earnings({
    ...servicesFor(context, "earnings"),
    source,
    next: provider,
    companyBehind,
    splitsOf,
  });
  const part: Part = {
    jobs: [...earningsCapability.jobs, ...dividendCapability.jobs],
    providers: () => [upstream.health()],
  };
  return { earnings: earningsCapability, dividends: dividendCapability, part };
}
