// Daily lines of one symbol, or of many.

import type { Static } from "@sinclair/typebox";
import { absent, ifEmpty, isNotRead } from "../../market/absence.ts";
import { asOfInstant } from "../../market/known-at.ts";
import type { Services } from "../../market/services.ts";
import { canonical, parseTickers, type TickerRequest } from "../../market/ticker.ts";
import { InvalidRequest, NotFound, NotRead } from "../../platform/errors.ts";
import { dayRange } from "./range.ts";
import type { SeriesQuery, VolumeRow } from "./schema.ts";
import { FACILITY_OF, type Market } from "./sources.ts";
import type { ShortVolumeStore } from "./store.ts";
import type { ReadSpan, UnreadSessions } from "./unread-sessions.ts";

export type SeriesRequest = Omit<Static<typeof SeriesQuery>, "format">;

const DAYS_DEFAULT = 30;
const LIMIT_DEFAULT = 1_000;

type VolumeDeps = {
  readonly store: ShortVolumeStore;
  readonly warningsOf: UnreadSessions;
} & Pick<Services, "clock">;

export function shortVolumes({ store, warningsOf, clock }: VolumeDeps) {
  const spanOf = (request: SeriesRequest) => {
    const asOf = asOfInstant(request.as_of);
    const range = dayRange(request, DAYS_DEFAULT, clock.now(), asOf);
    const facility = FACILITY_OF[request.market ?? "all"];
    return {
      ...range,
      asOf,
      facility,
      limit: request.limit ?? LIMIT_DEFAULT,
      descending: request.order !== "asc",
    };
  };
  /** Names the market in an error: a facility's own file is stored only if it was ingested. */
  const atMarket = (market: Market = "all") => (market === "all" ? "" : ` at market ${market}`);

  /**
   * The error of a symbol without a stored line: not read where a file of the span is not stored, or none at
   * all is.
   */
  const missing = async (
    ticker: string,
    { market, as_of: asOf }: SeriesRequest,
    span: ReadSpan,
  ): Promise<NotFound> => {
    // Says nothing of files that became public later.
    const then = asOf === undefined ? "" : ` that was public as of ${asOf}`;
    const sentence = `No stored file of short volume${atMarket(market)}${then} has ${ticker}.`;
    const facts = {
      ticker,
      hint: "POST /api/v1/shortvolume/admin/ingest stores days; GET /api/v1/shortvolume/status shows which are stored.",
    };
    const unread = (await warningsOf(span)).some(isNotRead);
    const isUnread = unread || (await store.files(span.facility, span.asOf)).length === 0;
    return isUnread ? new NotRead(sentence, facts) : new NotFound("no_data", sentence, facts);
  };

  return {
    /** Throws NotFound for a symbol without a stored line, and InvalidRequest. */
    async one(ticker: string, request: SeriesRequest, signal: AbortSignal) {
      const symbol = canonical(ticker);
      const span = spanOf(request);
      const rows = await store.series([symbol], span, signal);
      if (rows.length === 0 && !(await store.daysOf(symbol, span.facility, span.asOf, signal)))
        throw await missing(ticker, request, span);
      const data = rows.map(({ total: _, ...row }) => ({ ...row, symbol: ticker }));
      const dates = data.map(({ date }) => date).sort();
      const warnings = await warningsOf(span);
      return {
        symbol: ticker,
        count: data.length,
        total: rows[0]?.total ?? 0,
        first_date: dates[0] ?? null,
        last_date: dates.at(-1) ?? null,
        warnings:
          warnings.length > 0
            ? warnings
            : ifEmpty(data, "nothing_there", `No file of these days has ${ticker}.`),
        data,
      };
    },

    async many(tickers: string, request: SeriesRequest, signal: AbortSignal) {
      const requests: readonly TickerRequest[] = parseTickers(tickers).tickers;
      if (requests.length === 0)
        throw new InvalidRequest("no_tickers", "tickers names no symbol.", {
          hint: "Write them as AAPL,MSFT.",
        });
      const span = spanOf(request);
      const rows = await store.series(
        requests.map(({ symbol }) => symbol),
        span,
        signal,
      );
      const bySymbol = Map.groupBy(rows, ({ symbol }) => symbol);
      const data: Record<string, VolumeRow[]> = Object.fromEntries(
        requests.map(({ ticker, symbol }) => [
          ticker,
          (bySymbol.get(symbol) ?? []).map(({ total: _, ...row }) => ({ ...row, symbol: ticker })),
        ]),
      );
      const total = [...bySymbol.values()].reduce((sum, [first]) => sum + (first?.total ?? 0), 0);
      const without = requests.filter(({ symbol }) => !bySymbol.has(symbol)).map(({ ticker }) => ticker);
      const warnings = [
        ...(await warningsOf(span)),
        ...(without.length > 0
          ? [absent("nothing_there", `No stored file of these days has ${without.join(", ")}.`)]
          : []),
      ];
      return { count: rows.length, total, warnings, data };
    },
  };
}

export type ShortVolumes = ReturnType<typeof shortVolumes>;
