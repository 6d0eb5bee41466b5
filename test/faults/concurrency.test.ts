// Overload: at most 25 requests are in flight and further ones are refused at once. Every end of a request
// frees its slot.
import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, spyOn, test } from "bun:test";
import type { Dial } from "../../sample/faults.ts";
import * as sharedWork from "../../src/platform/upstream/single-flight.ts";
import { openSampleService, type SampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

/** A first fetch of past days asks for the bars and the actions since then at once. */
const REQUESTS_OF_A_FETCH = 1;

const P = "/api/v1/price";
const IN_FLIGHT_MAX = 25;
const RANGE = "start_date=2026-08-03&end_date=2026-08-07";
const OUTSIDE = [
  "/api/v1/health",
  "/api/v1/health/live",
  "/api/v1/health/ready",
  "/api/v1/metrics",
  "/metrics",
  "/docs",
  "/docs/start.js",
  "/api/v1/openapi.json",
];

let service: SampleService;
let symbols: string[];
/** Keys of shared work, once for each caller that started or joined it. */
const joined: string[] = [];
beforeAll(async () => {
  const { singleFlight } = sharedWork;
  spyOn(sharedWork, "singleFlight").mockImplementation(<T>() => {
    const flights = singleFlight<T>();
    const run: typeof flights.run = (key, ...rest) => {
      const result = flights.run(key, ...rest);
      joined.push(key);
      return result;
    };
    return { ...flights, run };
  });
  service = await openSampleService({ symbols: 400, publishes: true });
  symbols = service.sample.market.symbols().filter((s) => /^ZQ/.test(s));
  expect((await service.get(`${P}/data/ZORP?${RANGE}`)).status).toBe(200);
});
afterEach(() => service.sample.dials.clear());
afterAll(() => service.stop());

/** Symbols that are not stored yet. */
const fresh = (count: number) => symbols.splice(0, count);
const slowly = (afterMs: number, more: Partial<Dial> = {}) =>
  service.sample.dials.set([{ fault: "latency", match: "/v8/finance/chart", afterMs, ...more }]);
const charts = () =>
  service.sample.traffic().requests.filter((r) => r.url.includes("/v8/finance/chart")).length;

/** Waits until something is so; `what` is for the reader. */
async function until(_what: string, isSo: () => boolean): Promise<void> {
  while (!isSo()) await Bun.sleep(10);
}

/**
 * Counts how many of 40 simultaneous requests are admitted: each keeps its slot until the provider answers.
 */
async function freeSlots(): Promise<number> {
  const [symbol] = fresh(1);
  slowly(150);
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => service.fetch(`${P}/data/${symbol}?${RANGE}`)),
  );
  service.sample.dials.clear();
  const statuses = answers.map((a) => a.status);
  expect(statuses.filter((s) => s !== 200 && s !== 503)).toEqual([]);
  return statuses.filter((s) => s === 200).length;
}

describe("60 requests at once against a slow provider", () => {
  test("25 run, 35 are refused while those still run, and health, docs and metrics answer", async () => {
    slowly(100);
    const done: { at: number; status: number; headers: Headers; body: string }[] = [];
    const requests = fresh(60).map(async (symbol) => {
      const response = await service.fetch(`${P}/data/${symbol}?${RANGE}`);
      const { status, headers } = response;
      done.push({ at: done.length, status, headers, body: await response.text() });
    });
    await until("35 are refused", () => done.length >= 35);
    // All refusals arrive before the first other answer: they did not wait.
    expect(done.slice(0, 35).map((d) => d.status)).toEqual(Array(35).fill(503));
    expect(service.app().edge.active()).toBe(IN_FLIGHT_MAX);
    for (const path of OUTSIDE) {
      const response = await service.fetch(path);
      expect([path, response.status]).toEqual([path, 200]);
      await response.arrayBuffer();
    }
    // Stored data needs a slot too.
    const cheap = await service.get<{ code: string }>(`${P}/data/ZORP?${RANGE}`);
    expect([cheap.status, cheap.body.code]).toEqual([503, "server_busy"]);
    expect(service.app().edge.active()).toBe(IN_FLIGHT_MAX);
    await Promise.all(requests);
    for (const { status, headers, body } of done.slice(0, 35)) {
      expect([status, headers.get("retry-after"), headers.get("content-type")]).toEqual([
        503,
        "1",
        "application/problem+json",
      ]);
      expect(JSON.parse(body)).toMatchObject({
        code: "server_busy",
        retry_after: 1,
        request_id: headers.get("x-request-id"),
      });
    }
    expect(done.slice(35).map((d) => d.status)).toEqual(Array(IN_FLIGHT_MAX).fill(200));
    expect(service.app().edge.active()).toBe(0);
    expect((await service.get(`${P}/data/ZORP?${RANGE}`)).status).toBe(200);
  });
});

