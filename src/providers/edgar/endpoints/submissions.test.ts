import { describe, expect, test } from "bun:test";
import { fakeEdgar, missing } from "../../../../test/support/fake-edgar.ts";
import { InvalidRequest, UpstreamFailed, UpstreamRateLimited } from "../../../platform/errors.ts";

const table = (rows: readonly Record<string, unknown>[]) => {
  const defaults = {
    accessionNumber: "0001234567-26-000089",
    filingDate: "2026-03-06",
    reportDate: "",
    acceptanceDateTime: "2026-03-06T23:10:00.000Z",
    act: "34",
    form: "8-K",
    fileNumber: "001-1",
    filmNumber: "",
    items: "",
    size: 5,
    isXBRL: 1,
    isInlineXBRL: 0,
    primaryDocument: "",
    primaryDocDescription: "",
  };
  return Object.fromEntries(
    Object.entries(defaults).map(([key, value]) => [key, rows.map((row) => row[key] ?? value)]),
  );
};
const entity = (more: Record<string, unknown> = {}) => ({
  cik: "0000004711",
  entityType: "operating",
  sic: "3540",
  sicDescription: "Machines",
  name: "ZEBULON & SONS",
  tickers: ["zqx-b", "ZQX-A", "ZQXF"],
  exchanges: ["NYSE", "NYSE", null],
  category: "<br>Emerging growth company<br>Smaller",
  fiscalYearEnd: "0229",
  stateOfIncorporation: "DE",
  addresses: {
    mailing: { street1: null, city: "" },
    business: { street1: "1 MAIN ST", city: "NEW YORK", stateOrCountry: "NY", zipCode: "10001" },
  },
  formerNames: [{ name: "OLD ZEBULON", from: "1994-02-02T00:00:00.000Z", to: "1996-03-28T00:00:00.000Z" }],
  filings: { recent: table([]), files: [] },
  ...more,
});

