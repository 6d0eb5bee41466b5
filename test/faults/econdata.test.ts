// The economic-data provider unreachable, broken or without a key: what is still answered, and how.
import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Lake } from "../../src/platform/lake/lake.ts";
import { createLog } from "../../src/platform/log.ts";
import {
  type EconProvider,
  type EconReply,
  openEcon,
  openEconLake,
  openEconProvider,
} from "../support/econdata-world.ts";
import { fakeClock } from "../support/fake-clock.ts";
import { openSampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

let dir: string;
let provider: EconProvider;
let lake: Lake;
const clock = fakeClock("2026-09-09T21:00:00Z");
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "econ-faults-"));
  provider = openEconProvider();
  clock.set("2026-09-09T21:00:00Z");
  lake = await openEconLake(dir, clock);
});
afterEach(async () => {
  await provider.stop();
  await lake.close();
  await rm(dir, { recursive: true, force: true });
});

const open = (apiKey?: string | null) =>
  openEcon({
    provider,
    database: join(dir, "ops.sqlite"),
    clock,
    lake,
    ...(apiKey === undefined ? {} : { apiKey }),
  });

/** Answers of series/observations: the values of two quarters, for the current day. */
const observations =
  (values: readonly (string | undefined)[], day: string) =>
  (url: URL): EconReply => {
    const start = url.searchParams.get("observation_start") ?? "1600-01-01";
    const rows = ["2026-01-01", "2026-04-01"].flatMap((date, i) => {
      const value = values[i];
      if (value === undefined || date < start) return [];
      return [{ realtime_start: day, realtime_end: day, date, value }];
    });
    const time = { realtime_start: day, realtime_end: day };
    return { body: { ...time, count: rows.length, offset: 0, limit: 100_000, observations: rows } };
  };
const SERIES = { series_id: "FICGDP" };
const PATH = "series/observations";
const rowsOf = (body: Readonly<Record<string, unknown>>) =>
  (body.observations as { date: string; value: string }[]).map(({ date, value }) => [date, value]);

test("every kind of failure has its own error, and afterwards the old copy is served", async () => {
  const econ = open();
  provider.answer(() => ({ body: { sources: [{ id: 1 }] } }));
  await econ.get("sources");
  const ways: readonly (readonly [EconReply, string])[] = [
    [{ status: 500, body: "<html>" }, "upstream_error"],
    [{ status: 423, body: { error_code: 423, error_message: "Locked." } }, "upstream_error"],
    [{ status: 200, body: "<html><title>Access Denied</title></html>" }, "upstream_error"],
    [{ status: 200, body: '<?xml version="1.0"?><sources/>' }, "upstream_error"],
    [{ status: 200, body: "" }, "upstream_error"],
    [{ status: 200, body: '{"sources":[{"id":' }, "upstream_error"],
    [{ status: 200, body: { source: [] } }, "upstream_error"],
    [
      { status: 429, body: { error_code: 429, error_message: "Too Many Requests." } },
      "upstream_rate_limited",
    ],
  ];
  for (const [reply, code] of ways) {
    provider.answer(() => reply);
    // Longer than the breaker can stay open.
    clock.advance(3_600_000);
    expect([reply.body, (await econ.get("sources", { offset: 1 })).said]).toEqual([reply.body, code]);
    expect((await econ.get("sources", { force_refresh: true })).said).not.toBe("cache");
    expect((await econ.get("sources")).said).toBe("cache");
  }
  clock.set("2026-09-11T21:00:00Z");
  const stale = await econ.get("sources");
  expect([stale.said, stale.cache]).toEqual(["stale_cache", "STALE"]);
  expect(stale.body).toMatchObject({
    sources: [{ id: 1 }],
    _metadata: { cached_at: "2026-09-09T21:00:00.000Z", expires_at: "2026-09-10T21:00:00.000Z" },
  });
  expect(econ.log.lines.filter(({ level }) => level === "error")).toEqual([]);
  econ.close();
});

