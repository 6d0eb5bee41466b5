// A service that is killed while it reads tickers for the first time reads the others when it is asked again,
// each once.
import { afterAll, beforeAll, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type SampleServer, serveSample } from "../../sample/serve.ts";
import type { MultiBarsResponse } from "../../src/capabilities/price/schema.ts";
import { movableClock } from "../support/clock.ts";
import { EVENING, openService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

const COUNT = 60;
/** Sessions of the days that are asked for. */
const DAYS = 20;

let sample: SampleServer;
let upstream: ReturnType<typeof Bun.serve>;
let symbols: string[];
let path: string;
/** Symbols whose charts were asked for. */
let asked: string[];
/** How many of them are answered; the others wait until the process that asks is gone. */
let answered: number;

beforeAll(async () => {
  sample = await serveSample({ clock: movableClock(EVENING), symbols: COUNT + 60 });
  symbols = sample.market
    .symbols()
    .filter((symbol) => /^[A-Z]{3,5}$/.test(symbol))
    .slice(-COUNT);
  path = `/api/v1/price/data?tickers=${symbols.join(",")}&start_date=2026-08-03&end_date=2026-08-28`;
  upstream = Bun.serve({
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const symbol = /\/chart\/([^/?]+)/.exec(pathname)?.[1];
      if (symbol && asked.push(symbol) > answered) await new Promise(() => {});
      return fetch(`${sample.url}${pathname}${search}`, { headers: request.headers, decompress: false });
    },
  });
});
beforeEach(() => {
  asked = [];
});
afterAll(async () => {
  await upstream.stop(true);
  await sample.stop();
});

/**
 * Has a process ask for all symbols, of which so many are answered, and killed once they are stored; gives
 * what it had not read.
 */
async function killed(dataDir: string, stored: number): Promise<string[]> {
  answered = stored;
  const script = join(import.meta.dir, "cold-prices-killed.ts");
  const address = `http://localhost:${upstream.port}`;
  const args = [dataDir, address, `${path}&wait=0`, String(stored)];
  const child = Bun.spawn([process.execPath, script, ...args], { stdout: "pipe", stderr: "inherit" });
  const said = await new Response(child.stdout).json();
  await child.exited;
  expect(child.signalCode).toBe("SIGKILL");
  return said;
}

test.each([0, 30])("killed when %d of 60 tickers are stored", async (stored) => {
  const dataDir = await mkdtemp(join(tmpdir(), "asof-cold-"));
  expect(await killed(dataDir, stored)).toEqual(symbols);
  [asked, answered] = [[], Number.POSITIVE_INFINITY];
  const service = await openService({
    upstream: `http://localhost:${upstream.port}`,
    clock: movableClock(EVENING),
    dataDir,
  });
  const { lake } = service.app();
  try {
    const kept = await lake.query<{ symbol: string }>("SELECT DISTINCT symbol FROM bars_daily");
    expect(kept).toHaveLength(stored);
    const has = new Set(kept.map(({ symbol }) => symbol));
    const left = symbols.filter((symbol) => !has.has(symbol));
    const first = (await service.get<MultiBarsResponse>(`${path}&wait=0`)).body;
    expect([first.not_read, first.missing, Object.keys(first.errors)]).toEqual([left, left, left]);
    expect(first.warnings[0]).toStartWith(
      `not_read: This answer is incomplete: ${left.length} of ${COUNT} tickers`,
    );
    const lengths = Object.entries(first.bars).map(([symbol, bars]) => [symbol, bars.length]);
    expect(lengths).toEqual(symbols.map((symbol) => [symbol, has.has(symbol) ? DAYS : 0]));

    const whole = (await service.get<MultiBarsResponse>(`${path}&wait=200`)).body;
    expect([whole.count, whole.missing, whole.errors, whole.warnings]).toEqual([COUNT * DAYS, [], {}, []]);
    expect(whole.not_read).toBeUndefined();
    expect(asked.sort()).toEqual(left.sort());
    expect(
      await lake.query(
        "SELECT count(*)::INTEGER AS n, count(DISTINCT (symbol, date))::INTEGER AS bars FROM bars_daily WHERE date BETWEEN '2026-08-03' AND '2026-08-28'",
      ),
    ).toEqual([{ n: COUNT * DAYS, bars: COUNT * DAYS }]);
    const { findings } = await lake.check();
    expect(findings.filter(({ severity }) => severity !== "warning")).toEqual([]);
  } finally {
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
});
