// The machine's clock is set forward and back under a running service: nothing runs twice, hangs, or is good
// for too long.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { openSampleService, type SampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

const ENV = {
  SEC_USER_AGENT: "Asof tests tests@asof.example",
  ECONDATA_API_KEY: "abcdefghijklmnopqrstuvwxyz012345",
  JOBS: "on",
};
/** Jobs that ask no provider: only when and how often they run matters here. */
const QUIET = ["lake-compaction", "request-log-purge"];
/** A Friday before New York's clocks go back on 1 November, mid-morning there. */
const START = "2026-10-30T14:00:30Z";
const HOUR_MS = 3_600_000;

interface Run {
  job: string;
  scheduled_for: string | null;
  missed_since: string | null;
  outcome: string;
  started_at: string;
}

let service: SampleService;
beforeAll(async () => {
  service = await openSampleService({ at: START, env: ENV });
});
afterAll(() => service.stop());

const set = (at: string) => service.clock.set(at);
const by = (ms: number) =>
  service.clock.set(Temporal.Instant.fromEpochMilliseconds(service.clock.nowMs() + ms).toString());
const due = async () => {
  for (const name of QUIET) await service.app().jobs.due(name);
};
const runs = async (job: string): Promise<Run[]> =>
  (await service.get<{ data: Run[] }>(`/api/v1/scheduler/runs?job=${job}&limit=1000`)).body.data;

/** No slot has two rows, and every run has ended. */
async function soundLedger() {
  for (const job of QUIET) {
    const all = (await runs(job)).filter((run) => run.scheduled_for !== null);
    const slots = all.map((run) => run.scheduled_for);
    expect([job, slots.length - new Set(slots).size]).toEqual([job, 0]);
    expect(all.filter((run) => run.outcome === "running" || run.outcome === "failed")).toEqual([]);
  }
}

describe("jobs", () => {
  test("timers that fire again and again for one moment run its slot once", async () => {
    set("2026-10-30T14:15:00Z");
    await Promise.all([due(), due(), due()]);
    await due();
    const compactions = await runs("lake-compaction");
    expect(compactions.filter((run) => run.scheduled_for === "2026-10-30T14:15:00.000Z")).toHaveLength(1);
    await soundLedger();
  });

  test("an hour back: the slots of that hour are not run again", async () => {
    const before = await runs("lake-compaction");
    set("2026-10-30T13:15:01Z");
    await due();
    set("2026-10-30T14:15:01Z");
    await due();
    const after = await runs("lake-compaction");
    const twice = after.filter((run) => run.scheduled_for === "2026-10-30T14:15:00.000Z");
    expect(twice).toHaveLength(1);
    // The slots before it belong to what the first run stood for, or are new to the ledger: never a second
    // row.
    expect(after.length - before.length).toBeLessThanOrEqual(1);
    await soundLedger();
  });

  test("over the hour that New York has twice: a daily job runs once a day, a quarter-hourly one every quarter", async () => {
    const purged = (await runs("request-log-purge")).length;
    for (
      let at = Temporal.Instant.from("2026-11-01T05:00:00Z");
      Temporal.Instant.compare(at, Temporal.Instant.from("2026-11-01T09:00:00Z")) <= 0;
      at = at.add({ minutes: 15 })
    ) {
      set(at.toString());
      await due();
    }
    const nights = (await runs("request-log-purge")).slice(0, -purged || undefined);
    expect(nights.map((run) => run.scheduled_for)).toContain("2026-11-01T08:30:00.000Z");
    const quarters = (await runs("lake-compaction")).filter((run) =>
      run.scheduled_for?.startsWith("2026-11-01T0"),
    );
    // 05:00 to 09:00 UTC, both ends: four hours of New York's clock, one of which occurs twice.
    expect(quarters.length).toBe(17);
    await soundLedger();
  });

  test("a week forward: the missed slots are caught up in one run that says so", async () => {
    const before = (await runs("lake-compaction")).length;
    set("2026-11-08T14:00:01Z");
    await due();
    const after = await runs("lake-compaction");
    expect(after.length - before).toBe(1);
    expect(after[0]?.missed_since).toBe("2026-11-01T09:15:00.000Z");
    expect(after[0]?.outcome).toBe("succeeded");
    await soundLedger();
  });

  test("a week back and a restart: nothing is run again for days that were dealt with", async () => {
    const before = (await runs("lake-compaction")).length;
    set("2026-11-01T14:00:01Z");
    await due();
    await service.reopen();
    await service.app().jobs.catchUp();
    await due();
    expect((await runs("lake-compaction")).length - before).toBeLessThanOrEqual(1);
    await soundLedger();
    const { body } = await service.get<{ data: { name: string; next_run_at: string }[] }>(
      "/api/v1/scheduler/jobs",
    );
    const jobs = (body.data ?? body) as { name: string; next_run_at: string | null }[];
    for (const { name, next_run_at } of jobs.filter((job) => QUIET.includes(job.name)))
      expect([name, Date.parse(next_run_at ?? "") > service.clock.nowMs()]).toEqual([name, true]);
  });
});

