import { describe, expect, test } from "bun:test";
import { UpstreamFailed } from "../../../platform/errors.ts";
import { readIndexFile } from "./index-file.ts";

const RULE = "-".repeat(80);
const master = (...lines: string[]) =>
  `Description:           Daily Index of EDGAR Dissemination Feed\nLast Data Received:    Mar 6, 2026\n\nCIK|Company Name|Form Type|Date Filed|File Name\n${RULE}\n${lines.map((line) => `${line}\n`).join("")}`;
const ROW = "4711|ZEBULON INC|8-K|20260306|edgar/data/4711/0001234567-26-000089.txt";

test("a master file: daily dates run together, names hold anything but the bar, one filing has a row a party", () => {
  const text = master(
    ROW,
    "815|O'DOE & SONS, L.P. /DE/ (A-B)|SCHEDULE 13D/A|20260306|edgar/data/815/0001234567-26-000089.txt",
    "12|ÉTOILE SA|6-K|2026-03-06|edgar/data/12/0000000012-26-000001.txt",
  );
  expect(readIndexFile(text, "x")).toEqual({
    rows: [
      {
        cik: "0000004711",
        company_name: "ZEBULON INC",
        form_type: "8-K",
        filing_date: "2026-03-06",
        accession_number: "0001234567-26-000089",
      },
      {
        cik: "0000000815",
        company_name: "O'DOE & SONS, L.P. /DE/ (A-B)",
        form_type: "SCHEDULE 13D/A",
        filing_date: "2026-03-06",
        accession_number: "0001234567-26-000089",
      },
      {
        cik: "0000000012",
        company_name: "ÉTOILE SA",
        form_type: "6-K",
        filing_date: "2026-03-06",
        accession_number: "0000000012-26-000001",
      },
    ],
    unread: [],
  });
});

test("carriage returns and the full index's heading", () => {
  const text = master(ROW).replace("File Name", "Filename").replaceAll("\n", "\r\n");
  expect(readIndexFile(text, "x").rows).toHaveLength(1);
});

test("a day without filings has no rows", () =>
  expect(readIndexFile(master(), "x")).toEqual({ rows: [], unread: [] }));

const COMPANY = `Company Name                                                  Form Type   CIK\n      Date Filed  File Name\n${RULE}\n`;
const FORM = `Form Type   Company Name                                                  CIK         Date Filed  File Name\n${RULE}\n`;
const tail = "4711        20260306    edgar/data/4711/0001234567-26-000089.txt         \n";

test("columns by company, the heading broken over two lines", () => {
  const text = `${COMPANY}${"ZEBULON  5 INC 123".padEnd(62)}${"1-A POS".padEnd(12)}${tail}`;
  expect(readIndexFile(text, "x").rows).toEqual([
    {
      cik: "0000004711",
      company_name: "ZEBULON  5 INC 123",
      form_type: "1-A POS",
      filing_date: "2026-03-06",
      accession_number: "0001234567-26-000089",
    },
  ]);
});

test("columns by company: a form longer than its column is read whole", () => {
  const text = `${COMPANY}${"ZEBULON INC".padEnd(62)}SCHEDULE 13D/A ${tail}`;
  expect(readIndexFile(text, "x").rows[0]).toMatchObject({
    company_name: "ZEBULON INC",
    form_type: "SCHEDULE 13D/A",
  });
});

test("columns by form: a form that runs into the name is reported as unread, not guessed", () => {
  const good = `${"8-K".padEnd(12)}${"ZEBULON INC".padEnd(62)}${tail}`;
  const bad = `SOME LONG FORM ${"ZEBULON INC".padEnd(62)}${tail}`;
  const { rows, unread } = readIndexFile(FORM + good.repeat(150) + bad, "x");
  expect(rows).toHaveLength(150);
  expect(rows[0]).toMatchObject({ form_type: "8-K", company_name: "ZEBULON INC" });
  expect(unread).toEqual([bad.replace("\n", "")]);
});

test.each(["SCHEDULE 13D/A", "SCHEDULE 13D/A ", "SCHEDULE 13G", "SCHEDULE 13G  "])(
  "columns by form: %p is known to be longer than its column",
  (form) => {
    const text = `${FORM}${form}${"ACME CORP".padEnd(62)}${tail}`;
    expect(readIndexFile(text, "x").rows[0]).toMatchObject({
      form_type: form.trim(),
      company_name: "ACME CORP",
    });
  },
);

describe("another shape is refused", () => {
  test.each([
    ["nothing", ""],
    ["a page", "<html></html>"],
    ["no rule below the heading", master(ROW).replace(RULE, "")],
    ["another heading", master(ROW).replace("Form Type", "Type")],
    ["a column more", master(...Array(20).fill(ROW.replace("|8-K|", "|8-K|x|")))],
    ["dates of another form", master(...Array(20).fill(ROW.replace("20260306", "03/06/2026")))],
    [
      "addresses that leave the archive",
      master(...Array(20).fill(ROW.replace("edgar/data/4711/", "../../"))),
    ],
  ])("%s", (_what, text) => expect(() => readIndexFile(text, "the index")).toThrow(UpstreamFailed));

  test("one odd line among many is reported as unread", () => {
    const odd = "4711|ZEBULON INC|8-K|20260231|edgar/data/4711/0001234567-26-000089.txt";
    expect(readIndexFile(master(...Array(100).fill(ROW), odd), "x").unread).toEqual([odd]);
    expect(() => readIndexFile(master(...Array(50).fill(ROW), odd), "x")).toThrow("1 of 51 lines");
  });
});
