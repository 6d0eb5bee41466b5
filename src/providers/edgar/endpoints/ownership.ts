// Forms 3, 4, 5 and Schedules 13D, 13G as filed: the whole submission in one request, its header and its document read.
import type { BeneficialRead, OwnershipRead, Unread } from "../ownership-records.ts";
import { isUnread } from "../ownership-records.ts";
import { parseBeneficial } from "../parse/beneficial.ts";
import { scheduleOf } from "../parse/beneficial-schedule.ts";
import { ParseBudget } from "../parse/filing-text.ts";
import { parseOwnershipXml } from "../parse/ownership.ts";
import { unread } from "../parse/xml-records.ts";
import type { DocumentOptions, FilingHeader, FilingParty, FilingRef, SubmissionText } from "../records.ts";
import type { VaultedDeps } from "../vaulted.ts";
import { fetchSubmissionText } from "./filing.ts";

const OWNERSHIP_FORM = /^[345](?:\/A)?$/;

/** What is known of a filing before its document is read. */
function frame({ bytes, sha256, url, from_vault, header }: SubmissionText) {
  const { accession_number, form_type, accepted_at, filing_date, precision, source, public_from } = header;
  const acceptance = { accepted_at, filing_date, precision, source, public_from };
  return {
    filing: { accession_number, ...acceptance },
    form_type,
    receipt: { bytes, sha256, url, from_vault },
  };
}

/** The text of the document the submission is about: the one of its own type, else the first. */
function mainText({ documents, header }: SubmissionText): string | Unread {
  const wanted = header.form_type.toUpperCase();
  const main = documents.find(({ type, text }) => type === wanted && text !== null) ?? documents[0];
  return main?.text ?? unread("no_documents", "the filing has no document that is text");
}

/** A filing of Forms 3, 4, 5. Throws as fetchSubmissionText; what cannot be read is `read.failed`. */
export async function fetchOwnership(
  deps: VaultedDeps,
  ref: FilingRef,
  options?: DocumentOptions,
): Promise<OwnershipRead> {
  const whole = await fetchSubmissionText(deps, ref, options);
  const { filing, form_type, receipt } = frame(whole);
  const text = mainText(whole);
  const form = !OWNERSHIP_FORM.test(form_type)
    ? unread("not_this_form", `the filing is a ${form_type}`)
    : typeof text === "string"
      ? parseOwnershipXml(text)
      : text;
  return { ...receipt, ...filing, form_type, read: isUnread(form) ? form : { ...form, ...filing } };
}

const namesKey = (name: string | null): string =>
  (name ?? "")
    .toUpperCase()
    .replace(/[^A-Z0-9 ]+/g, "")
    .split(/\s+/)
    .filter(Boolean)
    .sort()
    .join(" ");

const partiesOf = ({ parties }: FilingHeader, role: string): FilingParty[] =>
  parties.filter((party) => party.role === role);

/** A filing of Schedules 13D, 13G. Throws as fetchSubmissionText; what cannot be read is `read.failed`. */
export async function fetchBeneficial(
  deps: VaultedDeps,
  ref: FilingRef,
  options?: DocumentOptions,
): Promise<BeneficialRead> {
  const whole = await fetchSubmissionText(deps, ref, options);
  const { filing, form_type, receipt } = frame(whole);
  const text = mainText(whole);
  const schedule = !scheduleOf(form_type)
    ? unread("not_this_form", `the filing is a ${form_type}`)
    : typeof text === "string"
      ? parseBeneficial(text, form_type, new ParseBudget(deps.clock))
      : text;
  if (isUnread(schedule)) return { ...receipt, ...filing, form_type, read: schedule };
  const filers = partiesOf(whole.header, "filed_by");
  const [subject] = partiesOf(whole.header, "subject_company");
  const [lead, ...joint] = schedule.persons;
  // 13G and the old pages name no CIK: the header does, of those who file.
  const cikOf = (name: string): string | null =>
    (joint.length === 0 && filers.length === 1
      ? filers[0]?.cik
      : filers.find((filer) => namesKey(filer.name) === namesKey(name))?.cik) ?? null;
  const persons = schedule.persons.map((person) => ({ ...person, cik: person.cik ?? cikOf(person.name) }));
  const [filer] = filers;
  return {
    ...receipt,
    ...filing,
    form_type,
    read: {
      ...schedule,
      ...filing,
      persons,
      issuer: {
        cik: subject?.cik ?? schedule.issuer.cik,
        name: schedule.issuer.name ?? subject?.name ?? null,
      },
      holder: { cik: filer?.cik ?? persons[0]?.cik ?? null, name: filer?.name ?? lead?.name ?? null },
    },
  };
}
