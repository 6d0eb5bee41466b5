// A service installed today answers for a moment years ago as one that ran since then: the market knew these
// prices.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { openSampleService, type SampleService } from "../support/service.ts";
import { ingest, SV } from "../support/short-volume-world.ts";

setDefaultTimeout(1_200_000);

const P = "/api/v1/price";
const THEN = "2021-09-10T15:00:00Z";
const NOW = "2026-09-09T21:00:00Z";
/** GRID=whole takes every symbol and moment, as `endure` does; a check takes those that differ most. */
const WHOLE = process.env.GRID === "whole";
/**
 * Shares that split since then, 1:10 in 2023 and 3:2 in 2021, within the range; the second pays dividends. Of
 * the others some split 4:1 and 20:1.
 */
const SYMBOLS = ["DREK", "FROBZ", ...(WHOLE ? ["ZORP", "WUZZL", "SNARV", "VEXOQ"] : [])];
const RANGE = "start_date=2021-01-04&end_date=2021-12-31";
/** When the older service asked; a moment before some of its rows were fetched; moments after it. */
const MOMENTS = [
  "2021-09-10",
  "2021-06-01",
  "2024-02-29T15:00:00Z",
  ...(WHOLE ? ["2022-08-01", "2026-06-08"] : []),
];
const KINDS = ["MURQ", "^SMPL", "ZEDUSD=X", "ZIT-USD", "ZBNDF", "ZORP-PA", "HALTZ"];
/** Delisted shares, and the error that a fresh service answers for each. */
const GONE = { GLUMP: "unknown_ticker", HUSQ: "no_data" };
const FILES = ["2021-09-07", "2021-09-08"];

interface Bar {
  readonly date: string;
  readonly backfilled?: true;
  readonly [figure: string]: unknown;
}
interface Answer {
  readonly data: readonly Bar[];
  readonly warnings: readonly string[];
  readonly adjusted_through: string | null;
  readonly last_updated: string | null;
  readonly cached: boolean;
}

let ran: SampleService;
let fresh: SampleService;
/** ZORP as the older service answered at the time. */
let traded: readonly Bar[];
const TRADED = "start_date=2021-09-07&end_date=2021-09-09";

const path = (symbol: string, more = "") => `${P}/data/${encodeURIComponent(symbol)}?${RANGE}${more}`;

beforeAll(async () => {
  ran = await openSampleService({ at: THEN });
  traded = (await ran.get<Answer>(`${P}/data/ZORP?${TRADED}`)).body.data;
  for (const symbol of [...KINDS, ...Object.keys(GONE)])
    expect([symbol, (await ran.get(path(symbol))).status]).toEqual([symbol, 200]);
  for (const symbol of SYMBOLS) {
    expect((await ran.get(`${P}/data/${symbol}?${RANGE}`)).status).toBe(200);
    // It also read a part of the past without the days that follow it.
    expect((await ran.get(`${P}/data/${symbol}?start_date=2019-03-01&end_date=2019-04-30`)).status).toBe(200);
  }
  ran.clock.set("2023-05-05T15:00:00Z");
  for (const symbol of SYMBOLS)
    await ran.get(`${P}/data/${symbol}?start_date=2023-04-03&end_date=2023-05-04`);
  ran.clock.set(NOW);
  for (const symbol of [...SYMBOLS, ...KINDS])
    await ran.get(`${P}/data/${encodeURIComponent(symbol)}?period=1m`);
  fresh = await openSampleService({ at: NOW });
});

afterAll(async () => {
  await ran.stop();
  await fresh.stop();
});

const FIGURES = ["open", "high", "low", "close", "adjusted_close", "dividend", "split_ratio"];

/**
 * Prices are rounded to seven digits when they are scaled, volumes of days before a reverse split to whole
 * shares.
 */