test("without a key: 503 without a copy; cached copies, even expired ones, and stored spans are served", async () => {
  const before = open();
  provider.answer(observations(["100", "."], "2026-09-09"));
  await before.get(PATH, SERIES);
  before.close();
  clock.set("2026-09-12T21:00:00Z");
  const econ = open(null);
  provider.asked.length = 0;
  expect((await econ.get(PATH, SERIES)).said).toBe("stale_cache");
  expect((await econ.get(PATH, { ...SERIES, force_refresh: true })).said).toBe("stale_cache");
  const missing = await econ.get("sources");
  expect([missing.said, missing.fault?.facts.hint]).toEqual([
    "not_configured",
    "Set ECONDATA_API_KEY to a free key from fred.stlouisfed.org.",
  ]);
  expect((await econ.get("sources", { bypass_limit_check: true })).said).toBe("not_configured");
  // Another page of a completely stored span: never requested before, so there is no copy.
  const stored = await econ.get(PATH, { ...SERIES, sort_order: "desc", limit: 1, offset: 1 });
  expect([stored.said, stored.cache]).toEqual(["stored", "STALE"]);
  expect(stored.body).toMatchObject({
    realtime_start: "2026-09-09",
    realtime_end: "2026-09-09",
    observation_start: "1600-01-01",
    observation_end: "9999-12-31",
    units: "lin",
    output_type: 1,
    file_type: "json",
    sort_order: "desc",
    order_by: "observation_date",
    count: 2,
    offset: 1,
    limit: 1,
    observations: [
      { realtime_start: "2026-09-09", realtime_end: "2026-09-09", date: "2026-01-01", value: "100" },
    ],
    _metadata: { source: "stored", cached_at: "2026-09-09T21:00:00.000Z", expires_at: null },
  });
  const dot = await econ.get(PATH, { ...SERIES, observation_start: "2026-02-01" });
  expect([dot.said, rowsOf(dot.body)]).toEqual(["stored", [["2026-04-01", "."]]]);
  expect((await econ.get(PATH, { ...SERIES, units: "pch" })).said).toBe("not_configured");
  expect((await econ.get(PATH, { ...SERIES, realtime_start: "2026-09-09" })).said).toBe("not_configured");
  expect((await econ.get(PATH, { series_id: "OTHER" })).said).toBe("not_configured");
  expect(provider.asked).toEqual([]);
  expect(econ.usage(1, true).data).toMatchObject({ used_today: 0, can_make_requests: false });
  econ.close();
});

test("after three revisions, each time has its own values when the provider is unreachable", async () => {
  const econ = open();
  for (const [at, first, second] of [
    ["2026-07-30T20:00:00Z", "100", undefined],
    ["2026-08-28T20:00:00Z", "101.5", "110"],
    ["2026-09-09T20:00:00Z", ".", "111"],
  ] as const) {
    clock.set(at);
    provider.answer(observations([first, second], at.slice(0, 10)));
    expect((await econ.get(PATH, SERIES)).said).toBe("upstream");
  }
  clock.set("2026-09-20T20:00:00Z");
  provider.answer(() => ({ status: 503, body: "<html>" }));
  const at = async (as_of: string) => {
    const { said, body } = await econ.get(PATH, { ...SERIES, as_of });
    return said === "stored" ? [body.realtime_start, ...rowsOf(body)] : said;
  };
  expect(await at("2026-07-30")).toEqual(["2026-07-30", ["2026-01-01", "100"]]);
  expect(await at("2026-08-28T19:59:59Z")).toEqual(["2026-07-30", ["2026-01-01", "100"]]);
  const revised = ["2026-08-28", ["2026-01-01", "101.5"], ["2026-04-01", "110"]];
  expect(await at("2026-08-28T20:00:00Z")).toEqual(revised);
  expect(await at("2026-09-08")).toEqual(revised);
  expect(await at("2026-09-10")).toEqual(["2026-09-09", ["2026-01-01", "."], ["2026-04-01", "111"]]);
  // Nothing was known then, neither by the provider nor by the store.
  expect(await at("2026-07-29")).toBe("upstream_error");
  econ.close();
});

