// Every route of the interface, walked once against the sample market: it is there, and answers what it documents.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type ApiDocument, apiDocument, faultsOfAnswer } from "../support/api-document.ts";
import { openSampleService, type SampleService } from "../support/service.ts";
import { A, type Step, WALK } from "./interface-walk.ts";

const BASE = "/api/v1";
const KEYS = {
  SEC_USER_AGENT: "Asof tests tests@asof.example",
  MARKETFEED_API_KEY: "SAMPLEKEY",
  MARKETFEED_SECRET_KEY: "sample-secret",
  ECONDATA_API_KEY: "0123456789abcdef0123456789abcdef",
};

let service: SampleService;
let document: ApiDocument;
const met = new Set<string>();
beforeAll(async () => {
  service = await openSampleService({ env: KEYS });
  document = await apiDocument(service);
  // Files that no route takes in.
  await service.app().jobs.runNow("short-interest").done;
}, 120_000);
afterAll(() => service.stop());

const initOf = ({ method, body }: Step): RequestInit =>
  method === "GET"
    ? {}
    : { method, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };

/** Waits for what an answer of 202 left running. */
async function settled(): Promise<void> {
  for (;;) {
    const { body } = await service.get<{ total: number }>(`${BASE}/scheduler/runs?outcome=running`);
    if (body.total === 0) return;
    await Bun.sleep(20);
  }
}

/** Asks one step and holds the answer against the document; gives its body. */
async function walk(step: Step): Promise<Record<string, unknown>> {
  const { method, route, path = route, status = 200 } = step;
  const response = await service.fetch(`${BASE}${path}`, initOf(step));
  const text = await response.clone().text();
  expect([route, response.status, response.status === status ? "" : text.slice(0, 300)]).toEqual([
    route,
    status,
    "",
  ]);
  const operation = document.operation(method, `${BASE}${route}`);
  expect([route, await faultsOfAnswer(document, operation, response)]).toEqual([route, []]);
  met.add(`${method} ${BASE}${route}`);
  if (status === 202) await settled();
  return /^[[{]/.test(text) ? JSON.parse(text) : {};
}

for (const step of WALK)
  test(`${step.method} ${step.path ?? step.route}`, async () => {
    await walk(step);
  }, 120_000);

test("documents and exhibits of a filing that the search found; one report parsed again", async () => {
  const found = await walk({
    method: "GET",
    route: "/filings/search",
    path: `${WALK.find(({ route }) => route === "/filings/search")?.path}&form_type=8-K`,
  });
  const [filing] = found.data as { accession_number: string }[];
  const accession = filing?.accession_number ?? "";
  const listed = await walk({
    method: "GET",
    route: "/filings/documents",
    path: `/filings/documents?accession_number=${accession}`,
  });
  const [first] = listed.documents as { filename: string }[];
  await walk({
    method: "GET",
    route: "/filings/exhibit",
    path: `/filings/exhibit?accession_number=${accession}&filename=${first?.filename}`,
  });
  const items = [{ accession_number: accession, exhibit: "EX-99.1" }];
  await walk({ method: "POST", route: "/filings/exhibit/bulk", body: { items } });
  await walk({
    method: "POST",
    route: "/filings/events/parse/{accession_number}",
    path: `/filings/events/parse/${accession}`,
    body: {},
  });
}, 120_000);

test("what runs in the background tells how far it is, by its number and to its end", async () => {
  const builds = "/universe/admin/build-snapshots";
  const started = await service.post<{ job_id: string | number }>(`${BASE}${builds}`, {
    start_month: "2026-08",
  });
  const job = started.body.job_id;
  await walk({ method: "GET", route: `${builds}/{job_id}`, path: `${builds}/${job}` });
  await settled();
  await walk({ method: "GET", route: "/universe/screen", path: "/universe/screen?date=2026-09-08" });
  const latest = await walk({ method: "GET", route: "/marketfeed/admin/backfill-pit/latest" });
  const backfills = "/marketfeed/admin/backfill-pit";
  await walk({ method: "GET", route: `${backfills}/{job_id}`, path: `${backfills}/${latest.job_id}` });
  const ingest = await service.post<{ job_id: string | number }>(`${BASE}/shortvolume/admin/ingest`, {
    days: 1,
  });
  const ingests = "/shortvolume/admin/ingest";
  await walk({ method: "GET", route: `${ingests}/{job_id}`, path: `${ingests}/${ingest.body.job_id}` });
}, 120_000);

test("scores of a day, once the night's job has made them", async () => {
  await service.app().jobs.runNow("overlay-scores").done;
  await walk({ method: "GET", route: "/overlay/score/{ticker}", path: `/overlay/score/${A}` });
  await walk({ method: "GET", route: "/overlay/top-movers" });
}, 120_000);

test("no route is left out", () => {
  const all = document.operations.map(({ method, path }) => `${method} ${path}`);
  expect(all.filter((operation) => !met.has(operation))).toEqual([]);
});
