// Quarterly data sets made by hand: tables with gaps, odd order, damage.
import { describe, expect, test } from "bun:test";
import { fakeEdgar, missing } from "../../../test/support/fake-edgar.ts";
import { zipOf } from "../../../test/support/zip-file.ts";
import { UpstreamFailed } from "../../platform/errors.ts";
import { openZip } from "../../platform/zip.ts";
import { readInsiderDataSet } from "./insider-data-set.ts";
import type { InsiderDataSetFiling, UnreadDataSetFiling } from "./ownership-records.ts";

const A = "0001000001-23-000001";
const B = "0001000001-22-000002";

const TABLES: Readonly<Record<string, string>> = {
  SUBMISSION: `ACCESSION_NUMBER\tFILING_DATE\tPERIOD_OF_REPORT\tDATE_OF_ORIG_SUB\tNO_SECURITIES_OWNED\tNOT_SUBJECT_SEC16\tDOCUMENT_TYPE\tISSUERCIK\tISSUERNAME\tISSUERTRADINGSYMBOL\tREMARKS\tAFF10B5ONE
${A}\t05-APR-2023\t03-APR-2023\t\t\t0\t4\t320193\tAcme Corp\tACME\t\t1
${B}\t05-APR-2022\t04-APR-2022\t01-MAR-2022\t\t0\t4/A\t320193\tAcme Corp\tACME\t\t0
`,
  REPORTINGOWNER: `ACCESSION_NUMBER\tRPTOWNERCIK\tRPTOWNERNAME\tRPTOWNER_RELATIONSHIP\tRPTOWNER_TITLE\tRPTOWNER_TXT
${A}\t1000001\tDoe Jane\tDirector,Officer\tChief Executive Officer\t
${A}\t1000002\tFund LP\tTenPercentOwner\t\t
${B}\t1000001\tDoe Jane\tOther\t\tTrustee
`,
  // The second line of the form comes first in the table.
  NONDERIV_TRANS: `ACCESSION_NUMBER\tNONDERIV_TRANS_SK\tSECURITY_TITLE\tSECURITY_TITLE_FN\tTRANS_DATE\tTRANS_CODE\tTRANS_TIMELINESS\tTRANS_SHARES\tTRANS_PRICEPERSHARE\tTRANS_PRICEPERSHARE_FN\tTRANS_ACQUIRED_DISP_CD\tSHRS_OWND_FOLWNG_TRANS\tDIRECT_INDIRECT_OWNERSHIP\tNATURE_OF_OWNERSHIP
${A}\t12\tCommon\t\t03-APR-2023\tS\t\t50.00\t11.5\tF2, F1\tD\t900\tD\t
${A}\t11\tCommon\tF1\t03-APR-2023\tS\tL\t50\t\tF1\tD\t950\tD\t
${B}\t13\tCommon\t\t04-APR-2022\tP\tE\t100\t10\t\tA\t1100\tI\tBy Trust
broken line
`,
  NONDERIV_HOLDING: "ACCESSION_NUMBER\tNONDERIV_HOLDING_SK\tSECURITY_TITLE\n",
  DERIV_TRANS: `ACCESSION_NUMBER\tDERIV_TRANS_SK\tSECURITY_TITLE\tCONV_EXERCISE_PRICE\tTRANS_CODE\tTRANS_TOTAL_VALUE\tEXCERCISE_DATE\tEXPIRATION_DATE\tUNDLYNG_SEC_TITLE
${A}\t1\tOption\t8.5\tM\t77.5\t01-JAN-2020\t01-JAN-2030\tCommon
`,
  DERIV_HOLDING: "ACCESSION_NUMBER\tDERIV_HOLDING_SK\n",
  FOOTNOTES: `ACCESSION_NUMBER\tFOOTNOTE_ID\tFOOTNOTE_TXT
${A}\tF1\tSold under a Rule 10b5-1 plan. "Quoted".
${A}\tF2\tWeighted average.
`,
  OWNER_SIGNATURE: `ACCESSION_NUMBER\tOWNERSIGNATURENAME\tOWNERSIGNATUREDATE\n${A}\t/s/ Jane Doe\t05-APR-2023\n`,
};

const archive = (tables: Readonly<Record<string, string>> = TABLES) =>
  openZip(zipOf(Object.entries(tables).map(([name, text]) => ({ name: `2023q2/${name}.tsv`, text }))));
