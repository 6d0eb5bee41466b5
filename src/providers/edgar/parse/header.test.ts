import { describe, expect, test } from "bun:test";
import { UpstreamFailed } from "../../../platform/errors.ts";
import { readHeader } from "./header.ts";

const WORDS = `<SEC-DOCUMENT>0001234567-26-000089.txt : 20260306
<SEC-HEADER>0001234567-26-000089.hdr.sgml : 20260306
<ACCEPTANCE-DATETIME>20260306164618
ACCESSION NUMBER:		0001234567-26-000089
CONFORMED SUBMISSION TYPE:	8-K/A
PUBLIC DOCUMENT COUNT:		3
CONFORMED PERIOD OF REPORT:	20260301
ITEM INFORMATION:		Results of Operations and Financial Condition
ITEM INFORMATION:		Financial Statements and Exhibits
FILED AS OF DATE:		20260306
DATE AS OF CHANGE:		20260306

FILER:

	COMPANY DATA:
		COMPANY CONFORMED NAME:			ZEBULON & SONS: MAKERS OF THINGS
		CENTRAL INDEX KEY:			0000004711
		STANDARD INDUSTRIAL CLASSIFICATION:	METALWORKING MACHINERY & EQUIPMENT [3540]
		ORGANIZATION NAME:
		STATE OF INCORPORATION:			DE
		FISCAL YEAR END:			0229

	FILING VALUES:
		FORM TYPE:		8-K/A
		SEC ACT:
		SEC FILE NUMBER:	001-00001

	BUSINESS ADDRESS:
		STREET 1:		1 MAIN ST
		STATE:			NY

	FORMER COMPANY:
		FORMER CONFORMED NAME:	ZEBULON BROS
		DATE OF NAME CHANGE:	19960607

	FORMER COMPANY:
		FORMER CONFORMED NAME:	ZEBULON
		DATE OF NAME CHANGE:
</SEC-HEADER>
<DOCUMENT>
<TYPE>8-K/A
CENTRAL INDEX KEY:			0000009999
`;

test("an empty field of the submission begins no party", () => {
  const early = WORDS.replace("PUBLIC DOCUMENT COUNT:", "CONFIRMING COPY:\t\nPUBLIC DOCUMENT COUNT:");
  expect(readHeader(early)).toEqual(readHeader(WORDS));
});

test("the long spelling", () => {
  expect(readHeader(WORDS)).toEqual({
    accepted_at: "2026-03-06T21:46:18Z",
    filing_date: "2026-03-06",
    precision: "second",
    source: "header",
    public_from: "2026-03-06T21:46:18Z",
    accession_number: "0001234567-26-000089",
    form_type: "8-K/A",
    report_date: "2026-03-01",
    items: [],
    item_titles: ["Results of Operations and Financial Condition", "Financial Statements and Exhibits"],
    public_document_count: 3,
    parties: [
      {
        role: "filer",
        cik: "0000004711",
        name: "ZEBULON & SONS: MAKERS OF THINGS",
        sic: "3540",
        state_of_incorporation: "DE",
        fiscal_year_end: "02-29",
        file_number: "001-00001",
        former_names: [
          { name: "ZEBULON BROS", changed_on: "1996-06-07" },
          { name: "ZEBULON", changed_on: null },
        ],
      },
    ],
  });
});

const TAGS = `<SEC-HEADER>0001234567-26-000090.hdr.sgml : 20260306
<ACCEPTANCE-DATETIME>20260306181030
<ACCESSION-NUMBER>0001234567-26-000090
<TYPE>4
<PERIOD>20260305
<ITEMS>2.02
<ITEMS>9.01
<FILING-DATE>20260306
<REPORTING-OWNER>
<OWNER-DATA>
<CONFORMED-NAME>Doe Jane
<CIK>0000000815
<ORGANIZATION-NAME>
</OWNER-DATA>
<MAIL-ADDRESS>
<STATE>MA
</MAIL-ADDRESS>
</REPORTING-OWNER>
<ISSUER>
<COMPANY-DATA>
<CONFORMED-NAME>ZEBULON INC
<CIK>0000004711
<ASSIGNED-SIC>100
<FISCAL-YEAR-END>0000
</COMPANY-DATA>
</ISSUER>
</SEC-HEADER>`;

test("the short spelling, owner and issuer apart", () => {
  const header = readHeader(TAGS);
  expect(header).toMatchObject({
    accession_number: "0001234567-26-000090",
    form_type: "4",
    accepted_at: "2026-03-06T23:10:30Z",
    items: ["2.02", "9.01"],
    public_document_count: null,
  });
  expect(
    header.parties.map(({ role, cik, name, sic, fiscal_year_end }) => [
      role,
      cik,
      name,
      sic,
      fiscal_year_end,
    ]),
  ).toEqual([
    ["reporting_owner", "0000000815", "Doe Jane", null, null],
    ["issuer", "0000004711", "ZEBULON INC", "0100", null],
  ]);
});

