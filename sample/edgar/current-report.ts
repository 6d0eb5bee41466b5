// Bodies of current reports in every layout the sample files. The words are wording.ts's; this is what wraps
// them.
import { nameOn } from "./filers.ts";
import type { Filing, Layout } from "./filing.ts";
import { compact } from "./filing.ts";
import { titleOf } from "./titles.ts";
import { asMarkup, longDate, paragraphsOf } from "./wording.ts";

interface Section {
  readonly item: string;
  readonly title: string;
  readonly paragraphs: readonly string[];
}

const p = (text: string) => `<p>${asMarkup(text)}</p>`;
const all = (section: Section) => section.paragraphs.map(p).join("\n");

const NESTED_DEEP = 26;

/** How one item is written, for layouts that treat each alike. */
const SECTION: Readonly<
  Record<Exclude<Layout, "ascii" | "legacy" | "combined" | "truncated">, (s: Section) => string>
> = {
  paragraphs: (s) => `<p><b>Item ${s.item}. ${asMarkup(s.title)}.</b></p>\n${all(s)}`,
  inline: (s) =>
    `<div style="margin-top:9pt"><span style="font-weight:700">ITEM&#160;${s.item}&#8195;${asMarkup(s.title.toUpperCase())}</span></div>\n${s.paragraphs
      .map((text) => `<div><span>${asMarkup(text)}</span></div>`)
      .join("\n")}`,
  cells: (s) =>
    `<table><tr><td style="width:8%"><b>Item</b></td><td><b>${s.item}</b></td><td><b>${asMarkup(s.title)}</b></td></tr></table>\n${all(s)}`,
  split: (s) => {
    const [major, minor] = s.item.split(".");
    return `<p><b>Item&nbsp;</b><b>${major}</b><font style="text-transform:uppercase"><b>.${minor?.slice(0, 1)}</b><b>${minor?.slice(1)}</b></font> <i>${asMarkup(s.title)}</i></p>\n${all(s)}`;
  },
  wrapped: (s) =>
    `<table border="0"><tr><td><b>Item ${s.item}</b> <b>${asMarkup(s.title)}.</b></td></tr><tr><td>${all(s)}</td></tr></table>`,
  prose: (s) => `<p><b><u>Item ${s.item}.</u></b> &#8212; ${asMarkup(s.title)}</p>\n${all(s)}`,
  dashes: (s) => `<div>------Item ${s.item} ${asMarkup(s.title)}</div>\n${all(s)}`,
  nested: (s) =>
    `${"<table><tr><td>".repeat(NESTED_DEEP)}<table><tr><td colspan="376967340"><b>Item ${s.item} ${asMarkup(s.title)}</b></td></tr><tr><td>${all(s)}</td></tr></table>${"</td></tr></table>".repeat(NESTED_DEEP)}`,
};

function combinedSections(sections: readonly Section[]): string {
  const reported = sections.filter(({ item }) => item !== "9.01");
  const rest = sections.filter(({ item }) => item === "9.01");
  const numbers = reported.map(({ item }) => item).join(" and ");
  const titles = reported.map(({ title }) => title).join("; ");
  return [
    `<p><b>Items ${numbers}. ${asMarkup(titles)}.</b></p>`,
    ...reported.map(all),
    ...rest.map(SECTION.paragraphs),
  ].join("\n");
}

/** The cover page: names and numbers, without an item. */
function cover(filing: Filing): string {
  const name = nameOn(filing.filer, filing.filingDate);
  return [
    "UNITED STATES",
    "SECURITIES AND EXCHANGE COMMISSION",
    `FORM ${filing.form}`,
    "CURRENT REPORT",
    `Date of Report (date of earliest event reported): ${longDate(filing.period || filing.filingDate)}`,
    name,
    `${filing.filer.place.street}, ${filing.filer.place.city}, ${filing.filer.place.state} ${filing.filer.place.zip}`,
    "This company is fictional, and so is its report.",
  ]
    .map(p)
    .join("\n");
}

