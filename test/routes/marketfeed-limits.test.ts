// Faults that the brokerage-feed routes refuse or survive: missing keys, early questions, a feed that fails,
// too many at once.
import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Dial } from "../../sample/faults.ts";
import { type ApiDocument, apiDocument, faultsOfAnswer } from "../support/api-document.ts";
import { problemOf } from "../support/price-requests.ts";
import { openSampleService, type SampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

const P = "/api/v1/marketfeed";
/** Canaries: they must show up nowhere. */
const KEY = "PKCANARY7711";
const SECRET = "CanarySecret8822xyz";
const KEYS = { MARKETFEED_API_KEY: KEY, MARKETFEED_SECRET_KEY: SECRET };
const PAST = "start_date=2026-09-01&end_date=2026-09-02";

describe("without keys", () => {
  let service: SampleService;
  beforeAll(async () => {
    service = await openSampleService();
  });
  afterAll(() => service.stop());

  test("every request's error names both variables, no provider is asked, and the other routes still work", async () => {
    for (const path of [
      `intraday?tickers=ZUBB&${PAST}`,
      "intraday/today?tickers=ZUBB",
      "snapshot?tickers=ZUBB",
    ]) {
      const problem = await problemOf(await service.fetch(`${P}/${path}`), 503);
      expect(problem.code).toBe("not_configured");
      expect(problem.detail).toContain("MARKETFEED_API_KEY and MARKETFEED_SECRET_KEY");
    }
    const { status, body } = await service.post<{ code: string }>(`${P}/admin/backfill-pit`, {});
    expect([status, body.code]).toEqual([503, "not_configured"]);
    expect(service.sample.traffic().total).toBe(0);
    const bars = await service.get<{ source: string }>(`/api/v1/price/data?tickers=ZUBB&${PAST}`);
    expect(bars.body.source).toBe("yahoo");
  });

  test("status and health tell it", async () => {
    const { status, body } = await service.get(`${P}/status`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ configured: false, reachable: false, rate_limit: { limit: null } });
    const health = await service.get<{ dependencies: Record<string, unknown> }>("/api/v1/health");
    expect(health.body.dependencies.marketfeed).toMatchObject({
      status: "not_configured",
      configured: false,
    });
  });
});

test("one key without the other stops the start and names both", async () => {
  for (const [env, set, unset] of [
    [{ MARKETFEED_API_KEY: KEY }, "MARKETFEED_API_KEY", "MARKETFEED_SECRET_KEY"],
    [{ MARKETFEED_SECRET_KEY: SECRET }, "MARKETFEED_SECRET_KEY", "MARKETFEED_API_KEY"],
  ] as const) {
    const start = openSampleService({ env });
    await expect(start).rejects.toThrow(`${set} is set and ${unset} is not`);
    const message = await start.catch((error: Error) => error.message);
    for (const secret of [KEY, SECRET]) expect(message).not.toContain(secret);
  }
});

describe("the day of today", () => {
  let service: SampleService;
  beforeAll(async () => {
    service = await openSampleService({ env: KEYS });
  });
  afterAll(() => service.stop());
  const ask = (end: string) => service.fetch(`${P}/intraday?tickers=ZUBB&interval=1h&end_date=${end}`);

  // New York is at UTC−4 in summer and UTC−5 in winter.
  for (const [what, now, today] of [
    ["an hour before the close in summer", "2026-09-09T19:00:00Z", "2026-09-09"],
    ["a moment before the close in winter", "2026-12-09T20:58:00Z", "2026-12-09"],
    ["before the open", "2026-09-09T11:00:00Z", "2026-09-09"],
    ["a moment before the close of a half day", "2026-11-27T17:58:00Z", "2026-11-27"],
    ["on a Saturday morning", "2026-09-12T15:00:00Z", "2026-09-12"],
    ["on a holiday's noon", "2026-11-26T17:00:00Z", "2026-11-26"],
  ] as const)
    test(`is refused ${what}, with the way to the running day`, async () => {
      service.clock.set(now);
      const problem = await problemOf(await ask(today), 400);
      expect(problem.code).toBe("end_date_not_allowed");
      expect(problem.detail).toContain("/api/v1/marketfeed/intraday/today");
    });

  for (const [what, now, today, bars] of [
    ["after the close in summer", "2026-09-09T20:00:00Z", "2026-09-09", 6],
    ["an hour after the close in winter", "2026-12-09T22:00:00Z", "2026-12-09", 7],
    ["after the close of a half day", "2026-11-27T19:00:00Z", "2026-11-27", 4],
    ["on a Saturday evening", "2026-09-12T21:00:00Z", "2026-09-12", 0],
  ] as const)
    test(`is served ${what}`, async () => {
      service.clock.set(now);
      const response = await service.fetch(
        `${P}/intraday?tickers=ZUBB&interval=1h&start_date=${today}&end_date=${today}`,
      );
      const body = (await response.json()) as { count: number };
      expect([response.status, body.count]).toEqual([200, bars]);
    });

  test("later than today is always refused", async () => {
    service.clock.set("2026-09-09T22:00:00Z");
    const problem = await problemOf(await ask("2026-09-10"), 400);
    expect(problem.code).toBe("end_date_not_allowed");
    expect(await problemOf(await ask("2099-01-04"), 400)).toMatchObject({ code: "end_date_not_allowed" });
  });

  test("a span the wrong way round and days beyond the calendar are refused", async () => {
    service.clock.set("2026-09-09T22:00:00Z");
    const wrong = await service.fetch(`${P}/intraday?tickers=ZUBB&start_date=2026-09-03&end_date=2026-09-02`);
    expect(await problemOf(wrong, 400)).toMatchObject({ code: "invalid_date_range" });
    const old = await service.fetch(`${P}/intraday?tickers=ZUBB&start_date=1985-09-03&end_date=1985-09-04`);
    expect(await problemOf(old, 400)).toMatchObject({ code: "invalid_date_range" });
  });

  test("the running day is empty where there is no session", async () => {
    service.clock.set("2026-11-26T17:00:00Z");
    const { status, body } = await service.get(`${P}/intraday/today?tickers=ZUBB`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ count: 0, missing: ["ZUBB"], start_date: "2026-11-26" });
    expect((body as { warnings: string[] }).warnings).toEqual([
      "nothing_there: ZUBB: The feed has no bar of these days.",
    ]);
  });
});

