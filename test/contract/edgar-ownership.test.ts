// The sample regulator's papers on holdings through the provider: as filed, as data set, in lists, index and
// feed.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { openZip } from "../../src/platform/zip.ts";
import {
  type BeneficialFiling,
  edgar,
  isUnread,
  type OwnershipFiling,
  readInsiderDataSet,
} from "../../src/providers/edgar/index.ts";
import { fakeUpstream, fakeVault } from "../support/fake-edgar.ts";
import { visit } from "../support/sample-edgar.ts";

setDefaultTimeout(1_200_000);

const JUMBL = "0009081728";
const VEXOQ = "0009067462";
const WOMBQ = "0009080471";

/** The provider in front of the sample at a moment. */
function regulator(moment: string, symbols?: number) {
  const sample = visit(moment, symbols === undefined ? {} : { symbols });
  const upstream = fakeUpstream(sample.clock, ({ host, pathname, search }) => {
    const { status, body, bytes, headers } = sample.ask(`${host}${pathname}${search}`);
    const plain = Object.entries(headers).map(([name, value]) => [name, String(value)]);
    return { status, body: bytes ?? body, headers: Object.fromEntries(plain) };
  });
  const provider = edgar({
    upstream,
    vault: fakeVault(),
    clock: sample.clock,
    userAgent: "Tests tests@example.com",
  });
  return { provider, sample, upstream };
}
const late = regulator("2026-09-09T21:00:00Z");

const jumbl = (number: number, year = 25) => ({
  accession_number: `0009381728-${year}-${number}`,
  cik: JUMBL,
});
async function form(ref: { accession_number: string; cik: string }): Promise<OwnershipFiling> {
  const { read } = await late.provider.ownership(ref);
  if (isUnread(read)) throw new Error(read.message);
  return read;
}
async function schedule(cik: string, number: number, year = 25): Promise<BeneficialFiling> {
  const accession_number = `${cik}-${year}-${number}`;
  const { read } = await late.provider.beneficial({ accession_number, cik });
  if (isUnread(read)) throw new Error(read.message);
  return read;
}

describe("forms set by hand", () => {
  test("a purchase of the chief executive, accepted in the evening and dated that day", async () => {
    expect(await form(jumbl(910001))).toMatchObject({
      form_type: "4",
      accepted_at: "2025-03-10T23:45:00Z",
      filing_date: "2025-03-10",
      public_from: "2025-03-10T23:45:00Z",
      period_of_report: "2025-03-07",
      issuer: { cik: JUMBL, name: "Jumbl Logistics", symbol: "JUMBL" },
      owners: [{ cik: "0008817280", relationship: "director, officer: President and CEO", is_ceo: true }],
      transactions: [
        {
          transaction_code: "P",
          transaction_type: "buy",
          shares: 1_000,
          price_per_share: 97.5,
          transaction_value: 97_500,
          shares_owned_after: 51_000,
          purchase_pct_of_holding: 2,
          is_10b5_1: false,
        },
      ],
    });
  });

  test("See Remarks is followed; two lots are one purchase of ten percent", async () => {
    const { owners, transactions } = await form(jumbl(910002));
    expect(owners[0]).toMatchObject({ officer_title_filed: "See Remarks", is_cfo: true });
    expect(transactions.map((one) => [one.shares, one.price_per_share, one.purchase_pct_of_holding])).toEqual(
      [
        [500, 96, 10],
        [300, 96.5, 10],
      ],
    );
  });

  test("a fund and its director: one trade, both owners, under either's number and the issuer's", async () => {
    const { owners, transactions } = await form(jumbl(910003));
    expect(owners.map(({ cik, relationship }) => [cik, relationship])).toEqual([
      ["0008817285", "10% owner"],
      ["0008817284", "director"],
    ]);
    expect(transactions).toHaveLength(1);
    expect(transactions[0]).toMatchObject({ ownership_nature: "I", purchase_pct_of_holding: 10 });
    for (const { cik } of owners) {
      const list = await late.provider.submissions(cik ?? "");
      expect(list?.entity).toMatchObject({ entity_type: "other", tickers: [] });
      const row = list?.filings.find((one) => one.accession_number === jumbl(910003).accession_number);
      expect(row).toMatchObject({ form_type: "4", filing_date: "2025-03-12" });
      expect(row?.primary_document).toMatch(/^wk-form4_\d+\.xml$/);
    }
  });

  test("an amendment corrects the trade of the same key", async () => {
    const [original, amended] = [await form(jumbl(910001)), await form(jumbl(910004))];
    expect(amended).toMatchObject({
      form_type: "4/A",
      is_amendment: true,
      date_of_original_submission: "2025-03-10",
    });
    expect(amended.transactions[0]).toMatchObject({ shares: 1_200, purchase_pct_of_holding: 2.4 });
    expect(amended.transactions[0]?.trade_key).toBe(original.transactions[0]?.trade_key ?? "");
  });

  test("award, arrival, plan sale, new position, price in a footnote, broken, uncoded, gift, text", async () => {
    const trades = async (number: number, year?: number) => (await form(jumbl(number, year))).transactions;
    expect((await trades(910005))[0]).toMatchObject({
      transaction_type: "award",
      price_per_share: 0,
      transaction_value: 0,
    });
    expect((await form(jumbl(910006))).owners[0]).toMatchObject({
      officer_title: "CEO, Freight Division",
      is_ceo: false,
    });
    expect((await trades(910007)).map((one) => [one.is_10b5_1, one.transaction_value])).toEqual([
      [true, 151_851.75],
      [true, 51_050],
    ]);
    expect((await trades(910008))[0]).toMatchObject({
      transaction_date: "2025-06-30",
      purchase_pct_of_holding: null,
    });
    expect((await trades(910009))[0]).toMatchObject({
      price_per_share: null,
      transaction_value: null,
      purchase_pct_of_holding: 25,
    });
    expect((await form(jumbl(910010))).warnings[0]?.code).toBe("lenient_xml");
    expect((await trades(910011))[0]).toMatchObject({ transaction_code: null, transaction_type: "other" });
    expect((await trades(910012, 26))[0]).toMatchObject({ transaction_type: "gift", transaction_code: "G" });
    const old = { accession_number: "0009331040-01-910001", cik: "0009031040" };
    expect(await late.provider.ownership(old)).toMatchObject({
      form_type: "4",
      accepted_at: null,
      read: { failed: "pre_xml_text" },
    });
  });

  test("the second reading comes from the vault", async () => {
    const fresh = regulator("2026-09-09T21:00:00Z");
    expect((await fresh.provider.ownership(jumbl(910001))).from_vault).toBe(false);
    expect((await fresh.provider.ownership(jumbl(910001))).from_vault).toBe(true);
    expect(fresh.upstream.requests).toHaveLength(1);
  });

  test("is not found before its moment; a filing of another form is reported as such", async () => {
    const early = regulator("2025-03-10T23:44:59Z");
    await expect(early.provider.ownership(jumbl(910001))).rejects.toMatchObject({ code: "not_found" });
    const other = await late.provider.beneficial(jumbl(910001));
    expect(other).toMatchObject({ form_type: "4", read: { failed: "not_this_form" } });
  });
});

