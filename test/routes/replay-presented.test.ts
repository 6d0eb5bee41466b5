// Depreciation whose place only the presented statement shows: through an outage, from earlier data versions,
// and in the ledger.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { FinancialDataResponse } from "../../src/capabilities/financial/schema.ts";
import { openSampleService, type SampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

const PATH = "/api/v1/financial/data/SQUEQ?start_date=2023-06-30&end_date=2026-06-30&period_type=annual";
const OWN = "0009072884-24-000015";
const LINES = "line = 'depreciation_amortization' AND period = '2023-10-01/2024-09-30'";

let service: SampleService;
beforeAll(async () => {
  service = await openSampleService({ env: { SEC_USER_AGENT: "Test test@example.com" } });
});
afterAll(() => service.stop());

async function ask(more = "") {
  const { status, headers, body } = await service.get<FinancialDataResponse>(`${PATH}${more}`);
  expect(status).toBe(200);
  // A report also has the years before the span.
  const codes = body.warning_details.flatMap(({ code, period_end, accession_number: report }) =>
    /^(?:presentation|line_has)/.test(code) && (period_end ?? "") > "2023-06-30" ? [`${code} ${report}`] : [],
  );
  return {
    years: body.cash_flow.map((row) => [row.period_end_date, row.depreciation_amortization !== null]),
    codes,
    version: Number(headers.get("x-data-version") ?? -1),
  };
}

let during: Awaited<ReturnType<typeof ask>>;
let after: Awaited<ReturnType<typeof ask>>;

test("an outage of the renderings leaves the statements and withholds the figure", async () => {
  service.sample.dials.set([{ fault: "status", status: 503, match: "FilingSummary.xml" }]);
  // The first visit fetches, and what it found is parsed in the background: closing ends that, and a version
  // is named.
  await ask();
  await service.reopen();
  during = await ask();
  expect(during.years).toEqual([
    ["2025-09-30", false],
    ["2024-09-30", false],
    ["2023-09-30", false],
  ]);
  expect(new Set(during.codes.map((code) => code.split(" ")[0]))).toEqual(
    new Set(["presentation_unavailable"]),
  );
  expect(during.version).toBeGreaterThan(0);
});

test("the year whose own report has another tag is given by the next report, and as first reported not at all", async () => {
  service.sample.dials.clear();
  service.clock.set("2026-09-09T22:00:00Z");
  await ask();
  await service.reopen();
  after = await ask();
  expect(after.years).toEqual([
    ["2025-09-30", true],
    ["2024-09-30", true],
    ["2023-09-30", true],
  ]);
  expect([after.codes, after.version > during.version]).toEqual([[], true]);
  const first = await ask("&vintage=first");
  expect(first.years).toEqual([
    ["2025-09-30", true],
    ["2024-09-30", false],
    ["2023-09-30", true],
  ]);
  expect(first.codes).toEqual([`line_has_other_tag ${OWN}`]);
  const then = await ask("&as_of=2024-12-31");
  expect(then.years[0]).toEqual(["2024-09-30", false]);
});

test("an earlier version answers as it was, and asks no provider", async () => {
  service.sample.dials.set([{ fault: "status", status: 503 }]);
  const replayed = await ask(`&data_version=${during.version}`);
  expect(replayed.years).toEqual(during.years);
  expect(new Set(replayed.codes.map((code) => code.split(" ")[0]))).toEqual(
    new Set(["presentation_not_read"]),
  );
  expect(await ask(`&data_version=${after.version}`)).toEqual(after);
  await service.reopen();
  expect(await ask(`&data_version=${after.version}`)).toEqual(after);
  expect((await ask(`&data_version=${during.version}`)).years).toEqual(during.years);
  service.sample.dials.clear();
});

test("the ledger has what was read, and SQL gives the figure of the report that shows it", async () => {
  const { body } = await service.get<{ data: { op: string; known_at: string }[] }>(
    "/api/v1/changes?dataset=presented_statements&limit=100",
  );
  expect(body.data.length).toBeGreaterThan(2);
  expect(new Set(body.data.map(({ op }) => op))).toEqual(new Set(["insert"]));
  const { lake } = service.app();
  const given = await lake.query<{ accession_number: string }>(
    `SELECT accession_number FROM financials() WHERE cik = '0009072884' AND ${LINES}`,
  );
  expect(given.map(({ accession_number }) => accession_number)).not.toContain(OWN);
  expect(given).toHaveLength(1);
  expect(
    await lake.query(
      `SELECT * FROM financials(TIMESTAMPTZ '2024-12-31') WHERE cik = '0009072884' AND ${LINES}`,
    ),
  ).toEqual([]);
});
