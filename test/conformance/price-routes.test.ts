// Whole routes on recorded payloads: the recordings stand behind the gateway, the service serves them.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { serveReplay } from "../../scripts/replay/serve.ts";
import { decodeFloat32 } from "../../src/market/float.ts";
import { fromYahoo } from "../../src/market/spelling.ts";
import { movableClock } from "../support/clock.ts";
import { openService, type TestService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

const FOLDER = process.env.CONFORMANCE_DIR ?? resolve(import.meta.dir, "../../../shared/real");

interface Recording {
  file: string;
  url: string;
  status: number;
}
interface Chart {
  meta: {
    symbol: string;
    exchangeTimezoneName: string;
    dataGranularity: string;
    regularMarketTime?: number;
    instrumentType: string;
  };
  timestamp?: number[];
  events?: { splits?: Record<string, { date: number; numerator: number; denominator: number }> };
  indicators: {
    quote: {
      open?: (number | null)[];
      high?: (number | null)[];
      low?: (number | null)[];
      close?: (number | null)[];
      volume?: (number | null)[];
    }[];
    adjclose?: { adjclose?: (number | null)[] }[];
  };
}
interface Row {
  date: string;
  open: number | null;
  high: number | null;
  low: number | null;
  close: number;
  volume: number | null;
  adjusted_close: number | null;
  split_ratio?: number;
  provisional?: true;
}
interface Answer {
  status: number;
  body: { data: Row[]; code?: string; currency?: string | null; hint?: string };
}

const recorded = (file: string) =>
  JSON.parse(readFileSync(join(FOLDER, file), "utf8")) as { chart: { result: Chart[] | null } };

/** Daily recordings of a window, by symbol and window. */
function windows(): Map<string, { symbol: string; charts: Chart[] }> {
  const index = JSON.parse(readFileSync(join(FOLDER, "index.json"), "utf8")) as Recording[];
  const found = new Map<string, { symbol: string; charts: Chart[] }>();
  for (const { file, url, status } of index) {
    const address = URL.parse(url);
    if (!address) continue;
    const { pathname, searchParams } = address;
    if (!pathname.startsWith("/v8/finance/chart/") || status !== 200 || searchParams.get("interval") !== "1d")
      continue;
    if (!searchParams.has("period1") || !existsSync(join(FOLDER, file))) continue;
    const chart = recorded(file).chart.result?.[0];
    if (!chart?.timestamp?.length) continue;
    const symbol = decodeURIComponent(pathname.split("/").at(-1) ?? "");
    const key = `${symbol} ${searchParams.get("period1")} ${searchParams.get("period2")}`;
    const entry = found.get(key) ?? { symbol, charts: [] };
    entry.charts.push(chart);
    found.set(key, entry);
  }
  return found;
}

/** The rows a recording holds, in the words of an answer; days without a close left out. */
function rowsOf(chart: Chart): Row[] {
  const [quote] = chart.indicators.quote;
  const adjusted = chart.indicators.adjclose?.[0]?.adjclose;
  const figure = (list: (number | null)[] | undefined, i: number) => {
    const value = list?.[i] ?? null;
    return value === null || value === 0 ? null : decodeFloat32(value);
  };
  return (chart.timestamp ?? []).flatMap((seconds, i) => {
    const close = figure(quote?.close, i);
    if (close === null) return [];
    const date = Temporal.Instant.fromEpochMilliseconds(seconds * 1000)
      .toZonedDateTimeISO(chart.meta.exchangeTimezoneName)
      .toPlainDate()
      .toString();
    return [
      {
        date,
        open: figure(quote?.open, i),
        high: figure(quote?.high, i),
        low: figure(quote?.low, i),
        close,
        volume: quote?.volume?.[i] ?? null,
        adjusted_close: figure(adjusted, i),
      },
    ];
  });
}

const plain = (rows: readonly Row[]) =>
  rows.map(({ date, open, high, low, close, volume, adjusted_close }) => ({
    date,
    open,
    high,
    low,
    close,
    volume,
    adjusted_close,
  }));

if (!existsSync(join(FOLDER, "index.json"))) test("skipped: no recordings", () => {});
else
  describe("price routes over recordings", () => {
    let service: TestService;
    let replay: Awaited<ReturnType<typeof serveReplay>>;
    beforeAll(async () => {
      replay = await serveReplay({ folder: FOLDER, hostname: "127.0.0.1", port: 0, log: () => {} });
      service = await openService({ upstream: replay.url, clock: movableClock("2026-11-20T22:00:00Z") });
    });
    afterAll(async () => {
      await service.stop();
      await replay.stop();
    });
    const get = (path: string) => service.get<Answer["body"]>(path) as Promise<Answer>;

    for (const [key, { symbol, charts }] of windows())
      test(`${key}: the series is one of the recorded ones, figure for figure`, async () => {
        const candidates = charts.map(rowsOf).filter((rows) => rows.length > 0);
        const dates = candidates.flatMap((rows) => rows.map((r) => r.date)).sort();
        const ticker = encodeURIComponent(fromYahoo(symbol) ?? symbol);
        const { status, body } = await get(
          `/api/v1/price/data/${ticker}?start_date=${dates[0]}&end_date=${dates.at(-1)}`,
        );
        expect(status).toBe(200);
        const served = JSON.stringify(plain(body.data));
        expect(candidates.map((rows) => JSON.stringify(rows))).toContain(served);
      });

    test("a split is on its day", async () => {
      const { body } = await get("/api/v1/price/data/AAPL?start_date=2020-08-31&end_date=2020-11-06");
      expect(body.data[0]).toMatchObject({ date: "2020-08-31", close: 129.04, split_ratio: 4 });
      expect(body.data.length).toBe(49);
    });

    test("without dates, the newest recorded year is served", async () => {
      const { status, body } = await get("/api/v1/price/data/AAPL");
      expect(status).toBe(200);
      expect(body.data.length).toBeGreaterThan(100);
      expect(body.data.every((r) => r.date > "2024-10-01" && r.date <= "2025-10-27")).toBe(true);
    });

    test("a null currency is null, not a guess", async () => {
      const { body } = await get("/api/v1/price/data/LUCYW?start_date=2024-01-01&end_date=2024-01-31");
      if (body.data) expect(body.currency).toBeNull();
      else expect(body.code).toBe("no_data");
    });

    test("before the first trade there is no data, which is no fault", async () => {
      const early = await get("/api/v1/price/data/BEKE?start_date=2020-01-02&end_date=2020-01-02");
      expect([early.status, early.body.code]).toEqual([404, "no_data"]);
    });
  });
