// The short-volume query routes on the sample market: values, ranges, spellings, bad input.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { type ApiDocument, apiDocument, faultsOfAnswer } from "../support/api-document.ts";
import { faultsOf, problemOf } from "../support/price-requests.ts";
import { openSampleService, type SampleService } from "../support/service.ts";
import { ingest, type RawLine, rawFile, SV } from "../support/short-volume-world.ts";

setDefaultTimeout(1_200_000);

interface Row {
  date: string;
  symbol: string;
  short_volume: number;
  short_exempt_volume: number;
  total_volume: number;
  short_volume_ratio: number;
  short_exempt_ratio: number;
  market: string;
}
interface List {
  count: number;
  total: number;
  limit: number;
  offset: number;
  has_more: boolean;
  data: Row[];
}

const DAY = "2026-09-08";
let service: SampleService;
let document: ApiDocument;
let raw: RawLine[];
const get = <T>(path: string) => service.get<T>(`${SV}/${path}`);

beforeAll(async () => {
  // The evening of 2026-09-09, its file half an hour old.
  service = await openSampleService({ at: "2026-09-09T22:30:00Z" });
  document = await apiDocument(service);
  const report = await ingest(service, { start_date: "2026-08-10", end_date: "2026-09-09" });
  expect(report).toMatchObject({ failed: [], error: null });
  for (const facility of ["FNSQ", "FORF", "FNRA"])
    expect((await ingest(service, { date: DAY, facility })).ingested).toHaveLength(1);
  await service.get(`/api/v1/price/data?tickers=ZORP,QUIB-B&start_date=2026-09-01&end_date=${DAY}`);
  raw = (await rawFile(service, DAY)) ?? [];
});
afterAll(() => service.stop());

const rawOf = (symbol: string) => raw.find((line) => line.symbol === symbol);

