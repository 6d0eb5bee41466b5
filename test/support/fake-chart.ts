// Chart answers for tests, of invented symbols and numbers.
import { exchangeCalendar } from "../../src/market/calendar.ts";
import { askChart, type ChartRequest, type ChartResult } from "../../src/providers/yahoo/index.ts";
import { fakeClock } from "./fake-clock.ts";
import { type FakeReply, fakeUpstream } from "./fake-yahoo.ts";

type Number = number | null;
/** Start (RFC 3339), open, high, low, close, volume and adjusted close of one row. */
export type FakeRow = readonly [
  start: string,
  open: Number,
  high: Number,
  low: Number,
  close: Number,
  volume: Number,
  adjusted?: Number,
];

export interface FakeChart {
  readonly rows?: readonly FakeRow[];
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly events?: unknown;
}

export const epoch = (text: string) => Temporal.Instant.from(text).epochMilliseconds / 1000;

/** Yahoo's answer with these rows; daily bars of a New York share unless `meta` says otherwise. */
export function chartBody({ rows = [], meta = {}, events }: FakeChart) {
  const column = (i: 1 | 2 | 3 | 4 | 5 | 6) => rows.map((row) => row[i] ?? null);
  const isDaily = (meta.dataGranularity ?? "1d") === "1d";
  const result = {
    meta: {
      currency: "USD",
      symbol: "ZQX",
      exchangeName: "NYQ",
      instrumentType: "EQUITY",
      firstTradeDate: epoch("2015-04-01T13:30:00Z"),
      regularMarketTime: epoch("2026-03-10T20:00:02Z"),
      regularMarketPrice: 41.5,
      exchangeTimezoneName: "America/New_York",
      chartPreviousClose: 12.34,
      priceHint: 2,
      dataGranularity: "1d",
      ...meta,
    },
    ...(rows.length > 0 ? { timestamp: rows.map(([start]) => epoch(start)) } : {}),
    ...(events === undefined ? {} : { events }),
    indicators: {
      quote: [
        rows.length === 0
          ? {}
          : { open: column(1), high: column(2), low: column(3), close: column(4), volume: column(5) },
      ],
      ...(isDaily ? { adjclose: [rows.length === 0 ? {} : { adjclose: column(6) }] } : {}),
    },
  };
  return { chart: { result: [result], error: null } };
}

export const calendar = exchangeCalendar();

/** Returns the provider's reading of a reply to a request for daily bars of ZQX, received at `now`. */
export async function chartOf(
  reply: FakeReply,
  request: Partial<ChartRequest> = {},
  now = "2026-03-20T15:00:00Z",
): Promise<ChartResult> {
  const upstream = fakeUpstream(fakeClock(now), () => reply);
  const end = Temporal.Instant.from("2026-12-31T00:00:00Z");
  return askChart(upstream, calendar, {
    symbol: "ZQX",
    interval: "1d",
    start: null,
    end,
    prePost: false,
    ...request,
  });
}
