// Taking files in: skipped days, corrections, truncated files, outages, the job and the admin route.
import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { isCorrected, MISTAKES } from "../../sample/finra/index.ts";
import { apiDocument, faultsOfAnswer } from "../support/api-document.ts";
import { faultsOf, problemOf } from "../support/price-requests.ts";
import { openSampleService, type SampleService } from "../support/service.ts";
import { type IngestBody, ingest, rawFile, SV } from "../support/short-volume-world.ts";

setDefaultTimeout(1_200_000);

const open: SampleService[] = [];
async function opened(at: string, env: Record<string, string> = {}): Promise<SampleService> {
  const service = await openSampleService({ at, env });
  open.push(service);
  return service;
}
afterEach(async () => {
  for (const service of open.splice(0)) await service.stop();
});

const NO_FILE = "<Error><Code>AccessDenied</Code></Error>";
const datesOf = async (service: SampleService, query: string) => {
  const { body } = await service.get<{ data: { date: string; symbol: string; short_volume: number }[] }>(
    `${SV}/${query}`,
  );
  return body.data;
};

test("what is taken in, and why the rest is not", async () => {
  // Wednesday 17:30 in New York: the session is over, its file is not out.
  const service = await opened("2026-09-09T21:30:00Z");
  const first = await ingest(service, { start_date: "2026-09-03", end_date: "2026-09-10" });
  expect(first).toMatchObject({
    status: "succeeded",
    requested_dates: ["03", "04", "05", "06", "07", "08", "09", "10"].map((d) => `2026-09-${d}`),
    skipped: [
      ...["05", "06", "07"].map((d) => ({ date: `2026-09-${d}`, reason: "holiday" })),
      ...["09", "10"].map((d) => ({ date: `2026-09-${d}`, reason: "not_published" })),
    ],
    failed: [],
    rows_updated: 0,
  });
  expect(first.ingested.map(({ date }) => date)).toEqual(["2026-09-03", "2026-09-04", "2026-09-08"]);
  expect(first.rows_inserted).toBe(first.ingested.reduce((sum, day) => sum + day.rows, 0));
  expect(first.ingested[2]?.rows).toBe((await rawFile(service, "2026-09-08"))?.length ?? 0);
  // Again: asked for, since corrections may have come, and found to be the same.
  const requests = () =>
    service.sample.traffic().by_path["cdn.finra.org/equity/regsho/daily/CNMSshvol20260908.txt"] ?? 0;
  const before = requests();
  const again = await ingest(service, { date: "2026-09-08" });
  expect(again).toMatchObject({
    ingested: [],
    skipped: [{ date: "2026-09-08", reason: "already_ingested" }],
    rows_inserted: 0,
    rows_updated: 0,
  });
  expect(requests()).toBe(before + 1);
  // Older than the newest five sessions: not asked for, unless forced.
  const old = { date: "2026-08-20" };
  expect((await ingest(service, old)).ingested).toHaveLength(1);
  const total = service.sample.traffic().total;
  expect((await ingest(service, old)).skipped).toEqual([{ ...old, reason: "already_ingested" }]);
  expect(service.sample.traffic().total).toBe(total);
  expect((await ingest(service, { ...old, force: true })).skipped).toEqual([
    { ...old, reason: "already_ingested" },
  ]);
  expect(service.sample.traffic().total).toBe(total + 1);
  expect((await ingest(service, { date: "2018-07-31" })).skipped).toEqual([
    { date: "2018-07-31", reason: "before_history" },
  ]);
  expect((await ingest(service, { date: "2027-03-01" })).skipped).toEqual([
    { date: "2027-03-01", reason: "not_published" },
  ]);
});

