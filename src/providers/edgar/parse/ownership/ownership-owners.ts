// Reads the owners on a form: names, boxes and offices. A title such as "See Remarks" is looked up in the
// remarks. Pure.

import { readCik } from "../../accession.ts";
import type { Owner } from "../../ownership-records.ts";
import type { XmlRecord } from "../xml-records.ts";
import { NO_OFFICE, type Office, officeOf, UNKNOWN_OFFICE } from "./officer-title.ts";
import { readFlag } from "./ownership-lines.ts";

/** "See Remarks", "See Explanation of Responses", "See footnote (1)", "*See below". */
const ELSEWHERE =
  /^\W*(?:please\s+)?see\s+(?:the\s+)?(?:remarks?|explanation|footnotes?|note|below|comments?|general|attach)/i;
/**
 * Words that name an office. Remarks without one are about something else (an exhibit, a power of attorney).
 */
const OFFICE_WORD =
  /\b(?:officer|president|chief|counsel|chair\w*|secretary|treasurer|controller|director|head|C[EFOT]O|[ES]?VP|principal|manager|executive)\b/i;
const PREFIX =
  /^\W*(?:(?:officer'?s?|full|reporting person'?s?)?\s*titles?(?:\s+(?:is|are))?\s*[:\-–—]|(?:form\s+\d[^.:]*|box \d[^.:]*|relationship[^.:]*|explanation[^.:]*)[:\-–—])\s*/i;
const TITLE_CHARS_MAX = 200;

export interface Elsewhere {
  readonly remarks: string | null;
  readonly footnotes: Readonly<Record<string, string>>;
  readonly issuerName: string;
  readonly ownerCount: number;
}

/** Returns the sentence of `text` that gives a title, without its introduction; null when none does. */
function titleIn(text: string): string | null {
  const sentences = text
    .split(/(?<=\w{3})[.;]\s+(?=[A-Z*(])|\n+/)
    .map((sentence) => sentence.replace(PREFIX, "").trim());
  const found = sentences.find(
    (sentence) =>
      OFFICE_WORD.test(sentence) &&
      !/\b(?:exhibit|attorney|pursuant|shares?|securities|disclaims?)\b/i.test(sentence),
  );
  return found && found.length <= TITLE_CHARS_MAX ? found.replace(/[.\s]+$/, "") : null;
}

/**
 * Finds the title meant by "See Remarks"; null when the remarks do not give it, or when the form has several
 * owners.
 */
function titleElsewhere(boxText: string, record: XmlRecord, elsewhere: Elsewhere): string | null {
  // Remarks about several owners would have to be matched by name.
  if (elsewhere.ownerCount > 1) return null;
  const named = [...record.notesOf("officerTitle"), ...(boxText.match(/\bF?\d{1,2}\b/g) ?? [])].map((note) =>
    note.startsWith("F") ? note : `F${note}`,
  );
  const notes = named.map((note) => elsewhere.footnotes[note] ?? "");
  const others = /note|explanation|below/i.test(boxText) ? Object.values(elsewhere.footnotes) : [];
  for (const text of [...notes, elsewhere.remarks ?? "", ...others]) {
    const title = titleIn(text);
    if (title) return title;
  }
  return null;
}

function officeFor(
  title: string | null,
  isOfficer: boolean,
  isUnresolved: boolean,
  issuerName: string,
): Office {
  if (title !== null && !isUnresolved) return officeOf(title, issuerName);
  return isOfficer || isUnresolved ? UNKNOWN_OFFICE : NO_OFFICE;
}

function relationshipOf(owner: Omit<Owner, "relationship">): string {
  const { officer_title, other_text } = owner;
  const parts = [
    owner.is_director ? "director" : "",
    owner.is_officer ? `officer${officer_title ? `: ${officer_title}` : ""}` : "",
    owner.is_ten_percent_owner ? "10% owner" : "",
    owner.is_other ? `other${other_text ? `: ${other_text}` : ""}` : "",
  ];
  return parts.filter(Boolean).join(", ");
}

export function readOwner(record: XmlRecord, elsewhere: Elsewhere): Owner {
  const flag = (name: string) => readFlag(record.first(name)) ?? false;
  const officer_title_filed = record.first("officerTitle");
  const pointsElsewhere = officer_title_filed !== null && ELSEWHERE.test(officer_title_filed);
  const followed = pointsElsewhere ? titleElsewhere(officer_title_filed, record, elsewhere) : null;
  const is_officer = flag("isOfficer");
  const isUnresolved = pointsElsewhere && followed === null;
  const officer_title = followed ?? officer_title_filed;
  const owner = {
    cik: readCik(record.first("rptOwnerCik") ?? ""),
    name: record.first("rptOwnerName") ?? "",
    is_director: flag("isDirector"),
    is_officer,
    is_ten_percent_owner: flag("isTenPercentOwner"),
    is_other: flag("isOther"),
    officer_title,
    officer_title_filed,
    other_text: record.first("otherText"),
    ...officeFor(officer_title, is_officer, isUnresolved, elsewhere.issuerName),
  };
  return { ...owner, relationship: relationshipOf(owner) };
}