describe("the cache", () => {
  const asked = () => service.sample.traffic().total;

  test("fetches a quote again after the clock went an hour back, without an Age", async () => {
    set("2026-11-06T16:00:00Z");
    expect((await service.get("/api/v1/price/quote/ZORP")).status).toBe(200);
    by(-HOUR_MS);
    const before = asked();
    const quote = await service.get<{ price_time: string }>("/api/v1/price/quote/ZORP");
    expect([quote.status, asked() > before]).toEqual([200, true]);
    const age = Number(quote.headers.get("age") ?? 0);
    expect([age >= 0, age < 60]).toEqual([true, true]);
  });

  test("fetches a day's list again a week later, and again a week back", async () => {
    for (const at of ["2026-11-06T16:00:00Z", "2026-11-13T16:00:00Z", "2026-11-06T15:00:00Z"]) {
      set(at);
      const first = await service.get("/api/v1/stocks/index/sp500");
      expect([at, first.status, first.headers.get("x-cache")]).toEqual([at, 200, "MISS"]);
      const second = await service.get("/api/v1/stocks/index/sp500");
      expect([at, second.status, second.headers.get("x-cache")]).toEqual([at, 200, "HIT"]);
    }
  });
});

describe("providers", () => {
  test("a breaker opened before the clock went back an hour is not open for an hour", async () => {
    set("2026-11-06T16:00:00Z");
    service.sample.dials.set([{ fault: "rate_limited", match: "/v8/finance/chart/KRONK" }]);
    expect((await service.get("/api/v1/price/data/KRONK?period=1m")).status).toBe(429);
    service.sample.dials.clear();
    by(-HOUR_MS);
    expect((await service.get("/api/v1/price/data/KRONK?period=1m")).status).toBe(429);
    // As long as it was opened for, counted from the new time.
    by(16 * 60_000);
    expect((await service.get("/api/v1/price/data/KRONK?period=1m")).status).toBe(200);
  });

  test("the pace goes on after any jump", async () => {
    for (const ms of [-HOUR_MS, 7 * 24 * HOUR_MS, -24 * HOUR_MS, HOUR_MS, -6 * 24 * HOUR_MS]) {
      by(ms);
      for (const path of [
        "/api/v1/price/latest/ZORP",
        "/api/v1/filings/search?ticker=ZORP&force_refresh=true",
        "/api/v1/econdata/proxy/sources?force_refresh=true",
      ])
        expect([ms, path, (await service.get(path)).status]).toEqual([ms, path, 200]);
    }
  });

  test("the day's calls stay counted by day, whichever way the clock goes", async () => {
    interface Usage {
      data: { used_today: number; current_date?: string };
    }
    const used = async () => (await service.get<Usage>("/api/v1/econdata/stats/usage")).body.data.used_today;
    const call = async () =>
      expect((await service.get("/api/v1/econdata/proxy/sources?force_refresh=true")).status).toBe(200);
    set("2026-11-20T15:00:00Z");
    const friday = await used();
    await call();
    expect(await used()).toBe(friday + 1);
    set("2026-11-21T15:00:00Z");
    const saturday = await used();
    await call();
    expect(await used()).toBe(saturday + 1);
    set("2026-11-20T16:00:00Z");
    expect(await used()).toBe(friday + 1);
    await call();
    expect(await used()).toBe(friday + 2);
  });
});

test("none of it was unforeseen", () => {
  expect(service.log.lines.filter((line) => line.level === "error")).toEqual([]);
});
