import { describe, expect, test } from "bun:test";
import { UpstreamFailed } from "../../../platform/errors.ts";
import { readIndexPage } from "./index-page.ts";

const FOLDER = "/Archives/edgar/data/4711/000123456726000089/";
const row = (seq: string, description: string, href: string, type: string, size: string) =>
  `<tr><td scope="row">${seq}</td><td>${description}</td><td><a href="${href}">shown.html</a> <span>iXBRL</span></td><td>${type}</td><td>${size}</td></tr>`;
const page = (
  rows: string,
  more: { facts?: string; form?: string; parties?: string } = {},
) => `<!DOCTYPE html><html><head><title>EDGAR Filing Documents</title></head><body>
<strong>not the form</strong>
<div id="formHeader"><div id="formName"><strong>${more.form ?? "Form 8-K"}</strong> - Current report:</div>
<div id="secNum"><strong><acronym>SEC</acronym> Accession <acronym>No.</acronym></strong> 0001234567-26-000089 </div></div>
<div class="formGrouping">${
  more.facts ??
  `<div class="infoHead">Filing Date</div><div class="info">2026-03-09</div>
<div class="infoHead">Accepted</div><div class="info">2026-03-06 18:46:18</div>
<div class="infoHead">Period of Report</div><div class="info">2026-03-01</div>
<div class="infoHead">Items</div><div class="info">Item 2.02: Results<br />Item 9.01: Exhibits, as Item 1.01<br /></div>`
}</div>
<table class="tableFile" summary="Document Format Files"><tr><th>Seq</th><th>Description</th><th>Document</th><th>Type</th><th>Size</th></tr>${rows}</table>
<table><tr><td>1</td><td>x</td><td><a href="${FOLDER}not.htm">n</a></td><td>EX-1</td><td>1</td></tr></table>
${
  more.parties ??
  `<span class="companyName">Doe Jane (<a href="/x">Reporting</a>)
 <acronym>CIK</acronym>: <a href="/cgi-bin/browse-edgar?CIK=0000000815">0000000815 (see all company filings)</a></span>
<span class="companyName">ZEBULON &amp; SONS (OLD) (Filer)
 <acronym>CIK</acronym>: <a>0000004711 (see all company filings)</a></span>`
}</body></html>`;

const DOCUMENT = row("1", "8-K &amp; more", `/ix?doc=${FOLDER}body.htm`, "8-K", "48933");

test("times in New York, items at the heads of lines, documents behind their viewer, parties", () => {
  const rows = [
    DOCUMENT,
    row("2", "PRESS RELEASE", `${FOLDER}release.htm`, "EX-99.1", "1000"),
    row("3", "&nbsp;", `${FOLDER}x_001.jpg`, "GRAPHIC", "&nbsp;"),
    row("&nbsp;", "Complete submission text file", `${FOLDER}0001234567-26-000089.txt`, "&nbsp;", "680336"),
  ].join("\n");
  expect(readIndexPage(page(rows))).toEqual({
    accepted_at: "2026-03-06T23:46:18Z",
    filing_date: "2026-03-09",
    precision: "second",
    source: "index_page",
    public_from: "2026-03-09T10:00:00Z",
    accession_number: "0001234567-26-000089",
    form_type: "8-K",
    report_date: "2026-03-01",
    items: ["2.02", "9.01"],
    documents: [
      { sequence: 1, type: "8-K", description: "8-K & more", filename: "body.htm", size: 48933 },
      { sequence: 2, type: "EX-99.1", description: "PRESS RELEASE", filename: "release.htm", size: 1000 },
      { sequence: 3, type: "GRAPHIC", description: null, filename: "x_001.jpg", size: null },
      {
        sequence: null,
        type: null,
        description: "Complete submission text file",
        filename: "0001234567-26-000089.txt",
        size: 680336,
      },
    ],
    parties: [
      { cik: "0000000815", name: "Doe Jane", role: "Reporting" },
      { cik: "0000004711", name: "ZEBULON & SONS (OLD)", role: "Filer" },
    ],
  });
});

test("a rendering gives way to the raw file beside it", () => {
  const rows =
    row("1", "OWNERSHIP", `${FOLDER}xslF345X05/doc4.xml`, "4", "&nbsp;") +
    row("1", "OWNERSHIP", `${FOLDER}doc4.xml`, "4", "8693");
  expect(readIndexPage(page(rows, { form: "Form 4" })).documents.map((d) => [d.filename, d.size])).toEqual([
    ["doc4.xml", 8693],
  ]);
});

test("before 2001 documents have no file of their own, and midnight is no time", () => {
  const facts = `<div class="infoHead">Filing Date</div><div class="info">2000-05-11</div><div class="infoHead">Accepted</div><div class="info">2000-05-11 00:00:00</div>`;
  const read = readIndexPage(page(row("5", "EX 27", FOLDER, "EX-27", "2016"), { facts }));
  expect(read.documents).toEqual([
    { sequence: 5, type: "EX-27", description: "EX 27", filename: null, size: 2016 },
  ]);
  expect(read).toMatchObject({ accepted_at: null, precision: "day", report_date: null, items: [] });
});

test.each([
  "https://evil.example/Archives/edgar/data/1/x.htm",
  "//evil.example/x.htm",
  "javascript:alert(1)",
  "/other/x.htm",
  `${FOLDER}..`,
  `${FOLDER}%2e%2e`,
  `${FOLDER}a%2f..%2fb.htm`,
  `/ix?doc=https://evil.example/x.htm`,
  "",
])("a link to %p names no file", (href) => {
  const { documents } = readIndexPage(page(DOCUMENT + row("2", "x", href, "EX-99.1", "1")));
  expect(documents[1]).toMatchObject({ type: "EX-99.1", filename: null });
});

describe("another shape is refused", () => {
  test.each([
    ["nothing", ""],
    ["another page", "<html><body>Hello</body></html>"],
    ["no documents", page("")],
    ["no number", page(DOCUMENT).replace("0001234567-26-000089 </div>", "</div>")],
    ["no form", page(DOCUMENT, { form: "" })],
    ["no filing date", page(DOCUMENT, { facts: "" })],
  ])("%s", (_what, html) => expect(() => readIndexPage(html)).toThrow(UpstreamFailed));
});

test("depth and colspans cost nothing", () => {
  const deep = `${"<div><table><tr><td colspan=376967340>".repeat(20_000)}`;
  expect(readIndexPage(page(DOCUMENT) + deep).documents).toHaveLength(1);
});