describe("one symbol", () => {
  test("thirty days back by default, newest first, as the file has it", async () => {
    const { status, body } = await get<{
      symbol: string;
      count: number;
      first_date: string;
      last_date: string;
      data: Row[];
    }>("ZORP");
    expect(status).toBe(200);
    expect(body).toMatchObject({
      symbol: "ZORP",
      count: 22,
      first_date: "2026-08-10",
      last_date: "2026-09-09",
    });
    expect(body.data.map(({ date }) => date)).toEqual(
      body.data
        .map(({ date }) => date)
        .sort()
        .reverse(),
    );
    const line = rawOf("ZORP");
    const row = body.data.find(({ date }) => date === DAY);
    expect(row).toEqual({
      date: DAY,
      symbol: "ZORP",
      market: "B,Q,N",
      short_volume: line?.short ?? 0,
      short_exempt_volume: line?.exempt ?? 0,
      total_volume: line?.total ?? 0,
      short_volume_ratio: (line?.short ?? 0) / (line?.total ?? 0),
      short_exempt_ratio: (line?.exempt ?? 0) / (line?.total ?? 0),
    });
    expect(Number.isInteger(row?.short_volume)).toBe(false);
  });

  test("each spelling finds the share class, and the answer uses the client's", async () => {
    for (const ticker of ["QUIB-B", "QUIB.B", "QUIB%2FB", "quib-b"]) {
      const { body } = await get<{ symbol: string; data: Row[] }>(
        `${ticker}?start_date=${DAY}&end_date=${DAY}`,
      );
      expect(body.symbol).toBe(decodeURIComponent(ticker));
      expect(body.data).toMatchObject([
        { symbol: decodeURIComponent(ticker), total_volume: rawOf("QUIB.B")?.total },
      ]);
    }
  });

  test("a preferred and the ordinary share of the same letters are two", async () => {
    const volumes = [];
    for (const ticker of ["ZORPpA", "ZORP-PA", "ZORPPA"]) {
      const { body } = await get<{ data: Row[] }>(`${ticker}?start_date=${DAY}&end_date=${DAY}`);
      volumes.push(body.data[0]?.total_volume);
    }
    expect(volumes).toEqual([rawOf("ZORP.PRA")?.total, rawOf("ZORP.PRA")?.total, rawOf("ZORPPA")?.total]);
    expect(volumes[0]).not.toBe(volumes[2]);
  });

  test("days, dates, order, limit and the facilities", async () => {
    const dates = async (query: string) =>
      (await get<{ data: Row[] }>(`ZORP?${query}`)).body.data.map(({ date }) => date);
    expect(await dates("days=5")).toEqual(["2026-09-09", "2026-09-08", "2026-09-04"]);
    expect(await dates("start_date=2026-09-01&end_date=2026-09-03&order=asc&limit=2")).toEqual([
      "2026-09-01",
      "2026-09-02",
    ]);
    expect(await dates("start_date=2026-09-05&end_date=2026-09-07")).toEqual([]);
    const { body } = await get<{ data: Row[] }>("ZORP?market=Q&days=10");
    expect(body.data).toMatchObject([{ date: DAY, market: "Q" }]);
    expect(body.data[0]?.total_volume).toBeLessThan(rawOf("ZORP")?.total ?? 0);
    // Traded over the counter: in that facility's file only.
    expect((await get("MURQ?market=O&days=10")).status).toBe(rawOf("MURQ") ? 404 : 200);
    expect((await get("MURQ")).status).toBe(404);
    const absent = await problemOf(await service.fetch(`${SV}/ZORP?market=B`), 404);
    expect(absent.detail).toBe("No stored file of short volume at market B has ZORP.");
    // As of a day before the first stored file the answer is about that day, and silent about later files.
    for (const path of ["ZORP?as_of=2020-03-31", "summary/ZORP?as_of=2020-03-31"])
      expect([path, (await problemOf(await service.fetch(`${SV}/${path}`), 404)).detail]).toEqual([
        path,
        "No stored file of short volume that was public as of 2020-03-31 has ZORP.",
      ]);
  });

  test("history begins in 2018, and a request for earlier days says so", async () => {
    const { body } = await get<{ warnings: string[]; count: number }>("ZORP?days=3650");
    expect(body.count).toBe(22);
    expect(body.warnings).toEqual([
      "nothing_there: FINRA's files begin on 2018-08-01: there is no earlier data.",
      "not_read: The files of 2015 sessions from 2018-08-01 to 2026-08-07 are not stored, so their rows are missing; POST /api/v1/shortvolume/admin/ingest reads them.",
    ]);
  });

  test("unknown symbols, and known ones without a line in the range", async () => {
    const problem = await problemOf(await service.fetch(`${SV}/ZZZZZ`), 404);
    expect(problem).toMatchObject({ code: "no_data", ticker: "ZZZZZ" });
    const absence = async (query: string) =>
      (await problemOf(await service.fetch(`${SV}/${query}`), 404)).absence;
    // Every file of these days is stored; of the others some are not.
    expect(await absence("ZZZZZ?start_date=2026-09-01&end_date=2026-09-08")).toBe("nothing_there");
    expect(await absence("ZZZZZ?start_date=2026-07-01&end_date=2026-09-08")).toBe("not_read");
    expect(await absence("ZORP?market=B")).toBe("not_read");
    expect(await absence("summary/ZZZZZ")).toBe("nothing_there");
    expect(await absence("by-date/2026-09-07")).toBe("nothing_there");
    expect(await absence("by-date/2025-09-09")).toBe("not_read");
    const { status, body } = await get("ZORP?start_date=2025-01-02&end_date=2025-01-03");
    expect([status, body]).toMatchObject([200, { count: 0, first_date: null, last_date: null, data: [] }]);
  });
});

