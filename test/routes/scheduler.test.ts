// Jobs run on request: over HTTP for the admin, and on the command line.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import type { JobStatus } from "../../src/platform/jobs/jobs.ts";
import type { JobRun } from "../../src/platform/jobs/ledger.ts";
import { SESSIONS, store, worldOf } from "../support/overlay-world.ts";
import { problemOf } from "../support/price-requests.ts";
import { openSampleService, type SampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

const S = "/api/v1/scheduler";
const TOKEN = "an-admin-token-for-tests";
const DAY = SESSIONS.at(-2) ?? "";
let service: SampleService;

beforeAll(async () => {
  service = await openSampleService({
    at: "2026-09-10T02:50:00Z",
    env: { ADMIN_TOKEN: TOKEN },
    symbols: 30,
    years: 1,
  });
  await store(service.app().lake, worldOf(3));
});
afterAll(() => service.stop());

const ask = (name: string, body: object, token: string | null = TOKEN) =>
  service.fetch(`${S}/admin/jobs/${name}/run`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) },
    body: JSON.stringify(body),
  });

async function ended(id: number): Promise<JobRun> {
  for (;;) {
    const { body } = await service.get<JobRun>(`${S}/runs/${id}`);
    if (body.outcome !== "running") return body;
    await Bun.sleep(10);
  }
}

test("overlay scores of a day: 202 with the run's id, whose end can be asked for", async () => {
  const response = await ask("overlay-scores", { date: DAY });
  expect(response.status).toBe(202);
  const accepted = (await response.json()) as { run_id: number };
  expect(accepted).toMatchObject({ job: "overlay-scores", date: DAY });
  const run = await ended(accepted.run_id);
  expect(run).toMatchObject({ job: "overlay-scores", outcome: "succeeded", scheduled_for: null });
  const scored = await service
    .app()
    .lake.query<{ date: string; n: number }>("SELECT date, count(*) AS n FROM overlay_scores GROUP BY date");
  expect(scored).toEqual([{ date: DAY, n: run.rows ?? -1 }]);
});

test("overlay scores of a session without inputs fail with the reason", async () => {
  const { run_id } = (await (await ask("overlay-scores", { date: "2020-01-02" })).json()) as {
    run_id: number;
  };
  expect(await ended(run_id)).toMatchObject({
    outcome: "failed",
    error: expect.stringContaining("No ticker has a score for 2020-01-02: the inputs are missing"),
  });
});

test("without a date the job does what it does now", async () => {
  const { run_id } = (await (await ask("lake-compaction", {})).json()) as { run_id: number };
  expect(await ended(run_id)).toMatchObject({ job: "lake-compaction", outcome: "succeeded" });
});

test("refusals: unknown job or run, a date that is none or that the job does not take, not the admin", async () => {
  expect(await problemOf(await ask("no-such-job", {}), 404)).toMatchObject({ code: "not_found" });
  expect(await problemOf(await service.fetch(`${S}/runs/987654`), 404)).toMatchObject({ code: "not_found" });
  expect(await problemOf(await ask("news-poll", { date: DAY }), 400)).toMatchObject({
    detail: "The job news-poll has no run for one day; leave the date out.",
  });
  expect(await problemOf(await ask("overlay-scores", { date: "2026-09-06" }), 400)).toMatchObject({
    detail: "2026-09-06 is not a session that has ended.",
  });
  expect((await ask("overlay-scores", { date: "2026-02-30" })).status).toBe(422);
  expect([401, 403]).toContain((await ask("overlay-scores", {}, null)).status);
});

test("every job that another one runs after exists", async () => {
  const { body } = await service.get<{ data: JobStatus[] }>(`${S}/jobs`);
  const names = body.data.map(({ name }) => name);
  const inputs = Object.fromEntries(
    body.data.filter(({ after }) => after.length > 0).map(({ name, after }) => [name, after]),
  );
  expect(inputs).toEqual({
    "universe-snapshots": ["universe-discover"],
    "overlay-scores": ["short-volume"],
    "marketfeed-backfill-pit": ["short-volume"],
    "marketfeed-provisional": ["short-volume"],
  });
  expect(names).toEqual(expect.arrayContaining(Object.values(inputs).flat()));
});

test("`cli job run` runs a job, and names the jobs when there is none of that name", async () => {
  const cli = async (...words: string[]) => {
    const child = Bun.spawn([process.execPath, join(import.meta.dir, "../../scripts/cli.ts"), ...words], {
      env: { PATH: process.env.PATH ?? "", DATA_DIR: service.dataDir, UPSTREAM_GATEWAY: service.sample.url },
      stdout: "pipe",
      stderr: "pipe",
    });
    const [out, error] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    return { code: await child.exited, out, error };
  };
  const run = await cli("job", "run", "lake-compaction");
  expect(run).toMatchObject({ code: 0, out: expect.stringMatching(/^lake-compaction: succeeded/m) });
  const unknown = await cli("job", "run", "nothing");
  expect(unknown.code).toBe(1);
  expect(unknown.out + unknown.error).toContain(
    "There is no job named nothing; the jobs are company-tickers,",
  );
});