test("the page with both spellings gives numbers and titles", () => {
  const escaped = WORDS.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const tags = TAGS.replace("000090", "000089").replace("<TYPE>4", "<TYPE>8-K");
  const html = `<HTML><HEAD><!--\n${tags}\n--></HEAD><BODY>\n<PRE>${escaped}</PRE></BODY></HTML>`;
  const header = readHeader(html);
  expect(header.items).toEqual(["2.02", "9.01"]);
  expect(header.item_titles).toEqual([
    "Results of Operations and Financial Condition",
    "Financial Statements and Exhibits",
  ]);
  expect(header.form_type).toBe("8-K");
});

test("before 2002: a mail wrapper, no acceptance, tags and words mixed, and the day the file was made", () => {
  const old = `-----BEGIN PRIVACY-ENHANCED MESSAGE-----
Proc-Type: 2001,MIC-CLEAR
Originator-Name: someone

<SEC-DOCUMENT>0001234567-00-000193.txt : 20000316
<SEC-HEADER>0001234567-00-000193.hdr.sgml : 20000316
ACCESSION NUMBER:		0001234567-00-000193
CONFORMED SUBMISSION TYPE:	4
FILED AS OF DATE:		20000314

SUBJECT COMPANY:

	COMPANY DATA:
		COMPANY CONFORMED NAME:			ZEBULON INC
		CENTRAL INDEX KEY:			0000004711
<REPORTING-OWNER>

COMPANY DATA:
	COMPANY CONFORMED NAME:			DOE JANE
	CENTRAL INDEX KEY:			0000000815
	STANDARD INDUSTRIAL CLASSIFICATION:	 []
<RELATIONSHIP>DIRECTOR

FILING VALUES:
	FORM TYPE:		4
</REPORTING-OWNER>
</SEC-HEADER>
`;
  const header = readHeader(old);
  expect(header).toMatchObject({
    accepted_at: null,
    precision: "day",
    filing_date: "2000-03-14",
    public_from: "2000-03-17T04:59:59Z",
  });
  expect(header.parties.map(({ role, name, sic }) => [role, name, sic])).toEqual([
    ["subject_company", "ZEBULON INC", null],
    ["reporting_owner", "DOE JANE", null],
  ]);
});

test("the bulk feed's form has item numbers and no acceptance", () => {
  const nc = TAGS.replace(/<SEC-HEADER>.*/, "<SUBMISSION>")
    .replace(/<ACCEPTANCE.*\n/, "")
    .replace("</SEC-HEADER>", "<DOCUMENT>\n");
  expect(readHeader(nc)).toMatchObject({
    accepted_at: null,
    precision: "day",
    public_from: null,
    items: ["2.02", "9.01"],
  });
});

test("a fund's series and classes are neither parties nor fields of the filing", () => {
  const fund = TAGS.replace(
    "</SEC-HEADER>",
    `<SERIES-AND-CLASSES-CONTRACTS-DATA>
<EXISTING-SERIES-AND-CLASSES-CONTRACTS>
<SERIES>
<OWNER-CIK>0000004711
<SERIES-ID>S000000001
<SERIES-NAME>Zebulon Growth
<CLASS-CONTRACT>
<CLASS-CONTRACT-ID>C000000001
<TYPE>NOT A FORM
</CLASS-CONTRACT>
</SERIES>
</EXISTING-SERIES-AND-CLASSES-CONTRACTS>
</SERIES-AND-CLASSES-CONTRACTS-DATA>
</SEC-HEADER>`,
  );
  expect(readHeader(fund).parties.map((party) => party.role)).toEqual(["reporting_owner", "issuer"]);
  expect(readHeader(fund).form_type).toBe("4");
});

describe("what is no whole header is refused", () => {
  test.each([
    ["nothing", ""],
    ["a page", "<html><title>SEC.gov</title></html>"],
    ["cut off", WORDS.slice(0, 700)],
    ["no number", TAGS.replace(/<ACCESSION-NUMBER>.*\n/, "")],
    ["no form", TAGS.replace("<TYPE>4\n", "")],
    ["no date", TAGS.replace(/<FILING-DATE>.*\n/, "")],
    ["a date that is none", TAGS.replace("<FILING-DATE>20260306", "<FILING-DATE>20260231")],
  ])("%s", (_what, source) => expect(() => readHeader(source)).toThrow(UpstreamFailed));
});

test("a header without an end in megabytes of lines is refused soon", () => {
  const endless = `${TAGS.replace("</SEC-HEADER>", "")}${"<X>\n".repeat(1_000_000)}`;
  expect(() => readHeader(endless)).toThrow("a whole <SEC-HEADER>");
});
