// Lines of symbols over time, of one and of many.
import { canonical, parseTickers, type TickerRequest } from "../../market/ticker.ts";
import type { Clock } from "../../platform/clock.ts";
import { InvalidRequest, NotFound } from "../../platform/errors.ts";
import { asOfInstant, dayRange, type RangeAsk } from "./range.ts";
import { FACILITY_OF, FIRST_FILE_DATE, type MarketWord } from "./sources.ts";
import type { ShortVolumeStore, VolumeRow } from "./store.ts";

export interface SeriesAsk extends RangeAsk {
  readonly limit?: number | undefined;
  readonly order?: "asc" | "desc" | undefined;
  readonly market?: MarketWord | undefined;
  readonly as_of?: string | undefined;
}

const DAYS_DEFAULT = 30;
const LIMIT_DEFAULT = 1_000;

export function shortVolumes({ store, clock }: { store: ShortVolumeStore; clock: Clock }) {
  const spanOf = (ask: SeriesAsk) => {
    const asOf = asOfInstant(ask.as_of);
    const range = dayRange(ask, DAYS_DEFAULT, clock.now(), asOf);
    const facility = FACILITY_OF[ask.market ?? "all"];
    return { ...range, asOf, facility, limit: ask.limit ?? LIMIT_DEFAULT, descending: ask.order !== "asc" };
  };
  /** Said where a range begins before there is anything. */
  const notesOf = (start: string) =>
    start < FIRST_FILE_DATE
      ? [`FINRA keeps these files from ${FIRST_FILE_DATE} on: there is nothing before.`]
      : [];

  /** A symbol may be in the consolidated file and not in a facility's, which is only there when it was ingested. */
  const placeOf = (market: MarketWord = "all") => (market === "all" ? "" : ` at market ${market}`);

  return {
    /** Throws NotFound for a symbol of which no line is stored, InvalidRequest. */
    async one(ticker: string, ask: SeriesAsk, signal: AbortSignal) {
      const symbol = canonical(ticker);
      const span = spanOf(ask);
      const rows = await store.series([symbol], span, signal);
      if (rows.length === 0 && !(await store.listingPeriodOf(symbol, span.facility, span.asOf, signal)))
        throw new NotFound("no_data", `No short volume is stored for ${ticker}${placeOf(ask.market)}.`, {
          ticker,
          hint: "POST /api/v1/shortvolume/admin/ingest takes days in; GET /api/v1/shortvolume/status shows which are.",
        });
      const data = rows.map((row) => ({ ...row, symbol: ticker }));
      const dates = data.map(({ date }) => date).sort();
      return {
        symbol: ticker,
        count: data.length,
        first_date: dates[0] ?? null,
        last_date: dates.at(-1) ?? null,
        warnings: notesOf(span.start),
        data,
      };
    },

    async many(tickers: string, ask: SeriesAsk, signal: AbortSignal) {
      const requests: readonly TickerRequest[] = parseTickers(tickers).tickers;
      if (requests.length === 0)
        throw new InvalidRequest("no_tickers", "tickers names no symbol.", {
          hint: "Write them as AAPL,MSFT.",
        });
      const span = spanOf(ask);
      const rows = await store.series(
        requests.map(({ symbol }) => symbol),
        span,
        signal,
      );
      const bySymbol = Map.groupBy(rows, ({ symbol }) => symbol);
      const data: Record<string, VolumeRow[]> = Object.fromEntries(
        requests.map(({ ticker, symbol }) => [
          ticker,
          (bySymbol.get(symbol) ?? []).map((row) => ({ ...row, symbol: ticker })),
        ]),
      );
      return { count: rows.length, warnings: notesOf(span.start), data };
    },
  };
}

export type ShortVolumes = ReturnType<typeof shortVolumes>;