test("a correction is a later version: an earlier as_of still gives the old one", async () => {
  const date = "2026-09-09";
  const days = Array.from({ length: 60 }, (_, i) =>
    new Date(Date.UTC(2026, 6, 1 + i)).toISOString().slice(0, 10),
  );
  const corrected =
    days.find((day) => isCorrected(day) && new Date(day).getUTCDay() === 3) ?? days.find(isCorrected) ?? date;
  const service = await opened(`${corrected}T23:00:00Z`);
  const first = await ingest(service, { date: corrected });
  const published = await rawFile(service, corrected);
  expect(first.ingested).toEqual([{ date: corrected, rows: published?.length ?? 0 }]);
  expect((await service.get(`${SV}/${MISTAKES.missing}?days=3`)).status).toBe(404);
  // A week later the corrected file has been there for days.
  service.clock.set(
    `${new Date(Date.parse(corrected) + 6 * 86_400_000).toISOString().slice(0, 10)}T23:00:00Z`,
  );
  const asOf = service.clock.now().toString();
  const again = await ingest(service, { days: 5 });
  const truth = await rawFile(service, corrected);
  expect(again.ingested.map((day) => day.date)).toContain(corrected);
  // One line more, one line fewer, one figure otherwise.
  expect(again.rows_updated).toBe(3);
  const day = `start_date=${corrected}&end_date=${corrected}`;
  const figure = async (query: string) =>
    (await datesOf(service, `by-date/${corrected}?sort_by=symbol&sort_order=asc${query}`)).map((row) => [
      row.symbol,
      row.short_volume,
    ]);
  const lines = (file: typeof truth) =>
    (file ?? [])
      .map(({ symbol, short }) => [symbol, short] as [string, number])
      .sort(([a], [b]) => (a < b ? -1 : 1));
  expect(await figure("")).toEqual(lines(truth));
  expect(await figure(`&as_of=${asOf}`)).toEqual(lines(published));
  const panel = async (query: string) =>
    (await datesOf(service, `pit-panel?${day}${query}`)).map((row) => [row.symbol, row.short_volume]);
  expect(await panel("")).toEqual(lines(truth));
  expect(await panel(`&as_of=${asOf}`)).toEqual(lines(published));
  const { body: status } = await service.get<{ rows: number }>(`${SV}/status`);
  const { body: by } = await service.get<{ total: number }>(`${SV}/by-date/${corrected}`);
  expect(by.total).toBe(truth?.length ?? 0);
  expect(status.rows % 1).toBe(0);
  // Nothing of the first version was rewritten.
  const [stored] = await service
    .app()
    .lake.query<{ versions: number }>(
      `SELECT count(*) AS versions FROM finra_files WHERE date = DATE '${corrected}'`,
    );
  expect(stored?.versions).toBe(2);
});

