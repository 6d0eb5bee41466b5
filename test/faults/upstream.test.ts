// Every way in which a provider can fail, and the exact error that its callers get.
import { expect, setDefaultTimeout, test } from "bun:test";
import { systemClock } from "../../src/platform/clock.ts";
import {
  type AsofError,
  Busy,
  UpstreamFailed,
  UpstreamRateLimited,
  UpstreamTimeout,
} from "../../src/platform/errors.ts";
import type { Upstream, UpstreamPolicy } from "../../src/platform/upstream/policy.ts";
import { createUpstream } from "../../src/platform/upstream/upstream.ts";
import { captureLog } from "../support/capture-log.ts";
import { fakeClock } from "../support/fake-clock.ts";
import {
  type Dial,
  drip,
  endless,
  firstly,
  gzipBomb,
  reply,
  reset,
  silence,
  startChaos,
  truncated,
} from "./chaos.ts";
import { classify, connect, faultOf, OK, POLICY, tick, URL_OF } from "./probe.ts";

setDefaultTimeout(1_200_000);

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** Lets a fake clock pass whenever nothing is on the wire, until `work` is done. */
async function until<T>(
  work: Promise<T>,
  upstream: Upstream,
  clock: ReturnType<typeof fakeClock>,
  stepMs = 50,
) {
  let done = false;
  const mark = () => {
    done = true;
  };
  work.then(mark, mark);
  while (!done) {
    await tick();
    if (!done && upstream.health().activeRequests === 0) clock.advance(stepMs);
  }
  return work;
}

interface Case {
  readonly description: string;
  readonly dial: Dial;
  readonly error: typeof UpstreamFailed | typeof UpstreamRateLimited | typeof UpstreamTimeout;
  readonly message: string;
  readonly facts?: Record<string, unknown>;
  readonly hits: number;
  readonly policy?: Partial<UpstreamPolicy>;
}

const BROKE = "probe could not be reached or broke off its answer (api.example/x)";
const CASES: readonly Case[] = [
  {
    description: "silence",
    dial: silence,
    error: UpstreamTimeout,
    message: "probe did not answer within 0.05 s (api.example/x)",
    hits: 3,
    policy: { attemptMsMax: 50 },
  },
  {
    description: "a slow drip",
    dial: drip,
    error: UpstreamTimeout,
    message: "probe did not answer within 0.05 s (api.example/x)",
    hits: 2,
    policy: { attemptMsMax: 50, retriesMax: 1 },
  },
  {
    description: "429 without advice",
    dial: reply(429, "Too Many Requests\r\n"),
    error: UpstreamRateLimited,
    message: "the probe refuses (api.example/x)",
    facts: { upstreamStatus: 429, retryAfterS: undefined },
    hits: 1,
  },
  {
    description: "429 with seconds",
    dial: reply(429, "no", { "retry-after": "17" }),
    error: UpstreamRateLimited,
    message: "the probe refuses (api.example/x)",
    facts: { upstreamStatus: 429, retryAfterS: 17 },
    hits: 1,
  },
  {
    description: "429 with a date gone by",
    dial: reply(429, "no", { "retry-after": "Fri, 20 Nov 2020 15:00:00 GMT" }),
    error: UpstreamRateLimited,
    message: "the probe refuses (api.example/x)",
    facts: { upstreamStatus: 429, retryAfterS: 0 },
    hits: 1,
  },
  {
    description: "500 every time",
    dial: reply(500, "oops"),
    error: UpstreamFailed,
    message: "the probe answered with status 500 (api.example/x)",
    facts: { upstreamStatus: 500 },
    hits: 3,
  },
  {
    description: "503 that wants more patience than we have",
    dial: reply(503, "later", { "retry-after": "3600" }),
    error: UpstreamFailed,
    message: "the probe answered with status 503 (api.example/x)",
    facts: { upstreamStatus: 503, retryAfterS: 3600 },
    hits: 1,
  },
  { description: "a reset", dial: reset, error: UpstreamFailed, message: BROKE, hits: 3 },
  { description: "a truncated body", dial: truncated, error: UpstreamFailed, message: BROKE, hits: 3 },
  {
    description: "HTML for JSON",
    dial: reply(200, "<html>Will be right back</html>"),
    error: UpstreamFailed,
    message: "an HTML page instead of data (api.example/x)",
    facts: { upstreamStatus: 200 },
    hits: 1,
  },
  {
    description: "a gzip bomb",
    dial: gzipBomb,
    error: UpstreamFailed,
    message: "probe's answer is larger than 1000000 bytes (api.example/x)",
    hits: 1,
  },
  {
    description: "a body without end",
    dial: endless,
    error: UpstreamFailed,
    message: "probe's answer is larger than 1000000 bytes (api.example/x)",
    hits: 1,
  },
  {
    description: "an answer the judge stumbles over",
    dial: reply(200, "confuse"),
    error: UpstreamFailed,
    message: "probe sent an answer that cannot be understood (api.example/x)",
    hits: 1,
  },
  {
    description: "a redirect to a foreign host",
    dial: reply(302, "", { location: "https://evil.test/steal" }),
    error: UpstreamFailed,
    message: "probe answered with a redirect to a foreign host (evil.test) (api.example/x)",
    facts: { upstreamStatus: 302 },
    hits: 1,
  },
  {
    description: "a redirect to plain http",
    dial: reply(301, "", { location: "http://api.example/y" }),
    error: UpstreamFailed,
    message:
      "probe answered with a redirect to an address that is not https (http://api.example) (api.example/x)",
    hits: 1,
  },
  {
    description: "a redirect without an address",
    dial: reply(307, ""),
    error: UpstreamFailed,
    message: "probe answered with a redirect without a location (api.example/x)",
    hits: 1,
  },
  {
    description: "a redirect to itself",
    dial: reply(302, "", { location: "/x" }),
    error: UpstreamFailed,
    message: "probe redirected more than 5 times (api.example/x)",
    hits: 6,
  },
];