describe("a feed that fails", () => {
  let service: SampleService;
  let document: ApiDocument;
  beforeAll(async () => {
    service = await openSampleService({ env: KEYS });
    document = await apiDocument(service);
  });
  afterAll(() => service.stop());
  /** The breaker is open for two minutes at most: then one answer closes it for the next test. */
  afterEach(async () => {
    service.sample.dials.clear();
    service.clock.set(service.clock.now().add({ minutes: 5 }).toString());
    expect((await service.get(`${P}/snapshot?tickers=HOOZ`)).status).toBe(200);
  });
  const set = (...dials: Dial[]) =>
    service.sample.dials.set(dials.map((dial) => ({ match: "alpaca.markets", ...dial })));
  const ask = async (path: string, status: number) => {
    const response = await service.fetch(path);
    const operation = document.operation("GET", path.split("?")[0] ?? "");
    expect(await faultsOfAnswer(document, operation, response.clone())).toEqual([]);
    return problemOf(response, status);
  };
  const INTRADAY = `${P}/intraday?tickers=ZUBB,VEXOQ&${PAST}`;

  const BROKEN: readonly (readonly [string, Dial])[] = [
    ["is down", { fault: "status", status: 500 }],
    ["sends a page", { fault: "html" }],
    ["sends nothing", { fault: "empty" }],
    ["breaks off", { fault: "truncated" }],
    ["sends a list for a map", { fault: "wrong_shape", body: '{"bars":[],"next_page_token":null}' }],
    [
      "sends no moment",
      {
        fault: "wrong_shape",
        body: '{"bars":{"ZUBB":[{"t":"soon","o":1,"h":1,"l":1,"c":1,"v":1}]},"next_page_token":null}',
      },
    ],
    [
      "answers about another symbol",
      { fault: "wrong_shape", body: '{"bars":{"ELSE":[]},"next_page_token":null}' },
    ],
    ["repeats its page token", { fault: "wrong_shape", body: '{"bars":{},"next_page_token":"again"}' }],
  ];
  for (const [what, dial] of BROKEN)
    test(`is 502 with the hint when it ${what}, and nothing is stored`, async () => {
      set(dial);
      const problem = await ask(INTRADAY, 502);
      expect(problem.code).toBe("upstream_error");
      expect(problem.detail).toContain("possibly too many symbols; try fewer than 100");
      const stored = await service.app().lake.query("SELECT count(*) AS bars FROM bars_intraday");
      expect(stored).toEqual([{ bars: 0 }]);
    });

  test("answers 429 when the feed's rate limit is reached, and asks nothing until the limit resets", async () => {
    const body = '{"message":"too many requests."}';
    set({ fault: "rate_limited", body });
    const problem = await ask(INTRADAY, 429);
    expect(problem.code).toBe("upstream_rate_limited");
    const asked = service.sample.traffic().total;
    await ask(`${P}/snapshot?tickers=ZUBB`, 429);
    expect(service.sample.traffic().total).toBe(asked);
  });

  test("a plan without the consolidated feed is reported in the feed's words", async () => {
    const message = "subscription does not permit querying recent SIP data";
    set({ fault: "status", status: 403, body: JSON.stringify({ message }) });
    const problem = await ask(INTRADAY, 502);
    expect(problem.detail).toContain(message);
    expect(problem.hint).toContain("15 minutes");
  });

  test("symbols it refuses are dropped one by one, named, and the others answered", async () => {
    service.sample.resetTraffic();
    set(
      { match: "VEXOQ", fault: "status", status: 400, body: '{"message":"invalid symbol: VEXOQ"}' },
      { match: "JUMBL", fault: "status", status: 400, body: '{"message":"invalid symbol: JUMBL"}' },
    );
    const path = `${P}/intraday?tickers=JUMBL,ZUBB,vexoq&interval=1h&start_date=2026-08-03&end_date=2026-08-03`;
    const { status, body } = await service.get<{
      errors: Record<string, string>;
      missing: string[];
      count: number;
    }>(path);
    expect(status).toBe(200);
    expect(body.missing).toEqual(["JUMBL", "vexoq"]);
    expect(body.errors).toEqual({
      JUMBL: "The brokerage feed does not know the symbol JUMBL",
      vexoq: "The brokerage feed does not know the symbol vexoq",
    });
    expect(body.count).toBe(7);
    expect(service.sample.traffic().total).toBe(3);
    // The refused symbols are cached as such: the second request fetches neither them nor what is stored.
    const again = await service.get(path);
    expect(service.sample.traffic().total).toBe(3);
    expect(again.headers.get("x-cache")).toBe("HIT");
  });

  test("a refusal that names no symbol of the question ends it", async () => {
    set({ fault: "status", status: 400, body: '{"message":"invalid symbol: OTHER"}' });
    const problem = await ask(INTRADAY, 502);
    expect(problem.detail).toContain("OTHER");
  });

  test("a failed batch is reported with its symbols, the others are answered", async () => {
    const many = Array.from(
      { length: 101 },
      (_, i) => `ZX${String.fromCharCode(65 + (i % 26))}${String.fromCharCode(65 + Math.floor(i / 26))}`,
    );
    // The hundred and first symbol is alone in its batch.
    set({ match: "symbols=ZUBB&", fault: "status", status: 500 });
    const path = `${P}/snapshot?tickers=${many.slice(0, 99).join(",")},HUBBQ,ZUBB`;
    const { status, body } = await service.get<{ errors: Record<string, string>; count: number }>(path);
    expect(status).toBe(200);
    expect(Object.keys(body.errors)).toEqual(["ZUBB"]);
    expect(body.count).toBe(1);
  });

  test("a request waits ten seconds for a permit, then gets 429", async () => {
    // Four requests hold the four permits while the feed sends nothing; the fifth waits until its time is
    // over.
    set({ fault: "stall", bytes: 5 });
    const busy = Array.from({ length: 4 }, (_, i) =>
      service.fetch(`${P}/intraday/today?tickers=${["ZUBB", "HUBBQ", "GIBBL", "OOZEL"][i]}`),
    );
    while (service.sample.traffic().active < 4) await Bun.sleep(5);
    service.clock.setSpeed(20);
    const problem = await ask(`${P}/intraday/today?tickers=PLONQ`, 429);
    expect(problem.code).toBe("slot_wait_timeout");
    expect(problem.detail).toContain("10 s");
    service.clock.setSpeed(100);
    await Promise.all(busy);
    service.clock.setSpeed();
  });
});