describe("one day", () => {
  test("every line, ranked, in pages", async () => {
    const { body } = await get<List>(`by-date/${DAY}?limit=10`);
    expect(body).toMatchObject({ count: 10, total: raw.length, limit: 10, offset: 0, has_more: true });
    const ratios = raw.map((line) => line.short / line.total).sort((a, b) => b - a);
    expect(body.data.map((row) => row.short_volume_ratio)).toEqual(ratios.slice(0, 10));
    const last = await get<List>(
      `by-date/${DAY}?limit=10&offset=${raw.length - 3}&sort_by=symbol&sort_order=asc`,
    );
    expect(last.body).toMatchObject({ count: 3, has_more: false });
    expect(last.body.data.map(({ symbol }) => symbol)).toEqual(
      raw
        .map(({ symbol }) => symbol)
        .sort()
        .slice(-3),
    );
    const big = await get<List>(`by-date/${DAY}?min_total_volume=1000000&sort_by=total_volume`);
    expect(big.body.total).toBe(raw.filter((line) => line.total >= 1e6).length);
    expect((await get<List>(`by-date/${DAY}?offset=1000000`)).body).toMatchObject({
      count: 0,
      total: raw.length,
      has_more: false,
    });
  });

  test("test symbols are in no answer", async () => {
    const { body } = await get<List>(`by-date/${DAY}`);
    expect(body.data.map(({ symbol }) => symbol).filter((s) => /TEST|ZZT|ZBZX/.test(s))).toEqual([]);
  });

  test("why there is nothing for a day", async () => {
    const detail = async (date: string) =>
      (await problemOf(await service.fetch(`${SV}/by-date/${date}`), 404)).detail;
    expect(await detail("2026-09-07")).toContain("not a trading day");
    expect(await detail("2024-02-29")).toContain("is stored");
    expect(await detail("2018-07-31")).toContain("2018-08-01");
    expect(await detail("2027-01-04")).toContain("is stored");
  });

  test("the top of the newest day, with close and change where prices are stored", async () => {
    const { body } = await get<List & { date: string }>("top?limit=3");
    expect(body).toMatchObject({ date: "2026-09-09", count: 3, limit: 3 });
    expect(body.total).toBeLessThan(raw.length);
    expect(body.data.every((row) => row.total_volume >= 100_000)).toBe(true);
    type Priced = Row & { close: number | null; change_percent: number | null };
    const day = await get<{ data: Priced[] }>(`top?date=${DAY}&limit=100&min_total_volume=0`);
    const prices = await service.get<{ bars: Record<string, { timestamp: string; close: number }[]> }>(
      `/api/v1/price/data?tickers=ZORP&start_date=2026-09-04&end_date=${DAY}`,
    );
    const [before, now] = prices.body.bars.ZORP ?? [];
    const zorp = day.body.data.find(({ symbol }) => symbol === "ZORP");
    expect(zorp?.close).toBe(now?.close ?? 0);
    expect(zorp?.change_percent).toBeCloseTo(((now?.close ?? 0) / (before?.close ?? 1) - 1) * 100, 9);
    expect(day.body.data.find(({ symbol }) => symbol === "KRONK")).toMatchObject({
      close: null,
      change_percent: null,
    });
  });
});