function tail(filing: Filing): string {
  const name = nameOn(filing.filer, filing.filingDate);
  const exhibits = filing.exhibits
    .map((type) => `<tr><td>${type.slice(3)}</td><td>Attached</td></tr>`)
    .join("");
  const list = exhibits && `<p>EXHIBIT INDEX</p><table>${exhibits}</table>`;
  return `<p align="center"><b>SIGNATURES</b></p>\n<p>Signed for the registrant by a hand that does not exist.</p>\n${p(`${name}, ${longDate(filing.filingDate)}`)}\n<p>/s/ Nobody Whatsoever</p>\n${list}`;
}

/** Facts of inline XBRL that stand before the text and are not to be read as such. */
function hiddenFacts(filing: Filing): string {
  const fact = (name: string, value: string) =>
    `<ix:nonNumeric name="dei:${name}" contextRef="c0">${value}</ix:nonNumeric>`;
  return `<div style="display:none"><ix:header><ix:hidden>${fact("EntityCentralIndexKey", String(filing.filer.cik))}${fact("AmendmentFlag", String(filing.form.endsWith("/A")))}${fact("DocumentType", "Item 1.01 is not here")}</ix:hidden></ix:header></div>`;
}

function page(filing: Filing, sections: readonly Section[]): string {
  const { layout } = filing;
  const body =
    layout === "combined"
      ? combinedSections(sections)
      : layout === "truncated" || layout === "ascii" || layout === "legacy"
        ? ""
        : sections.map(SECTION[layout]).join("\n");
  const [open, facts] =
    layout === "inline"
      ? [
          `<?xml version="1.0" encoding="UTF-8"?>\n<html xmlns="http://www.w3.org/1999/xhtml" xmlns:ix="http://www.xbrl.org/2013/inlineXBRL" xmlns:dei="http://xbrl.sec.gov/dei/2024">`,
          hiddenFacts(filing),
        ]
      : ["<html>", ""];
  const head = `${open}<head><title>${filing.form}</title></head><body>${facts}\n${cover(filing)}\n`;
  // Cut inside a tag of the cover page, as a transfer that broke off leaves it.
  if (layout === "truncated") return head.slice(0, head.lastIndexOf("</p>") + 2);
  return `${head}<hr>\n${body}\n${tail(filing)}\n</body></html>\n`;
}

function wrap(text: string): string {
  return text.replaceAll(/(.{1,76})(?:\s+|$)/g, "$1\n");
}

function plainText(filing: Filing, sections: readonly Section[]): string {
  const name = nameOn(filing.filer, filing.filingDate);
  const reported = sections.map(({ item, title, paragraphs }) => {
    const dot = filing.layout === "legacy" ? "." : "";
    return `${wrap(`Item ${item}${dot}  ${title}.`)}\n${paragraphs.map((text) => wrap(`     ${text}`)).join("\n")}`;
  });
  return `                       SECURITIES AND EXCHANGE COMMISSION

                                  FORM ${filing.form}
                                CURRENT REPORT

        Date of Report: ${longDate(filing.period || filing.filingDate)}

                       ${name}
              (This company is fictional, and so is its report.)

<PAGE>

${reported.join("\n")}

                                  SIGNATURES

     Signed for the registrant by a hand that does not exist.

                                   ${name}
                                   By: /s/ Nobody Whatsoever
Date: ${longDate(filing.filingDate)}
`;
}

/** The body of a current report; plain text for the layouts `ascii` and `legacy`, a page for all others. */
export function currentReport(filing: Filing): string {
  const sections = filing.items.map((item) => ({
    item,
    title: titleOf(item),
    paragraphs: paragraphsOf(filing, item),
  }));
  return isPlainText(filing) ? plainText(filing, sections) : page(filing, sections);
}

export const isPlainText = ({ layout }: Filing): boolean => layout === "ascii" || layout === "legacy";

/** File name of the first document, without its ending; what is in it does not follow from it. */
export const stemOf = (filing: Filing): string =>
  `${filing.filer.symbol.toLowerCase().replaceAll(/\W/g, "")}-${compact(filing.period || filing.filingDate)}`;
