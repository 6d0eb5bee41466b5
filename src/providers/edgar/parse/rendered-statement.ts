// Reads EDGAR's renderings of a filing's statements: the list of them (FilingSummary.xml) and the lines of
// one (R4.htm; R4.xml in filings until about 2011).
import { XBRL_NAME_CHARS_MAX } from "../../../limits.ts";
import { UpstreamMisread } from "../../../platform/errors.ts";
import { isFileName } from "../accession.ts";
import { isUnread } from "../ownership-records.ts";
import { readXmlRecords, rootElement, type XmlRecords } from "./xml-records.ts";

/** A statement has some hundred lines at most. */
const LINES_MAX = 5_000;
const CASH_FLOWS = /cash[\s-]*flows?/i;
/** Pages that name a statement and are none: amounts in brackets, notes, their tables and details. */
const NO_STATEMENT = /parenthetical|\((?:details?|tables?|policies|notes)\b/i;
/** How long names state the kind of a report: `0000008 - Statement - CASH FLOWS`. */
const KIND = /^\s*\d+\s*-\s*(\w+)\s*-/;
/** An element's name: `us-gaap_Assets`. The prefix is that of the taxonomy or of the filer. */
const ELEMENT = /^[A-Za-z_][\w.-]*_\w+$/;
/** The link of a line's label: `Show.showAR( this, 'defref_us-gaap_Assets', window )`. */
const LABEL_LINK = /showAR\(\s*this\s*,\s*(?:'|&#39;|&quot;)defref_([\w.-]+)(?:'|&#39;|&quot;)/i;
/** The row of a member, such as a subsidiary: the rows below it are of that member alone. */
const MEMBER_ROW = /^[^>]*\bclass\s*=\s*["']?rh\b/i;
/** Total of the section in which a statement of cash flows begins. */
const OPERATING_TOTAL = /_NetCashProvidedByUsedInOperatingActivities(?:ContinuingOperations)?$/;

const misread = (what: string, why: string) => new UpstreamMisread("edgar", `EDGAR's ${what}: ${why}`);

function recordsOf(source: string, root: string, name: string, what: string): XmlRecords {
  const element = rootElement(source, root);
  if (element === null) throw misread(what, `no element ${root}`);
  if (typeof element !== "string") throw misread(what, element.message);
  const read = readXmlRecords(element, new Set([name]));
  if (isUnread(read)) throw misread(what, read.message);
  return read;
}

/**
 * Names of the files that show a statement of cash flows; empty when the filing has none. Throws
 * UpstreamMisread.
 */
export function cashFlowFiles(summary: string): readonly string[] {
  const { records } = recordsOf(summary, "FilingSummary", "Report", "list of rendered reports");
  return records.flatMap((report) => {
    const name = report.first("ShortName") ?? "";
    const long = report.first("LongName") ?? "";
    const kind = KIND.exec(long)?.[1] ?? "Statement";
    const file = report.first("HtmlFileName") ?? report.first("XmlFileName");
    const isShown = kind.toLowerCase() === "statement" && CASH_FLOWS.test(name || long);
    return isShown && !NO_STATEMENT.test(name || long) && file !== null && isFileName(file) ? [file] : [];
  });
}

function linesOfXml(source: string): string[] {
  const { records } = recordsOf(source, "InstanceReport", "Row", "rendered statement");
  const own = records.findIndex((row) => row.first("IsSegmentTitle") === "true");
  return records.slice(0, own < 0 ? undefined : own).flatMap((row) => row.first("ElementName") ?? []);
}

function linesOfPage(source: string): string[] {
  if (!/<\/html\s*>/i.test(source)) throw misread("rendered statement", "the page is cut off");
  const lines: string[] = [];
  for (const row of source.split(/<tr\b/i).slice(1)) {
    if (MEMBER_ROW.test(row)) break;
    const [, element] = LABEL_LINK.exec(row) ?? [];
    if (element) lines.push(element);
  }
  return lines;
}

/**
 * The elements of a rendered statement's lines, in their order, headings included: `us-gaap_Assets`. Lines of
 * a single member, such as a subsidiary, are left out. Throws UpstreamMisread when the page is cut off or has
 * another shape.
 */
export function renderedLines(source: string): readonly string[] {
  const lines = /<InstanceReport[\s>]/.test(source) ? linesOfXml(source) : linesOfPage(source);
  const elements = lines
    .map((line) => line.trim())
    .filter((line) => line.length <= XBRL_NAME_CHARS_MAX && ELEMENT.test(line));
  if (elements.length === 0 || elements.length > LINES_MAX)
    throw misread("rendered statement", `${elements.length} lines name an element`);
  return elements;
}

/**
 * The elements that are lines of a filing's statement of cash flows, each once. A filing of several companies
 * has several such statements; what only some of them show is left out. A page without the total of operating
 * activities only continues another.
 */
export function commonLines(pages: readonly (readonly string[])[]): readonly string[] {
  const whole = pages.filter((lines) => lines.some((line) => OPERATING_TOTAL.test(line)));
  const [first = [], ...others] = whole.length > 0 ? whole : pages;
  return [...new Set(first)].filter((line) => others.every((lines) => lines.includes(line)));
}
