// Fetches submissions/CIK##########.json: an entity and its filings, newest first, with links to older pages.

import { UpstreamFailed } from "../../../platform/errors.ts";
import { fetchDecoded } from "../../../platform/upstream/decode.ts";
import type { Upstream } from "../../../platform/upstream/policy.ts";
import { acceptancesOfColumn } from "../acceptance-column.ts";
import { cikOf, isFileName, readAccession, readCik } from "../accession.ts";
import { olderPageUrl, submissionsUrl } from "../address.ts";
import { isAbsent } from "../ask.ts";
import { readEntity } from "../parse/entity.ts";
import type { FilingRow, OlderPage, Submissions } from "../records.ts";
import { readDay, readItems, readJson, type Wire } from "../wire.ts";

const DOCUMENT = "submissions";

/** The columns that are read. They must have the same length. */
const COLUMNS = [
  "accessionNumber",
  "filingDate",
  "reportDate",
  "acceptanceDateTime",
  "act",
  "form",
  "fileNumber",
  "filmNumber",
  "items",
  "size",
  "isXBRL",
  "isInlineXBRL",
  "primaryDocument",
  "primaryDocDescription",
] as const;
type Column = (typeof COLUMNS)[number];
/** Columns that may be missing. Their values are then unknown in every row. */
const OPTIONAL: ReadonlySet<Column> = new Set([
  "act",
  "fileNumber",
  "filmNumber",
  "size",
  "primaryDocDescription",
]);
type Cells = (column: Column) => Wire;

/** Reads the rows of columnar lists. Each row is a function from column to cell. */
function readRows(table: Wire): Cells[] {
  const present = COLUMNS.filter((name) => !OPTIONAL.has(name) || !table.at(name).isMissing);
  const columns = new Map(present.map((name) => [name, table.at(name).items()]));
  const rows = columns.get("accessionNumber")?.length ?? 0;
  for (const [name, cells] of columns)
    if (cells.length !== rows) throw table.at(name).wrong(`a list of ${rows}, not of ${cells.length}`);
  return Array.from({ length: rows }, (_, i) => (column) => columns.get(column)?.[i] ?? table.at(column));
}

/**
 * Returns the document as filed: `xslF345X05/doc4.xml` is a rendering of `doc4.xml`. Null when there is none,
 * or when the name cannot be a file of the filing.
 */
export function asFiled(primaryDocument: string | null): string | null {
  const name = primaryDocument?.replace(/^xsl[^/]*\//i, "") ?? "";
  return isFileName(name) ? name : null;
}

const flag = (place: Wire): boolean => place.numberOrNull() === 1;

/** Reads the filings of one table. `receivedAt` is when its file was fetched. */
export function readFilings(table: Wire, cik: string, receivedAt: Temporal.Instant): FilingRow[] {
  const rows = readRows(table);
  const named = rows.map((cell) => ({
    accession_number: cell("accessionNumber").as(readAccession, "an accession number"),
    form_type: cell("form").textOrNull() ?? "",
    filing_date: cell("filingDate").as(readDay, "a date"),
    value: cell("acceptanceDateTime").textOrNull() ?? "",
  }));
  const accepted = acceptancesOfColumn(named, receivedAt);
  return rows.flatMap((cell, i) => {
    const [name, acceptance] = [named[i], accepted[i]];
    if (!name || !acceptance) return [];
    const { accession_number, form_type } = name;
    return {
      ...acceptance,
      accession_number,
      cik,
      form_type,
      // The filer's own entry, which may be an impossible date.
      report_date: readDay(cell("reportDate").textOrNull() ?? ""),
      act: cell("act").textOrNull(),
      file_number: cell("fileNumber").textOrNull(),
      film_number: cell("filmNumber").textOrNull(),
      items: readItems((cell("items").textOrNull() ?? "").split(",")),
      size: cell("size").numberOrNull(),
      is_xbrl: flag(cell("isXBRL")),
      is_inline_xbrl: flag(cell("isInlineXBRL")),
      primary_document: asFiled(cell("primaryDocument").textOrNull()),
      primary_document_description: cell("primaryDocDescription").textOrNull(),
    };
  });
}

function readOlderPage(page: Wire, cik: string): OlderPage {
  const name = page.at("name").text();
  // The name becomes part of an address, so it is checked strictly.
  if (!new RegExp(`^CIK${cik}-submissions-\\d{3,4}\\.json$`).test(name))
    throw page.at("name").wrong(`the name of a page of CIK${cik}`);
  return {
    name,
    filing_count: page.at("filingCount").number(),
    filing_from: page.at("filingFrom").as(readDay, "a date"),
    filing_to: page.at("filingTo").as(readDay, "a date"),
  };
}

/**
 * Reads the whole file. Throws UpstreamFailed when it has another shape, or is of another entity than
 * requested.
 */
export function readSubmissions(body: Wire, cik: string, receivedAt: Temporal.Instant): Submissions {
  if (body.at("cik").as(readCik, "a CIK") !== cik) throw body.at("cik").wrong(cik);
  const tables = body.at("filings");
  const filings = readFilings(tables.at("recent"), cik, receivedAt);
  const older_pages = tables
    .at("files")
    .itemsOrNone()
    .map((page) => readOlderPage(page, cik));
  const dates = [...filings.map((row) => row.filing_date), ...older_pages.map((page) => page.filing_from)];
  return {
    entity: readEntity(body),
    filings,
    older_pages,
    first_filing_date: dates.sort()[0] ?? null,
    received_at: receivedAt.toString({ smallestUnit: "second" }),
  };
}

/** Null only when EDGAR has no such CIK. Throws UpstreamFailed, UpstreamRateLimited, UpstreamTimeout. */
export async function fetchSubmissions(
  upstream: Upstream,
  cik: string,
  signal?: AbortSignal,
): Promise<Submissions | null> {
  return fetchDecoded(upstream, { url: submissionsUrl(cik), signal }, (answer) =>
    isAbsent(answer) ? null : readSubmissions(readJson(DOCUMENT, answer), cikOf(cik), answer.receivedAt),
  );
}

/**
 * Fetches the filings of one of `older_pages`, a file that is the table itself. A missing page is an error of
 * EDGAR's.
 */
export async function fetchOlderFilings(
  upstream: Upstream,
  cik: string,
  page: Pick<OlderPage, "name">,
  signal?: AbortSignal,
): Promise<readonly FilingRow[]> {
  return fetchDecoded(upstream, { url: olderPageUrl(page.name), signal }, (answer) => {
    if (isAbsent(answer))
      throw new UpstreamFailed("edgar", `EDGAR lists ${page.name} but does not have it`, {
        upstreamStatus: answer.status,
      });
    return readFilings(readJson(DOCUMENT, answer), cikOf(cik), answer.receivedAt);
  });
}