function expectSameBars(found: readonly Bar[], wanted: readonly Bar[], what: string) {
  expect(found.map(({ date }) => date)).toEqual(wanted.map(({ date }) => date));
  for (const [i, bar] of wanted.entries())
    for (const name of [...FIGURES, "volume"]) {
      const [a, b] = [found[i]?.[name], bar[name]];
      if (typeof b !== "number" || b === 0) expect(a, `${what} ${bar.date} ${name}`).toBe(b);
      else
        expect(Math.abs(Number(a) / b - 1), `${what} ${bar.date} ${name}: ${a} and ${b}`).toBeLessThan(
          name === "volume" ? 1e-4 : 3e-6,
        );
    }
}

test("one symbol: prices, dividends and split ratios of a past moment are those of a service that ran since then", async () => {
  for (const as_of of MOMENTS)
    for (const symbol of SYMBOLS) {
      const asked = path(symbol, `&as_of=${as_of}`);
      const [old, young] = [(await ran.get<Answer>(asked)).body, (await fresh.get<Answer>(asked)).body];
      expectSameBars(young.data, old.data, `${symbol} as of ${as_of}`);
      expect(young.data.every(({ backfilled }) => backfilled === true)).toBe(true);
      expect([young.adjusted_through, young.last_updated]).toEqual([old.adjusted_through, old.last_updated]);
      expect([young.warnings, old.warnings]).toEqual([[], []]);
      // Days of the last session before the moment and of all before it.
      expect(young.data.at(-1)?.date).toBe(
        as_of === "2021-09-10" ? "2021-09-09" : as_of === "2021-06-01" ? "2021-05-28" : "2021-12-31",
      );
    }
  // Bars that the older service had fetched by the moment are not marked; later ones are.
  const marks = (await ran.get<Answer>(`${P}/data/FROBZ?${RANGE}&as_of=2022-08-01`)).body.data;
  expect(marks.filter(({ backfilled }) => !backfilled).at(-1)?.date).toBe("2021-09-09");
  expect(marks.find(({ backfilled }) => backfilled)?.date).toBe("2021-09-10");
});

test("so are those of a thinly traded share, an index, a currency, a coin and a fund; of one that is gone the fresh service has none", async () => {
  for (const as_of of MOMENTS) {
    for (const symbol of KINDS) {
      const asked = path(symbol, `&as_of=${as_of}`);
      const [old, young] = [(await ran.get<Answer>(asked)).body, (await fresh.get<Answer>(asked)).body];
      expect(old.data.length).toBeGreaterThan(80);
      expectSameBars(young.data, old.data, `${symbol} as of ${as_of}`);
      expect(young.data.every(({ backfilled }) => backfilled === true)).toBe(true);
      expect([symbol, young.warnings]).toEqual([symbol, old.warnings]);
    }
    // The provider forgets delisted symbols: an error says so, and no other company's prices stand in.
    for (const [symbol, code] of Object.entries(GONE)) {
      const asked = path(symbol, `&as_of=${as_of}`);
      expect([symbol, (await ran.get(asked)).status]).toEqual([symbol, 200]);
      const { status, body } = await fresh.get<{ code: string }>(asked);
      expect([symbol, status, body.code]).toEqual([symbol, 404, code]);
    }
  }
});

test("prices are those traded then: a split that followed is undone", async () => {
  const now = await fresh.get<Answer>(`${P}/data/ZORP?${TRADED}`);
  const past = await fresh.get<Answer>(`${P}/data/ZORP?${TRADED}&as_of=2021-09-10`);
  expectSameBars(past.body.data, traded, "ZORP as traded");
  const ratio = Number(past.body.data[0]?.close) / Number(now.body.data[0]?.close);
  expect(ratio).toBeCloseTo(4, 2);
});

