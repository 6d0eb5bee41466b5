// adjustment=raw|split|all on every price route and in every format, beside the same computed by hand.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { barsDaily } from "../../src/datasets/index.ts";
import { batchOf } from "../../src/platform/lake/lake.ts";
import { byHand, PAID, PRINTED, type Printed, sharesFor, storePrinted } from "../support/adjusted-bars.ts";
import { P } from "../support/price-requests.ts";
import { openSampleService, type SampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

interface Bar {
  readonly date?: string;
  readonly timestamp: string;
  readonly open: number | null;
  readonly high: number | null;
  readonly low: number | null;
  readonly close: number | null;
  readonly volume: number | null;
  readonly adjusted_close: number | null;
  readonly dividend?: number | null;
}
interface Series {
  readonly adjustment: string;
  readonly data: readonly Bar[];
  readonly warnings: readonly string[];
}
interface Many {
  readonly adjustment: string;
  readonly bars: Record<string, readonly Bar[]>;
  readonly warnings: readonly string[];
}

let service: SampleService;
beforeAll(async () => {
  service = await openSampleService();
  await storePrinted(service.app().lake, "MADE", "2026-03-06");
  await storePrinted(service.app().lake, "PARTLY", "2026-03-12");
  await storePrinted(service.app().lake, "BARE", null);
});
afterAll(() => service.stop());

const SPAN = { start_date: "2026-03-01", end_date: "2026-05-31" };
const FIGURES = ["open", "high", "low", "close", "volume", "adjusted_close"] as const;
const ADJUSTMENTS = ["raw", "split", "all"];
/** `as_of`, and the day up to which its prices include splits and dividends. */
const MOMENTS = [
  [undefined, "2026-06-01"],
  ["2026-03-10", "2026-03-10"],
  ["2026-05-12", "2026-05-12"],
] as const;

function expectBar(
  found: Partial<Record<string, unknown>> | undefined,
  wanted: Record<string, number>,
  what: string,
) {
  for (const name of FIGURES)
    expect(Math.abs(Number(found?.[name]) / (wanted[name] ?? 0) - 1), `${what} ${name}`).toBeLessThan(1.5e-6);
}

/** The series of each route that answers daily bars. */
async function everywhere(symbol: string, fields: Record<string, string | undefined>) {
  const given = Object.fromEntries(Object.entries({ ...SPAN, ...fields }).filter(([, value]) => value));
  const body = { ...given, stored_only: true };
  const query = new URLSearchParams({ ...(given as Record<string, string>), stored_only: "true" });
  const bulk = await service.post<{ results: { data: Series }[] }>(`${P}/data/bulk`, {
    tickers: [symbol],
    ...body,
  });
  const many = (await service.get<Many>(`${P}/data?tickers=${symbol}&${query}`)).body;
  const found: Record<string, Series | undefined> = {
    one: (await service.get<Series>(`${P}/data/${symbol}?${query}`)).body,
    post: (await service.post<Series>(`${P}/data`, { ticker: symbol, ...body })).body,
    bulk: bulk.body.results[0]?.data,
  };
  if (fields.interval !== "5d")
    found.many = { ...many, data: many.bars[symbol] ?? [], warnings: many.warnings };
  return Object.entries(found);
}

test("each route gives each adjustment as it is by hand, at every moment", async () => {
  for (const [as_of, basis] of MOMENTS)
    for (const adjustment of ADJUSTMENTS)
      for (const [route, answer] of await everywhere("MADE", { adjustment, as_of })) {
        const known = PRINTED.filter(({ date }) => date < basis);
        expect(answer?.adjustment, route).toBe(adjustment);
        expect(answer?.data.map(({ date, timestamp }) => date ?? timestamp)).toEqual(
          known.map(({ date }) => date),
        );
        expect(answer?.warnings.filter((text) => text.includes("null"))).toEqual([]);
        for (const [i, bar] of known.entries()) {
          const what = `${route} ${adjustment} ${bar.date} as of ${as_of}`;
          expectBar(answer?.data[i] as never, byHand(bar, adjustment, basis), what);
          const paid = PAID.find(({ ex_date }) => ex_date === bar.date);
          const shares = adjustment === "raw" ? 1 : sharesFor(bar.date, basis);
          if (paid) expect(answer?.data[i]?.dividend, what).toBeCloseTo(paid.amount / shares, 6);
          else expect(answer?.data[i]?.dividend, what).toBeUndefined();
          if (adjustment === "raw") expect(answer?.data[i]?.close, what).toBe(bar.close);
        }
      }
});

test("without the parameter the answer is that of split", async () => {
  expect(await everywhere("MADE", {})).toEqual(await everywhere("MADE", { adjustment: "split" }));
});

/** A longer bar by hand: first open, extremes, last close, sum of volumes. */
function combined(bars: readonly Printed[], adjustment: string) {
  const all = bars.map((bar) => byHand(bar, adjustment, "2026-06-01"));
  return {
    open: all[0]?.open ?? 0,
    high: Math.max(...all.map(({ high }) => high)),
    low: Math.min(...all.map(({ low }) => low)),
    close: all.at(-1)?.close ?? 0,
    volume: all.reduce((sum, { volume }) => sum + volume, 0),
    adjusted_close: all.at(-1)?.adjusted_close ?? 0,
  };
}

const FIRST_DAYS = [
  [
    "1w",
    (date: string) =>
      ({ "2026-03-06": "2026-03-02", "2026-05-12": "2026-05-11", "2026-05-13": "2026-05-11" })[date] ??
      "2026-03-09",
  ],
  ["1mo", (date: string) => `${date.slice(0, 7)}-01`],
] as const;

test("weeks and months are made of the adjusted days", async () => {
  for (const [interval, label] of FIRST_DAYS)
    for (const adjustment of ["split", "all"])
      for (const [route, answer] of await everywhere("MADE", { adjustment, interval })) {
        const wanted = Map.groupBy(PRINTED, ({ date }) => label(date));
        expect(answer?.data.map(({ date, timestamp }) => date ?? timestamp)).toEqual([...wanted.keys()]);
        for (const [i, bars] of [...wanted.values()].entries())
          expectBar(
            answer?.data[i] as never,
            combined(bars, adjustment),
            `${route} ${interval} ${adjustment} ${i}`,
          );
      }
});

test("a longer raw bar with sessions on both sides of a split is null, and a warning names the split", async () => {
  const spans = (days: readonly Printed[]) =>
    new Set(days.map(({ date }) => sharesFor(date, "2026-06-01"))).size > 1;
  for (const [interval, label] of FIRST_DAYS)
    for (const [route, answer] of await everywhere("MADE", { adjustment: "raw", interval })) {
      const wanted = [...Map.groupBy(PRINTED, ({ date }) => label(date))];
      for (const [i, [date, days]] of wanted.entries()) {
        const { dividend: _, split_ratio: __, ...bar } = (answer?.data[i] ?? {}) as Record<string, unknown>;
        const what = `${route} ${interval} ${date}`;
        const { adjusted_close, ...rest } = combined(days, "raw");
        expect(Number(bar.adjusted_close) / adjusted_close, what).toBeCloseTo(1, 5);
        const nulls = Object.fromEntries(Object.keys(rest).map((name) => [name, null]));
        expect(bar, what).toMatchObject(spans(days) ? nulls : rest);
      }
      const spanned = wanted.filter(([, days]) => spans(days)).map(([date]) => date);
      expect(spanned.length).toBe(2);
      expect(answer?.warnings.filter((text) => text.includes("as traded"))).toEqual([
        `${route === "many" ? "MADE: " : ""}The prices as traded are null in the bar of ${spanned.join(", ")}: it has sessions before and after a split (4:1 on 2026-03-11, 1:10 on 2026-05-13), whose prices count different shares. Use interval=1d or adjustment=split.`,
      ]);
    }
  // Five sessions from 6 March on: the split lies within them too.
  for (const [route, answer] of await everywhere("MADE", { adjustment: "raw", interval: "5d" }))
    expect(answer?.data[0], route).toMatchObject({
      open: null,
      high: null,
      low: null,
      close: null,
      volume: null,
    });
  // A moment before the second split knows nothing of it.
  const early = { adjustment: "raw", interval: "1mo", as_of: "2026-05-12" };
  for (const [route, answer] of await everywhere("MADE", early)) {
    expect(answer?.warnings.join(), route).not.toContain("1:10");
    expect(answer?.warnings.join(), route).toContain("4:1 on 2026-03-11");
  }
  const csv = await service.fetch(
    `${P}/data/MADE?${new URLSearchParams(SPAN)}&stored_only=true&adjustment=raw&interval=1w&format=csv`,
  );
  expect(csv.headers.get("x-warnings")).toContain("4:1 on 2026-03-11");
  expect((await csv.text()).split("\r\n")[2]).toStartWith("MADE,MADE,2026-03-09,,,,,,1057,0.77,4,");
});

test("csv, ndjson and parquet have the figures of the adjustment", async () => {
  for (const path of [`${P}/data/MADE?`, `${P}/data?tickers=MADE&`])
    for (const adjustment of ADJUSTMENTS) {
      const query = new URLSearchParams({ ...SPAN, adjustment, stored_only: "true" });
      const rowsOf = async (format: string) => service.fetch(`${path}${query}&format=${format}`);
      const csv = (await (await rowsOf("csv")).text())
        .trimEnd()
        .split("\r\n")
        .map((line) => line.split(","));
      const ndjson = (await (await rowsOf("ndjson")).text())
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
      const parquet = await rowsOf("parquet");
      const name = adjustment === "split" ? '1d.parquet"' : `1d_${adjustment}.parquet"`;
      expect(parquet.headers.get("content-disposition")).toEndWith(name);
      const file = `${service.dataDir}/${adjustment}.parquet`;
      await Bun.write(file, await parquet.bytes());
      const read = await service.app().lake.query(`SELECT * FROM read_parquet('${file}') ORDER BY date`);
      for (const [i, bar] of PRINTED.entries()) {
        const wanted = byHand(bar, adjustment, "2026-06-01");
        const fromCsv = Object.fromEntries(
          (csv[0] ?? []).map((column, place) => [column, csv[i + 1]?.[place]]),
        );
        for (const row of [fromCsv, ndjson[i], read[i]])
          expectBar(row, wanted, `${path} ${adjustment} ${bar.date}`);
      }
    }
});

test("raw is null, with the remedy, where a split may not be stored; so is a week with such a day", async () => {
  const nulls = (bar: Bar | undefined) => [bar?.open, bar?.high, bar?.low, bar?.close, bar?.volume];
  for (const [route, answer] of await everywhere("PARTLY", { adjustment: "raw" })) {
    for (const bar of answer?.data.slice(0, 3) ?? [])
      expect(nulls(bar), route).toEqual(nulls({} as Bar).fill(null));
    expect(answer?.data[2]?.dividend, route).toBeNull();
    expect(answer?.data.slice(3).map(({ close }) => close)).toEqual(
      PRINTED.slice(3).map(({ close }) => close),
    );
    expect(answer?.data.every(({ adjusted_close }) => adjusted_close !== null)).toBe(true);
    expect(answer?.warnings.filter((text) => text.includes("as traded"))).toEqual([
      `${route === "many" ? "PARTLY: " : ""}The prices as traded are null in 3 of 8 bars, 2026-03-06 to 2026-03-10: a split since then may not be stored. Request these days once with force_refresh=true and without as_of.`,
    ]);
  }
  for (const interval of ["1w", "1mo", "5d"])
    for (const [route, answer] of await everywhere("PARTLY", { adjustment: "raw", interval })) {
      expect(nulls(answer?.data[0]), `${route} ${interval}`).toEqual(nulls({} as Bar).fill(null));
      expect(answer?.data[0]?.adjusted_close).not.toBeNull();
      // The last bar has a day before and a day after the second split.
      expect(answer?.data.at(-1)?.close).toBeNull();
      expect(answer?.warnings.join()).toContain("1:10 on 2026-05-13");
      // The dividend was paid on a day whose figures are unknown.
      if (interval === "1w")
        expect(answer?.data[1]).toMatchObject({ close: null, volume: null, dividend: null });
    }
  const csv = await service.fetch(
    `${P}/data/BARE?${new URLSearchParams(SPAN)}&stored_only=true&adjustment=raw&format=csv`,
  );
  expect(csv.headers.get("x-warnings")).toContain("The prices as traded are null in 8 of 8 bars");
});

test("the remedy works: a refresh reads the splits since then", async () => {
  // A bar that an earlier release stored, without reading the splits that followed.
  const figures = { open: 30.5, high: 31, low: 30, close: 30.25, adj_close: 30.25, volume: 4000 };
  const old = { symbol: "KRONK", date: "2023-06-05", ...figures };
  const known = {
    currency: "USD",
    basis_date: "2026-09-01",
    known_at: "2026-09-01T21:00:00Z",
    source: "yahoo",
  };
  await service.app().lake.append([batchOf(barsDaily, [{ ...old, ...known }])]);
  const one = `${P}/data/KRONK?start_date=2023-06-05&end_date=2023-06-05&adjustment=raw`;
  const rawClose = async (more: string) => (await service.get<Series>(`${one}${more}`)).body.data[0]?.close;
  expect(await rawClose("&stored_only=true")).toBeNull();
  expect(await rawClose("&force_refresh=true")).toBeGreaterThan(0);
  // KRONK split 4:1 on 2023-06-09: what was stored is 4 times as much as traded.
  expect(await rawClose("&stored_only=true")).toBe(121);
});

test("refreshed and provisional bars are on the adjustment too", async () => {
  const path = `${P}/data/ZORP?start_date=2026-06-01&end_date=2026-06-12`;
  const before = (await service.get<Series>(path)).body.data;
  const raw = (await service.get<Series>(`${path}&adjustment=raw`)).body.data;
  // ZORP splits 4:1 on 9 June.
  expect(raw.map(({ date, close }) => [date, close])).toEqual(
    before.map(({ date, close }) => [date, (close ?? 0) * ((date ?? "") < "2026-06-09" ? 4 : 1)]),
  );
  const refreshed = (await service.get<Series>(`${path}&adjustment=raw&force_refresh=true`)).body.data;
  expect(refreshed.map(({ date, close, volume }) => [date, close, volume])).toEqual(
    raw.map(({ date, close, volume }) => [date, close, volume]),
  );
  // The newest bar is provisional: no split follows it.
  const week = (await service.get<Series>(`${P}/data/ZORP?period=7d&adjustment=raw`)).body;
  expect(week.data.at(-1)).toMatchObject({ provisional: true });
  expect(week.data).toEqual((await service.get<Series>(`${P}/data/ZORP?period=7d`)).body.data);
});

test("revisions are on the adjustment of the bars", async () => {
  const path = `${P}/data/ZORP?start_date=2026-06-01&end_date=2026-06-12`;
  await service.get(path);
  service.sample.dials.set([{ fault: "revised", symbol: "ZORP", date: "2026-06-03", close: 50 }]);
  await service.get(`${path}&force_refresh=true`);
  service.sample.dials.set([]);
  const { body } = await service.get<{ revisions: { date: string; close: number }[] }>(
    `${path}&revisions=true&adjustment=raw`,
  );
  // The provider prints it so on the day, a quarter of it on today's basis.
  expect(body.revisions).toMatchObject([{ date: "2026-06-03", close: 50, adjusted_close: 12.5 }]);
});

test("a route or an interval without that adjustment refuses it", async () => {
  const refused = [
    `${P}/data/ZORP?adjustment=none`,
    `${P}/data/ZORP?interval=1h&adjustment=raw`,
    `${P}/intraday?tickers=ZORP&adjustment=raw`,
    `${P}/intraday/ZORP?adjustment=all`,
    `${P}/latest/ZORP?adjustment=raw`,
    `${P}/today/ZORP?adjustment=raw`,
    `${P}/quote/ZORP?adjustment=raw`,
    "/api/v1/marketfeed/intraday?tickers=ZORP&adjustment=all",
    "/api/v1/marketfeed/intraday/today?tickers=ZORP&adjustment=split",
    "/api/v1/marketfeed/snapshot?tickers=ZORP&adjustment=split",
  ];
  for (const path of refused) {
    const { status, body } = await service.get<{ detail: { loc: string[] }[] }>(path);
    expect(status, path).toBe(422);
    expect(JSON.stringify(body), path).toContain('["query","adjustment"]');
  }
  for (const [path, body] of [
    [`${P}/data`, { ticker: "ZORP", ...SPAN, interval: "1h", adjustment: "all" }],
    [`${P}/data/bulk`, { tickers: ["ZORP"], ...SPAN, interval: "1h", adjustment: "raw" }],
  ] as const) {
    const answer = await service.post(path, body);
    expect(answer.status, path).toBe(422);
    expect(JSON.stringify(answer.body)).toContain('["body","adjustment"]');
  }
});
