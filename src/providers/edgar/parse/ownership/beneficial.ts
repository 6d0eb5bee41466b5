// Reads Schedules 13D and 13G: the two structured forms since 18 December 2024, and the cover pages before.
// Pure.

import { systemClock } from "../../../../platform/clock.ts";
import { readAccession, readCik } from "../../accession.ts";
import {
  type BeneficialPerson,
  type BeneficialSchedule,
  isUnread,
  type Unread,
} from "../../ownership-records.ts";
import { withBoundedTexts } from "../bounded-text.ts";
import { decodeFiling, ParseBudget, ParseFailed } from "../documents/filing-text.ts";
import { readFiledDay } from "../filed-day.ts";
import { readNumber } from "../filed-number.ts";
import { readXmlRecords, rootElement, unread, type XmlRecord, type XmlRecords } from "../xml-records.ts";
import { readCoverPages } from "./beneficial-pages.ts";
import { type Found, scheduleFrom, scheduleOf } from "./beneficial-schedule.ts";
import { readFlag } from "./ownership-lines.ts";

/**
 * Elements of a person's cover page in a 13D and in a 13G. The two forms have different names for the same
 * fields.
 */
const PERSONS = new Set(["reportingPersonInfo", "coverPageHeaderReportingPersonDetails"]);

/** The first of `names` that has a value. */
const either = (record: XmlRecord, ...names: string[]): string | null => {
  for (const name of names) {
    const value = record.first(name);
    if (value !== null) return value;
  }
  return null;
};

function readPerson(record: XmlRecord): BeneficialPerson {
  const number = (...names: string[]) => readNumber(either(record, ...names));
  const group = either(record, "memberOfGroup", "memberGroup")?.trim().toLowerCase();
  return {
    name: record.first("reportingPersonName") ?? "",
    cik: readFlag(either(record, "reportingPersonNoCIK", "reportingCikNotPresentInEdgarFlag"))
      ? null
      : readCik(either(record, "reportingPersonCIK", "reportingCik") ?? ""),
    shares_owned: number("aggregateAmountOwned", "reportingPersonBeneficiallyOwnedAggregateNumberOfShares"),
    ownership_pct: number("percentOfClass", "classPercent"),
    types: record.all("typeOfReportingPerson"),
    citizenship: record.first("citizenshipOrOrganization"),
    member_of_group: group === "a" || group === "b" ? group : null,
    sole_voting: number("soleVotingPower"),
    shared_voting: number("sharedVotingPower"),
    sole_dispositive: number("soleDispositivePower"),
    shared_dispositive: number("sharedDispositivePower"),
  };
}

/** An item without content: "Not applicable", "N/A", "None." and the like. */
const SAYS_NOTHING = /^\W*(?:not applicable|n\s*\/?\s*a|none|nil|-+)\W*$/i;

/** Item 5(e) of a 13D: true when it gives the day on which the holder fell to five percent or below. */
const reportsFall = (text: string | null): boolean =>
  text !== null &&
  !SAYS_NOTHING.test(text) &&
  !/\bnot applicable\b|\b(?:has|have|did) not\b/i.test(text) &&
  (/\bceased\b|\bno longer\b/i.test(text) || readFiledDay(text) !== null);

/**
 * Cover pages of a 13G/A may leave the figures to Item 4. They apply when Item 4 has one figure for each
 * person.
 */
function withItemFour(persons: readonly BeneficialPerson[], top: XmlRecord): BeneficialPerson[] {
  const shares = top.all("amountBeneficiallyOwned").map(readNumber);
  const percents = top.all("classPercent").map(readNumber);
  const isEach = (list: readonly unknown[]) => list.length === persons.length;
  return persons.map((person, i) => ({
    ...person,
    shares_owned: person.shares_owned ?? (isEach(shares) ? (shares[i] ?? null) : null),
    ownership_pct: person.ownership_pct ?? (isEach(percents) ? (percents[i] ?? null) : null),
  }));
}

const present = (values: readonly (number | null)[]): number[] => values.filter((value) => value !== null);

function structured({ top, records, lenient }: XmlRecords, form_type: string): BeneficialSchedule | Unread {
  const named = top.first("submissionType") ?? form_type;
  const schedule = scheduleOf(named) ?? scheduleOf(form_type);
  if (!schedule) return unread("not_this_form", "the document is not a Schedule 13D or 13G");
  if (records.length === 0) return unread("malformed", "the schedule names no reporting person");
  const purpose = top.first("transactionPurpose");
  const message = "the schedule's XML is broken and was read leniently";
  const found: Found = {
    is_structured: true,
    amendment_number: readNumber(top.first("amendmentNo")),
    previous_accession_number: readAccession(top.first("previousAccessionNumber") ?? ""),
    issuer: { cik: readCik(either(top, "issuerCIK", "issuerCik") ?? ""), name: top.first("issuerName") },
    cusips: ["issuerCUSIP", "issuerCusip", "issuerCusipNumber"].flatMap((name) =>
      top.all(name).map((cusip) => cusip.replace(/\s+/g, "").toUpperCase()),
    ),
    class_title: either(top, "securitiesClassTitle", "securityTitle"),
    event_date: readFiledDay(either(top, "dateOfEvent", "eventDateRequiresFilingThisStatement")),
    rules: top.all("designateRulePursuantThisScheduleFiled"),
    purpose: purpose === null || SAYS_NOTHING.test(purpose) ? null : purpose,
    persons: withItemFour(records.map(readPerson), top),
    whole: {
      shares: present(top.all("amountBeneficiallyOwned").map(readNumber)),
      percents: present(top.all("classPercent").map(readNumber)),
    },
    fell:
      readFlag(top.first("classOwnership5PercentOrLess")) === true ||
      reportsFall(top.first("date5PercentOwnership")),
    warnings: lenient ? [{ code: "lenient_xml", message }] : [],
  };
  return scheduleFrom(found, named.toUpperCase().replace(/\s+/g, " ").trim(), schedule);
}

/**
 * Reads a Schedule 13D or 13G from its XML, or from HTML or plain text before December 2024. `form_type` is
 * the submission's ("SC 13D/A"), `budget` limits the reading of a page. Returns Unread, and does not throw,
 * when the document cannot be read.
 */
export function parseBeneficial(
  source: string | Uint8Array,
  form_type: string,
  budget: ParseBudget = new ParseBudget(systemClock),
): BeneficialSchedule | Unread {
  const text = typeof source === "string" ? source : decodeFiling(source);
  const root = rootElement(text, "edgarSubmission");
  if (root !== null) {
    const records = typeof root === "string" ? readXmlRecords(root, PERSONS) : root;
    return isUnread(records) ? records : withBoundedTexts(structured(records, form_type));
  }
  const schedule = scheduleOf(form_type);
  if (!schedule) return unread("not_this_form", "the document is not a Schedule 13D or 13G");
  try {
    const found = readCoverPages(text, schedule, budget);
    return isUnread(found) ? found : withBoundedTexts(scheduleFrom(found, form_type.toUpperCase(), schedule));
  } catch (error) {
    if (!(error instanceof ParseFailed)) throw error;
    const { reason, message } = error;
    return unread(reason === "no_body" || reason === "no_item_headings" ? "no_cover_page" : reason, message);
  }
}
