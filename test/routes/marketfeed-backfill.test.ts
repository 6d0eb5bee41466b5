// The backfill of the point-in-time panel over the whole service: what it stores and reports, and how it
// resumes.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { type ApiDocument, apiDocument, faultsOfAnswer } from "../support/api-document.ts";
import { storeFiles } from "../support/panel-files.ts";
import { problemOf } from "../support/price-requests.ts";
import { openSampleService, type SampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

const P = "/api/v1/marketfeed/admin/backfill-pit";
const KEYS = { MARKETFEED_API_KEY: "PKTESTKEY", MARKETFEED_SECRET_KEY: "SecretOfTests" };

interface Accepted {
  job_id: string;
  status: string;
  symbols: number;
  start_date: string;
  end_date: string;
}
interface Progress extends Omit<Accepted, "symbols"> {
  processed: number;
  total: number;
  rows: number;
  failed: { symbol: string; error: string }[];
  error: string | null;
  started_at: string;
  finished_at: string | null;
}

/** Waits for the end of a backfill. */
async function ended(service: SampleService, jobId: string): Promise<Progress> {
  for (;;) {
    const { body } = await service.get<Progress>(`${P}/${jobId}`);
    if (body.status !== "running") return body;
    await Bun.sleep(20);
  }
}

test("by itself the job fills the last sessions that are settled, once", async () => {
  // Half past ten of a Thursday in New York: Wednesday's bars are settled.
  const service = await openSampleService({ env: KEYS, at: "2026-09-10T14:30:00Z" });
  try {
    const { jobs, lake } = service.app();
    const job = "marketfeed-backfill-pit";
    expect((await jobs.runNow(job).done)?.rows).toBe(0);
    await storeFiles(lake, [["ZORP", "2026-06-01", "2026-09-09"]], "2026-06-01", "2026-09-09");
    const first = await jobs.runNow(job).done;
    const bars = await lake.query<{ first: string; last: string; rows: number }>(
      "SELECT min(date)::VARCHAR AS first, max(date)::VARCHAR AS last, count(*)::INTEGER AS rows FROM bars_daily WHERE symbol = 'ZORP'",
    );
    // 45 days back from the 9th: from Monday the 27th of July, without Labor Day.
    expect(bars).toEqual([{ first: "2026-07-27", last: "2026-09-09", rows: 32 }]);
    expect([first?.outcome, first?.rows]).toEqual(["succeeded", 32]);
    expect((await jobs.runNow(job).done)?.rows).toBe(0);
    const { body } = await service.get<Progress>(`${P}/latest`);
    expect([body.status, body.start_date, body.end_date, body.rows]).toEqual([
      ...["succeeded", "2026-07-26", "2026-09-09"],
      0,
    ]);
  } finally {
    await service.stop();
  }
});

test("without keys the job asks no provider and succeeds", async () => {
  const service = await openSampleService({ at: "2026-09-10T14:30:00Z" });
  try {
    const { jobs, lake } = service.app();
    await storeFiles(lake, [["ZORP", "2026-09-01", "2026-09-09"]], "2026-09-01", "2026-09-09");
    const run = await jobs.runNow("marketfeed-backfill-pit").done;
    expect([run?.outcome, run?.rows, service.sample.traffic().total]).toEqual(["succeeded", 0, 0]);
  } finally {
    await service.stop();
  }
});

describe("a backfill of the panel", () => {
  let service: SampleService;
  let document: ApiDocument;
  beforeAll(async () => {
    service = await openSampleService({ env: KEYS });
    document = await apiDocument(service);
  });
  afterAll(() => service.stop());

  test("without stored files there is nothing to fill, and no backfill to show", async () => {
    const response = await service.fetch(P, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}",
    });
    expect(await problemOf(response, 404)).toMatchObject({ code: "no_data" });
    expect(await problemOf(await service.fetch(`${P}/latest`), 404)).toMatchObject({ code: "not_found" });
    expect(await problemOf(await service.fetch(`${P}/unknown`), 404)).toMatchObject({ code: "not_found" });
  });

  test("stores adjusted prices of every symbol as traded, the delisted and the renamed too, and lists what failed", async () => {
    const { lake } = service.app();
    const lines = await storeFiles(
      lake,
      [
        ["ZORP", "2024-06-03", "2026-09-08"],
        ["QUIB.B", "2024-06-03", "2026-09-08"],
        ["GLUMP", "2024-06-03", "2026-02-27"],
        ["OLDZQ", "2024-06-03", "2025-05-02"],
        ["NEWZQ", "2025-05-05", "2026-09-08"],
        ["ZZZZ", "2024-06-03", "2024-06-04"],
        ["NOBODY1", "2026-09-08", "2026-09-08"],
      ],
      "2024-06-03",
      "2026-09-08",
    );
    const post = {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({}),
    };
    const response = await service.fetch(P, post);
    expect(await faultsOfAnswer(document, document.operation("POST", P), response.clone())).toEqual([]);
    const accepted = (await response.json()) as Accepted;
    expect([response.status, accepted]).toEqual([
      202,
      {
        job_id: expect.any(String),
        status: "started",
        symbols: 7,
        start_date: "2024-06-03",
        end_date: "2026-09-08",
      },
    ]);
    const progress = await ended(service, accepted.job_id);
    expect(progress).toMatchObject({ status: "succeeded", processed: 7, total: 7, error: null });
    expect(progress.failed.map(({ symbol }) => symbol)).toEqual(["NOBODY1", "ZZZZ"]);
    expect(progress.finished_at).not.toBeNull();
    const [stored] = await lake.query<{ bars: number; other: number }>(
      "SELECT count(*) AS bars, count(*) FILTER (source <> 'alpaca_sip') AS other FROM bars_daily",
    );
    // All lines but those of the two unknown symbols.
    expect(stored).toEqual({ bars: lines - 3, other: 0 });
    expect(progress.rows).toBe(lines - 3);
    const bases = await lake.query("SELECT DISTINCT basis_date FROM bars_daily");
    expect(bases).toEqual([{ basis_date: "2026-09-09" }]);
    const answer = await service.fetch(`${P}/latest`);
    expect(await faultsOfAnswer(document, document.operation("GET", `${P}/latest`), answer.clone())).toEqual(
      [],
    );
    expect(((await answer.json()) as Progress).job_id).toBe(accepted.job_id);
  });

  test("the panel has their adjusted closes, which are the price provider's", async () => {
    const { body } = await service.get<{
      data: { date: string; adj_close: number | null; adj_close_source: string | null }[];
    }>("/api/v1/shortvolume/pit-panel?start_date=2025-05-01&end_date=2025-05-06&symbols=OLDZQ,NEWZQ");
    const fresh = await openSampleService();
    const yahoo = await fresh.get<{ data: { date: string; adjusted_close: number }[] }>(
      "/api/v1/price/data/NEWZQ?start_date=2025-05-01&end_date=2025-05-06",
    );
    await fresh.stop();
    expect(body.data.map((row) => [row.date, row.adj_close_source])).toEqual([
      ...["2025-05-01", "2025-05-02", "2025-05-05", "2025-05-06"].map((date) => [date, "alpaca_sip"]),
    ] as never);
    for (const [i, row] of body.data.entries())
      expect(row.adj_close).toBeCloseTo(yahoo.body.data[i]?.adjusted_close ?? 0, 1);
  });

  test("a second run fetches neither what is stored nor what had no bars before", async () => {
    service.sample.resetTraffic();
    const { body } = await service.post<Accepted>(P, {});
    expect(body.symbols).toBe(2);
    const progress = await ended(service, body.job_id);
    expect(progress).toMatchObject({ status: "succeeded", processed: 2, total: 2, rows: 0 });
    expect(progress.failed.map(({ symbol }) => symbol)).toEqual(["NOBODY1", "ZZZZ"]);
    expect(service.sample.traffic().total).toBe(0);
    const all = await service.post<Accepted>(P, { resume: false });
    await ended(service, all.body.job_id);
    expect(service.sample.traffic().total).toBeGreaterThan(0);
  });

  test("only the named symbols and days are asked for; a slash becomes the feed's dot", async () => {
    await storeFiles(
      service.app().lake,
      [
        ["BRK.B", "2026-08-03", "2026-08-14"],
        ["VEXOQ", "2026-08-03", "2026-08-14"],
        ["QUIB", "2026-08-03", "2026-08-14"],
      ],
      "2026-08-03",
      "2026-08-14",
    );
    service.sample.resetTraffic();
    const { body } = await service.post<Accepted>(P, {
      symbols: ["VEXOQ", "BRK/B", "TYPO?", "ABSENT"],
      start_date: "2026-08-05",
      end_date: "2026-08-07",
      adjustment: "all",
    });
    expect(body).toMatchObject({ symbols: 4, start_date: "2026-08-05", end_date: "2026-08-07" });
    const progress = await ended(service, body.job_id);
    expect(progress.failed.map(({ symbol }) => symbol)).toEqual(["ABSENT", "BRK.B", "TYPO?"]);
    const [first] = service.sample.traffic().requests;
    expect(new URL(`http://${first?.url}`).searchParams.get("symbols")).toBe("BRK.B,VEXOQ");
    const rows = await service
      .app()
      .lake.query("SELECT date FROM bars_daily WHERE symbol = 'VEXOQ' ORDER BY date");
    expect(rows.map((row) => row.date)).toEqual(["2026-08-05", "2026-08-06", "2026-08-07"]);
    expect(await service.app().lake.query("SELECT * FROM bars_daily WHERE symbol = 'QUIB'")).toEqual([]);
  });

  test("runs one at a time: a second request is refused with the id of the running one", async () => {
    await storeFiles(service.app().lake, [["JUMBL", "2026-08-17", "2026-08-28"]], "2026-08-17", "2026-08-28");
    service.sample.dials.set([{ fault: "latency", afterMs: 300, match: "alpaca" }]);
    const { body } = await service.post<Accepted>(P, { symbols: ["JUMBL"] });
    const second = await service.fetch(P, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}",
    });
    const problem = await problemOf(second, 409);
    expect(problem.code).toBe("already_running");
    expect(problem.detail).toContain(body.job_id);
    const running = await service.get<Progress>(`${P}/${body.job_id}`);
    expect(running.body).toMatchObject({ status: "running", finished_at: null, processed: 0, total: 1 });
    service.sample.dials.clear();
    expect(await ended(service, body.job_id)).toMatchObject({ status: "succeeded", rows: 10 });
  });

  test("one symbol the feed refuses does not sink its batch", async () => {
    await storeFiles(
      service.app().lake,
      [
        ["FIZZQ", "2026-08-17", "2026-08-28"],
        ["GIBBL", "2026-08-17", "2026-08-28"],
      ],
      "2026-08-17",
      "2026-08-28",
    );
    service.sample.dials.set([
      { fault: "status", status: 400, body: '{"message":"invalid symbol: GIBBL"}', match: "GIBBL" },
      { fault: "status", status: 404, match: "yahoo" },
    ]);
    const { body } = await service.post<Accepted>(P, { symbols: ["FIZZQ", "GIBBL"] });
    const progress = await ended(service, body.job_id);
    service.sample.dials.clear();
    expect(progress).toMatchObject({ status: "succeeded", rows: 10 });
    expect(progress.failed).toEqual([{ symbol: "GIBBL", error: "The brokerage feed has no bars of GIBBL" }]);
  });

  test("an outage is waited out; keys that are refused end it with the reason", async () => {
    await storeFiles(
      service.app().lake,
      [
        ["HOOZ", "2026-08-17", "2026-08-28"],
        ["KLUNQ", "2026-08-17", "2026-08-28"],
      ],
      "2026-08-17",
      "2026-08-28",
    );
    service.sample.dials.set([{ fault: "status", status: 500, match: "alpaca", times: 4 }]);
    // The job waits minutes between its attempts.
    service.clock.setSpeed(200);
    const { body } = await service.post<Accepted>(P, { symbols: ["HOOZ"] });
    expect(await ended(service, body.job_id)).toMatchObject({ status: "succeeded", rows: 10, failed: [] });
    service.sample.dials.clear();
    service.clock.setSpeed();
  });

  test("bad bodies are 422 or 400", async () => {
    for (const [body, status] of [
      [{ start_date: "2026-13-01" }, 422],
      [{ adjustment: "raw" }, 422],
      [{ symbols: "ZORP" }, 422],
      [{ resume: "perhaps" }, 422],
      [{ start_date: "2026-09-02", end_date: "2026-09-01" }, 400],
      [{ start_date: "2030-01-02" }, 400],
    ] as const) {
      const answer = await service.post(P, body);
      expect([body, answer.status]).toEqual([body, status]);
    }
  });
});

test("admin routes require the admin token", async () => {
  const service = await openSampleService({ env: { ...KEYS, ADMIN_TOKEN: "t0ken-of-tests" } });
  for (const [init, status] of [
    [{ method: "POST", body: "{}", headers: { "content-type": "application/json" } }, 401],
    [
      {
        method: "POST",
        body: "{}",
        headers: { "content-type": "application/json", "x-admin-token": "wrong" },
      },
      403,
    ],
    [
      {
        method: "POST",
        body: "{}",
        headers: { "content-type": "application/json", "x-admin-token": "t0ken-of-tests" },
      },
      404,
    ],
  ] as const)
    expect((await service.fetch(P, init)).status).toBe(status);
  expect((await service.fetch(`${P}/latest`)).status).toBe(401);
  await service.stop();
});
