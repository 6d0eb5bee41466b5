// Reads a quarterly data set of Forms 3, 4 and 5. Each filing has the fields that its XML would give.
import type { ZipArchive } from "../../platform/zip.ts";
import { acceptanceUnknown } from "./acceptance.ts";
import { readAccession } from "./accession.ts";
import {
  type InsiderDataSetFiling,
  type InsiderDataSetQuery,
  isUnread,
  type UnreadDataSetFiling,
} from "./ownership-records.ts";
import { type Cells, DataSetTable } from "./parse/data-set-table.ts";
import { readFiledDay } from "./parse/filed-day.ts";
import { ownershipForm } from "./parse/ownership/ownership.ts";
import { unread, XmlRecord } from "./parse/xml-records.ts";

/** The largest table, the footnotes of a busy quarter, has some 100 MB. */
const TABLE_BYTES_MAX = 600_000_000;
/**
 * The 10b5-1 box exists since this filing date. For older filings the tables contain a filler value, which is
 * ignored.
 */
// The box of a form filed on 31 March 2023 is null; from 1 April 2023 on it is true or false.
const BOX_SINCE = "2023-04-01";

/**
 * Columns of a line's table with the form's element for each. The column with the suffix `_FN` has its
 * footnotes.
 */
const LINE_COLUMNS: readonly (readonly [column: string, leaf: string])[] = [
  ["SECURITY_TITLE", "securityTitle"],
  ["CONV_EXERCISE_PRICE", "conversionOrExercisePrice"],
  ["TRANS_DATE", "transactionDate"],
  ["DEEMED_EXECUTION_DATE", "deemedExecutionDate"],
  ["TRANS_FORM_TYPE", "transactionFormType"],
  ["TRANS_CODE", "transactionCode"],
  ["EQUITY_SWAP_INVOLVED", "equitySwapInvolved"],
  ["TRANS_TIMELINESS", "transactionTimeliness"],
  ["TRANS_SHARES", "transactionShares"],
  ["TRANS_TOTAL_VALUE", "transactionTotalValue"],
  ["TRANS_PRICEPERSHARE", "transactionPricePerShare"],
  ["TRANS_ACQUIRED_DISP_CD", "transactionAcquiredDisposedCode"],
  // The data sets misspell this column.
  ["EXCERCISE_DATE", "exerciseDate"],
  ["EXERCISE_DATE", "exerciseDate"],
  ["EXPIRATION_DATE", "expirationDate"],
  ["UNDLYNG_SEC_TITLE", "underlyingSecurityTitle"],
  ["UNDLYNG_SEC_SHARES", "underlyingSecurityShares"],
  ["UNDLYNG_SEC_VALUE", "underlyingSecurityValue"],
  ["SHRS_OWND_FOLWNG_TRANS", "sharesOwnedFollowingTransaction"],
  ["VALU_OWND_FOLWNG_TRANS", "valueOwnedFollowingTransaction"],
  ["DIRECT_INDIRECT_OWNERSHIP", "directOrIndirectOwnership"],
  ["NATURE_OF_OWNERSHIP", "natureOfOwnership"],
];
/** The column with the footnotes of the transaction coding. */
const CODING_NOTES = "EQUITY_SWAP_TRANS_CD_FN";

/** Tables of lines in the order of the form, with the form's element and the column that orders the rows. */
const LINE_TABLES = [
  ["NONDERIV_TRANS", "nonDerivativeTransaction", "NONDERIV_TRANS_SK"],
  ["NONDERIV_HOLDING", "nonDerivativeHolding", "NONDERIV_HOLDING_SK"],
  ["DERIV_TRANS", "derivativeTransaction", "DERIV_TRANS_SK"],
  ["DERIV_HOLDING", "derivativeHolding", "DERIV_HOLDING_SK"],
] as const;
const OTHER_TABLES = ["REPORTINGOWNER", "FOOTNOTES", "OWNER_SIGNATURE"] as const;
type TableName = (typeof LINE_TABLES)[number][0] | (typeof OTHER_TABLES)[number];

const notesIn = (text: string): string[] => text.toUpperCase().match(/F\d+/g) ?? [];

function record(name: string, cells: Cells, columns: readonly (readonly [string, string])[]): XmlRecord {
  const result = new XmlRecord(name, "");
  for (const [column, leaf] of columns) {
    const value = cells(column);
    if (value !== "") result.add(leaf, value);
    for (const note of notesIn(cells(`${column}_FN`))) result.cite(leaf, note);
  }
  return result;
}

function lineRecord(name: string, cells: Cells): XmlRecord {
  const line = record(name, cells, LINE_COLUMNS);
  for (const note of notesIn(cells(CODING_NOTES))) line.cite("transactionCoding", note);
  return line;
}

