// Places and turns at the edge: heavy requests run a few at a time, and no client holds a place for good.
import { afterEach, expect, test } from "bun:test";
import { readConfig } from "../config.ts";
import {
  CONCURRENT_REQUESTS_MAX,
  HEAVY_REQUESTS_MAX,
  HEAVY_TURN_S,
  REQUEST_DEADLINE_S,
  SEND_STALLED_S,
} from "../limits.ts";
import { systemClock, type Timers } from "../platform/clock.ts";
import { edge } from "./edge.ts";
import type { RouteEntry } from "./route-table.ts";
import { markStreamed } from "./streamed.ts";

/** Timers whose time passes by hand. */
function timersByHand() {
  let nowMs = 0;
  const due = new Set<{ readonly atMs: number; call(): void }>();
  const timers: Timers = {
    elapsedMs: () => nowMs,
    after(ms, call) {
      const one = { atMs: nowMs + ms, call };
      due.add(one);
      return () => void due.delete(one);
    },
    every: () => () => {},
  };
  return {
    timers,
    pass(seconds: number) {
      nowMs += seconds * 1_000;
      for (const one of [...due]) if (one.atMs <= nowMs && due.delete(one)) one.call();
    },
  };
}

const ROUTE = {
  method: "GET",
  schemas: {},
  deadlineS: null,
  outsideConcurrencyLimit: false,
  events: false,
  open: true,
};

/** Aborted after each test: a request that waits on would fail in another one, minutes later. */
let left = new AbortController();
afterEach(() => {
  left.abort();
  left = new AbortController();
});

/** An edge whose requests end by hand: those of /heavy/… are heavy. */
function doors() {
  const { timers, pass } = timersByHand();
  const running = new Map<string, (response: Response) => void>();
  const ledger = { ...ROUTE, path: "/heavy/ledger", heavy: true };
  const find = (_: string, path: string): RouteEntry =>
    path.startsWith(ledger.path) ? ledger : { ...ROUTE, path, heavy: path.startsWith("/heavy/") };
  const { fetch } = edge({
    config: readConfig({}),
    clock: systemClock,
    timers,
    table: { entries: [], find, methodsAt: () => ["GET"] },
    handle: (request) => new Promise((resolve) => void running.set(new URL(request.url).pathname, resolve)),
    record() {},
    unforeseen(error) {
      throw error;
    },
  });
  const settle = () => Bun.sleep(0);
  const ask = (path: string, signal?: AbortSignal) =>
    fetch(
      new Request(`http://localhost${path}`, {
        signal: AbortSignal.any([left.signal, ...(signal ? [signal] : [])]),
      }),
      "127.0.0.1",
    );
  const end = async (path: string, response = new Response("done")) => {
    running.get(path)?.(response);
    running.delete(path);
    await settle();
  };
  return { ask, end, pass, settle, running: () => [...running.keys()] };
}

const heavy = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => `/heavy/${from + n}`);

test("heavy requests run eight at once, the others wait in their places, and light ones run beside them", async () => {
  const { ask, end, running, settle } = doors();
  const gone = new AbortController();
  const asked = heavy(0, 24).map((path) => ask(path, path === "/heavy/9" ? gone.signal : undefined));
  await settle();
  expect(running()).toEqual(heavy(0, HEAVY_REQUESTS_MAX));
  const light = ask("/light");
  expect((await ask("/heavy/25")).status).toBe(503);
  await end("/light");
  expect((await light).status).toBe(200);
  await end("/heavy/3");
  expect((await asked[3])?.status).toBe(200);
  expect(running()).toEqual([0, 1, 2, 4, 5, 6, 7, 8].map((n) => `/heavy/${n}`));
  // A client that goes while it waits gives its place back, and never runs.
  gone.abort();
  expect((await asked[9])?.status).toBe(499);
  for (const n of [0, 1]) await end(`/heavy/${n}`);
  expect(running().slice(-2)).toEqual(["/heavy/10", "/heavy/11"]);
});

test("routes have their turns one after the other, however many requests of one wait", async () => {
  const { ask, end, running, settle } = doors();
  const ledgers = Array.from({ length: 12 }, (_, n) => `/heavy/ledger${n}`);
  const asked = [...ledgers, "/heavy/1"].map((path) => ask(path));
  await settle();
  expect(running()).toEqual(ledgers.slice(0, HEAVY_REQUESTS_MAX));
  for (const path of ledgers.slice(0, 2)) await end(path);
  expect(running().slice(-2)).toEqual([ledgers[8] ?? "", "/heavy/1"]);
  await end("/heavy/1");
  expect((await asked[12])?.status).toBe(200);
});

test("a heavy request that runs for long passes its turn on, and one that waits too long is ended", async () => {
  const { ask, end, running, settle, pass } = doors();
  const asked = heavy(0, 2 * HEAVY_REQUESTS_MAX + 1).map((path) => ask(path));
  await settle();
  pass(HEAVY_TURN_S);
  await settle();
  expect(running()).toEqual(heavy(0, 2 * HEAVY_REQUESTS_MAX));
  await end("/heavy/0");
  expect((await asked[0])?.status).toBe(200);
  expect(running()).not.toContain("/heavy/16");
  pass(REQUEST_DEADLINE_S - HEAVY_TURN_S);
  expect((await asked[16])?.status).toBe(504);
});

test("a download that is not read for 30 s is cut off and gives its place back", async () => {
  const { ask, end, pass, settle } = doors();
  const paths = heavy(0, CONCURRENT_REQUESTS_MAX);
  const asked = paths.map((path) => ask(path));
  await settle();
  for (const path of paths) {
    const response = new Response(
      new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1_000)) }),
    );
    markStreamed(response.headers);
    await end(path, response);
  }
  const [read, ...unread] = (await Promise.all(asked)).map(({ body }) => body?.getReader());
  await settle();
  expect((await ask("/light")).status).toBe(503);
  pass(SEND_STALLED_S - 1);
  await read?.read();
  await settle();
  expect((await ask("/light")).status).toBe(503);
  pass(1);
  const light = ask("/light");
  await settle();
  await end("/light");
  expect((await light).status).toBe(200);
  // The piece on its way comes, then the stream is aborted, never ended as if it were whole.
  for (const reader of unread)
    await expect(reader?.read().then(() => reader?.read())).rejects.toBeUndefined();
  expect((await read?.read())?.done).toBe(false);
});