describe("schedules set by hand", () => {
  test("reads an unstructured page, structured amendments and the exit", async () => {
    expect(await schedule(VEXOQ, 910002, 24)).toMatchObject({
      form_type: "SC 13D",
      is_structured: false,
      accepted_at: "2024-11-15T21:30:00Z",
      issuer: { cik: VEXOQ },
      holder: { cik: "0008950001", name: "Grumbold Capital LP" },
      event_date: "2024-11-08",
      shares_owned: 127_431_818,
      ownership_pct: 6.3,
      is_activist: true,
      persons: [
        { cik: "0008950001", ownership_pct: 6.2 },
        { cik: null, ownership_pct: 6.3 },
      ],
    });
    expect(await schedule(VEXOQ, 910003)).toMatchObject({
      form_type: "SCHEDULE 13D/A",
      is_structured: true,
      accepted_at: "2025-01-23T02:53:00Z",
      filing_date: "2025-01-22",
      amendment_number: 1,
      previous_accession_number: "0009067462-24-910002",
      ownership_pct: 8.4,
      shares_owned: 169_909_091,
      is_activist: true,
      is_exit: false,
    });
    expect(await schedule(VEXOQ, 910005)).toMatchObject({
      ownership_pct: 0,
      shares_owned: 0,
      is_exit: true,
      is_activist: null,
    });
  });

  test("13G: page, structured, fallen below five percent", async () => {
    expect(await schedule(VEXOQ, 910001, 24)).toMatchObject({
      form_type: "SC 13G",
      is_structured: false,
      ownership_pct: 5.3,
      shares_owned: 107_204_545,
      rules: ["Rule 13d-1(b)"],
      is_activist: false,
      is_exit: false,
      persons: [{ cik: "0008950003" }],
    });
    expect(await schedule(VEXOQ, 910004)).toMatchObject({
      form_type: "SCHEDULE 13G/A",
      ownership_pct: 4.2,
      is_exit: true,
    });
  });

  test("investment alone is no intent; more than all of a class is discarded", async () => {
    expect(await schedule(WOMBQ, 910001)).toMatchObject({ ownership_pct: 11.9, is_activist: false });
    const odd = await schedule(WOMBQ, 910002);
    expect([odd.ownership_pct, odd.persons[0]?.ownership_pct, odd.warnings[0]?.code]).toEqual([
      12.1,
      null,
      "impossible_percent",
    ]);
  });
});

