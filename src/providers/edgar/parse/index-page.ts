// Reads the detail page of a filing: when it was accepted, its documents with their types, and its parties.
// Pure.
import { acceptanceOfIndexPage } from "../acceptance.ts";
import { isFileName, readAccession, readCik } from "../accession.ts";
import type { FilingDocument, FilingIndex } from "../records.ts";
import { readDay, shapeChanged } from "../wire.ts";
import { itemNumbers, oneSpaced, walkMarkup } from "./markup.ts";

const DOCUMENT = "a filing's index page";

interface Cell {
  text: string;
  href: string | null;
}

/** Texts of the page, unchanged. */
interface RawPage {
  /** Contents of `div.infoHead` and of the `div.info` after it. */
  readonly facts: Map<string, string>;
  formName: string;
  accession: string;
  readonly rows: Cell[][];
  readonly companies: string[];
}

const hasClass = (attributes: Readonly<Record<string, string>>, name: string): boolean =>
  (attributes.class ?? "").split(/\s+/).includes(name);

/** The destination of text while its element is open. */
type Place = "head" | "info" | "formName" | "secNum" | "company" | "cell";

function placeOf(name: string, attributes: Readonly<Record<string, string>>): Place | null {
  if (name === "td") return "cell";
  if (name === "div" && hasClass(attributes, "infoHead")) return "head";
  if (name === "div" && hasClass(attributes, "info")) return "info";
  if (name === "div" && attributes.id === "secNum") return "secNum";
  if (name === "span" && hasClass(attributes, "companyName")) return "company";
  return name === "strong" ? "formName" : null;
}

function collectPage(html: string): RawPage {
  const page: RawPage = { facts: new Map(), formName: "", accession: "", rows: [], companies: [] };
  let inDocuments = false;
  let inFormName = false;
  let head = "";
  let text = "";
  let open: { place: Place; name: string } | null = null;
  const finish = (place: Place) => {
    if (place === "head") head = oneSpaced(text);
    else if (place === "info") page.facts.set(head, text);
    else if (place === "formName") page.formName ||= oneSpaced(text);
    else if (place === "secNum") page.accession = oneSpaced(text);
    else if (place === "company") page.companies.push(oneSpaced(text));
    else {
      const cell = page.rows.at(-1)?.at(-1);
      if (cell) cell.text = oneSpaced(text);
    }
  };
  walkMarkup(html, {
    open(name, attributes) {
      if (name === "table") inDocuments = hasClass(attributes, "tableFile");
      if (name === "div") inFormName = attributes.id === "formName";
      if (name === "tr" && inDocuments) page.rows.push([]);
      if (name === "br") text += "\n";
      if (name === "a" && open?.place === "cell") {
        const cell = page.rows.at(-1)?.at(-1);
        if (cell) cell.href ??= attributes.href ?? null;
      }
      if (open) return;
      const place = placeOf(name, attributes);
      if (!place || (place === "cell" && !inDocuments) || (place === "formName" && !inFormName)) return;
      if (place === "cell") page.rows.at(-1)?.push({ text: "", href: null });
      open = { place, name };
      text = "";
    },
    text(part) {
      if (open) text += part;
    },
    close(name) {
      if (name === "table") inDocuments = false;
      if (open?.name !== name) return;
      finish(open.place);
      open = null;
    },
  });
  return page;
}

/**
 * Returns the path of a link's document (`/ix?doc=/Archives/…` is a viewer around it); null when the link
 * leads elsewhere. Only the last part of the path is used, and only if it can be a file of the filing.
 */
function pathOf(href: string | null): string | null {
  const path = href?.replace(/^\/ix\?doc=/, "").replace(/[?#].*$/, "") ?? "";
  return path.startsWith("/Archives/edgar/data/") ? path : null;
}

const wholeNumber = (text: string): number | null => (/^\d+$/.test(text) ? Number(text) : null);

/**
 * Reads a row. Null for headings and for renderings (`…/xslF345X03/doc4.xml`), whose raw file has a row of
 * its own.
 */
function readDocument(row: readonly Cell[]): FilingDocument | null {
  const [sequence, description, document, type, size] = row;
  if (!sequence || !description || !document || !type || !size) return null;
  const path = pathOf(document.href);
  if (path && /\/xsl[^/]*\/[^/]*$/i.test(path)) return null;
  const name = path?.slice(path.lastIndexOf("/") + 1) ?? "";
  return {
    sequence: wholeNumber(sequence.text),
    type: type.text || null,
    description: description.text || null,
    filename: isFileName(name) ? name : null,
    size: wholeNumber(size.text),
  };
}

/** `Davis Anthony Lynn (Reporting) CIK: 0001300650 (see all company filings)`. */
function readCompany(text: string): FilingIndex["parties"][number][] {
  const [, name = "", role, cik = ""] = /^(.*?)(?: \(([^()]*)\))? CIK: (\d{1,10})\b/.exec(text) ?? [];
  const padded = readCik(cik);
  return padded ? [{ cik: padded, name, role: role ?? null }] : [];
}

/** Reads the page. Throws UpstreamFailed when it lacks number, form, date, or any document. */
export function readIndexPage(html: string): FilingIndex {
  const page = collectPage(html);
  const fact = (name: string) => oneSpaced(page.facts.get(name) ?? "");
  const accession_number = readAccession(/[\d-]{18,20}$/.exec(page.accession)?.[0] ?? "");
  const form_type = page.formName.replace(/^Form /, "");
  const filing_date = readDay(fact("Filing Date"));
  const documents = page.rows.map(readDocument).filter((document) => document !== null);
  if (!accession_number || !form_type || !filing_date || documents.length === 0)
    throw shapeChanged(DOCUMENT, "the page", "one with accession number, form, filing date and documents");
  return {
    ...acceptanceOfIndexPage(fact("Accepted"), { filing_date, form_type }),
    accession_number,
    form_type,
    report_date: readDay(fact("Period of Report")),
    items: itemNumbers(page.facts.get("Items") ?? ""),
    documents,
    parties: page.companies.flatMap(readCompany),
  };
}