test("many symbols, a bulk request, weeks and row formats give the same bars", async () => {
  interface Many {
    readonly bars: Readonly<Record<string, readonly (Bar & { readonly timestamp: string })[]>>;
  }
  const tickers = SYMBOLS.join(",");
  for (const interval of ["1d", "1w"]) {
    const path = `${P}/data?tickers=${tickers}&${RANGE}&as_of=2021-09-10&interval=${interval}`;
    const [old, young] = [(await ran.get<Many>(path)).body.bars, (await fresh.get<Many>(path)).body.bars];
    for (const symbol of SYMBOLS) {
      const dated = (bars: Many["bars"]) =>
        (bars[symbol] ?? []).map((bar) => ({ ...bar, date: bar.timestamp }));
      expectSameBars(dated(young), dated(old), `${symbol} ${interval}`);
      expect(young[symbol]?.every(({ backfilled }) => backfilled === true)).toBe(true);
    }
  }
  const body = { tickers: SYMBOLS, start_date: "2021-01-04", end_date: "2021-12-31", as_of: "2021-09-10" };
  interface Bulk {
    readonly results: readonly { readonly ticker: string; readonly data: Answer | null }[];
  }
  const [old, young] = [
    (await ran.post<Bulk>(`${P}/data/bulk`, body)).body.results,
    (await fresh.post<Bulk>(`${P}/data/bulk`, body)).body.results,
  ];
  for (const [i, { ticker, data }] of young.entries())
    expectSameBars(data?.data ?? [], old[i]?.data?.data ?? [], ticker);
  const csv = await fresh.fetch(`${P}/data?tickers=FROBZ&${RANGE}&as_of=2021-09-10&format=csv`);
  const [header = "", ...rows] = (await csv.text()).trimEnd().split("\r\n");
  const place = header.split(",").indexOf("backfilled");
  expect(place).toBeGreaterThan(0);
  expect(rows.length).toBeGreaterThan(150);
  expect(rows.every((row) => row.split(",")[place] === "true")).toBe(true);
});

test("with the brokerage feed too, whatever part of the past each service read at which time", async () => {
  const env = { MARKETFEED_API_KEY: "PKTESTKEY", MARKETFEED_SECRET_KEY: "SecretOfTests" };
  interface Many {
    readonly sources?: Readonly<Record<string, string>>;
    readonly source: string;
    readonly bars: Readonly<Record<string, readonly (Bar & { readonly timestamp: string })[]>>;
  }
  // QUAFF pays dividends and splits later; GLUMP is gone; OLDZQ was given up in a renaming.
  const symbols = [...SYMBOLS, "QUAFF", ...(WHOLE ? ["KRONK"] : []), "GLUMP", "OLDZQ"];
  const path = (span: string) => `${P}/data?tickers=${symbols.join(",")}&${span}`;
  const since = await openSampleService({ at: THEN, env });
  await since.get(path("start_date=2021-01-04&end_date=2021-09-10"));
  for (const [start, end] of [
    ["2021-09-10", "2022-03-04"],
    ["2022-03-04", "2022-10-12"],
    ["2022-10-12", "2024-02-14"],
    ["2024-02-14", "2026-09-09"],
  ]) {
    since.clock.set(end === "2026-09-09" ? NOW : `${end}T15:00:00Z`);
    await since.get(path(`start_date=${start}&end_date=${end}`));
  }
  const late = await openSampleService({ at: NOW, env });
  try {
    for (const as_of of MOMENTS)
      for (const adjustment of ["split", "raw"]) {
        const asked = path(`${RANGE}&as_of=${as_of}&adjustment=${adjustment}`);
        const [old, young] = [(await since.get<Many>(asked)).body, (await late.get<Many>(asked)).body];
        expect([old.source, young.source]).toEqual(["alpaca_sip", "alpaca_sip"]);
        for (const symbol of symbols) {
          // A dividend that the renamed company paid later is not listed under its old symbol: its adjusted
          // close is unknown, its prices are not.
          const isRenamed = symbol === "OLDZQ";
          const dated = (bars: Many["bars"]) =>
            (bars[symbol] ?? []).map((bar) => ({
              ...bar,
              date: bar.timestamp,
              ...(isRenamed ? { adjusted_close: null } : {}),
            }));
          expectSameBars(dated(young.bars), dated(old.bars), `${symbol} ${adjustment} as of ${as_of}`);
          if (isRenamed) expect(young.bars.OLDZQ?.every((bar) => bar.adjusted_close === null)).toBe(true);
        }
      }
  } finally {
    await since.stop();
    await late.stop();
  }
});