test("keys never show up: in answers, errors, the log, health, or anything that is kept", async () => {
  const service = await openSampleService({
    env: { MARKETFEED_API_KEY: `wrong${KEY}`, MARKETFEED_SECRET_KEY: SECRET },
  });
  const said: string[] = [];
  const ask = async (path: string) => {
    const response = await service.fetch(path);
    said.push(JSON.stringify([...response.headers]), await response.text());
    return response.status;
  };
  expect(await ask(`${P}/intraday?tickers=ZUBB&${PAST}`)).toBe(502);
  expect(said.at(-1)).toContain("MARKETFEED_API_KEY and MARKETFEED_SECRET_KEY");
  service.sample.dials.set([{ fault: "reset", match: "alpaca" }]);
  await ask(`${P}/snapshot?tickers=ZUBB`);
  service.sample.dials.set([{ fault: "html", match: "alpaca" }]);
  for (const path of [
    `${P}/status`,
    `${P}/intraday/today?tickers=ZUBB`,
    "/api/v1/health",
    "/api/v1/openapi.json",
  ])
    await ask(path);
  await ask(`/api/v1/price/data?tickers=ZUBB,VEXOQ&${PAST}`);
  said.push(JSON.stringify(service.log.lines));
  await service.app().close();
  for await (const file of new Bun.Glob("**/*").scan({ cwd: service.dataDir, dot: true }))
    said.push(await Bun.file(`${service.dataDir}/${file}`).text());
  for (const secret of [KEY, SECRET]) expect(said.filter((text) => text.includes(secret))).toEqual([]);
  await service.reopen().catch(() => {});
  await service.stop();
});
