// Reads the header of a submission: what was filed, when it was accepted, and its parties. Pure.
import { acceptanceOfHeader } from "../acceptance.ts";
import { readAccession, readCik } from "../accession.ts";
import type { FilingHeader, FilingParty } from "../records.ts";
import { readDay, readItems, readMonthDay, shapeChanged } from "../wire.ts";
import { type HeaderLine, readHeaderLines } from "./header-lines.ts";

const DOCUMENT = "a filing's header";
/** The longest headers, of funds, list a thousand classes and stay below this. */
const HEADER_CHARS_MAX = 2_000_000;

type Fields = Map<string, string[]>;
const add = (fields: Fields, name: string, value: string) => {
  const values = fields.get(name);
  if (values) values.push(value);
  else fields.set(name, [value]);
};
const first = (fields: Fields, ...names: string[]): string | null => {
  for (const name of names) {
    const value = fields.get(name)?.[0];
    if (value !== undefined) return value;
  }
  return null;
};

interface RawParty {
  readonly role: string;
  readonly fields: Fields;
  readonly former: Fields[];
}

/** Sections with fields of the party itself. Addresses repeat names such as STATE. */
const OWN_SECTIONS = new Set(["", "COMPANY-DATA", "OWNER-DATA", "FILING-VALUES"]);

/** Collects the fields of the submission, and its parties in order. */
function collectFields(lines: readonly HeaderLine[]): { top: Fields; parties: RawParty[] } {
  const top: Fields = new Map();
  const parties: RawParty[] = [];
  let party: RawParty | null = null;
  let section = "";
  for (const line of lines) {
    if (line.kind === "party") {
      party = { role: line.role, fields: new Map(), former: [] };
      parties.push(party);
      section = "";
    } else if (line.kind === "section") {
      section = line.name;
      if (section === "FORMER-COMPANY") party?.former.push(new Map());
    } else if (!party) {
      // Tags of a fund's series are outside its parties, but are not fields of the submission.
      if (section === "" || section.startsWith("SEC-") || section === "SUBMISSION")
        add(top, line.name, line.value);
    } else if (section === "FORMER-COMPANY") {
      const former = party.former.at(-1);
      if (former) add(former, line.name, line.value);
    } else if (OWN_SECTIONS.has(section)) add(party.fields, line.name, line.value);
  }
  return { top, parties };
}

function readParty({ role, fields, former }: RawParty): FilingParty {
  const cik = first(fields, "CIK");
  const name = first(fields, "CONFORMED-NAME");
  return {
    role: role.toLowerCase().replaceAll(/[^a-z]+/g, "_"),
    cik: cik === null ? null : readCik(cik),
    name,
    // `METALWORKING MACHINERY [3540]` or `3540`.
    sic: /(?:^|\[)(\d{3,4})\]?$/.exec(first(fields, "ASSIGNED-SIC") ?? "")?.[1]?.padStart(4, "0") ?? null,
    state_of_incorporation: first(fields, "STATE-OF-INCORPORATION"),
    fiscal_year_end: readMonthDay(first(fields, "FISCAL-YEAR-END") ?? ""),
    file_number: first(fields, "FILE-NUMBER"),
    former_names: former.flatMap((one) => {
      const old = first(one, "FORMER-CONFORMED-NAME");
      return old ? [{ name: old, changed_on: readDay(first(one, "DATE-CHANGED") ?? "") }] : [];
    }),
  };
}

/**
 * Cuts out the text from the header's first tag to its end, or to the first document; null when either is
 * missing.
 */
function cutOut(source: string): string | null {
  const start = source.search(/<(?:SEC-HEADER|IMS-HEADER|SUBMISSION)>/);
  if (start < 0) return null;
  const rest = source.slice(start, start + HEADER_CHARS_MAX);
  const end = rest.search(/<\/(?:SEC-HEADER|IMS-HEADER)>|<DOCUMENT>|<\/SUBMISSION>/);
  return end < 0 ? null : rest.slice(0, end);
}

const unescaped = (html: string): string =>
  html.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&");

/**
 * Finds the headers in a whole submission (.txt, .nc), a header file, or an -index-headers page. Such a page
 * has both spellings, tags in a comment and words below it, and each has fields that the other lacks.
 */
function headersIn(source: string): string[] {
  const tagged = cutOut(source);
  const page = source.search(/<pre>/i);
  const worded =
    page < 0 || !/^\s*(?:<!DOCTYPE|<HTML)/i.test(source) ? null : cutOut(unescaped(source.slice(page)));
  return [tagged, worded].filter((header) => header !== null);
}

/**
 * Reads a header. Throws UpstreamFailed when there is none, it is cut off, or it lacks number, form or date.
 */
export function readHeader(source: string): FilingHeader {
  const read = headersIn(source).map((header) => ({ header, ...collectFields(readHeaderLines(header)) }));
  const [main] = read;
  if (!main) throw shapeChanged(DOCUMENT, "its beginning", "a whole <SEC-HEADER>");
  const values = (name: string) => readItems(read.find(({ top }) => top.has(name))?.top.get(name) ?? []);
  const field = (...names: string[]) => {
    for (const { top } of read) {
      const value = first(top, ...names);
      if (value !== null) return value;
    }
    return null;
  };
  const accession_number = readAccession(field("ACCESSION-NUMBER") ?? "");
  const form_type = field("TYPE");
  const filing_date = readDay(field("FILING-DATE") ?? "");
  if (!accession_number || !form_type || !filing_date)
    throw shapeChanged(DOCUMENT, "its fields", "accession number, form type and filing date");
  // `<SEC-HEADER>0001094891-00-000193.hdr.sgml : 20000316`: EDGAR made this file two days after the filing
  // date.
  const document_date = readDay(/\.hdr\.sgml\s*:\s*(\d{8})/.exec(main.header)?.[1] ?? "");
  const count = field("PUBLIC-DOCUMENT-COUNT");
  return {
    ...acceptanceOfHeader(field("ACCEPTANCE-DATETIME"), { filing_date, form_type, document_date }),
    accession_number,
    form_type,
    report_date: readDay(field("PERIOD") ?? ""),
    items: values("ITEMS"),
    item_titles: values("ITEM-TITLES"),
    public_document_count: count && /^\d+$/.test(count) ? Number(count) : null,
    parties: main.parties.map(readParty),
  };
}