describe("submissions", () => {
  test("the entity", async () => {
    const { provider, asked } = fakeEdgar(() => ({ body: entity() }));
    const found = await provider.submissions("CIK4711");
    expect(asked()).toEqual(["https://data.sec.gov/submissions/CIK0000004711.json"]);
    expect(found?.received_at).toBe("2026-03-10T15:00:00Z");
    expect(found?.entity).toEqual({
      cik: "0000004711",
      name: "ZEBULON & SONS",
      entity_type: "operating",
      sic: "3540",
      sic_description: "Machines",
      owner_org: null,
      tickers: [
        { ticker: "ZQX-B", exchange: "NYSE" },
        { ticker: "ZQX-A", exchange: "NYSE" },
        { ticker: "ZQXF", exchange: null },
      ],
      ein: null,
      lei: null,
      description: null,
      website: null,
      investor_website: null,
      category: "Emerging growth company Smaller",
      fiscal_year_end: "02-29",
      state_of_incorporation: "DE",
      state_of_incorporation_description: null,
      business_address: {
        street1: "1 MAIN ST",
        street2: null,
        city: "NEW YORK",
        state_or_country: "NY",
        state_or_country_description: null,
        zip: "10001",
      },
      mailing_address: null,
      phone: null,
      former_names: [{ name: "OLD ZEBULON", from: "1994-02-02", to: "1996-03-28" }],
      predecessor_ciks: [],
    });
  });

  test("a row: items apart, the document as filed, nothing for EDGAR's empty texts", async () => {
    const recent = table([
      { items: "2.02, 9.01,2.02", reportDate: "2026-03-01", primaryDocument: "d8k.htm", form: "8-K" },
      {
        accessionNumber: "0001234567-26-000088",
        form: "4",
        primaryDocument: "xslF345X05/doc4.xml",
        isXBRL: 0,
        size: 0,
      },
      {
        accessionNumber: "0001234567-26-000087",
        form: "3",
        primaryDocument: "../../evil",
        reportDate: "2026-02-30",
      },
    ]);
    const found = await fakeEdgar(() => ({
      body: entity({ filings: { recent, files: [] } }),
    })).provider.submissions("4711");
    expect(found?.filings[0]).toEqual({
      accepted_at: "2026-03-06T23:10:00Z",
      filing_date: "2026-03-06",
      precision: "second",
      source: "column",
      public_from: "2026-03-06T23:10:00Z",
      accession_number: "0001234567-26-000089",
      cik: "0000004711",
      form_type: "8-K",
      report_date: "2026-03-01",
      act: "34",
      file_number: "001-1",
      film_number: null,
      items: ["2.02", "9.01"],
      size: 5,
      is_xbrl: true,
      is_inline_xbrl: false,
      primary_document: "d8k.htm",
      primary_document_description: null,
    });
    expect(found?.filings.at(-1)?.report_date).toBeNull();
    const bare = { ...recent, act: undefined, filmNumber: undefined, size: (recent.size ?? []).map(String) };
    const body = entity({ filings: { recent: bare, files: [] } });
    const read = await fakeEdgar(() => ({ body })).provider.submissions("4711");
    expect(read?.filings).toEqual(found?.filings.map((filing) => ({ ...filing, act: null })) ?? []);
    expect(found?.filings.map((f) => [f.primary_document, f.size, f.is_xbrl])).toEqual([
      ["d8k.htm", 5, true],
      ["doc4.xml", 0, false],
      [null, 5, true],
    ]);
  });

  test("an older page is the table itself, and is not mixed with the newest rows", async () => {
    const file = {
      name: "CIK0000004711-submissions-001.json",
      filingCount: 1,
      filingFrom: "1994-01-26",
      filingTo: "2013-02-07",
    };
    const { provider, asked } = fakeEdgar(({ pathname }) =>
      pathname.endsWith("-001.json")
        ? { body: table([{ acceptanceDateTime: "2013-02-07T12:00:00.000Z", filingDate: "2013-02-07" }]) }
        : { body: entity({ filings: { recent: table([]), files: [file] } }) },
    );
    const [page] = (await provider.submissions("4711"))?.older_pages ?? [];
    expect(page).toEqual({
      name: file.name,
      filing_count: 1,
      filing_from: "1994-01-26",
      filing_to: "2013-02-07",
    });
    const rows = await provider.olderFilings("4711", page ?? { name: "" });
    expect(rows.map((r) => [r.filing_date, r.cik, r.precision])).toEqual([
      ["2013-02-07", "0000004711", "ambiguous"],
    ]);
    expect(asked().at(-1)).toBe(`https://data.sec.gov/submissions/${file.name}`);
  });

  test("a listed older page that is missing is an error, never an empty list", async () => {
    const asked = fakeEdgar(() => missing(404)).provider.olderFilings("4711", {
      name: "CIK0000004711-submissions-001.json",
    });
    await expect(asked).rejects.toThrow(
      "EDGAR lists CIK0000004711-submissions-001.json but does not have it",
    );
    await expect(asked).rejects.toBeInstanceOf(UpstreamFailed);
  });

  test("an unknown CIK is null; an outage, a block or a page never is", async () => {
    expect(await fakeEdgar(() => missing(404)).provider.submissions("4711")).toBeNull();
    await expect(fakeEdgar(() => ({ status: 503 })).provider.submissions("4711")).rejects.toBeInstanceOf(
      UpstreamFailed,
    );
    await expect(
      fakeEdgar(() => ({ status: 404, body: "" })).provider.submissions("4711"),
    ).rejects.toBeInstanceOf(UpstreamFailed);
    await expect(fakeEdgar(() => ({ status: 429 })).provider.submissions("4711")).rejects.toBeInstanceOf(
      UpstreamRateLimited,
    );
    await expect(fakeEdgar(() => ({ body: '{"cik":' })).provider.submissions("4711")).rejects.toBeInstanceOf(
      UpstreamFailed,
    );
  });

  test.each<[string, Record<string, unknown>, string]>([
    ["another entity", { cik: "0000000815" }, "cik should be 0000004711"],
    [
      "lists of different length",
      { filings: { recent: { ...table([{}]), form: [] }, files: [] } },
      "form should be a list of 1, not of 0",
    ],
    [
      "a column gone",
      { filings: { recent: { ...table([{}]), items: undefined }, files: [] } },
      "items should be a list",
    ],
    ["tickers without exchanges", { exchanges: [] }, "exchanges should be a list of 3"],
    [
      "a number that is none",
      { filings: { recent: table([{ accessionNumber: "x" }]), files: [] } },
      "accessionNumber[0] should be an accession number",
    ],
    [
      "a date that is none",
      { filings: { recent: table([{ filingDate: "2026-02-30" }]), files: [] } },
      "filingDate[0] should be a date",
    ],
    [
      "a page of another name",
      { filings: { recent: table([]), files: [{ name: "../../evil.json" }] } },
      "files[0].name should be the name of a page",
    ],
    ["no name", { name: "" }, "name should be text"],
  ])("%s is refused, and named", async (_what, more, description) => {
    await expect(fakeEdgar(() => ({ body: entity(more) })).provider.submissions("4711")).rejects.toThrow(
      description,
    );
  });

  test("an impossible CIK is not requested", async () => {
    const { provider, asked } = fakeEdgar(() => ({}));
    await expect(provider.submissions("../x")).rejects.toBeInstanceOf(InvalidRequest);
    expect(asked()).toEqual([]);
  });

  test("an entity that continues another", async () => {
    const body = entity({ cik: "1652044" });
    expect(
      (await fakeEdgar(() => ({ body })).provider.submissions("1652044"))?.entity.predecessor_ciks,
    ).toEqual(["0001288776"]);
  });
});
