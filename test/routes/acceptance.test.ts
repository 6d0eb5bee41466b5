// Answers under an instant on a fresh service: a header that the list of filings left open decides them.
import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { openSampleService, type SampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

const AGENT = "Asof tests tests@asof.example";
const REPORT = "0009085335-26-000006";
const PAGE = `/Archives/edgar/data/9085335/${REPORT.replaceAll("-", "")}/${REPORT}-index.html`;

let service: SampleService;
afterEach(() => service.stop());

/** Opens a fresh service; returns the moment at which the report was accepted, by its page. */
async function opened(): Promise<string> {
  service = await openSampleService({ env: { SEC_USER_AGENT: AGENT } });
  const headers = { "user-agent": AGENT };
  const page = await (await fetch(`${service.sample.url}/www.sec.gov${PAGE}`, { headers })).text();
  const [, day = "", time = ""] = /(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})/.exec(page) ?? [];
  return Temporal.PlainDateTime.from(`${day}T${time}`)
    .toZonedDateTime("America/New_York")
    .toInstant()
    .toString();
}

interface Statements {
  readonly balance_sheet: readonly { readonly accession_number: string }[];
  readonly acceptance_pending: number;
  readonly warnings: readonly string[];
}

const statements = async (at: string) => {
  const { body } = await service.get<Statements>(
    `/api/v1/financial/data/KRONK?period=2y&include_metrics=false&as_of=${at}`,
  );
  return {
    newest: body.balance_sheet[0]?.accession_number,
    pending: body.acceptance_pending,
    text: body.warnings.join(),
  };
};

const before = (at: string) => Temporal.Instant.from(at).subtract({ seconds: 1 }).toString();

test("the first answer at the instant of acceptance has the report, and one a second earlier has not", async () => {
  const at = await opened();
  expect(await statements(at)).toMatchObject({ newest: REPORT, pending: 0 });
  expect((await statements(before(at))).newest).not.toBe(REPORT);
});

test("what cannot be read is counted, and a header that another route reads counts at once", async () => {
  const at = await opened();
  service.sample.dials.set([{ fault: "status", status: 404, match: "-index.htm" }]);
  const early = await statements(at);
  expect([early.newest === REPORT, early.pending]).toEqual([false, 1]);
  expect(early.text).toContain("1 filings may have been public at that moment (acceptance_pending)");
  const search = `/api/v1/filings/search?ticker=KRONK&as_of=${at}`;
  expect((await service.get<Statements>(search)).body.acceptance_pending).toBe(1);
  const version = (await service.fetch(search)).headers.get("x-data-version");
  service.sample.dials.clear();
  const documents = `/api/v1/filings/documents?accession_number=${REPORT}&ticker=KRONK`;
  expect((await service.get(documents)).status).toBe(200);
  service.sample.dials.set([{ fault: "status", status: 404, match: "-index.htm" }]);
  expect(await statements(at)).toMatchObject({
    newest: REPORT,
    pending: 0,
    text: expect.not.stringContaining("acceptance_pending"),
  });
  // The version of then says what its answer said, whatever was read since.
  expect((await service.get<Statements>(`${search}&data_version=${version}`)).body.acceptance_pending).toBe(
    1,
  );
  expect(await statements(`${at}&data_version=${version}`)).toMatchObject({
    newest: early.newest,
    pending: 1,
    text: expect.stringContaining("1 filings may have been public at that moment (acceptance_pending)"),
  });
});