test.each([
  [
    "cut off before its trailer",
    {
      fault: "html",
      body: "Date|Symbol|ShortVolume|ShortExemptVolume|TotalVolume|Market\n20260908|ZORP|1|0|2|Q\n",
    },
  ],
  [
    "cut off with a trailer that counts more",
    {
      fault: "html",
      body: "Date|Symbol|ShortVolume|ShortExemptVolume|TotalVolume|Market\n20260908|ZORP|1|0|2|Q\n57\n",
    },
  ],
  [
    "of another day",
    {
      fault: "html",
      body: "Date|Symbol|ShortVolume|ShortExemptVolume|TotalVolume|Market\n20260904|ZORP|1|0|2|Q\n1\n",
    },
  ],
  ["a page", { fault: "html" }],
  ["an outage", { fault: "status", status: 503 }],
  ["a refusal as a page", { fault: "status", status: 403 }],
  ["asked too often", { fault: "rate_limited" }],
  ["nothing", { fault: "empty" }],
  ["broken off on the wire", { fault: "truncated" }],
] as const)("a file that is %s is failed, and nothing of it stored", async (_, dial) => {
  const service = await opened("2026-09-09T21:30:00Z");
  service.sample.dials.set([{ ...dial, match: "20260908" }]);
  const report = await ingest(service, { days: 2 });
  expect(report.failed).toEqual([{ date: "2026-09-08", error: expect.stringMatching(/\S/) }]);
  expect(report.failed[0]?.error).not.toMatch(/undefined|\[object/);
  expect((await service.get(`${SV}/by-date/2026-09-08`)).status).toBe(404);
  const [row] = await service
    .app()
    .lake.query<{ n: number }>("SELECT count(*) AS n FROM short_volume WHERE date = DATE '2026-09-08'");
  expect(row?.n).toBe(0);
});

test("a trading day without a file is distinguished from an outage, shown as missing and logged as an error", async () => {
  const service = await opened("2026-09-09T21:30:00Z");
  const names = [".txt", ".txt.gz"].map((end) => `CNMSshvol20260904${end}`);
  service.sample.dials.set([{ fault: "status", status: 403, body: NO_FILE, match: "CNMSshvol20260904" }]);
  const report = await ingest(service, { start_date: "2026-09-02", end_date: "2026-09-08" });
  expect(report).toMatchObject({ failed: [] });
  expect(report.skipped).toContainEqual({ date: "2026-09-04", reason: "not_published" });
  const asked = service.sample.traffic().requests.map(({ url }) => url.slice(url.lastIndexOf("/") + 1));
  expect(asked.filter((name) => names.includes(name))).toEqual(names);
  expect((await service.get<{ missing_sessions: string[] }>(`${SV}/status`)).body.missing_sessions).toEqual([
    "2026-09-04",
  ]);
  expect(
    service.log.lines.filter(({ level, message }) => level === "error" && /trading day/.test(message)),
  ).toHaveLength(1);
  // The evening's run fills the hole once the file is there.
  service.sample.dials.clear();
  service.clock.set("2026-09-09T22:16:00Z");
  const done = await service.app().jobs.runNow("short-volume").done;
  expect(done).toMatchObject({ outcome: "succeeded" });
  expect(
    (await service.get<{ missing_sessions: string[]; last_date: string }>(`${SV}/status`)).body,
  ).toMatchObject({ missing_sessions: [], last_date: "2026-09-09" });
});

test("the job runs on evenings of sessions, and catches up missed runs", async () => {
  const service = await opened("2026-09-04T23:30:00Z", { JOBS: "on" });
  const job = () =>
    service
      .app()
      .jobs.list()
      .find(({ name }) => name === "short-volume");
  // Friday evening: the next slot is tonight's; after it Tuesday's, since Monday is Labor Day.
  expect(job()?.next_run_at).toBe("2026-09-05T00:15:00.000Z");
  service.clock.set("2026-09-05T03:00:00Z");
  expect(job()?.next_run_at).toBe("2026-09-08T22:15:00.000Z");
  await service.app().jobs.runNow("short-volume").done;
  service.clock.set("2026-09-11T23:00:00Z");
  await service.reopen();
  await service.app().jobs.catchUp();
  const { body } = await service.get<{ last_date: string; missing_sessions: string[] }>(`${SV}/status`);
  expect(body).toMatchObject({ last_date: "2026-09-11", missing_sessions: [] });
});

test("an evening without the day's file succeeds while it may be late, and has failed after three hours", async () => {
  const service = await opened("2026-09-09T23:00:00Z");
  service.sample.dials.set([{ fault: "status", status: 403, body: NO_FILE, match: "CNMSshvol20260909" }]);
  const run = () => service.app().jobs.runNow("short-volume").done;
  expect(await run()).toMatchObject({ outcome: "succeeded" });
  service.clock.set("2026-09-10T02:15:00Z");
  expect(await run()).toMatchObject({
    outcome: "failed",
    error: "FINRA has not published the short-volume file of 2026-09-09",
  });
  service.sample.dials.clear();
  expect(await run()).toMatchObject({ outcome: "succeeded" });
});

test("a long ingest goes on behind its answer; meanwhile there is no second one", async () => {
  const service = await opened("2026-09-09T21:30:00Z");
  service.sample.dials.set([{ fault: "latency", afterMs: 40 }]);
  const begun = await service.post<IngestBody>(`${SV}/admin/ingest`, {
    start_date: "2026-07-01",
    end_date: "2026-09-08",
  });
  expect([begun.status, begun.body]).toMatchObject([202, { status: "started", processed: 0, total: 70 }]);
  const second = await service.fetch(`${SV}/admin/ingest`, { method: "POST", body: "{}" });
  expect(await problemOf(second, 409)).toMatchObject({
    code: "already_running",
    detail: expect.stringContaining(`job ${begun.body.job_id}`),
  });
  let state = begun.body;
  const seen = new Set<number>();
  while (["started", "running"].includes(state.status)) {
    await Bun.sleep(30);
    ({ body: state } = await service.get<IngestBody>(`${SV}/admin/ingest/latest`));
    seen.add(state.processed);
  }
  expect(state).toMatchObject({ job_id: begun.body.job_id, status: "succeeded", processed: 70, total: 70 });
  expect(seen.size).toBeGreaterThan(1);
  // It is there after a restart too.
  await service.reopen();
  expect((await service.get<IngestBody>(`${SV}/admin/ingest/${begun.body.job_id}`)).body).toEqual(state);
  await problemOf(await service.fetch(`${SV}/admin/ingest/999`), 404);
});

test("the admin routes are the admin's, and their input is checked", async () => {
  const service = await opened("2026-09-09T21:30:00Z", { ADMIN_TOKEN: "let-me-in" });
  const post = (body: string, headers: Record<string, string> = {}) =>
    service.fetch(`${SV}/admin/ingest`, {
      method: "POST",
      body,
      headers: { "content-type": "application/json", ...headers },
    });
  expect((await post("{}")).status).toBe(401);
  expect((await service.fetch(`${SV}/admin/ingest/latest`)).status).toBe(401);
  const admin = { "x-admin-token": "let-me-in" };
  expect((await post("{}", { "x-admin-token": "no" })).status).toBe(403);
  await problemOf(await service.fetch(`${SV}/admin/ingest/latest`, { headers: admin }), 404);
  const fields = async (body: object) =>
    (await faultsOf(await post(JSON.stringify(body), admin))).map((error) => (error.loc as string[])[1]);
  expect(await fields({ days: 0, facility: "cnms", force: "perhaps", date: "2026-13-01" })).toEqual([
    "date",
    "days",
    "facility",
    "force",
  ]);
  for (const body of [
    { date: "2026-09-08", days: 2 },
    { start_date: "2026-09-08" },
    { start_date: "2026-09-08", end_date: "2026-09-01" },
  ])
    await problemOf(await post(JSON.stringify(body), admin), 400);
  const document = await apiDocument(service);
  const operation = document.operation("POST", `${SV}/admin/ingest`);
  for (const body of [{ date: "2026-09-08" }, { start_date: "2026-06-01", end_date: "2026-06-30" }])
    expect(await faultsOfAnswer(document, operation, await post(JSON.stringify(body), admin))).toEqual([]);
});

test("a summary is of sessions: no older file takes the place of one that is not stored", async () => {
  const service = await opened("2026-09-09T21:30:00Z");
  // Of the five newest sessions the file of 1 September is missing; 7 September is a holiday.
  await ingest(service, { start_date: "2026-09-02", end_date: "2026-09-08" });
  await ingest(service, { date: "2026-08-20" });
  const { body } = await service.get<Record<string, number | null>>(`${SV}/summary/ZORP?days=5`);
  const lines = await service.get<{ data: { date: string; short_volume_ratio: number }[] }>(
    `${SV}/ZORP?days=30`,
  );
  expect(lines.body.data.map(({ date }) => date)).toEqual([
    ...["2026-09-08", "2026-09-04", "2026-09-03", "2026-09-02"],
    "2026-08-20",
  ]);
  const ratios = lines.body.data.slice(0, 4).map((line) => line.short_volume_ratio);
  expect(body.avg_ratio_5d).toBeCloseTo(ratios.reduce((a, b) => a + b) / 4, 12);
  expect(body).toMatchObject({ as_of: "2026-09-08", days: 4, avg_ratio_20d: null, zscore_20d: null });
  expect((await service.get<{ days: number }>(`${SV}/summary/ZORP?days=20`)).body.days).toBe(5);
  // Only two of the five sessions to 3 September are stored.
  const then = await service.get<Record<string, number | null>>(`${SV}/summary/ZORP?as_of=2026-09-04`);
  expect(then.body).toMatchObject({ as_of: "2026-09-03", avg_ratio_5d: null });
});
