// Many tickers that were never read: what was read in time is the answer, the rest is named and read in the
// background.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { type SampleServer, serveSample } from "../../sample/serve.ts";
import { movableClock } from "../support/clock.ts";
import { EVENING, openService, type TestService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

const COUNT = 60;
const SPAN = "start_date=2026-08-03&end_date=2026-08-28";
/** Sessions of the span. */
const DAYS = 20;

interface Many {
  count: number;
  bars: Record<string, unknown[]>;
  missing: string[];
  errors: Record<string, string>;
  not_read?: string[];
  symbols_returned: number;
  warnings: string[];
}

const clock = movableClock(EVENING);
let sample: SampleServer;
let upstream: ReturnType<typeof Bun.serve>;
let service: TestService;
let symbols: string[];
/** Charts that were asked for. */
let asked: string[] = [];
/** Symbols whose answer waits. */
let held: Set<string> = new Set();
let freed = Promise.withResolvers<void>();

const symbolOf = (path: string) => /\/chart\/([^/?]+)/.exec(path)?.[1];

beforeAll(async () => {
  sample = await serveSample({ clock, symbols: COUNT + 60 });
  symbols = sample.market
    .symbols()
    .filter((symbol) => /^[A-Z]{3,5}$/.test(symbol))
    .slice(-COUNT);
  upstream = Bun.serve({
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const symbol = symbolOf(pathname);
      if (symbol) asked.push(symbol);
      if (symbol && held.has(symbol)) await freed.promise;
      const { method, headers } = request;
      return fetch(`${sample.url}${pathname}${search}`, { method, headers, decompress: false });
    },
  });
  service = await openService({ upstream: `http://localhost:${upstream.port}`, clock });
});
afterAll(async () => {
  freed.resolve();
  await service.stop();
  await upstream.stop(true);
  await sample.stop();
});

const ask = async (tickers: readonly string[], more = "") =>
  (await service.get<Many>(`/api/v1/price/data?tickers=${tickers.join(",")}&${SPAN}${more}`)).body;

test("wait=0 answers at once, names each ticker that is not read, and the reading goes on once", async () => {
  const own = symbols.slice(0, 12);
  const [stored = "", ...cold] = own;
  await ask([stored]);
  asked = [];
  const first = await ask(own, "&wait=0");
  expect(first.not_read).toEqual(cold);
  expect(first.missing).toEqual(cold);
  expect(Object.keys(first.errors)).toEqual(cold);
  expect(first.errors[cold[0] ?? ""]).toBe(
    `${cold[0]} is not read yet: it is read in the background. Ask again for it.`,
  );
  expect(first.bars[stored]).toHaveLength(DAYS);
  expect(first.symbols_returned).toBe(1);
  expect(first.warnings).toEqual([
    "not_read: This answer is incomplete: 11 of 12 tickers are still being read in the background. Ask again for them, or with wait=200 for an answer once all are read.",
  ]);
  const whole = await ask(own, "&wait=200");
  expect(whole.not_read).toBeUndefined();
  expect([whole.symbols_returned, whole.count, whole.errors, whole.warnings]).toEqual([
    12,
    12 * DAYS,
    {},
    [],
  ]);
  expect(asked.sort()).toEqual([...cold].sort());
});

test("a request of many tickers is answered with those that came in time, a small one waits for all", async () => {
  const own = symbols.slice(12, 48);
  held = new Set(own.slice(-2));
  asked = [];
  // Eight seconds of reading pass in a moment.
  clock.setSpeed(10);
  const first = await ask(own);
  clock.setSpeed();
  expect(first.not_read).toEqual(expect.arrayContaining([...held]));
  expect(Object.keys(first.bars)).toEqual(own);
  for (const ticker of own)
    expect([ticker, first.bars[ticker]?.length]).toEqual([
      ticker,
      first.not_read?.includes(ticker) ? 0 : DAYS,
    ]);
  const waiting = ask([...held]);
  freed.resolve();
  expect((await waiting).count).toBe(2 * DAYS);
  const whole = await ask(own, "&wait=200");
  expect([whole.symbols_returned, whole.count, whole.not_read]).toEqual([36, 36 * DAYS, undefined]);
  held = new Set();
  freed = Promise.withResolvers();
});

test.each(["csv", "ndjson", "parquet", "records"])(
  "rows as %s say that they are incomplete",
  async (format) => {
    const at = 48 + ["csv", "ndjson", "parquet", "records"].indexOf(format) * 3;
    const own = symbols.slice(at, at + 3);
    const path = `/api/v1/price/data?tickers=${own.join(",")}&${SPAN}&format=${format}`;
    held = new Set(own);
    const first = await service.fetch(`${path}&wait=0`);
    expect(first.status).toBe(200);
    expect(JSON.parse(first.headers.get("x-warnings") ?? "[]")[0]).toStartWith(
      "not_read: This answer is incomplete: 3 of 3 tickers",
    );
    expect(Object.keys(JSON.parse(first.headers.get("x-errors") ?? "{}"))).toEqual(own);
    await first.arrayBuffer();
    freed.resolve();
    const whole = await service.fetch(`${path}&wait=200`);
    expect([whole.headers.get("x-warnings"), whole.headers.get("x-errors")]).toEqual([null, null]);
    if (format === "ndjson") expect((await whole.text()).trim().split("\n")).toHaveLength(3 * DAYS);
    held = new Set();
    freed = Promise.withResolvers();
  },
);

test("what could not be read is named before days that others miss, and no day of it is called missing", async () => {
  const own = symbols.slice(0, 2);
  const [bad = "", good = ""] = own;
  sample.dials.set([
    { fault: "wrong_shape", match: `/chart/${bad}?` },
    { fault: "null_row", symbol: good, date: "2026-03-04" },
  ]);
  const path = `/api/v1/price/data?tickers=${own.join(",")}&start_date=2026-03-02&end_date=2026-03-20`;
  const { body } = await service.get<Many>(`${path}&wait=200`);
  sample.dials.clear();
  expect([body.missing, body.warnings]).toEqual([
    [bad],
    [`outage: ${bad}: no rows; errors says why.`, `${good}: No bar for 2026-03-04.`],
  ]);
});

test("wait contradicts force_refresh and has bounds", async () => {
  const path = `/api/v1/price/data?tickers=${symbols[0]}&${SPAN}`;
  const refused = await service.get<{ code: string }>(`${path}&wait=5&force_refresh=true`);
  expect([refused.status, refused.body.code]).toEqual([400, "bad_request"]);
  for (const wait of ["-1", "201", "1.5", "soon"])
    expect([wait, (await service.get(`${path}&wait=${wait}`)).status]).toEqual([wait, 422]);
});