for (const c of CASES)
  test(`${c.description}: ${c.error.name}, after ${c.hits} request(s)`, async () => {
    using chaos = await startChaos({ "api.example/x": c.dial });
    const upstream = connect(chaos, c.policy);
    const error = await faultOf(upstream.ask({ url: `${URL_OF("x")}?crumb=CANARY` }));
    expect(error).toBeInstanceOf(c.error);
    expect((error as AsofError).message).toBe(c.message);
    expect((error as AsofError).facts).toMatchObject({ upstream: "probe", ...c.facts });
    expect([chaos.hits("api.example/x"), chaos.requests.length]).toEqual([c.hits, c.hits]);
    expect(upstream.health().lastError).toBe(c.message);
    expect(upstream.health().activeRequests).toBe(0);
  });

test("429 with a date: the seconds until then by our own clock", async () => {
  const clock = fakeClock("2026-11-20T15:00:00Z");
  using chaos = await startChaos({
    "api.example/x": reply(429, "no", { "retry-after": "Fri, 20 Nov 2026 15:01:30 GMT" }),
  });
  const error = await faultOf(connect(chaos, {}, { clock }).ask({ url: URL_OF("x") }));
  expect(error).toBeInstanceOf(UpstreamRateLimited);
  expect((error as AsofError).facts.retryAfterS).toBe(90);
});

test("a refused connection is UpstreamFailed, without the address of the gateway", async () => {
  let gateway: string;
  {
    using chaos = await startChaos({});
    gateway = chaos.gateway;
  }
  const upstream = createUpstream(POLICY, { clock: systemClock, log: captureLog(), gateway, classify });
  const error = await faultOf(upstream.ask({ url: URL_OF("x") }));
  expect(error).toBeInstanceOf(UpstreamFailed);
  expect((error as AsofError).message).toBe(BROKE);
});

test("a fault that passes is tried again: 500, then a reset, then the answer", async () => {
  using chaos = await startChaos({
    "api.example/x": firstly(1, reply(500, "oops"), firstly(2, reset, OK)),
  });
  const upstream = connect(chaos);
  const answer = await upstream.ask({ url: URL_OF("x") });
  expect([answer.status, text(answer.bytes), answer.url]).toEqual([200, '{"a":1}', URL_OF("x")]);
  const { status, requestsTotal, failuresTotal } = upstream.health();
  expect([status, requestsTotal, failuresTotal]).toEqual(["healthy", 3, 2]);
});

