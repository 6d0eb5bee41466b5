// The statements of a tagged report as the regulator renders them: FilingSummary.xml lists them, R2, R3 and
// R4 are the balance sheet, the income statement and the cash flows. Renderings of reports filed before
// 2011-07 are XML.
import { conceptsOf, type Statement, wordsOf } from "./concepts.ts";
import type { Filing } from "./filing.ts";
import { kindOf } from "./ledger.ts";
import { figuresIn, taggingOf } from "./report-facts.ts";
import { asMarkup } from "./wording.ts";

const PAGES_FROM = "2011-07-01";
const TITLES: readonly (readonly [Statement, string])[] = [
  ["balance", "CONSOLIDATED BALANCE SHEETS"],
  ["income", "CONSOLIDATED STATEMENTS OF INCOME"],
  ["cash", "CONSOLIDATED STATEMENTS OF CASH FLOWS"],
];

const endingOf = ({ filingDate }: Filing) => (filingDate < PAGES_FROM ? "xml" : "htm");
const fileOf = (filing: Filing, nth: number) => `R${nth + 2}.${endingOf(filing)}`;

/**
 * The annual report of SQUEQ for 2024 names its depreciation in the cash flows by a tag of its own, which no
 * file of figures has.
 */
const OWN = "squeq_DepreciationOfPlantAndRegulatoryAssets";
const isOwn = ({ filer, form, period }: Filing, statement: Statement, line: string) =>
  filer.symbol === "SQUEQ" &&
  form === "10-K" &&
  period === "2024-09-30" &&
  statement === "cash" &&
  line === "depreciation";

/** The elements of a statement's lines, with their labels. */
function linesOf(filing: Filing, statement: Statement): { element: string; label: string }[] {
  const kind = kindOf(filing.filer);
  const taxonomy = kind === "ifrs" ? "ifrs-full" : "us-gaap";
  const reported = new Set(figuresIn(filing).map(({ tag }) => tag));
  return conceptsOf(filing.filer, kind, filing.period)
    .filter((concept) => concept.statement === statement && reported.has(concept.tag))
    .map(({ line, tag }) => ({
      element: isOwn(filing, statement, line) ? OWN : `${taxonomy}_${tag}`,
      label: wordsOf(taxonomy, tag).label ?? tag,
    }));
}

function summary(filing: Filing): string {
  const element = endingOf(filing) === "xml" ? "XmlFileName" : "HtmlFileName";
  const reports = TITLES.map(
    ([, title], nth) =>
      `    <Report>\n      <IsDefault>false</IsDefault>\n      <${element}>${fileOf(filing, nth)}</${element}>\n      <LongName>000${nth + 2} - Statement - ${title}</LongName>\n      <ReportType>Sheet</ReportType>\n      <ShortName>${title}</ShortName>\n      <Position>${nth + 2}</Position>\n    </Report>\n`,
  );
  return `<?xml version='1.0' encoding='utf-8'?>\n<FilingSummary>\n  <Version>3.0.0.0</Version>\n  <MyReports>\n${reports.join("")}  </MyReports>\n</FilingSummary>\n`;
}

function page(filing: Filing, statement: Statement, title: string): string {
  const lines = linesOf(filing, statement);
  if (endingOf(filing) === "xml") {
    const rows = lines.map(
      ({ element, label }, nth) =>
        `    <Row>\n      <Id>${nth + 1}</Id>\n      <Label>${asMarkup(label)}</Label>\n      <ElementName>${element}</ElementName>\n      <IsSegmentTitle>false</IsSegmentTitle>\n    </Row>\n`,
    );
    return `<?xml version="1.0" encoding="utf-8"?>\n<InstanceReport>\n  <ReportName>${title}</ReportName>\n  <Rows>\n${rows.join("")}  </Rows>\n</InstanceReport>\n`;
  }
  const rows = lines.map(
    ({ element, label }, nth) =>
      `<tr class="${nth % 2 === 0 ? "re" : "ro"}">\n<td class="pl" valign="top"><a class="a" href="javascript:void(0);" onclick="Show.showAR( this, 'defref_${element}', window );">${asMarkup(label)}</a></td>\n</tr>\n`,
  );
  return `<html>\n<head>\n<title></title>\n</head>\n<body>\n<table class="report" border="0" cellspacing="2">\n<tr>\n<th class="tl" colspan="1" rowspan="1"><div><strong>${title} - USD ($)</strong></div></th>\n</tr>\n${rows.join("")}</table>\n</body>\n</html>\n`;
}

/**
 * A rendered statement of a report, or their list; null for any other name, and for a report without tags.
 */
export function renderedFile(filing: Filing, name: string): string | null {
  if (taggingOf(filing) === "none" || figuresIn(filing).length === 0) return null;
  if (name === "FilingSummary.xml") return summary(filing);
  const nth = TITLES.findIndex((_, at) => fileOf(filing, at) === name);
  const [statement, title] = TITLES[nth] ?? [];
  return statement && title ? page(filing, statement, title) : null;
}