describe("what chance files", () => {
  test("a quarter's data set says what the filings say, trade for trade", async () => {
    const file = await late.provider.insiderDataSet(2025, 2);
    if (!file) throw new Error("there is no data set");
    let count = 0;
    for await (const made of readInsiderDataSet(await openZip(file.bytes))) {
      if (isUnread(made)) throw new Error(made.message);
      const filed = await form({ accession_number: made.accession_number, cik: made.issuer.cik });
      const {
        accepted_at: _,
        precision,
        source: __,
        public_from: ___,
        schema_version: ____,
        warnings: _____,
        ...rest
      } = made;
      expect(precision).toBe("day");
      expect(filed).toMatchObject(rest);
      count += 1;
    }
    expect(count).toBeGreaterThan(100);
  });

  test("only the issuers and forms that are wanted", async () => {
    const file = await late.provider.insiderDataSet(2025, 1);
    const found: string[] = [];
    const query = { issuer_ciks: new Set([JUMBL]), forms: new Set(["4/A"]) };
    for await (const made of readInsiderDataSet(await openZip(file?.bytes ?? new Uint8Array()), query))
      found.push(made.accession_number);
    expect(found).toEqual([jumbl(910004).accession_number]);
    expect(await late.provider.insiderDataSet(2026, 3)).toBeNull();
  });

  test("a year of forms is read, every one, and its purchases add up", async () => {
    const index = await late.provider.fullIndex(2025, 2);
    const rows = index === null || index === "unchanged" ? [] : index.rows;
    const filings = new Map(
      rows.filter((row) => /^[345](?:\/A)?$/.test(row.form_type)).map((row) => [row.accession_number, row]),
    );
    expect(filings.size).toBeGreaterThan(100);
    for (const { accession_number, cik } of filings.values()) {
      const filed = await form({ accession_number, cik });
      expect(filed.warnings.map(({ code }) => code)).toEqual([]);
      for (const trade of filed.transactions) {
        if (trade.transaction_type !== "buy") expect(trade.purchase_pct_of_holding).toBeNull();
        else expect(trade.transaction_value).toBeGreaterThan(0);
      }
    }
    // One row for each party: a filing is counted by its number.
    expect(rows.filter((row) => row.accession_number === [...filings.keys()][0])).toHaveLength(2);
  });

  test("schedules of passive funds: in the fund's list and the company's, one CIK each", async () => {
    const list = await late.provider.submissions("0008950004");
    const row = list?.filings.find((one) => one.form_type === "SCHEDULE 13G/A");
    const { read } = await late.provider.beneficial({
      accession_number: row?.accession_number ?? "",
      cik: "0008950004",
    });
    if (isUnread(read)) throw new Error(read.message);
    expect(read).toMatchObject({
      holder: { cik: "0008950004" },
      is_activist: false,
      is_exit: false,
      persons: [{ cik: "0008950004" }],
    });
    expect(read.ownership_pct).toBeGreaterThanOrEqual(5);
    const company = await late.provider.submissions(read.issuer.cik ?? "");
    expect(company?.filings.map((one) => one.accession_number)).toContain(read.accession_number);
  });

  test("the feed names each party's part", async () => {
    const at = regulator("2025-03-13T02:00:00Z");
    const { entries } = await at.provider.currentFeed({ form_type: "4", count: 100 });
    const ours = entries.filter((one) => one.accession_number === jumbl(910003).accession_number);
    expect(ours.map(({ cik, role, form_type }) => [cik, role, form_type])).toEqual([
      [JUMBL, "Issuer", "4"],
      ["0008817285", "Reporting", "4"],
      ["0008817284", "Reporting", "4"],
    ]);
  });

  test("index page and header agree with the whole", async () => {
    const page = await late.provider.filingIndex(jumbl(910003));
    expect(page.documents.map(({ type, filename }) => [type, filename?.split(".").at(-1)])).toEqual([
      ["4", "xml"],
      [null, "txt"],
    ]);
    expect(page.parties.map(({ cik, role }) => [cik, role])).toEqual([
      [JUMBL, "Issuer"],
      ["0008817285", "Reporting"],
      ["0008817284", "Reporting"],
    ]);
    const header = await late.provider.filingHeader(jumbl(910003));
    expect(header.parties.map(({ role, cik }) => [role, cik])).toEqual([
      ["reporting_owner", "0008817285"],
      ["reporting_owner", "0008817284"],
      ["issuer", JUMBL],
    ]);
    expect(header.accepted_at).toBe("2025-03-13T01:55:00Z");
  });
});
