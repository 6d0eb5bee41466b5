// submissions/CIK##########.json: who an entity is and what it filed, newest first, with older pages beside it.

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

/** The columns read. They are parallel or worthless. */
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
/** Those nothing depends on: where one is not there, it is unknown of every row. */
const OPTIONAL: ReadonlySet<Column> = new Set([
  "act",
  "fileNumber",
  "filmNumber",
  "size",
  "primaryDocDescription",
]);
type Cells = (column: Column) => Wire;

/** The rows of columnar lists, each as a way from column to cell. */
function readRows(table: Wire): Cells[] {
  const present = COLUMNS.filter((name) => !OPTIONAL.has(name) || !table.at(name).isMissing);
  const columns = new Map(present.map((name) => [name, table.at(name).items()]));
  const rows = columns.get("accessionNumber")?.length ?? 0;
  for (const [name, cells] of columns)
    if (cells.length !== rows) throw table.at(name).wrong(`a list of ${rows}, not of ${cells.length}`);
  return Array.from({ length: rows }, (_, i) => (column) => columns.get(column)?.[i] ?? table.at(column));
}

/**
 * `xslF345X05/doc4.xml` names a rendering: the file without its first folder is the document as filed.
 * Null when there is none, or when the name could not be a file of the filing.
 */
export function asFiled(primaryDocument: string | null): string | null {
  const name = primaryDocument?.replace(/^xsl[^/]*\//i, "") ?? "";
  return isFileName(name) ? name : null;
}

const flag = (place: Wire): boolean => place.numberOrNull() === 1;

/** The filings of one table. `receivedAt`: when its file was fetched. */
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
      // The filer's own word: of a day that cannot be, nothing is known.
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
  // It becomes part of an address.
  if (!new RegExp(`^CIK${cik}-submissions-\\d{3,4}\\.json$`).test(name))
    throw page.at("name").wrong(`the name of a page of CIK${cik}`);
  return {
    name,
    filing_count: page.at("filingCount").number(),
    filing_from: page.at("filingFrom").as(readDay, "a date"),
    filing_to: page.at("filingTo").as(readDay, "a date"),
  };
}

/** The whole file. Throws UpstreamFailed when it is of another shape, or of another entity than asked. */
export function readSubmissions(body: Wire, cik: string, receivedAt: Temporal.Instant): Submissions {
  if (body.at("cik").as(readCik, "a CIK") !== cik) throw body.at("cik").wrong(cik);
  const filings = body.at("filings");
  return {
    entity: readEntity(body),
    filings: readFilings(filings.at("recent"), cik, receivedAt),
    older_pages: filings
      .at("files")
      .itemsOrNone()
      .map((page) => readOlderPage(page, cik)),
    received_at: receivedAt.toString({ smallestUnit: "second" }),
  };
}

/** Null when EDGAR knows no such CIK. Throws UpstreamFailed, UpstreamRateLimited, UpstreamTimeout; never null for those. */
export async function fetchSubmissions(
  upstream: Upstream,
  cik: string,
  signal?: AbortSignal,
): Promise<Submissions | null> {
  return fetchDecoded(upstream, { url: submissionsUrl(cik), signal }, (answer) =>
    isAbsent(answer) ? null : readSubmissions(readJson(DOCUMENT, answer), cikOf(cik), answer.receivedAt),
  );
}

/** The filings of one of `older_pages`. Such a page is the table itself. A named page that is not there is a fault of EDGAR's. */
export async function fetchOlderFilings(
  upstream: Upstream,
  cik: string,
  page: Pick<OlderPage, "name">,
  signal?: AbortSignal,
): Promise<readonly FilingRow[]> {
  return fetchDecoded(upstream, { url: olderPageUrl(page.name), signal }, (answer) => {
    if (isAbsent(answer))
      throw new UpstreamFailed("edgar", `edgar names ${page.name} and does not have it`, {
        upstreamStatus: answer.status,
      });
    return readFilings(readJson(DOCUMENT, answer), cikOf(cik), answer.receivedAt);
  });
}
