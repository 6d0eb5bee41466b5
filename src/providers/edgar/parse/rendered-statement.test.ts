import { describe, expect, test } from "bun:test";
import { XBRL_NAME_CHARS_MAX } from "../../../limits.ts";
import { UpstreamMisread } from "../../../platform/errors.ts";
import { cashFlowFiles, commonLines, renderedLines } from "./rendered-statement.ts";

const report = (name: string, kind: string, file: string) =>
  `<Report instance="x.htm"><IsDefault>false</IsDefault>${file}<LongName>0000004 - ${kind} - ${name}</LongName><ReportType>Sheet</ReportType><Role>http://x.example/role/R</Role><ShortName>${name}</ShortName></Report>`;
const html = (name: string) => `<HtmlFileName>${name}</HtmlFileName>`;
const xml = (name: string) => `<XmlFileName>${name}</XmlFileName>`;
const summary = (...reports: string[]) =>
  `<?xml version='1.0' encoding='utf-8'?>\n<FilingSummary><Version>3</Version><MyReports>${reports.join("")}</MyReports></FilingSummary>`;

const line = (element: string, label = "Label") =>
  `<tr class="re">\n<td class="pl" style="border-bottom: 0px;" valign="top"><a class="a" href="javascript:void(0);" onclick="top.Show.showAR( this, 'defref_${element}', window );">${label}</a></td>\n<td class="nump">$ 12<span></span></td>\n</tr>`;
const page = (...rows: string[]) =>
  `<html><head><title></title></head><body><table class="report"><tr><th class="tl">CASH FLOWS</th></tr>${rows.join("\n")}</table><div style="display: none;"><table class="authRefData" id="defref_us-gaap_Goodwill"><tr><td><a onclick="top.Show.hideAR();">X</a></td></tr></table></div></body></html>`;
const row = (element: string, isSegment = false) =>
  `<Row FlagID="0"><Id>2</Id><Label>L</Label><ElementName>${element}</ElementName><IsSegmentTitle>${isSegment}</IsSegmentTitle><Cells><Cell FlagID="0"><Id>1</Id><NumericAmount>12</NumericAmount></Cell></Cells></Row>`;
const instance = (...rows: string[]) =>
  `<?xml version="1.0"?><InstanceReport xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><ReportName>CASH FLOWS</ReportName><Rows>${rows.join("")}</Rows></InstanceReport>`;

const TOTAL = "us-gaap_NetCashProvidedByUsedInOperatingActivities";

describe("list of rendered reports", () => {
  test("the statement of cash flows, not its brackets, notes, tables and details", () => {
    const list = summary(
      report("BALANCE SHEETS", "Statement", html("R2.htm")),
      report("CONSOLIDATED STATEMENTS OF CASH FLOWS", "Statement", html("R4.htm")),
      report("CONSOLIDATED STATEMENTS OF CASH FLOWS (Parenthetical)", "Statement", html("R5.htm")),
      report("Supplemental Cash Flow Information", "Disclosure", html("R9.htm")),
      report("Cash flows (Details)", "Disclosure", html("R40.htm")),
    );
    expect(cashFlowFiles(list)).toEqual(["R4.htm"]);
  });

  test("XML renderings of the first years, and names without a kind", () => {
    expect(cashFlowFiles(summary(report("Statement of Cash Flow", "Statement", xml("R4.xml"))))).toEqual([
      "R4.xml",
    ]);
    const plain = `<Report>${xml("R6.xml")}<ShortName>CASH FLOWS</ShortName></Report>`;
    expect(cashFlowFiles(summary(plain))).toEqual(["R6.xml"]);
  });

  test("several statements, and none", () => {
    const two = ["R4.htm", "R8.htm"].map((name) => report("Cash Flows", "Statement", html(name)));
    expect(cashFlowFiles(summary(...two))).toEqual(["R4.htm", "R8.htm"]);
    expect(cashFlowFiles(summary(report("Cover", "Document", html("R1.htm"))))).toEqual([]);
    expect(cashFlowFiles(summary())).toEqual([]);
  });

  test("a name that leads out of the folder is none", () => {
    expect(cashFlowFiles(summary(report("Cash Flows", "Statement", html("../../x.htm"))))).toEqual([]);
  });

  test("a list that is cut off, of another shape, or declares entities is refused", () => {
    const whole = summary(report("Cash Flows", "Statement", html("R4.htm")));
    for (const broken of [
      whole.slice(0, -20),
      "<html><body>busy</body></html>",
      "",
      whole.replace("<FilingSummary>", "<!DOCTYPE x [<!ENTITY a 'b'>]><FilingSummary>"),
    ])
      expect(() => cashFlowFiles(broken)).toThrow(UpstreamMisread);
  });
});