describe("several tickers, sums and warnings", () => {
  test("bulk: each symbol under the client's spelling, once", async () => {
    const { body } = await get<{ count: number; data: Record<string, Row[]> }>(
      "bulk?tickers=ZORP,quib-b,QUIB.B,NOPE&days=5&limit=2",
    );
    expect(Object.keys(body.data)).toEqual(["ZORP", "quib-b", "NOPE"]);
    expect(body.count).toBe(4);
    expect(body.data.ZORP?.map(({ date }) => date)).toEqual(["2026-09-09", "2026-09-08"]);
    expect(body.data["quib-b"]?.[0]?.symbol).toBe("quib-b");
    expect(body.data.NOPE).toEqual([]);
  });

  test("summary: the same figures as from the series", async () => {
    const { body: series } = await get<{ data: Row[] }>("ZORP?days=60");
    const { body } = await get<Record<string, number>>("summary/ZORP");
    const ratios = series.data.slice(0, 20).map((row) => row.short_volume_ratio);
    const mean = ratios.reduce((a, b) => a + b) / 20;
    const std = Math.sqrt(ratios.reduce((a, b) => a + (b - mean) ** 2, 0) / 19);
    expect(body).toMatchObject({
      symbol: "ZORP",
      as_of: "2026-09-09",
      days: 20,
      short_volume_ratio: ratios[0],
    });
    expect(body.avg_ratio_20d).toBeCloseTo(mean, 12);
    expect(body.zscore_20d).toBeCloseTo(((ratios[0] ?? 0) - mean) / std, 9);
    expect(body.avg_ratio_5d).toBeCloseTo(ratios.slice(0, 5).reduce((a, b) => a + b) / 5, 12);
    expect(body.total_volume).toBeCloseTo(
      series.data.slice(0, 20).reduce((a, row) => a + row.total_volume, 0),
      3,
    );
    // Of what was known on Friday, the newest is Thursday's.
    expect((await get<{ as_of: string }>("summary/ZORP?as_of=2026-09-04&days=3")).body).toMatchObject({
      as_of: "2026-09-03",
      days: 3,
    });
    expect((await get("summary/NOPE")).status).toBe(404);
  });

  test("status", async () => {
    const { body } = await get<Record<string, unknown>>("status");
    expect(body).toMatchObject({
      first_date: "2026-08-10",
      last_date: "2026-09-09",
      files: 22,
      missing_sessions: [],
      history_from: "2018-08-01",
      last_ingest_at: expect.stringMatching(/^2026-09-09T22:/),
    });
    // Of the consolidated file: what stands in that of the OTC market alone is not counted.
    const { body: all } = await get<{ data: Row[] }>("pit-panel?start_date=2026-08-10&end_date=2026-09-09");
    expect(body.symbols).toBe(new Set(all.data.map(({ symbol }) => symbol)).size);
  });

  test("short interest, newest first, under the joined spelling", async () => {
    expect((await get("short-interest/ZORP")).status).toBe(404);
    await service.app().jobs.runNow("short-interest").done;
    const { body } = await get<{ data: { settlement_date: string; short_interest: number }[] }>(
      "short-interest/QUIB-B?limit=2",
    );
    expect(body).toMatchObject({ symbol: "QUIB-B", count: 2 });
    expect(body.data.map((row) => row.settlement_date)).toEqual(["2026-08-14", "2026-07-31"]);
    expect(body.data[0]).toMatchObject({
      reported_symbol: "QUIBB",
      previous_short_interest: body.data[1]?.short_interest,
      revised: false,
    });
    const text = await (
      await fetch(`${service.sample.url}/cdn.finra.org/equity/otcmarket/biweekly/shrt20260814.csv`)
    ).text();
    const line =
      text
        .split("\n")
        .find((l) => l.includes("|QUIBB|"))
        ?.split("|") ?? [];
    expect(body.data[0]?.short_interest).toBe(Number(line[5]));
    const warrant = await get<{ data: { avg_daily_volume: number; days_to_cover: number | null }[] }>(
      "short-interest/PIPZ-WT?limit=1",
    );
    expect(warrant.body.data[0]).toMatchObject({
      avg_daily_volume: 0,
      days_to_cover: null,
      reported_symbol: "PIPZWS",
    });
    // Known from the fetch on.
    expect((await get("short-interest/QUIB-B?as_of=2026-09-08")).status).toBe(404);
  });

  test("a panel as of a moment that lies ahead goes on from page to page", async () => {
    type Page = { data: { symbol: string }[]; next_cursor: string | null };
    const days = `pit-panel?start_date=${DAY}&end_date=${DAY}`;
    const query = `${days}&as_of=2027-01-01&limit=${Math.ceil(raw.length / 3)}`;
    const symbols: string[] = [];
    let cursor = "";
    do {
      const { status, body } = await get<Page>(`${query}${cursor}`);
      expect(status).toBe(200);
      symbols.push(...body.data.map(({ symbol }) => symbol));
      cursor = body.next_cursor === null ? "" : `&cursor=${body.next_cursor}`;
    } while (cursor !== "");
    expect(symbols).toEqual(raw.map(({ symbol }) => symbol).sort());
    const { body } = await get<Page>(query);
    const other = await service.fetch(`${SV}/${days}&as_of=2027-01-02&cursor=${body.next_cursor}`);
    expect((await faultsOf(other)).map(({ loc }) => loc)).toEqual([["query", "cursor"]]);
  });

  test("rows as csv, ndjson and parquet", async () => {
    const csv = await (await service.fetch(`${SV}/ZORP?days=5&format=csv`)).text();
    expect(csv.trim().split("\r\n")).toHaveLength(4);
    const lines = await (await service.fetch(`${SV}/by-date/${DAY}?format=ndjson`)).text();
    expect(lines.trim().split("\n")).toHaveLength(raw.length);
    const parquet = await service.fetch(`${SV}/top?format=parquet`);
    expect(new TextDecoder().decode((await parquet.bytes()).slice(0, 4))).toBe("PAR1");
  });
});