describe("many cold symbols of other requests", () => {
  test("do not delay the one symbol of another request: requests take turns at the provider", async () => {
    const gone = new AbortController();
    service.sample.resetTraffic();
    const others = Array.from({ length: 8 }, () =>
      service.fetch(`${P}/data?tickers=${fresh(12)}&${RANGE}`, { signal: gone.signal }),
    );
    await until("the provider is asked", () => charts() >= 4);
    const [symbol] = fresh(1);
    const before = charts();
    expect((await service.get(`${P}/latest/${symbol}`)).status).toBe(200);
    const asked = service.sample
      .traffic()
      .requests.filter((r) => r.url.includes("/v8/finance/chart"))
      .findIndex((r) => r.url.includes(`/chart/${symbol}?`));
    gone.abort();
    for (const answer of await Promise.all(others)) expect([200, 499]).toContain(answer.status);
    // One of each of the eight, and what was fetched while this request was read, but not all their ninety
    // symbols.
    expect(asked - before).toBeLessThan(40);
  });
});

describe("a slot is freed", () => {
  test("after errors of every kind", async () => {
    const [symbol] = fresh(1);
    service.sample.dials.set([{ fault: "status", status: 500, match: `chart/${symbol}`, times: 3 }]);
    const paths = [
      `${P}/data/${symbol}?${RANGE}`,
      ...Array(8).fill(`${P}/data/ZORP?period=9y`),
      ...Array(8).fill(`${P}/data/ZORP?end_date=2026-08-03`),
      ...Array(8).fill(`${P}/latest/NOSUCH`),
    ];
    const statuses = await Promise.all(paths.map(async (path) => (await service.fetch(path)).status));
    expect([...new Set(statuses)].sort()).toEqual([400, 404, 422, 502]);
    const bodies = await Promise.all(
      Array.from({ length: IN_FLIGHT_MAX }, () =>
        service.fetch(`${P}/data`, {
          method: "POST",
          body: "{",
          headers: { "content-type": "application/json" },
        }),
      ),
    );
    expect(new Set(bodies.map((r) => r.status))).toEqual(new Set([422]));
    expect(service.app().edge.active()).toBe(0);
    expect(await freeSlots()).toBe(IN_FLIGHT_MAX);
  });

  test("once a streamed answer is read or cancelled, and not before", async () => {
    // Some 2 MB: an answer below 1 MB is sent at once, and frees its place before it is read.
    const years =
      "tickers=ZORP,KRONK,QUIB-B,NURBL,WUZZL,TRELB,AVEXO,MUKLU&start_date=2021-06-01&end_date=2026-09-08";
    const csv = () => service.fetch(`${P}/data?${years}&format=ndjson`);
    const lines = (await (await csv()).text()).split("\n").length;
    const answers = await Promise.all(Array.from({ length: IN_FLIGHT_MAX }, csv));
    expect(answers.map((a) => a.status)).toEqual(Array(IN_FLIGHT_MAX).fill(200));
    expect(service.app().edge.active()).toBe(IN_FLIGHT_MAX);
    expect((await csv()).status).toBe(503);
    for (const answer of answers.slice(0, 10)) await answer.body?.cancel();
    for (const answer of answers.slice(10)) expect((await answer.text()).split("\n").length).toBe(lines);
    expect(service.app().edge.active()).toBe(0);
    for (const format of ["csv", "ndjson", "parquet"])
      await service.fetch(`${P}/data/ZORP?${RANGE}&format=${format}`, { method: "HEAD" });
    expect(service.app().edge.active()).toBe(0);
    expect(await freeSlots()).toBe(IN_FLIGHT_MAX);
  });

  test("when the client disconnects, which also ends the provider's request", async () => {
    slowly(60_000);
    const clients = fresh(IN_FLIGHT_MAX).map((symbol) => {
      const leave = new AbortController();
      const answer = service.fetch(`${P}/data/${symbol}?${RANGE}`, { signal: leave.signal });
      return { leave, answer };
    });
    await until("the provider is asked", () => service.sample.traffic().active > 0);
    expect(service.app().edge.active()).toBe(IN_FLIGHT_MAX);
    for (const { leave } of clients) leave.abort();
    await Promise.all(clients.map(({ answer }) => answer));
    expect(service.app().edge.active()).toBe(0);
    await until("the provider's request ends", () => service.sample.traffic().active === 0);
    service.sample.dials.clear();
    // A client that disconnects counts as a failure neither of the service nor of the provider.
    expect(service.log.lines.filter((l) => l.level === "error")).toEqual([]);
    const { body } = await service.get<{ dependencies: Record<string, { breaker: string }> }>(
      "/api/v1/health",
    );
    expect(body.dependencies.yahoo?.breaker).toBe("closed");
    expect(await freeSlots()).toBe(IN_FLIGHT_MAX);
  });

  test("over the wire: a connection that is cut ends the work of its request, with and without a body", async () => {
    const server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: (request, server) => service.app().edge.fetch(request, server.requestIP(request)?.address ?? ""),
    });
    const [one = "", other = ""] = fresh(2);
    const requests: [string, RequestInit][] = [
      [`${server.url}api/v1/price/data/${one}?${RANGE}`, {}],
      [
        `${server.url}api/v1/price/data`,
        {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ ticker: other, period: "7d" }),
        },
      ],
    ];
    for (const [url, init] of requests) {
      slowly(60_000);
      const leave = new AbortController();
      const answer = fetch(url, { ...init, signal: leave.signal }).catch((error: unknown) => error);
      await until("the provider is asked", () => service.sample.traffic().active === 1);
      leave.abort();
      expect(await answer).toBeInstanceOf(DOMException);
      await until("the provider's request ends", () => service.sample.traffic().active === 0);
      await until("the slot is free", () => service.app().edge.active() === 0);
      service.sample.dials.clear();
    }
    await server.stop(true);
  });
});