test("503 with a short Retry-After is waited for, not hurried", async () => {
  const clock = fakeClock("2026-11-20T15:00:00Z");
  using chaos = await startChaos({
    "api.example/x": firstly(1, reply(503, "later", { "retry-after": "4" }), OK),
  });
  const upstream = connect(chaos, {}, { clock });
  const before = clock.nowMs();
  const answer = await until(upstream.ask({ url: URL_OF("x") }), upstream, clock);
  expect(answer.status).toBe(200);
  expect(clock.nowMs() - before).toBeGreaterThanOrEqual(4_000);
  expect(chaos.requests.length).toBe(2);
});

test("a POST is tried once, unless it says that it is safe", async () => {
  using chaos = await startChaos({ "api.example/x": reset, "api.example/y": reset });
  const upstream = connect(chaos);
  const post = { method: "POST", body: "{}" } as const;
  expect(await faultOf(upstream.ask({ ...post, url: URL_OF("x") }))).toBeInstanceOf(UpstreamFailed);
  expect(await faultOf(upstream.ask({ ...post, url: URL_OF("y"), idempotent: true }))).toBeInstanceOf(
    UpstreamFailed,
  );
  expect([chaos.hits("api.example/x"), chaos.hits("api.example/y")]).toEqual([1, 3]);
});

test("redirects: followed within the hosts, cookies kept for their host, POST never, raw on demand", async () => {
  using chaos = await startChaos({
    "api.example/1": reply(302, "", { location: "/2?x=1" }),
    "api.example/2": reply(301, "", { location: "https://www.example/3" }),
    "www.example/3": OK,
    "api.example/raw": reply(302, "body", { location: "https://evil.test/", "set-cookie": "A3=1" }),
    "api.example/post": reply(302, "", { location: "/2" }),
  });
  const upstream = connect(chaos);
  const answer = await upstream.ask({ url: URL_OF("1"), headers: { Cookie: "A3=CANARY", "X-Plain": "p" } });
  expect([answer.url, text(answer.bytes)]).toEqual(["https://www.example/3", '{"a":1}']);
  expect(chaos.requests.map((r) => [r.target, r.query, r.headers.cookie, r.headers["x-plain"]])).toEqual([
    ["api.example/1", "", "A3=CANARY", "p"],
    ["api.example/2", "x=1", "A3=CANARY", "p"],
    ["www.example/3", "", undefined, "p"],
  ]);
  const raw = await upstream.ask({ url: URL_OF("raw"), redirects: "return" });
  expect([raw.status, raw.headers.get("location"), raw.headers.get("set-cookie"), text(raw.bytes)]).toEqual([
    302,
    "https://evil.test/",
    "A3=1",
    "body",
  ]);
  const post = await faultOf(upstream.ask({ url: URL_OF("post"), method: "POST", body: "" }));
  expect((post as AsofError).message).toContain("a redirect of a request that is not a GET");
});

test("an address that is not the provider's is never asked", async () => {
  using chaos = await startChaos({});
  const upstream = connect(chaos);
  for (const url of ["https://evil.test/x", "http://api.example/x", "https://api.example:444/x", "nonsense"])
    expect(await faultOf(upstream.ask({ url }))).toBeInstanceOf(UpstreamFailed);
  expect([chaos.requests.length, upstream.health().status]).toEqual([0, "unknown"]);
});

test("the request goes out as it was meant: path, query, headers, body", async () => {
  using chaos = await startChaos({ "api.example/v8/%5EGSPC": OK });
  await connect(chaos).ask({
    url: URL_OF("v8/%5EGSPC?a=%20b&c=%26"),
    headers: { Accept: "text/csv", "user-agent": "other" },
  });
  const [request] = chaos.requests;
  expect(request?.query).toBe("a=%20b&c=%26");
  expect([request?.headers.accept, request?.headers["user-agent"]]).toEqual(["text/csv", "other"]);
});

