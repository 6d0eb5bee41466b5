// Fetches Forms 3, 4, 5 and Schedules 13D, 13G: one request for the whole submission, whose header and
// document are read.
import type { BeneficialRead, OwnershipRead, Unread } from "../ownership-records.ts";
import { isUnread } from "../ownership-records.ts";
import { ParseBudget } from "../parse/documents/filing-text.ts";
import { parseBeneficial } from "../parse/ownership/beneficial.ts";
import { scheduleOf } from "../parse/ownership/beneficial-schedule.ts";
import { parseOwnershipXml } from "../parse/ownership/ownership.ts";
import { unread } from "../parse/xml-records.ts";
import type { DocumentOptions, FilingHeader, FilingParty, FilingRef, SubmissionText } from "../records.ts";
import type { VaultedDeps } from "../vaulted.ts";
import { fetchSubmissionText } from "./filing.ts";

const OWNERSHIP_FORM = /^[345](?:\/A)?$/;

/** The fields of a filing that are known before its document is read. */
function frame({ bytes, sha256, url, from_vault, header }: SubmissionText) {
  const { accession_number, form_type, accepted_at, filing_date, precision, source, public_from } = header;
  const acceptance = { accepted_at, filing_date, precision, source, public_from };
  return {
    filing: { accession_number, ...acceptance },
    form_type,
    receipt: { bytes, sha256, url, from_vault },
  };
}

/** The text of the submission's main document: the one of the submission's type, else the first. */
function mainText({ documents, header }: SubmissionText): string | Unread {
  const form_type = header.form_type.toUpperCase();
  const main = documents.find(({ type, text }) => type === form_type && text !== null) ?? documents[0];
  return main?.text ?? unread("no_documents", "the filing has no text document");
}

/**
 * Fetches a filing of Form 3, 4 or 5; `read.failed` is the reason when it cannot be read. Throws as
 * fetchSubmissionText.
 */
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

/**
 * Fetches a Schedule 13D or 13G; `read.failed` is the reason when it cannot be read. Throws as
 * fetchSubmissionText.
 */
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
  // A 13G and the old pages have no CIKs of persons; the header has those of the filers.
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
