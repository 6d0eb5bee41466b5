// The header of a submission: what was filed, when it was accepted, and by, for and about whom. Pure.
import { acceptanceOfHeader } from "../acceptance.ts";
import { readAccession, readCik } from "../accession.ts";
import type { FilingHeader, FilingParty } from "../records.ts";
import { readDay, readItems, readMonthDay, shapeChanged } from "../wire.ts";
import { type HeaderLine, readHeaderLines } from "./header-lines.ts";

const DOCUMENT = "a filing's header";
/** No header is longer, though a fund's may list a thousand classes. */
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

/** Sections of a party whose fields are its own; addresses repeat names such as STATE. */
const OWN_SECTIONS = new Set(["", "COMPANY-DATA", "OWNER-DATA", "FILING-VALUES"]);

/** Fields of the submission, and its parties in order. */
function collectBatch(lines: readonly HeaderLine[]): { top: Fields; parties: RawParty[] } {
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
      // Tags of a fund's series stand outside its parties; they are no fields of the submission.
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

/** From the first tag of the header to its end, or to the first document; entities of an HTML page undone. */
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
 * The headers in `source`: a whole submission (.txt, .nc), a header file, or an -index-headers page, which holds both
 * spellings, tags in a comment and words below, each with something the other lacks.
 */
function headersIn(source: string): string[] {
  const tagged = cutOut(source);
  const page = source.search(/<pre>/i);
  const worded =
    page < 0 || !/^\s*(?:<!DOCTYPE|<HTML)/i.test(source) ? null : cutOut(unescaped(source.slice(page)));
  return [tagged, worded].filter((header) => header !== null);
}

/** Throws UpstreamFailed when there is no header, it was cut off, or it lacks number, form or date. */
export function readHeader(source: string): FilingHeader {
  const read = headersIn(source).map((header) => ({ header, ...collectBatch(readHeaderLines(header)) }));
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
  // `<SEC-HEADER>0001094891-00-000193.hdr.sgml : 20000316`: made two days after that filing's date.
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