test("the store answers for values that the provider's archive lacks", async () => {
  const econ = open();
  provider.answer(observations(["100", "110"], "2026-09-09"));
  await econ.get(PATH, SERIES);
  clock.set("2026-09-20T20:00:00Z");
  const error_message = "Bad Request.  The series does not exist in ALFRED but may exist in FRED.";
  provider.answer(() => ({ status: 400, body: { error_code: 400, error_message } }));
  expect((await econ.get(PATH, { ...SERIES, as_of: "2026-09-10" })).said).toBe("stored");
  const before = await econ.get(PATH, { ...SERIES, as_of: "2026-09-01" });
  expect([before.said, before.fault?.message]).toEqual(["bad_request", error_message]);
  econ.close();
});

test("an answer with an impossible observation is rejected completely, and nothing is stored", async () => {
  const econ = open();
  for (const value of ["NaN", "Infinity", "1e999", "", "1,2"]) {
    clock.advance(3_600_000);
    provider.answer(observations(["100", value], "2026-09-09"));
    expect([value, (await econ.get(PATH, SERIES)).said]).toEqual([value, "upstream_error"]);
  }
  expect(await lake.query("SELECT * FROM econ_observations")).toEqual([]);
  econ.close();
});

test("a lake that cannot be written does not fail the answer, and is logged", async () => {
  const econ = openEcon({ provider, database: join(dir, "other.sqlite"), clock });
  provider.answer(observations(["100", "110"], "2026-09-09"));
  expect((await econ.get(PATH, SERIES)).said).toBe("upstream");
  expect(econ.log.lines.filter(({ level }) => level === "warn").map(({ message }) => message)).toEqual([
    "observations could not be stored",
  ]);
  econ.close();
});

test("the key is in no answer, no log line, and no file of the data folder", async () => {
  const key = "canary9876543210canary9876543210";
  const service = await openSampleService({ env: { ECONDATA_API_KEY: key } });
  const reported: string[] = [];
  const ask = async (path: string) => {
    const response = await service.fetch(`/api/v1/econdata/${path}`);
    reported.push(JSON.stringify([...response.headers]), await response.text());
  };
  await ask("proxy/series/observations?series_id=FICGDP&api_key=theirs");
  const echo = `Bad Request.  The value for variable api_key is not registered: ${key}.`;
  const body = JSON.stringify({ error_code: 400, error_message: echo });
  const faults: readonly object[] = [
    { fault: "status", status: 400, body },
    { fault: "status", status: 404, body },
    { fault: "status", status: 500, body: `<html>?api_key=${key}</html>` },
    { fault: "html", body: `<html>api_key=${key}</html>` },
    { fault: "wrong_shape", body: `{"nothing":"${key}"}` },
    { fault: "wrong_shape", body: `{"sources":[{"id":1,"link":"https://x.example/?api_key=${key}"}]}` },
    { fault: "rate_limited", body: key },
    { fault: "reset" },
  ];
  for (const [i, dial] of faults.entries()) {
    service.sample.dials.set([{ match: "/fred/sources", ...dial } as never]);
    await ask(`proxy/sources?offset=${i}`);
    service.sample.dials.clear();
    service.clock.set(`2026-09-${String(10 + i).padStart(2, "0")}T21:00:00Z`);
  }
  await ask("stats/usage");
  reported.push(await (await service.fetch("/api/v1/health")).text());
  reported.push(await (await service.fetch("/api/v1/metrics")).text());
  expect(reported.length).toBe(22);
  expect(reported.join("\n")).not.toContain(key);
  expect(reported.join("\n")).toContain("[redacted]");
  // As the process would write them, without knowing which value to hide.
  const written: string[] = [];
  const log = createLog({ level: "debug", clock: service.clock, write: (line) => written.push(line) });
  for (const { level, message, fields } of service.log.lines) log[level](message, fields);
  expect(written.join("")).not.toContain(key);
  expect(written.filter((line) => line.includes("request failed")).length).toBeGreaterThan(4);
  await service.app().close();
  for (const name of await readdir(service.dataDir, { recursive: true })) {
    const file = Bun.file(join(service.dataDir, name));
    if (!(await file.exists())) continue;
    expect([name, Buffer.from(await file.bytes()).includes(key)]).toEqual([name, false]);
  }
  await service.sample.stop();
  await rm(service.dataDir, { recursive: true, force: true });
});
