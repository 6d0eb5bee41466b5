// Makes the stored rows of a Schedule 13D or 13G. Pure.
import type { ownershipEvents } from "../../datasets/ownership-events.ts";
import { isDate } from "../../market/date.ts";
import type { RowOf } from "../../platform/lake/dataset.ts";
import type { BeneficialFiling } from "../../providers/edgar/index.ts";
import { momentsOf } from "./trade-rows.ts";

export type EventRow = RowOf<typeof ownershipEvents>;

/** A name without differences in spelling: `B.M.L. Partners, L.P.` and `BML Partners LP` are equal. */
const plainName = (name: string): string =>
  name
    .toUpperCase()
    .replace(/[.'’]/g, "")
    .replace(/[^A-Z0-9]+/g, " ")
    .trim();

/** All reporting persons by CIK and by name: a schedule may give only one of the two. */
function holderKeys({ holder, persons }: BeneficialFiling): string {
  const keys = [holder, ...persons].flatMap(({ cik, name }) => [
    ...(cik ? [`cik:${cik}`] : []),
    ...(name && plainName(name) ? [`name:${plainName(name)}`] : []),
  ]);
  return [...new Set(keys)].sort().join("|");
}

/** A reporting person of whom nothing is reported. */
const UNNAMED_PERSON = {
  name: "",
  cik: null,
  shares_owned: null,
  ownership_pct: null,
  types: [],
  member_of_group: null,
  sole_voting: null,
  shared_voting: null,
  sole_dispositive: null,
  shared_dispositive: null,
};

/** One row per reporting person, or one row for the filer if the schedule names no person. */
export function eventRows(filing: BeneficialFiling, sha256: string, reading: number): EventRow[] {
  const { accession_number, form_type, schedule, filing_date, issuer, holder } = filing;
  const persons =
    filing.persons.length > 0 ? filing.persons : [{ ...UNNAMED_PERSON, name: holder.name ?? "" }];
  const shared = {
    accession_number,
    reading,
    form_type,
    schedule,
    filing_date,
    ...momentsOf(filing),
    is_amendment: filing.is_amendment,
    amendment_number: filing.amendment_number,
    previous_accession_number: filing.previous_accession_number,
    is_structured: filing.is_structured,
    event_date: filing.event_date !== null && isDate(filing.event_date) ? filing.event_date : null,
    issuer_cik: issuer.cik,
    issuer_name: issuer.name,
    cusips: filing.cusips.length > 0 ? filing.cusips.join(",") : null,
    class_title: filing.class_title,
    holder_cik: holder.cik,
    holder_name: holder.name,
    holder_keys: holderKeys(filing),
    filing_pct: filing.ownership_pct,
    filing_shares: filing.shares_owned,
    is_exit: filing.is_exit,
    is_activist: filing.is_activist,
    activist_reason: filing.activist_reason,
    source_sha256: sha256,
  };
  return persons.map((person, i) => ({
    ...shared,
    person: i + 1,
    person_cik: person.cik,
    person_name: person.name,
    person_types: person.types.length > 0 ? person.types.join(",") : null,
    member_of_group: person.member_of_group,
    ownership_pct: person.ownership_pct,
    shares_owned: person.shares_owned,
    sole_voting: person.sole_voting,
    shared_voting: person.shared_voting,
    sole_dispositive: person.sole_dispositive,
    shared_dispositive: person.shared_dispositive,
  }));
}
