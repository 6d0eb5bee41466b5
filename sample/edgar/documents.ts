// The documents of a filing: names, types, descriptions, and their text, which is written when it is asked
// for.
import { currentReport, isPlainText, stemOf } from "./current-report.ts";
import { scheduleOf } from "./ex27.ts";
import type { TrustFund } from "./filers.ts";
import { nameOn } from "./filers.ts";
import { type Filing, NAMED_FROM } from "./filing.ts";
import { fundXml } from "./fund-xml.ts";
import { type OwnershipFiling, STRUCTURED_FROM } from "./ownership-filings.ts";
import { formOf } from "./ownership-xml.ts";
import { figuresOf } from "./results.ts";
import { scheduleText } from "./schedule-text.ts";
import { asMarkup, exhibitTitle, longDate, releaseOf } from "./wording.ts";

export interface Document {
  readonly sequence: number;
  readonly type: string;
  /** Empty in filings so old that their documents have none. */
  readonly name: string;
  readonly description: string;
  text(): string;
}

/** More than the 5 MB to which services cut exhibits. */
const HUGE_BYTES = 5_300_000;
const FILLER = `<p>${"The echo of a small gong is counted once more, and once more found to be round. ".repeat(12)}</p>\n`;

const page = (title: string, paragraphs: readonly string[], more = "") =>
  `<html><head><title>${asMarkup(title)}</title></head><body>\n<p align="center"><b>${asMarkup(title)}</b></p>\n${paragraphs
    .map((text) => `<p>${asMarkup(text)}</p>`)
    .join("\n")}\n${more}</body></html>\n`;

function resultsTable(filing: Filing): string {
  const { revenue, netIncome, earningsPerShare } = figuresOf(filing);
  const row = (label: string, value: string) => `<tr><td>${label}</td><td>$</td><td>${value}</td></tr>\n`;
  const thousands = (dollars: number) => Math.round(dollars / 1000).toLocaleString("en-US");
  return `<table>\n<tr><td>In thousands, except per share amounts</td></tr>\n${row("Revenue", thousands(revenue))}${row("Net income", thousands(netIncome))}${row("Earnings a share", earningsPerShare.toFixed(2))}</table>\n`;
}

function exhibitText(filing: Filing, type: string, place: number): string {
  if (type === "EX-27") return scheduleOf(filing, place);
  if (!type.startsWith("EX-99") || type === "EX-99.2")
    return page(exhibitTitle(type), [
      `Both sides mean well. Dated ${longDate(filing.filingDate)}, in ${filing.filer.place.city}.`,
    ]);
  const { headline, paragraphs } = releaseOf(filing);
  if (isPlainText(filing)) return `${headline}\n\n${paragraphs.join("\n\n")}\n`;
  const filler = filing.oddity === "huge_exhibit" ? FILLER.repeat(Math.ceil(HUGE_BYTES / FILLER.length)) : "";
  return page(headline, paragraphs, `${filing.items.includes("2.02") ? resultsTable(filing) : ""}${filler}`);
}

/** Quarterly and annual reports, and all papers that are nothing but a title here. */
function content(filing: Filing): string {
  const name = nameOn(filing.filer, filing.filingDate);
  const about = filing.period ? ` for the period ended ${longDate(filing.period)}` : "";
  const intro = `${name} of ${filing.filer.place.city} files this ${filing.form}${about}. The company is fictional, and so is what it says.`;
  if (isPlainText(filing)) return `FORM ${filing.form}\n\n${intro}\n`;
  const isReport = filing.form.startsWith("10-");
  return page(
    `Form ${filing.form}`,
    [intro, ...(isReport ? ["Item 1. Financial Statements"] : [])],
    isReport ? resultsTable(filing) : "",
  );
}

const isCurrent = (form: string) => form.startsWith("8-K");
const ending = (filing: Filing) => (isPlainText(filing) ? "txt" : "htm");

/** A form or schedule on holdings: one document, data or a page. Filers name theirs as they like. */
function holdingsDocument(filing: Filing, content: OwnershipFiling): Document {
  const { form, filingDate, key } = filing;
  const isXml = content.kind === "form" ? content.oddity !== "text" : filingDate >= STRUCTURED_FROM;
  const stem = content.kind === "form" ? `wk-form${form[0]}_${key}` : isXml ? "primary_doc" : `sc13${key}`;
  const ending = isXml ? "xml" : content.kind === "form" ? "txt" : "htm";
  return {
    sequence: 1,
    type: form,
    name: filingDate < NAMED_FROM ? "" : `${stem}.${ending}`,
    description: content.kind === "form" ? `FORM ${form}` : form,
    text: () => (content.kind === "form" ? formOf(filing, content) : scheduleText(filing, content)),
  };
}

/** True for documents that upstream also shows as a page and wraps in `<XML>`. */
export const isXmlDocument = ({ name }: Document): boolean => name.endsWith(".xml");

/** Folder of the rendering that lists name in place of an XML document. */
export function renderingOf({ content, form, fund }: Filing): string {
  if (fund) return "xslFormNPORT-P_X01";
  return content?.kind === "schedule"
    ? `xslSCHEDULE_13${form.includes("13D") ? "D" : "G"}_X01`
    : "xslF345X05";
}

/** A fund's report of holdings. */
const fundDocument = (filing: Filing, fund: TrustFund): Document => ({
  sequence: 1,
  type: filing.form,
  name: "primary_doc.xml",
  description: "",
  text: () => fundXml(filing, fund),
});

/** The documents of a filing in their order, the main one first. */
export function documentsOf(filing: Filing): readonly Document[] {
  if (filing.content) return [holdingsDocument(filing, filing.content)];
  if (filing.fund) return [fundDocument(filing, filing.fund)];
  const stem = stemOf(filing);
  const named = (name: string) => (filing.filingDate < NAMED_FROM ? "" : `${name}.${ending(filing)}`);
  const first: Document = {
    sequence: 1,
    type: filing.form,
    name: named(stem),
    description: isCurrent(filing.form) ? `FORM ${filing.form}` : filing.form,
    text: () => (isCurrent(filing.form) ? currentReport(filing) : content(filing)),
  };
  const exhibits = filing.exhibits.map(
    (type, i): Document => ({
      sequence: i + 2,
      type,
      name: named(`${stem}x${type.toLowerCase().replaceAll(/\W/g, "")}`),
      description: exhibitTitle(type).toUpperCase(),
      text: () => exhibitText(filing, type, filing.exhibits.indexOf(type) === i ? 0 : 1),
    }),
  );
  return [first, ...exhibits];
}