function ownerRecord(cells: Cells): XmlRecord {
  const owner = record("reportingOwner", cells, [
    ["RPTOWNERCIK", "rptOwnerCik"],
    ["RPTOWNERNAME", "rptOwnerName"],
    ["RPTOWNER_TITLE", "officerTitle"],
    ["RPTOWNER_TXT", "otherText"],
  ]);
  const relation = cells("RPTOWNER_RELATIONSHIP");
  if (/director/i.test(relation)) owner.add("isDirector", "1");
  if (/officer/i.test(relation)) owner.add("isOfficer", "1");
  if (/ten\s*percent/i.test(relation)) owner.add("isTenPercentOwner", "1");
  if (/other/i.test(relation)) owner.add("isOther", "1");
  return owner;
}

function footnoteRecord(cells: Cells): XmlRecord {
  const note = new XmlRecord("footnote", cells("FOOTNOTE_ID").toUpperCase());
  note.text = cells("FOOTNOTE_TXT");
  return note;
}

function topRecord(cells: Cells, filing_date: string): XmlRecord {
  const top = record("", cells, [
    ["DOCUMENT_TYPE", "documentType"],
    ["PERIOD_OF_REPORT", "periodOfReport"],
    ["DATE_OF_ORIG_SUB", "dateOfOriginalSubmission"],
    ["NO_SECURITIES_OWNED", "noSecuritiesOwned"],
    ["NOT_SUBJECT_SEC16", "notSubjectToSection16"],
    ["REMARKS", "remarks"],
  ]);
  const box = cells("AFF10B5ONE");
  if (box !== "" && filing_date >= BOX_SINCE) top.add("aff10b5One", box);
  return top;
}

const ISSUER = [
  ["ISSUERCIK", "issuerCik"],
  ["ISSUERNAME", "issuerName"],
  ["ISSUERTRADINGSYMBOL", "issuerTradingSymbol"],
] as const;

function recordsOf(accession: string, tables: ReadonlyMap<TableName, DataSetTable>): XmlRecord[] {
  const rows = (name: TableName, orderedBy?: string) => tables.get(name)?.rows(accession, orderedBy) ?? [];
  return [
    ...rows("REPORTINGOWNER").map(ownerRecord),
    ...LINE_TABLES.flatMap(([name, element, key]) =>
      rows(name, key).map((cells) => lineRecord(element, cells)),
    ),
    ...rows("FOOTNOTES").map(footnoteRecord),
    ...rows("OWNER_SIGNATURE").map((cells) =>
      record("ownerSignature", cells, [
        ["OWNERSIGNATURENAME", "signatureName"],
        ["OWNERSIGNATUREDATE", "signatureDate"],
      ]),
    ),
  ];
}

function filingOf(
  accession: string,
  cells: Cells,
  tables: ReadonlyMap<TableName, DataSetTable>,
): InsiderDataSetFiling | UnreadDataSetFiling {
  const accession_number = readAccession(accession) ?? accession;
  const filing_date = readFiledDay(cells("FILING_DATE"));
  if (!filing_date)
    return { ...unread("malformed", "the data set has no filing date for it"), accession_number };
  const issuer = record("issuer", cells, ISSUER);
  const form = ownershipForm({
    top: topRecord(cells, filing_date),
    records: [issuer, ...recordsOf(accession, tables)],
    lenient: false,
  });
  if (isUnread(form)) return { ...form, accession_number };
  return { ...form, ...acceptanceUnknown({ filing_date, form_type: form.form_type }), accession_number };
}

async function openTable(
  archive: ZipArchive,
  name: string,
  selected?: ReadonlySet<string>,
): Promise<DataSetTable> {
  const entry = archive.entries.find((one) => one.name.split("/").at(-1)?.toUpperCase() === `${name}.TSV`);
  return new DataSetTable(name, entry ? await archive.read(entry, TABLE_BYTES_MAX) : null, selected);
}

/**
 * Yields the filings of a data set that match `query`, in the order of the data set. A filing that lacks a
 * required field comes as Unread. Throws BrokenArchive for a damaged zip, UpstreamFailed when a table has
 * another shape.
 */
export async function* readInsiderDataSet(
  archive: ZipArchive,
  query: InsiderDataSetQuery = {},
): AsyncGenerator<InsiderDataSetFiling | UnreadDataSetFiling> {
  const { issuer_ciks, forms, signal } = query;
  const submissions = await openTable(archive, "SUBMISSION");
  const selected = new Set<string>();
  for (const accession of submissions.accessions) {
    const [cells] = submissions.rows(accession);
    if (!cells || (forms && !forms.has(cells("DOCUMENT_TYPE").toUpperCase()))) continue;
    if (!issuer_ciks || issuer_ciks.has(cells("ISSUERCIK").padStart(10, "0"))) selected.add(accession);
  }
  const tables = new Map<TableName, DataSetTable>();
  for (const name of [...LINE_TABLES.map(([name]) => name), ...OTHER_TABLES]) {
    signal?.throwIfAborted();
    tables.set(name, await openTable(archive, name, selected));
  }
  for (const accession of selected) {
    signal?.throwIfAborted();
    const [cells] = submissions.rows(accession);
    if (cells) yield filingOf(accession, cells, tables);
  }
}