describe("bad input", () => {
  test.each([
    ["ZORP?days=0", "days"],
    ["ZORP?days=3651", "days"],
    ["ZORP?limit=10001", "limit"],
    ["ZORP?order=up", "order"],
    ["ZORP?market=X", "market"],
    ["ZORP?start_date=2026-02-30&end_date=2026-03-01", "start_date"],
    ["by-date/2026-02-30", "date"],
    ["by-date/today", "date"],
    [`by-date/${DAY}?sort_by=close`, "sort_by"],
    ["top?min_total_volume=-1", "min_total_volume"],
    ["bulk", "tickers"],
    [`bulk?tickers=${Array.from({ length: 101 }, (_, i) => `T${i}`).join(",")}`, "tickers"],
    ["pit-panel?symbols=A%20B", "symbols"],
    ["pit-panel?as_of=yesterday", "as_of"],
    ["pit-panel?format=xml", "format"],
    [`pit-panel?cursor=${"x".repeat(501)}`, "cursor"],
    ["%3Cscript%3E", "symbol"],
    ["ABCDEFGHIJKLMNOP", "symbol"],
    ["admin/ingest/none", "job_id"],
  ])("%s", async (path, field) => {
    const faults = await faultsOf(await service.fetch(`${SV}/${path}`));
    expect(faults.map((error) => (error.loc as string[])[1])).toEqual([field]);
  });

  test.each([
    ["ZORP?days=5&start_date=2026-09-01&end_date=2026-09-02", "conflicting_time_selection"],
    ["ZORP?end_date=2026-09-01", "invalid_date_range"],
    ["ZORP?start_date=2026-09-02&end_date=2026-09-01", "invalid_date_range"],
    ["pit-panel?start_date=2027-01-01&end_date=2027-01-02", "invalid_date_range"],
    ["bulk?tickers=,", "no_tickers"],
    ["pit-panel?symbols=,", "no_tickers"],
  ])("%s is a 400", async (path, code) => {
    expect(await problemOf(await service.fetch(`${SV}/${path}`), 400)).toMatchObject({ code });
  });
});

test("every answer is what the document promises", async () => {
  for (const [template, path] of [
    ["{symbol}", "ZORP"],
    ["{symbol}", "NOPE"],
    ["by-date/{date}", `by-date/${DAY}`],
    ["top", "top"],
    ["summary/{symbol}", "summary/ZORP"],
    ["bulk", "bulk?tickers=ZORP"],
    ["status", "status"],
    ["short-interest/{symbol}", "short-interest/ZORP"],
    ["admin/ingest/{job_id}", "admin/ingest/latest"],
  ] as const) {
    const operation = document.operation("GET", `${SV}/${template}`);
    expect([path, await faultsOfAnswer(document, operation, await service.fetch(`${SV}/${path}`))]).toEqual([
      path,
      [],
    ]);
  }
});