test("no query, cookie or key reaches a message or the log", async () => {
  using chaos = await startChaos({ "api.example/x": reset });
  const log = captureLog();
  const upstream = connect(chaos, {}, { log });
  const headers = { cookie: "A3=CANARY", "APCA-API-KEY-ID": "CANARY" };
  const error = (await faultOf(upstream.ask({ url: URL_OF("x?crumb=CANARY"), headers }))) as AsofError;
  expect(error.message + JSON.stringify(log.lines) + JSON.stringify(upstream.health())).not.toContain(
    "CANARY",
  );
  expect(log.lines.map((l) => [l.level, l.fields.upstream])).toEqual(Array(3).fill(["warn", "probe"]));
});

test("fifty callers of one key: one request, one answer", async () => {
  using chaos = await startChaos({ "api.example/x": OK });
  const upstream = connect(chaos);
  const answers = await Promise.all(Array.from({ length: 50 }, () => upstream.ask({ url: URL_OF("x") })));
  expect(new Set(answers.map((a) => text(a.bytes)))).toEqual(new Set(['{"a":1}']));
  expect(chaos.requests.length).toBe(1);
  await Promise.all([1, 2].map(() => upstream.ask({ url: URL_OF("x"), shareKey: false })));
  expect(chaos.requests.length).toBe(3);
});

test("one caller leaving does not affect the others; when all have left, the request is cancelled and counts as no failure", async () => {
  using chaos = await startChaos({ "api.example/x": silence });
  const upstream = connect(chaos);
  const one = new AbortController();
  const two = new AbortController();
  const first = faultOf(upstream.ask({ url: URL_OF("x"), signal: one.signal }));
  const second = faultOf(upstream.ask({ url: URL_OF("x"), signal: two.signal }));
  while (chaos.requests.length === 0) await tick();
  one.abort(new Error("first went"));
  expect(await first).toEqual(new Error("first went"));
  await tick();
  expect([chaos.closed.length, upstream.health().activeRequests]).toEqual([0, 1]);
  two.abort(new Error("second went"));
  expect(await second).toEqual(new Error("second went"));
  while (chaos.closed.length === 0 || upstream.health().activeRequests > 0) await tick();
  const { activeRequests, failuresTotal, status, breaker } = upstream.health();
  expect([activeRequests, failuresTotal, status, breaker]).toEqual([0, 0, "unknown", "closed"]);
});

test("an answer cut off at the limit frees the connection", async () => {
  using chaos = await startChaos({ "api.example/x": endless });
  await faultOf(connect(chaos).ask({ url: URL_OF("x") }));
  while (chaos.closed.length === 0) await tick();
  expect(chaos.closed).toEqual(["api.example/x"]);
});

test("the breaker opens after five failures, lets one probe through, and closes when it succeeds", async () => {
  const clock = fakeClock("2026-11-20T15:00:00Z");
  using chaos = await startChaos({
    "api.example/x": firstly(5, reply(500, "oops"), OK),
    "api.example/y": OK,
  });
  const upstream = connect(chaos, { retriesMax: 0 }, { clock });
  const ask = (path = "x") => faultOf(upstream.ask({ url: URL_OF(path), shareKey: false }));
  for (let i = 0; i < 5; i++) expect(await ask()).toBeInstanceOf(UpstreamFailed);
  expect(upstream.health()).toMatchObject({
    status: "down",
    breaker: "open",
    breakerOpenUntil: "2026-11-20T15:01:00Z",
  });
  const refused = await ask("y");
  expect(refused).toBeInstanceOf(UpstreamFailed);
  expect((refused as AsofError).message).toBe("probe failed repeatedly; no request is sent for now");
  expect((refused as AsofError).facts.retryAfterS).toBe(60);
  expect(chaos.requests.length).toBe(5);
  clock.advance(60_000);
  expect(upstream.health()).toMatchObject({ status: "degraded", breaker: "half_open" });
  const outcomes = await Promise.all([ask(), ask(), ask()]);
  expect(outcomes.filter((o) => o === "it was answered")).toHaveLength(1);
  expect(chaos.requests.length).toBe(6);
  expect(upstream.health()).toMatchObject({ status: "healthy", breaker: "closed", breakerOpenUntil: null });
  expect(await ask("y")).toBe("it was answered");
});

