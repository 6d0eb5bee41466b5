import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { openZip } from "../../src/platform/zip.ts";
import type { FilingForm } from "../support/ownership-papers.ts";
import { type OwnershipTestService, openOwnershipService } from "../support/ownership-service.ts";
import { type OwnershipWorld, serveOwnership } from "../support/ownership-world.ts";
import { zipOf } from "../support/zip-file.ts";

setDefaultTimeout(1_200_000);

const issuer = { cik: "0007100001", name: "Zappo Tools Inc.", symbol: "ZAPT" };
const MONTHS = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN"];

const form = (n: number, filed: string, more: Partial<FilingForm> = {}): FilingForm => ({
  kind: "form",
  form: "4",
  accession: `0007000000-26-${String(n).padStart(6, "0")}`,
  accepted: `${filed}T16:30:00`,
  filed,
  issuer,
  owners: [{ cik: "0008100001", name: "Ann Onym", title: "Chief Executive Officer" }],
  trades: [{ date: filed, code: "P", shares: 100 * n, price: 10, after: 1_000 + 100 * n }],
  ...more,
});

const worded = (date: string) =>
  `${date.slice(8)}-${MONTHS[Number(date.slice(5, 7)) - 1]}-${date.slice(0, 4)}`;

const table = (rows: readonly Record<string, string | number>[]) => {
  const columns = Object.keys(rows[0] ?? {});
  return [columns, ...rows.map((row) => columns.map((column) => row[column] ?? ""))]
    .map((cells) => cells.join("\t"))
    .join("\n");
};

const EMPTY = ["NONDERIV_HOLDING", "DERIV_TRANS", "DERIV_HOLDING", "FOOTNOTES", "OWNER_SIGNATURE"];

/** The quarter's tables, as far as they are read. */
const dataSet = (forms: readonly FilingForm[]) =>
  zipOf([
    ...EMPTY.map((name) => ({ name: `${name}.tsv`, text: "ACCESSION_NUMBER\tX\n" })),
    {
      name: "SUBMISSION.tsv",
      text: table(
        forms.map((f) => ({
          ACCESSION_NUMBER: f.accession,
          FILING_DATE: worded(f.filed),
          PERIOD_OF_REPORT: worded(f.filed),
          DATE_OF_ORIG_SUB: f.original ? worded(f.original) : "",
          DOCUMENT_TYPE: f.form,
          ISSUERCIK: f.issuer.cik,
          ISSUERNAME: f.issuer.name,
          ISSUERTRADINGSYMBOL: f.issuer.symbol,
          AFF10B5ONE: "0",
        })),
      ),
    },
    {
      name: "REPORTINGOWNER.tsv",
      text: table(
        forms.flatMap((f) =>
          f.owners.map((o) => ({
            ACCESSION_NUMBER: f.accession,
            RPTOWNERCIK: o.cik,
            RPTOWNERNAME: o.name,
            RPTOWNER_RELATIONSHIP: "Officer",
            RPTOWNER_TITLE: o.title ?? "",
          })),
        ),
      ),
    },
    {
      name: "NONDERIV_TRANS.tsv",
      text: table(
        forms.flatMap((f, i) =>
          f.trades.map((t, j) => ({
            ACCESSION_NUMBER: f.accession,
            NONDERIV_TRANS_SK: i * 10 + j,
            SECURITY_TITLE: "Common Stock",
            TRANS_DATE: worded(t.date),
            TRANS_CODE: t.code,
            TRANS_SHARES: t.shares,
            TRANS_FORM_TYPE: "4",
            TRANS_PRICEPERSHARE: t.price ?? "",
            TRANS_ACQUIRED_DISP_CD: "A",
            EQUITY_SWAP_INVOLVED: "0",
            SHRS_OWND_FOLWNG_TRANS: t.after,
            DIRECT_INDIRECT_OWNERSHIP: "D",
          })),
        ),
      ),
    },
  ]);

const FORMS = [
  form(1, "2026-02-02"),
  form(2, "2026-02-03"),
  // Of the same day as what it corrects.
  form(3, "2026-02-03", {
    form: "4/A",
    original: "2026-02-03",
    trades: [{ date: "2026-02-03", code: "P", shares: 250, price: 10, after: 1_250 }],
  }),
];

let world: OwnershipWorld;
let it: OwnershipTestService;
afterEach(async () => {
  await it.stop();
  await world.stop();
});

const signal = new AbortController().signal;
const take = async (name = "2026q1", stop = signal) =>
  it.backfill.dataSet({ archive: await openZip(dataSet(FORMS)), name, signal: stop }, () => {});
const seen = async (asOf: string) =>
  (
    await it.lake.query<{ shares: number }>(
      "SELECT shares FROM insider_transactions_as_of($as_of) ORDER BY filing_date, shares",
      { as_of: asOf },
    )
  ).map(({ shares }) => shares);

test("a quarter is taken in once; its trades count from the end of their filing day", async () => {
  world = serveOwnership([]);
  it = await openOwnershipService(world, { at: "2026-09-09T14:00:00Z" });
  expect(await take()).toEqual({ filings: 3, rows: 3, unread: [] });
  expect(await take()).toEqual({ filings: 3, rows: 0, unread: [] });
  expect(await take("the same under another name")).toEqual({ filings: 3, rows: 0, unread: [] });
  expect(await seen("2026-02-02T21:30:00Z")).toEqual([]);
  expect(await seen("2026-02-02")).toEqual([100]);
  expect(await seen("2026-02-03")).toEqual([100, 250]);
  const [row] = await it.lake.query(
    "SELECT accepted_at, reading, is_ceo, transaction_value FROM insider_transactions_as_of() WHERE shares = 100",
  );
  expect(row).toEqual({ accepted_at: null, reading: 0, is_ceo: true, transaction_value: 1_000 });
  const [days] = it.sqlite.use((db) =>
    db.all("SELECT count(*) AS days, sum(filings) AS filings FROM ownership_days WHERE source = 'data_set'"),
  );
  // Business days of the first quarter, all of them covered by it.
  expect(days).toEqual({ days: 61, filings: 3 });
});

test("what came with a data set is not fetched, and read itself it counts by its own moment", async () => {
  world = serveOwnership(FORMS);
  it = await openOwnershipService(world, { at: "2026-09-09T14:00:00Z" });
  await take();
  await it.ingest.index(["2026-02-02"], () => {}, signal);
  expect(await it.run("ownership-enrichment")).toMatchObject({ outcome: "succeeded", rows: 1 });
  expect(await seen("2026-02-02T21:29:59Z")).toEqual([]);
  expect(await seen("2026-02-02T21:30:00Z")).toEqual([100]);
  expect(await seen("2026-02-03")).toEqual([100, 250]);
});

test("a filing read itself before is not taken from the data set", async () => {
  world = serveOwnership(FORMS);
  it = await openOwnershipService(world, { at: "2026-09-09T14:00:00Z" });
  await it.ingest.index(["2026-02-02"], () => {}, signal);
  await it.run("ownership-enrichment");
  expect(await take()).toEqual({ filings: 3, rows: 2, unread: [] });
  expect(await seen("2026-02-03")).toEqual([100, 250]);
});
