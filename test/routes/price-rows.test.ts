// The daily bars of many symbols in row formats, cell by cell beside the JSON answer: the engine writes the
// rows of many bars.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync } from "node:fs";
import { barsDaily, corporateActions } from "../../src/datasets/index.ts";
import { batchOf } from "../../src/platform/lake/lake.ts";
import { movableClock } from "../support/clock.ts";
import { chartBody, epoch, type FakeChart, type FakeRow } from "../support/fake-chart.ts";
import { openService, type TestService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

/** A Wednesday, an hour after the open. */
const NOW = "2026-03-11T14:30:00Z";
const SESSIONS = ["02", "03", "04", "05", "06", "09", "10"].map((day) => `2026-03-${day}`);
const opens = (date: string) => `${date}T${date < "2026-03-08" ? "14" : "13"}:30:00Z`;
const rowOf = (date: string, close: number): FakeRow => [
  opens(date),
  close - 0.5,
  close + 1,
  close - 1,
  close,
  1000,
  close,
];
const LIVE: FakeRow = ["2026-03-11T14:29:00Z", 47, 48, 46, 47.5, 300, 47.5];

const paid = (date: string, amount: number, currency: string) => ({
  [epoch(opens(date))]: { date: epoch(opens(date)), amount, currency },
});
const split = (date: string, numerator: number, denominator: number) => ({
  [epoch(opens(date))]: {
    date: epoch(opens(date)),
    numerator,
    denominator,
    splitRatio: `${numerator}:${denominator}`,
  },
});
const daily = (days: readonly string[], events: object = {}): FakeChart => ({
  rows: days.map((date) => rowOf(date, 40 + Number(date.slice(-2)) / 4)),
  events,
});

const CHARTS: Readonly<Record<string, FakeChart>> = {
  // A split and a dividend, and a bar of the session that runs.
  RUNS: {
    rows: [...(daily(SESSIONS).rows ?? []), LIVE],
    events: { dividends: paid("2026-03-04", 0.125, "USD"), splits: split("2026-03-06", 3, 2) },
  },
  // Two days without a bar, and a dividend that no bar can show.
  HOLES: daily(
    SESSIONS.filter((date) => date !== "2026-03-04" && date !== "2026-03-09"),
    { dividends: { ...paid("2026-03-03", 0.5, "GBP"), ...paid("2026-03-05", 0.25, "USD") } },
  ),
  PLAIN: daily(SESSIONS),
};
const GONE = { chart: { result: null, error: { code: "Not Found", description: "No data found" } } };

let service: TestService;
let provider: ReturnType<typeof Bun.serve>;
const clock = movableClock(NOW);

beforeAll(async () => {
  provider = Bun.serve({
    port: 0,
    fetch(request) {
      const url = new URL(request.url);
      const chart = CHARTS[decodeURIComponent(url.pathname.split("/").at(-1) ?? "")];
      if (!chart) return Response.json(GONE, { status: 404 });
      const symbol = url.pathname.split("/").at(-1) ?? "";
      const meta = { regularMarketTime: epoch("2026-03-11T14:29:00Z"), symbol, dataGranularity: "1d" };
      return Response.json(chartBody({ ...chart, meta }));
    },
  });
  service = await openService({ upstream: provider.url.origin, clock });
  const known = {
    currency: "USD",
    basis_date: "2026-03-10",
    known_at: "2026-03-10T21:00:00Z",
    source: "made",
  };
  const bars = SESSIONS.map((date, i) => ({
    symbol: "LACKS",
    date,
    open: null,
    high: 11,
    low: 9,
    close: 10 + i,
    volume: i === 0 ? null : 10 ** (2 * i),
    adj_close: i === 2 || i === 3 ? null : 10 + i,
    ...known,
  }));
  await service.app().lake.append([batchOf(barsDaily, bars)]);
});
afterAll(async () => {
  await service.stop();
  await provider.stop(true);
});

type Cells = Record<string, unknown>;
interface Json {
  readonly bars: Record<string, readonly Cells[]>;
  readonly adjusted_through: Record<string, string | null>;
  readonly warnings: readonly string[];
  readonly errors: Record<string, string>;
}

/** The rows that the JSON answer comes to. */
const rowsOfJson = ({ bars, adjusted_through }: Json) =>
  Object.entries(bars).flatMap(([ticker, own]) =>
    own.map(({ timestamp, ...bar }) => ({
      symbol: ticker.toUpperCase(),
      date: timestamp,
      ...bar,
      dividend: bar.dividend ?? null,
      capital_gain: bar.capital_gain ?? null,
      split_ratio: bar.split_ratio ?? null,
      outlier: bar.outlier ?? false,
      provisional: bar.provisional ?? false,
      backfilled: bar.backfilled ?? false,
      adjusted_through: adjusted_through[ticker],
    })),
  );

/** A cell of CSV as the value it stands for. */
const cellOf = (text: string): unknown =>
  text === ""
    ? null
    : text === "true"
      ? true
      : text === "false"
        ? false
        : /^-?[\d.]+$/.test(text)
          ? Number(text)
          : text;

/** A new file for each answer: the engine keeps the footers of those it has read. */
let files = 0;

async function rowsOf(format: string, response: Response): Promise<Cells[]> {
  if (format === "parquet") {
    files += 1;
    const path = `${service.dataDir}/rows-${files}.parquet`;
    await Bun.write(path, await response.bytes());
    return service.app().lake.query(`SELECT * FROM read_parquet('${path}')`);
  }
  if (format === "records") return (await response.json()) as Cells[];
  const text = await response.text();
  if (format === "ndjson")
    return text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
  const [head = [], ...lines] = text
    .trimEnd()
    .split("\r\n")
    .map((line) => line.split(","));
  return lines.map((cells) => Object.fromEntries(head.map((name, i) => [name, cellOf(cells[i] ?? "")])));
}

async function sameRows(query: string): Promise<Json> {
  const path = `/api/v1/price/data?${query}`;
  const { body } = await service.get<Json>(path);
  const wanted = rowsOfJson(body);
  for (const format of ["csv", "ndjson", "parquet", "records"]) {
    const response = await service.fetch(`${path}&format=${format}`);
    expect(response.status, `${format} ${query}`).toBe(200);
    expect(JSON.parse(response.headers.get("x-warnings") ?? "[]"), format).toEqual(body.warnings);
    expect(JSON.parse(response.headers.get("x-errors") ?? "{}"), format).toEqual(body.errors);
    expect(await rowsOf(format, response), `${format} ${query}`).toEqual(wanted);
  }
  return body;
}

const TICKERS = "PLAIN,runs,NOSUCH,HOLES";
const SPAN = "start_date=2026-03-02&end_date=2026-03-11";
/** A span with these bars and many more sessions. */
const LONG_SPAN = "start_date=1990-01-02&end_date=2026-03-11";

test("few bars have the text of many, and so have bars that are not known", async () => {
  const path = (tickers: string, span: string) =>
    `/api/v1/price/data?tickers=${tickers}&${span}&stored_only=true`;
  await service.fetch(`/api/v1/price/data?tickers=${TICKERS}&${SPAN}`);
  for (const tickers of ["LACKS", "PLAIN,runs,HOLES,LACKS"])
    for (const format of ["csv", "ndjson", "records"]) {
      const texts = await Promise.all(
        [SPAN, LONG_SPAN].map(async (span) =>
          (await service.fetch(`${path(tickers, span)}&format=${format}`)).text(),
        ),
      );
      expect(texts[0]?.split("\n").length, format).toBeGreaterThan(7);
      expect(texts[0], `${format} ${tickers}`).toBe(texts[1] ?? "");
    }
});

test("rows have every cell of the JSON answer in its order: actions, the running session, missing days, failures", async () => {
  const { bars, warnings, errors } = await sameRows(`tickers=${TICKERS}&${SPAN}`);
  expect(Object.keys(bars)).toEqual(["PLAIN", "runs", "NOSUCH", "HOLES"]);
  expect(bars.runs?.at(-1)).toMatchObject({ timestamp: "2026-03-11", close: 47.5, provisional: true });
  expect(bars.runs?.find(({ split_ratio }) => split_ratio)).toMatchObject({ split_ratio: 1.5 });
  expect(bars.runs?.find(({ dividend }) => dividend)).toMatchObject({
    timestamp: "2026-03-04",
    dividend: 0.125,
  });
  expect(warnings).toContain("HOLES: No bar for 2 days between 2026-03-04 and 2026-03-09.");
  expect(warnings.join()).toContain("0.5 GBP a share");
  expect(Object.keys(errors)).toEqual(["NOSUCH"]);
});

const UNSETTLED =
  "unsettled: the bar of 2026-03-11 is provisional: it may still change, and no data version has it as it stands here.";

test("an answer names the bar that its data version lacks, in every format; the version has the other rows", async () => {
  const path = `/api/v1/price/data?tickers=${TICKERS}&${SPAN}`;
  const named = await service.fetch(`${path}&format=ndjson`);
  const version = named.headers.get("x-data-version") ?? "";
  expect(version).toMatch(/^\d+$/);
  const rows = await rowsOf("ndjson", named);
  expect(rows.filter(({ provisional }) => provisional).map(({ symbol, date }) => [symbol, date])).toEqual([
    ["RUNS", "2026-03-11"],
  ]);
  expect((await sameRows(`tickers=${TICKERS}&${SPAN}`)).warnings[0]).toBe(UNSETTLED);
  for (const format of ["csv", "ndjson", "parquet", "records"]) {
    const replayed = await service.fetch(`${path}&data_version=${version}&format=${format}`);
    expect(replayed.headers.get("x-warnings") ?? "", format).not.toContain("unsettled");
    const settled = rows.filter(({ provisional }) => !provisional);
    const bare = (row: Cells) => ({ ...row, adjusted_through: null });
    expect((await rowsOf(format, replayed)).map(bare), format).toEqual(settled.map(bare));
  }
  interface One {
    readonly data: readonly Cells[];
    readonly warnings: readonly string[];
  }
  for (const interval of ["1d", "1w"]) {
    const one = `/api/v1/price/data/runs?${SPAN}&interval=${interval}`;
    const { data, warnings } = (await service.get<One>(one)).body;
    expect(data.filter(({ provisional }) => provisional).length).toBe(1);
    expect(warnings.filter((each) => each.startsWith("unsettled: "))).toEqual([
      UNSETTLED.replace("2026-03-11", String(data.at(-1)?.date)),
    ]);
    const csv = await service.fetch(`${one}&format=csv`);
    expect(csv.headers.get("x-warnings")).toContain("unsettled: the bar of ");
    const { body: then } = await service.get<One>(`${one}&data_version=${version}`);
    expect(then.data.filter(({ provisional }) => provisional)).toEqual([]);
    expect(then.warnings.join()).not.toContain("unsettled");
  }
});

test("so they do under as_of, with bars that were fetched later", async () => {
  const { bars } = await sameRows(`tickers=${TICKERS}&${SPAN}&as_of=2026-03-06T20:00:00Z`);
  expect(bars.runs?.at(-1)).toMatchObject({ timestamp: "2026-03-05", backfilled: true });
});

test("unknown figures stay empty, whole volumes stay exact, and the warning counts the same bars", async () => {
  const { warnings } = await sameRows(
    `tickers=LACKS&start_date=2026-03-02&end_date=2026-03-10&stored_only=true`,
  );
  expect(warnings).toEqual([
    "LACKS: adjusted_close is null in 2 of 7 bars, 2026-03-04 to 2026-03-05: it was not reported, or the price factor of a later payment is unknown.",
  ]);
});

test("rows of longer bars say which cover a part of their period, known by a moment too; rows of days have no such column", async () => {
  const spans = [SPAN, "start_date=2026-03-02&end_date=2026-03-10&as_of=2026-03-10"];
  const expected = { "1w": [false, true], "1mo": [true], "1d": [] };
  for (const [interval, partials] of Object.entries(expected))
    for (const path of ["data?tickers=PLAIN&", "data/PLAIN?"])
      for (const span of spans)
        for (const format of ["csv", "ndjson", "parquet", "records"]) {
          const query = `/api/v1/price/${path}${span}&interval=${interval}&format=${format}`;
          const rows = await rowsOf(format, await service.fetch(query));
          expect(rows.length, query).toBeGreaterThan(0);
          const found = rows.flatMap((row) => ("partial" in row ? [row.partial] : []));
          expect(found, query).toEqual(partials);
          if (span !== SPAN) expect(rows.at(-1)?.provisional, query).toBe(false);
        }
});

test("a span without any bar has the columns and no row", async () => {
  const path = "/api/v1/price/data?tickers=LACKS&start_date=2020-01-02&end_date=2020-01-03&stored_only=true";
  expect((await (await service.fetch(`${path}&format=csv`)).text()).trimEnd()).toBe(
    "symbol,date,open,high,low,close,volume,adjusted_close,dividend,split_ratio,provisional,backfilled,adjusted_through,capital_gain,outlier",
  );
  expect(await (await service.fetch(`${path}&format=ndjson`)).text()).toBe("");
});

test("what is asked again has the bars and actions that were stored meanwhile, and a version keeps its own", async () => {
  const known = { currency: "USD", known_at: "2026-03-10T21:00:00Z", source: "made" };
  const bar = (date: string, close: number) => ({
    symbol: "GROWS",
    date,
    open: close,
    high: close,
    low: close,
    close,
    volume: 100,
    adj_close: close,
    basis_date: "2026-03-05",
    ...known,
  });
  const action = {
    symbol: "GROWS",
    ex_date: "2026-03-09",
    kind: "split",
    amount: null,
    numerator: 2,
    denominator: 1,
    price_factor: 0.5,
    missing_through: null,
    basis_date: "2026-03-09",
    ...known,
  };
  const path = "/api/v1/price/data?tickers=GROWS&start_date=2026-03-02&end_date=2026-03-10&stored_only=true";
  const closes = async (more = "") =>
    Promise.all(
      ["csv", "ndjson", "parquet", "records"].map(async (format) =>
        (await rowsOf(format, await service.fetch(`${path}${more}&format=${format}`))).map(
          ({ close }) => close,
        ),
      ),
    );
  const inAll = (...wanted: number[]) => [wanted, wanted, wanted, wanted];
  const { lake } = service.app();
  await lake.append([batchOf(barsDaily, [bar("2026-03-02", 10)])]);
  expect([await closes(), await closes()]).toEqual([inAll(10), inAll(10)]);
  const version = await lake.generation();
  await lake.append([batchOf(barsDaily, [bar("2026-03-03", 12)])]);
  expect([await closes(), await closes()]).toEqual([inAll(10, 12), inAll(10, 12)]);
  expect(await closes("&as_of=2026-03-06T20:00:00Z")).toEqual(inAll(10, 12));
  await lake.append([batchOf(corporateActions, [action])]);
  expect([await closes(), await closes()]).toEqual([inAll(5, 6), inAll(5, 6)]);
  expect(await closes("&as_of=2026-03-06T20:00:00Z")).toEqual(inAll(10, 12));
  expect(await closes(`&data_version=${version}`)).toEqual(inAll(10));
  const asked = await Promise.all(Array.from({ length: 5 }, () => closes()));
  expect(asked).toEqual(asked.map(() => inAll(5, 6)));
});

test("the file behind the rows is removed once they were sent, or not asked for after all", async () => {
  const path = `/api/v1/price/data?tickers=PLAIN&${SPAN}&format=parquet`;
  await (await service.fetch(path)).body?.cancel();
  await (await service.fetch(path)).bytes();
  const left = readdirSync(`${service.dataDir}/lake`, { recursive: true }).map(String);
  expect(left.filter((name) => name.includes("answer-"))).toEqual([]);
});

test("an answer too large for one write is streamed as JSON too, and nothing of that shows in its headers", async () => {
  const first = Date.UTC(1970, 0, 2);
  const bars = Array.from({ length: 14_000 }, (_, i) => ({
    symbol: i % 2 === 0 ? "LONGA" : "LONGB",
    date: new Date(first + Math.floor(i / 2) * 86_400_000).toISOString().slice(0, 10),
    open: i,
    high: i,
    low: i,
    close: i + 1,
    volume: i,
    adj_close: i,
    currency: "USD",
    basis_date: "2026-03-10",
    known_at: "2026-03-10T21:00:00Z",
    source: "made",
  }));
  await service.app().lake.append([batchOf(barsDaily, bars)]);
  const query = "tickers=LONGB,LONGA&start_date=1970-01-01&end_date=2026-03-10&stored_only=true";
  const { bars: found } = await sameRows(query);
  expect(Object.entries(found).map(([symbol, own]) => [symbol, own.length])).toEqual([
    ["LONGB", 7_000],
    ["LONGA", 7_000],
  ]);
  expect(found.LONGB?.[6_999]).toMatchObject({ close: 14_000 });
  for (const format of ["json", "records", "csv"]) {
    const response = await service.fetch(`/api/v1/price/data?${query}&format=${format}`);
    expect(response.headers.get("content-length"), format).toBeNull();
    expect([...response.headers.keys()].filter((name) => name.includes("internal"))).toEqual([]);
    await response.body?.cancel();
  }
});

test("JSON that may have more bars than are made as a whole has the same fields, from one named version", async () => {
  // So many symbols over so many years may have more; few of them have bars.
  const fillers = Array.from({ length: 200 }, (_, i) => `NONE${i}`);
  const tickers = ["LACKS", ...fillers, "PLAIN"].join(",");
  const path = (start: string) =>
    `/api/v1/price/data?tickers=${tickers}&start_date=${start}&end_date=2026-03-10&stored_only=true`;
  const small = await service.get<Json>(path("2026-03-02"));
  const response = await service.fetch(path("1990-01-02"));
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json"]);
  expect(response.headers.get("x-data-version")).toMatch(/^\d+$/);
  expect([...response.headers.keys()].filter((name) => name.includes("internal"))).toEqual([]);
  const large = (await response.json()) as Json & { readonly count: number };
  const { warnings, ...rest } = small.body;
  const [notRead, lacks] = warnings;
  const listed = "PLAIN: Its first trade was on 2015-04-01: no bar is expected on earlier days.";
  expect(large).toEqual({
    ...rest,
    start_date: "1990-01-02",
    warnings: [notRead, lacks, listed],
  } as never);
  expect([large.count, large.bars.LACKS?.length, large.bars.NONE7]).toEqual([14, 7, []]);
});