async function read(tables?: Readonly<Record<string, string>>, query = {}) {
  const found: (InsiderDataSetFiling | UnreadDataSetFiling)[] = [];
  for await (const filing of readInsiderDataSet(await archive(tables), query)) found.push(filing);
  return found;
}

describe("readInsiderDataSet", () => {
  test("a filing with all its rows, in the order of the form", async () => {
    const [filing] = await read();
    expect(filing).toMatchObject({
      accession_number: A,
      accepted_at: null,
      filing_date: "2023-04-05",
      precision: "day",
      public_from: null,
      issuer: { cik: "0000320193", name: "Acme Corp", symbol: "ACME" },
      owners: [
        { cik: "0001000001", relationship: "director, officer: Chief Executive Officer", is_ceo: true },
        { cik: "0001000002", relationship: "10% owner" },
      ],
      aff10b5_one: true,
      footnotes: { F1: 'Sold under a Rule 10b5-1 plan. "Quoted".', F2: "Weighted average." },
      signatures: [{ name: "/s/ Jane Doe", date: "2023-04-05" }],
      transactions: [
        {
          line: 1,
          shares: 50,
          price_per_share: null,
          transaction_value: null,
          footnotes: ["F1"],
          is_late: true,
          is_10b5_1: true,
        },
        {
          line: 2,
          shares: 50,
          price_per_share: 11.5,
          transaction_value: 575,
          footnotes: ["F2", "F1"],
          shares_owned_after: 900,
        },
        {
          line: 3,
          security_type: "derivative",
          exercise_price: 8.5,
          exercise_date: "2020-01-01",
          expiration_date: "2030-01-01",
          transaction_value: 77.5,
        },
      ],
    });
  });

  test("before there was a box its column means nothing", async () => {
    const [, filing] = await read();
    expect(filing).toMatchObject({
      form_type: "4/A",
      date_of_original_submission: "2022-03-01",
      aff10b5_one: null,
      owners: [{ relationship: "other: Trustee" }],
      transactions: [
        { is_10b5_1: null, is_early: true, purchase_pct_of_holding: 10, nature_of_ownership: "By Trust" },
      ],
    });
  });

  test("only the filings that match the query", async () => {
    expect((await read(TABLES, { forms: new Set(["4/A"]) })).map((one) => one.accession_number)).toEqual([B]);
    expect(await read(TABLES, { issuer_ciks: new Set(["0000000001"]) })).toEqual([]);
    await expect(read(TABLES, { signal: AbortSignal.abort(new Error("enough")) })).rejects.toThrow("enough");
  });

  test("a filing without owners or date is unread, the others stay", async () => {
    const [first, second] = await read({
      ...TABLES,
      REPORTINGOWNER: TABLES.REPORTINGOWNER?.replaceAll(A, B) ?? "",
    });
    expect(first).toMatchObject({ accession_number: A, failed: "malformed" });
    expect(second).toMatchObject({ accession_number: B, form_type: "4/A" });
    const [undated] = await read({
      ...TABLES,
      SUBMISSION: TABLES.SUBMISSION?.replace("05-APR-2023", "soon") ?? "",
    });
    expect(undated).toMatchObject({ accession_number: A, failed: "malformed" });
  });

  test("a table that is missing, or of another shape, is refused", async () => {
    const { FOOTNOTES: _, ...fewer } = TABLES;
    await expect(read(fewer)).rejects.toBeInstanceOf(UpstreamFailed);
    await expect(read({ ...TABLES, SUBMISSION: "ID\tX\n" })).rejects.toThrow("ACCESSION_NUMBER");
  });
});

describe("insiderDataSet", () => {
  test("the bytes of a quarter; null when there is none; an impossible quarter is not requested", async () => {
    const { provider, asked } = fakeEdgar(({ pathname }) =>
      pathname.includes("2023q2") ? { body: zipOf([]) } : missing(404),
    );
    expect((await provider.insiderDataSet(2023, 2))?.url).toBe(
      "https://www.sec.gov/files/structureddata/data/insider-transactions-data-sets/2023q2_form345.zip",
    );
    expect(await provider.insiderDataSet(2026, 4)).toBeNull();
    await expect(provider.insiderDataSet(2005, 1)).rejects.toMatchObject({ code: "bad_request" });
    await expect(provider.insiderDataSet(2024, 5)).rejects.toMatchObject({ code: "bad_request" });
    expect(asked()).toHaveLength(2);
  });
});