test("a longer bar is as recent as its last day, not as its label", async () => {
  for (const [interval, label] of [
    ["1w", "2021-09-06"],
    ["1mo", "2021-09-01"],
  ])
    for (const service of [ran, fresh]) {
      const path = `${P}/data/FROBZ?${RANGE}&as_of=2021-09-10&interval=${interval}`;
      const { body } = await service.get<Answer>(path);
      // The 9th is the last day known on the 10th: from its open.
      expect([body.data.at(-1)?.date, body.last_updated]).toEqual([label, "2021-09-10T13:30:00Z"]);
    }
});

test("the panel and the macros agree with it", async () => {
  for (const service of [ran, fresh]) {
    const body = { start_date: FILES[0], end_date: FILES.at(-1) };
    expect((await ingest(service, body)).ingested.length).toBe(FILES.length);
  }
  const path = `${SV}/pit-panel?start_date=${FILES[0]}&end_date=${FILES.at(-1)}&symbols=${SYMBOLS.join(",")}&as_of=2021-09-10`;
  const [old, young] = [
    (await ran.get<{ data: Bar[] }>(path)).body.data,
    (await fresh.get<{ data: Bar[] }>(path)).body.data,
  ];
  expect(young.length).toBe(SYMBOLS.length * FILES.length);
  for (const [i, row] of old.entries()) {
    const other = young[i];
    expect([other?.date, other?.symbol]).toEqual([row.date, row.symbol]);
    expect(Math.abs(Number(other?.adj_close) / Number(row.adj_close) - 1)).toBeLessThan(1e-4);
    expect<unknown>([row.backfilled, other?.backfilled]).toEqual([false, true]);
  }
  const rows = await fresh.app().lake.query<{ symbol: string; date: string; ratio: number | null }>(
    `SELECT p.symbol, p.date, p.adj_close / b.adj_close AS ratio
     FROM pit_panel('${FILES[0]}', '${FILES.at(-1)}', as_of := '2021-09-10') p
     JOIN bars('2021-09-10') b USING (symbol, date)
     WHERE p.backfilled AND b.backfilled AND list_contains($symbols, p.symbol)`,
    { symbols: SYMBOLS },
  );
  expect(rows.length).toBe(young.length);
  for (const { ratio } of rows) expect(ratio).toBeCloseTo(1, 9);
});

test("with stored_only no provider is asked, and a price whose basis is uncertain is left out", async () => {
  // Asked for by no other test; split 4:1 in 2023.
  const path = `${P}/data/KRONK?start_date=2021-09-07&end_date=2021-09-09&as_of=2021-09-10`;
  const nothing = await fresh.get<{ code: string }>(`${path}&stored_only=true`);
  expect([nothing.status, nothing.body.code]).toEqual([404, "no_data"]);
  const asked = await fresh.get<Answer>(path);
  expect([asked.body.cached, asked.body.data.length]).toEqual([false, 3]);
  const stored = await fresh.get<Answer>(`${path}&stored_only=true`);
  expect([stored.body.cached, stored.body.data]).toEqual([true, asked.body.data]);
  const both = await fresh.get<{ code: string }>(`${path}&stored_only=true&force_refresh=true`);
  expect([both.status, both.body.code]).toEqual([400, "bad_request"]);
});

test("days that came with a request for later ones are served without asking again, at every moment", async () => {
  await fresh.get(`${P}/data/KLUNQ?start_date=2024-03-18&end_date=2024-03-28`);
  fresh.sample.resetTraffic();
  const days = "start_date=2024-03-11&end_date=2024-03-14";
  for (const more of ["", "&as_of=2024-03-15", "&as_of=2024-03-15&adjustment=raw"]) {
    const { body } = await fresh.get<Answer>(`${P}/data/KLUNQ?${days}${more}`);
    expect([body.data.map(({ date }) => date), body.cached, body.warnings]).toEqual([
      ["2024-03-11", "2024-03-12", "2024-03-13", "2024-03-14"],
      true,
      [],
    ]);
  }
  expect(fresh.sample.traffic().total).toBe(0);
});
