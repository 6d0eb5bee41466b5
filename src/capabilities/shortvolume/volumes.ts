// Daily lines of one symbol, or of many.
import { newYorkDate } from "../../market/calendar.ts";
import { asOfInstant } from "../../market/known-at.ts";
import type { Services } from "../../market/services.ts";
import { canonical, parseTickers, type TickerRequest } from "../../market/ticker.ts";
import { InvalidRequest, NotFound } from "../../platform/errors.ts";
import { dayRange, type RangeRequest } from "./range.ts";
import { FACILITY_OF, FIRST_FILE_DATE, type Market } from "./sources.ts";
import type { ShortVolumeStore, VolumeRow } from "./store.ts";

export interface SeriesRequest extends RangeRequest {
  readonly limit?: number | undefined;
  readonly order?: "asc" | "desc" | undefined;
  readonly market?: Market | undefined;
  readonly as_of?: string | undefined;
}

const DAYS_DEFAULT = 30;
const LIMIT_DEFAULT = 1_000;

type VolumeDeps = { readonly store: ShortVolumeStore } & Pick<Services, "clock" | "calendar">;

export function shortVolumes({ store, clock, calendar }: VolumeDeps) {
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
  /** Sessions of the range whose file was public at the moment and is not stored as of then, oldest first. */
  const unreadSessions = async ({ start, end, asOf, facility }: ReturnType<typeof spanOf>) => {
    const from = start < FIRST_FILE_DATE ? FIRST_FILE_DATE : start;
    // The file of a session counts as known from the next session's day on.
    const today = newYorkDate(asOf ?? clock.now());
    const until = end < today ? end : calendar.previousSession(today);
    if (until < from || !calendar.covers(until)) return [];
    const stored = new Set((await store.files(facility, asOf)).map(({ date }) => date));
    return calendar.sessionsBetween(from, until).filter((date) => !stored.has(date));
  };

  /** Warns of a range that begins before the first file, and of sessions in it that are not stored. */
  const warningsOf = async (span: ReturnType<typeof spanOf>): Promise<string[]> => {
    const unread = await unreadSessions(span);
    return [
      ...(span.start < FIRST_FILE_DATE
        ? [`FINRA's files begin on ${FIRST_FILE_DATE}: there is no earlier data.`]
        : []),
      ...(unread.length > 0
        ? [
            `The files of ${unread.length} sessions from ${unread[0]} to ${unread.at(-1)} are not stored, so their rows are missing; POST /api/v1/shortvolume/admin/ingest reads them.`,
          ]
        : []),
    ];
  };

  /** Names the market in an error: a facility's own file is stored only if it was ingested. */
  const atMarket = (market: Market = "all") => (market === "all" ? "" : ` at market ${market}`);

  return {
    /** Throws NotFound for a symbol without a stored line, and InvalidRequest. */
    async one(ticker: string, request: SeriesRequest, signal: AbortSignal) {
      const symbol = canonical(ticker);
      const span = spanOf(request);
      const rows = await store.series([symbol], span, signal);
      if (rows.length === 0 && !(await store.daysOf(symbol, span.facility, span.asOf, signal)))
        throw new NotFound("no_data", `No short volume is stored for ${ticker}${atMarket(request.market)}.`, {
          ticker,
          hint: "POST /api/v1/shortvolume/admin/ingest stores days; GET /api/v1/shortvolume/status shows which are stored.",
        });
      const data = rows.map(({ total: _, ...row }) => ({ ...row, symbol: ticker }));
      const dates = data.map(({ date }) => date).sort();
      return {
        symbol: ticker,
        count: data.length,
        total: rows[0]?.total ?? 0,
        first_date: dates[0] ?? null,
        last_date: dates.at(-1) ?? null,
        warnings: await warningsOf(span),
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
      return { count: rows.length, total, warnings: await warningsOf(span), data };
    },
  };
}

export type ShortVolumes = ReturnType<typeof shortVolumes>;