describe("lines of a rendered statement", () => {
  test("the elements of a page in order, without those that are only defined on it", () => {
    const lines = [line("us-gaap_ProfitLoss"), line("acme_DepreciationOfMachines"), line(TOTAL)];
    expect(renderedLines(page(...lines))).toEqual([
      "us-gaap_ProfitLoss",
      "acme_DepreciationOfMachines",
      TOTAL,
    ]);
  });

  test("the elements of the first years' XML", () => {
    expect(
      renderedLines(instance(row("us-gaap_ProfitLoss"), row(" us-gaap_Depreciation "), row(""))),
    ).toEqual(["us-gaap_ProfitLoss", "us-gaap_Depreciation"]);
  });

  test("lines of a single member are left out", () => {
    const member = line("us-gaap_StatementLegalEntityAxis").replace('class="re"', 'class="rh"');
    expect(renderedLines(page(line(TOTAL), member, line("us-gaap_Depreciation")))).toEqual([TOTAL]);
    const rows = [row(TOTAL), row("us-gaap_StatementLegalEntityAxis", true), row("us-gaap_Depreciation")];
    expect(renderedLines(instance(...rows))).toEqual([TOTAL]);
  });

  test("a page that is cut off, empty or of another shape is refused", () => {
    const whole = page(line(TOTAL));
    const old = instance(row(TOTAL));
    const compressed = new TextDecoder("windows-1252").decode(Bun.gzipSync(new TextEncoder().encode(whole)));
    for (const broken of [whole.slice(0, -30), page(), old.slice(0, -30), instance(), "", compressed])
      expect(() => renderedLines(broken)).toThrow(UpstreamMisread);
  });

  test("a line whose element has a longer name than any may have is left out", () => {
    const [longest, longer] = [XBRL_NAME_CHARS_MAX, XBRL_NAME_CHARS_MAX + 1].map(
      (chars) => `acme_${"x".repeat(chars - 5)}`,
    );
    expect(renderedLines(page(line(TOTAL), line(longest ?? ""), line(longer ?? "")))).toEqual([
      TOTAL,
      longest ?? "",
    ]);
  });

  test("hostile pages are refused", () => {
    const many = page(...Array.from({ length: 5_001 }, (_, nth) => line(`us-gaap_X${nth}`)));
    const deep = `<InstanceReport>${"<a>".repeat(1_000)}${"</a>".repeat(1_000)}</InstanceReport>`;
    const script = page(line("<script>"), line("no-prefix"), line("us-gaap_'x'"));
    for (const hostile of [many, deep, script]) expect(() => renderedLines(hostile)).toThrow(UpstreamMisread);
  });
});

describe("lines that all statements of a filing have", () => {
  test("a line that one company alone shows is left out", () => {
    const pages = [
      [TOTAL, "us-gaap_Depreciation", "us-gaap_ProfitLoss", "us-gaap_ProfitLoss"],
      ["us-gaap_ProfitLoss", TOTAL],
    ];
    expect(commonLines(pages)).toEqual([TOTAL, "us-gaap_ProfitLoss"]);
  });
  test("a page that continues the statement changes nothing", () => {
    expect(commonLines([[TOTAL, "us-gaap_ProfitLoss"], ["us-gaap_InterestPaid"]])).toEqual([
      TOTAL,
      "us-gaap_ProfitLoss",
    ]);
    expect(commonLines([["acme_Operating"]])).toEqual(["acme_Operating"]);
  });
});
