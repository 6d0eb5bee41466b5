import { expect, test } from "bun:test";
import { captureLog } from "../../../../test/support/capture-log.ts";
import { fakeClock } from "../../../../test/support/fake-clock.ts";
import { PRICES_WAITING_MAX } from "../../../limits.ts";
import {
  type AsofError,
  Busy,
  NotRead,
  StorageUnavailable,
  UpstreamFailed,
} from "../../../platform/errors.ts";
import { BackgroundFetches, type WindowToFetch } from "./background-fetches.ts";
import type { WindowFetch } from "./fetch-window.ts";

/** More than run at once. */
const MANY = Array.from({ length: 40 }, (_, i) => `A${i}`);

const windowsOf = (symbols: readonly string[]) =>
  symbols.map(
    (symbol) =>
      ({
        symbol,
        window: { start: null, end: "2026-09-08" },
        source: { name: "test" },
      }) as unknown as WindowToFetch,
  );

/** Fetches that end at a call of `end`. */
function setUp() {
  const clock = fakeClock("2026-09-09T21:00:00Z");
  const log = captureLog();
  const begun: string[] = [];
  const running = new Map<string, PromiseWithResolvers<null>>();
  const background = new BackgroundFetches(
    ({ symbol }: WindowFetch) => {
      begun.push(symbol);
      const run = Promise.withResolvers<null>();
      running.set(symbol, run);
      return run.promise;
    },
    { clock, log },
  );
  /** Ends the fetch of a symbol, and lets what follows from it happen. */
  const end = async (symbol: string, error?: unknown) => {
    const run = running.get(symbol);
    if (error) run?.reject(error);
    else run?.resolve(null);
    await Bun.sleep(0);
  };
  const begin = (symbols: readonly string[], waitS: number, signal?: AbortSignal) =>
    background.begin(windowsOf(symbols), { waitS, signal });
  return { background, clock, log, begun, end, begin };
}

const outcomeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "fetched",
    (error: unknown) => error,
  );

test("what has not ended in time is not read, and goes on", async () => {
  const { background, clock, begun, end, begin } = setUp();
  const awaited = begin(MANY, 8);
  const outcomes = MANY.map((symbol) => outcomeOf(awaited.of(symbol)));
  expect(begun).toEqual(MANY.slice(0, 16));
  await end("A0");
  clock.advance(8_000);
  const [first, ...others] = await Promise.all(outcomes);
  expect(first).toBe("fetched");
  for (const error of others) expect(error).toBeInstanceOf(NotRead);
  for (const symbol of MANY) await end(symbol);
  expect([begun, background.isBusy()]).toEqual([MANY, false]);
});

test("a repeated request joins the fetches, and its own order comes first", async () => {
  const { background, begun, end, begin } = setUp();
  begin(MANY, 0);
  const again = begin([...MANY].reverse(), 100);
  const outcomes = MANY.map((symbol) => outcomeOf(again.of(symbol)));
  await end("A0");
  expect(begun.at(-1)).toBe("A39");
  for (let turn = 0; turn < MANY.length; turn++) for (const symbol of [...begun]) await end(symbol);
  expect(await Promise.all(outcomes)).toEqual(MANY.map(() => "fetched"));
  expect([...begun].sort()).toEqual([...MANY].sort());
  expect(background.isBusy()).toBe(false);
});

test("requests take turns, and one whose client goes loses nothing", async () => {
  const { begun, end, begin } = setUp();
  begin(MANY, 0);
  const client = new AbortController();
  const other = begin(["B0", "B1"], 100, client.signal);
  await end("A0");
  await end("A1");
  await end("A2");
  expect(begun.slice(16)).toEqual(["A16", "B0", "A17"]);
  const outcome = outcomeOf(other.of("B1"));
  client.abort(new Error("the client has gone"));
  expect(await outcome).toEqual(new Error("the client has gone"));
  await end("A3");
  expect(begun.at(-1)).toBe("B1");
});

test("a provider's failure is that of its symbol; a store that fails ends all that waits", async () => {
  const { background, log, begun, end, begin } = setUp();
  const awaited = begin(MANY, 100);
  const outcomes = MANY.map((symbol) => outcomeOf(awaited.of(symbol)));
  await end("A0", new UpstreamFailed("test", "It failed."));
  expect(await outcomes[0]).toBeInstanceOf(UpstreamFailed);
  expect([begun.length, log.lines]).toEqual([17, []]);
  const full = new StorageUnavailable("database_unavailable", "The disk is full.");
  await end("A1", full);
  expect(await outcomes[39]).toBe(full);
  expect(begun).toHaveLength(17);
  for (const symbol of [...begun]) await end(symbol);
  expect(await outcomes[2]).toBe("fetched");
  expect([begun.length, background.isBusy()]).toEqual([17, false]);
  expect(log.lines.map(({ level, message }) => [level, message])).toEqual([
    ["error", "prices are not fetched any further: they could not be stored"],
  ]);
});

test("the queue is bounded", async () => {
  const { begin } = setUp();
  begin(
    Array.from({ length: PRICES_WAITING_MAX }, (_, i) => `A${i}`),
    0,
  );
  const refused = await outcomeOf(begin(["B0"], 100).of("B0"));
  expect(refused).toBeInstanceOf(Busy);
  expect((refused as AsofError).code).toBe("upstream_busy");
});

test("stopping drops what waits", async () => {
  const { background, begun, end, begin } = setUp();
  begin(MANY, 0);
  const stopped = background.stop();
  for (const symbol of [...begun]) await end(symbol);
  await stopped;
  expect([begun.length, background.isBusy()]).toEqual([16, false]);
});
