// Reads Forms 3, 4 and 5 from their XML, in every schema version: owners, trades and holdings. Pure.

import { readCik } from "../../accession.ts";
import { isUnread, type OwnershipForm, type Unread } from "../../ownership-records.ts";
import { withBoundedTexts } from "../bounded-text.ts";
import { decodeFiling } from "../documents/filing-text.ts";
import { readFiledDay } from "../filed-day.ts";
import { readXmlRecords, rootElement, unread, type XmlRecord, type XmlRecords } from "../xml-records.ts";
import {
  completeTransactions,
  type RawTransaction,
  readFlag,
  readHolding,
  readTransaction,
  Warnings,
} from "./ownership-lines.ts";
import { readOwner } from "./ownership-owners.ts";

const RECORDS = new Set([
  "issuer",
  "reportingOwner",
  "nonDerivativeTransaction",
  "nonDerivativeHolding",
  "derivativeTransaction",
  "derivativeHolding",
  "footnote",
  "ownerSignature",
]);
const FORM = /^[345](?:\/A)?$/;
/** Characters of a document that are examined to find its kind. */
const HEAD_CHARS = 4_000;

/** Describes a document that does not have the forms' root element. */
function notTheForm(source: string): Unread {
  const head = source.slice(0, HEAD_CHARS);
  if (/<html|<!doctype\s+html/i.test(head))
    return unread("rendered_page", "the document is a web page, not the form's data");
  if (!/^\s*<\?xml/.test(head) && /\bform\s*[345]\b|beneficial\s+ownership|section\s+16/i.test(head))
    return unread("pre_xml_text", "the form was filed before June 2003, as text without fields");
  return unread("not_this_form", "the document is not a Form 3, 4 or 5");
}

const byName = (records: readonly XmlRecord[], name: string): XmlRecord[] =>
  records.filter((record) => record.name === name);

const oneLine = (text: string): string => (/[^\S ]| {2}/.test(text) ? text.replace(/\s+/g, " ") : text);

function footnotesOf(records: readonly XmlRecord[]): Record<string, string> {
  const footnotes: Record<string, string> = {};
  for (const note of byName(records, "footnote")) if (note.id !== "") footnotes[note.id] = oneLine(note.text);
  return footnotes;
}

function linesOf(records: readonly XmlRecord[], party: string, warnings: Warnings) {
  const trades: RawTransaction[] = [];
  const holdings: OwnershipForm["holdings"][number][] = [];
  for (const record of records) {
    const type = record.name.startsWith("nonDerivative") ? "non_derivative" : "derivative";
    if (record.name.endsWith("Transaction"))
      trades.push(readTransaction(record, type, trades.length + 1, party, warnings));
    else if (record.name.endsWith("Holding"))
      holdings.push(readHolding(record, type, holdings.length + 1, warnings));
  }
  return { trades, holdings };
}

/** Makes the form from its records. */
export function ownershipForm({ top, records, lenient }: XmlRecords): OwnershipForm | Unread {
  const form_type = top.first("documentType")?.toUpperCase().replace(/\s+/g, "") ?? "";
  const issuer = byName(records, "issuer")[0];
  const cik = readCik(issuer?.first("issuerCik") ?? "");
  const ownerRecords = byName(records, "reportingOwner");
  if (!FORM.test(form_type)) return unread("malformed", "the form does not state its type");
  if (!issuer || !cik) return unread("malformed", "the form does not name its issuer");
  if (ownerRecords.length === 0) return unread("malformed", "the form does not name a reporting owner");
  const warnings = new Warnings();
  if (lenient) warnings.add("lenient_xml", "the form's XML is broken and was read leniently");
  const [footnotes, remarks] = [footnotesOf(records), top.first("remarks")];
  const issuerName = issuer.first("issuerName") ?? "";
  const owners = ownerRecords.map((record) =>
    readOwner(record, { remarks, footnotes, issuerName, ownerCount: ownerRecords.length }),
  );
  const aff10b5_one = readFlag(top.first("aff10b5One"));
  const party = [cik, ...owners.map((owner) => owner.cik ?? owner.name.toUpperCase()).sort()].join("|");
  const { trades, holdings } = linesOf(records, party, warnings);
  return {
    form_type,
    schema_version: top.first("schemaVersion"),
    is_amendment: form_type.endsWith("/A"),
    date_of_original_submission: readFiledDay(top.first("dateOfOriginalSubmission")),
    period_of_report: readFiledDay(top.first("periodOfReport")),
    no_securities_owned: readFlag(top.first("noSecuritiesOwned")) ?? false,
    not_subject_to_section_16: readFlag(top.first("notSubjectToSection16")) ?? false,
    issuer: { cik, name: issuerName, symbol: issuer.first("issuerTradingSymbol") },
    owners,
    transactions: completeTransactions(trades, { box: aff10b5_one, footnotes, remarks }, warnings),
    holdings,
    aff10b5_one,
    footnotes,
    remarks,
    signatures: byName(records, "ownerSignature").flatMap((record) => {
      const name = record.first("signatureName");
      return name ? [{ name, date: readFiledDay(record.first("signatureDate")) }] : [];
    }),
    warnings: warnings.list,
  };
}

/**
 * Reads a Form 3, 4 or 5 from its XML. Returns Unread, and does not throw, for text from before 2003, a
 * rendered page, another kind of document, XML that even a lenient parser cannot read, declared entities, and
 * a form beyond the limits.
 */
export function parseOwnershipXml(source: string | Uint8Array): OwnershipForm | Unread {
  const text = typeof source === "string" ? source : decodeFiling(source);
  const root = rootElement(text, "ownershipDocument");
  if (root === null) return notTheForm(text);
  const records = typeof root === "string" ? readXmlRecords(root, RECORDS) : root;
  return isUnread(records) ? records : withBoundedTexts(ownershipForm(records));
}