test("one 429 opens the breaker: queued callers fail at once and no further request goes out", async () => {
  const clock = fakeClock("2026-11-20T15:00:00Z");
  using chaos = await startChaos({
    "api.example/bad": reply(429, "no"),
    ...Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`api.example/${i}`, OK])),
  });
  const upstream = connect(chaos, { slots: 1, waitMsMax: 600_000 }, { clock });
  const first = faultOf(upstream.ask({ url: URL_OF("bad") }));
  const queued = Array.from({ length: 30 }, (_, i) => faultOf(upstream.ask({ url: URL_OF(String(i)) })));
  expect(await first).toBeInstanceOf(UpstreamRateLimited);
  for (const error of await Promise.all(queued)) {
    expect(error).toBeInstanceOf(UpstreamRateLimited);
    expect((error as AsofError).facts.retryAfterS).toBe(60);
  }
  expect(chaos.requests.length).toBe(1);
  clock.advance(60_000);
  expect(await faultOf(upstream.ask({ url: URL_OF("bad") }))).toBeInstanceOf(UpstreamRateLimited);
  expect(upstream.health().breakerOpenUntil).toBe("2026-11-20T15:06:00Z");
});

test("an answer that says no such thing is no failure", async () => {
  using chaos = await startChaos({});
  const upstream = connect(chaos, { breaker: { failuresMax: 1, openMs: [60_000] } });
  for (let i = 0; i < 3; i++) expect((await upstream.ask({ url: URL_OF(`no${i}`) })).status).toBe(404);
  expect(upstream.health()).toMatchObject({ status: "healthy", breaker: "closed", failuresTotal: 0 });
});

test("the pace is held: no two requests to one host start closer than the spacing", async () => {
  const clock = fakeClock("2026-11-20T15:00:00Z");
  const starts: number[] = [];
  const seen: Dial = (socket, request) => {
    starts.push(clock.nowMs());
    OK(socket, request);
  };
  using chaos = await startChaos(
    Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`api.example/${i}`, seen])),
  );
  const upstream = connect(chaos, { spacingMsMin: 250, slots: 2, waitMsMax: 60_000 }, { clock });
  const all = Array.from({ length: 12 }, (_, i) => upstream.ask({ url: URL_OF(String(i)) }));
  await until(Promise.all(all), upstream, clock, 10);
  const gaps = starts.slice(1).map((at, i) => at - (starts[i] ?? 0));
  expect(gaps.length).toBe(11);
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(250);
  expect(Math.max(...gaps)).toBeLessThanOrEqual(300);
});

test("never more at once than there are slots", async () => {
  let now = 0;
  let most = 0;
  const slow: Dial = (socket, request) => {
    most = Math.max(most, ++now);
    setTimeout(() => {
      now--;
      OK(socket, request);
    }, 5);
  };
  using chaos = await startChaos(
    Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`api.example/${i}`, slow])),
  );
  const upstream = connect(chaos, { slots: 3 });
  await Promise.all(Array.from({ length: 20 }, (_, i) => upstream.ask({ url: URL_OF(String(i)) })));
  expect(most).toBe(3);
});

test("a queue that is too long says so: Busy, with when to come back, and nothing is sent", async () => {
  const clock = fakeClock("2026-11-20T15:00:00Z");
  using chaos = await startChaos({ "api.example/0": OK, "api.example/1": OK, "api.example/2": OK });
  const upstream = connect(chaos, { spacingMsMin: 2_000, waitMsMax: 1_000 }, { clock });
  await upstream.ask({ url: URL_OF("0") });
  const error = await faultOf(upstream.ask({ url: URL_OF("1") }));
  expect(error).toBeInstanceOf(Busy);
  expect(error).toMatchObject({ code: "upstream_busy", facts: { upstream: "probe", retryAfterS: 2 } });
  expect([chaos.requests.length, upstream.health().failuresTotal]).toEqual([1, 0]);
});

test("the quota hook counts every attempt and its refusal keeps the request from going out", async () => {
  using chaos = await startChaos({ "api.example/x": reset });
  let left = 2;
  const beforeAttempt = () => {
    if (left-- === 0) throw new Busy("daily_limit_reached", "no calls left today");
  };
  const upstream = connect(chaos, {}, { beforeAttempt });
  expect(await faultOf(upstream.ask({ url: URL_OF("x") }))).toMatchObject({ code: "daily_limit_reached" });
  expect(chaos.requests.length).toBe(2);
});
