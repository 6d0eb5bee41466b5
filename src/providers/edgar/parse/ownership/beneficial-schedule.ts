// The rules that structured and unstructured schedules share: figures of joint persons, exits, the form's
// name. Pure.
import type { BeneficialPerson, BeneficialSchedule, ReadWarning } from "../../ownership-records.ts";
import { intentOf } from "./beneficial-intent.ts";

/** The result of either way of reading a document. */
export interface Found
  extends Pick<
    BeneficialSchedule,
    | "is_structured"
    | "amendment_number"
    | "previous_accession_number"
    | "issuer"
    | "cusips"
    | "class_title"
    | "event_date"
    | "rules"
    | "purpose"
  > {
  readonly persons: readonly BeneficialPerson[];
  /** Figures for the filing as a whole, used when the persons' own are missing. */
  readonly whole: { readonly shares: readonly number[]; readonly percents: readonly number[] };
  /** Item 5 states that the holder has fallen to five percent or below. */
  readonly fell: boolean;
  readonly warnings: ReadWarning[];
}

const PERCENT_MAX = 100;
/** A holding above this percentage must be reported. */
const REPORTABLE_PERCENT = 5;

/** "SCHEDULE 13D/A", "SC 13G" → D or G; null when it is neither. */
export function scheduleOf(form_type: string): "13D" | "13G" | null {
  const letter = /\b13([DG])/i.exec(form_type)?.[1]?.toUpperCase();
  return letter === "D" ? "13D" : letter === "G" ? "13G" : null;
}

const largest = (values: readonly (number | null)[]): number | null => {
  const reported = values.filter((value) => value !== null);
  return reported.length === 0 ? null : Math.max(...reported);
};

/** Discards a percentage above 100 or below 0: it is the filer's error. */
function withoutImpossible(percent: number | null, warnings: ReadWarning[]): number | null {
  if (percent === null || (percent <= PERCENT_MAX && percent >= 0)) return percent;
  warnings.push({ code: "impossible_percent", message: `${percent} % of a class was discarded` });
  return null;
}

/** Makes the schedule's record. `schedule` was read from `form_type`. */
export function scheduleFrom(found: Found, form_type: string, schedule: "13D" | "13G"): BeneficialSchedule {
  const { whole, fell, persons: filed, warnings, ...document } = found;
  const persons = filed.map((person) => ({
    ...person,
    ownership_pct: withoutImpossible(person.ownership_pct, warnings),
  }));
  const shares_owned = largest(persons.map((person) => person.shares_owned)) ?? largest(whole.shares);
  const ownership_pct =
    largest(persons.map((person) => person.ownership_pct)) ??
    largest(whole.percents.map((percent) => withoutImpossible(percent, warnings)));
  const intent = schedule === "13D" && document.purpose !== null ? intentOf(document.purpose) : null;
  return {
    ...document,
    form_type,
    schedule,
    is_amendment: /\/A$/i.test(form_type),
    persons,
    shares_owned,
    ownership_pct,
    // Some of several joint persons may have fallen. It is no exit while one of them reports more than five
    // percent.
    is_exit:
      (fell && (ownership_pct ?? 0) <= REPORTABLE_PERCENT) || shares_owned === 0 || ownership_pct === 0,
    is_activist: schedule === "13G" ? false : (intent?.is_activist ?? null),
    activist_reason: intent?.reason ?? null,
    warnings,
  };
}