describe("equal work is done once", () => {
  test("50 simultaneous requests for one key make one call, though half of them are refused", async () => {
    const [symbol] = fresh(1);
    slowly(200);
    const before = charts();
    const path = `${P}/data/${symbol}?${RANGE}`;
    const answers = await Promise.all(Array.from({ length: 50 }, () => service.get<{ data: unknown }>(path)));
    const good = answers.filter((a) => a.status === 200);
    expect([good.length, answers.length - good.length]).toEqual([IN_FLIGHT_MAX, 25]);
    expect(new Set(good.map((a) => JSON.stringify(a.body.data))).size).toBe(1);
    expect(charts() - before).toBe(REQUESTS_OF_A_FETCH);
    const again = await Promise.all(Array.from({ length: IN_FLIGHT_MAX }, () => service.get(path)));
    expect(again.every((a) => a.status === 200)).toBe(true);
    expect(charts() - before).toBe(REQUESTS_OF_A_FETCH);
  });

  test("concurrent refreshes, quotes and intraday bars of one key share one call", async () => {
    const [symbol] = fresh(1);
    await service.get(`${P}/data/${symbol}?${RANGE}`);
    await service.get(`${P}/quote/ZORP`);
    slowly(100);
    service.sample.resetTraffic();
    for (const [path, wanted] of [
      [`${P}/data/${symbol}?${RANGE}&force_refresh=true`, "chart"],
      [`${P}/intraday?tickers=${symbol}`, "chart"],
      [`${P}/intraday/${symbol}`, "chart"],
      [`${P}/quote/${symbol}`, "finance/quote"],
    ]) {
      service.sample.resetTraffic();
      const answers = await Promise.all(Array.from({ length: 20 }, () => service.fetch(path ?? "")));
      expect(new Set(answers.map((a) => a.status))).toEqual(new Set([200]));
      const { requests } = service.sample.traffic();
      expect([path, requests.filter((r) => r.url.includes(wanted ?? "")).length]).toEqual([path, 1]);
    }
  });

  test("a multi-ticker request fetches each symbol once; a second identical one fetches nothing", async () => {
    const names = fresh(5);
    const path = `${P}/data?tickers=${names.join(",")}&${RANGE}`;
    const before = charts();
    slowly(50);
    const both = await Promise.all([
      service.get<{ count: number }>(path),
      service.get<{ count: number }>(path),
    ]);
    expect(both.map((a) => [a.status, a.body.count])).toEqual([
      [200, 25],
      [200, 25],
    ]);
    expect(charts() - before).toBe(5 * REQUESTS_OF_A_FETCH);
    const again = await service.get<{ count: number; cached: boolean }>(path);
    expect([again.body.count, again.body.cached]).toEqual([25, true]);
    const bulk = await service.post<{ successful: number }>(`${P}/data/bulk`, {
      tickers: names,
      start_date: "2026-08-03",
      end_date: "2026-08-07",
    });
    expect(bulk.body.successful).toBe(5);
    expect(charts() - before).toBe(5 * REQUESTS_OF_A_FETCH);
  });

  test("a client that disconnects does not end the same work of another", async () => {
    const [symbol] = fresh(1);
    const path = `${P}/data/${symbol}?${RANGE}`;
    slowly(60_000);
    const before = charts();
    const leave = new AbortController();
    const gone = service.fetch(path, { signal: leave.signal });
    const staying = service.get<{ count: number }>(path);
    await until("the provider is asked", () => charts() - before === 1);
    const fetches = () => joined.filter((key) => key.startsWith(`yahoo ${symbol} `)).length;
    await until("both requests wait for one fetch", () => fetches() === 2);
    leave.abort();
    expect((await gone).status).toBe(499);
    expect([service.sample.traffic().active, charts() - before]).toEqual([1, REQUESTS_OF_A_FETCH]);
    // The fetch meets the time limit of its call, and makes another for the one that stayed.
    service.sample.dials.clear();
    service.clock.endNewestWait();
    const { status, body } = await staying;
    expect([status, body.count, fetches()]).toEqual([200, 5, 2]);
  });
});
