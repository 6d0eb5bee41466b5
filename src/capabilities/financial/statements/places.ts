// Decides about figures of which no sum proves that they are lines of their statement: by the statement as
// their report presents it.
import { addDays } from "../../../market/date.ts";
import type { TimeSpan } from "../../../market/time-span.ts";
import { type FinancialFact, knownAt } from "../../../providers/edgar/index.ts";
import type { NeededReport, Presentation, Presentations } from "../presentations.ts";
import { knownFacts, Moments } from "./periods.ts";

/**
 * A derived quarter needs the periods of its fiscal year, and a fiscal label may lie a year from the
 * calendar's.
 */
const YEAR_DAYS = 366;

const isUnproven = ({ flags }: FinancialFact): boolean => flags.includes("unproven_statement");

export interface PlacedRequest {
  readonly span: TimeSpan;
  readonly asOf: Temporal.Instant | null;
  readonly include_derived: boolean;
}

/** The reports, newest first, whose presented statements decide about figures that an answer may show. */
export function neededReports(
  facts: readonly FinancialFact[],
  { span, asOf, include_derived }: PlacedRequest,
): readonly NeededReport[] {
  const open = facts.filter(isUnproven);
  if (open.length === 0) return [];
  const isLabelled = span.quarters !== null;
  const early = isLabelled || include_derived ? YEAR_DAYS : 0;
  const start = span.start === null ? "" : addDays(span.start, -early);
  const end = isLabelled ? addDays(span.end, YEAR_DAYS) : span.end;
  const needed = new Map<string, NeededReport>();
  for (const fact of knownFacts(open, asOf ?? undefined, new Moments())) {
    if (fact.period_end < start || fact.period_end > end) continue;
    const { accession_number, cik, filed_date } = fact;
    const known_at = knownAt(fact)?.replace(/(\.\d{3})\d+/, "$1") ?? null;
    needed.set(accession_number, { accession_number, cik, filed_date, known_at });
  }
  const momentOf = ({ known_at, filed_date }: NeededReport) => known_at ?? filed_date;
  return [...needed.values()].sort((a, b) => (momentOf(a) < momentOf(b) ? 1 : -1));
}

/** The facts; those that their report presents as lines of their statement are no longer in doubt. */
export function placedFacts(
  facts: readonly FinancialFact[],
  presentations: Presentations,
): readonly FinancialFact[] {
  if (presentations.size === 0) return facts;
  return facts.map((fact) => {
    const presentation = isUnproven(fact) ? presentations.get(fact.accession_number) : undefined;
    const isLine =
      presentation?.kind === "presented" && presentation.tags.has(`${fact.taxonomy}_${fact.tag}`);
    return isLine ? { ...fact, flags: fact.flags.filter((flag) => flag !== "unproven_statement") } : fact;
  });
}

/** Why a figure is withheld: a code, and a clause about the figure. */
interface Doubt {
  readonly code: string;
  readonly clause: string;
}

const UNPROVEN = "which no sum proves to be a line of its cash flow statement";

function placeDoubt(presentation: Presentation | undefined): Doubt {
  switch (presentation?.kind) {
    case "presented":
      return {
        code: "line_has_other_tag",
        clause:
          "which is no line of its cash flow statement: that has another tag, such as one of the filer's own",
      };
    case "none":
      return {
        code: "presentation_none",
        clause: `${UNPROVEN}, and the SEC shows no such statement of the report`,
      };
    case "unavailable":
      return {
        code: "presentation_unavailable",
        clause: `${UNPROVEN}, and the SEC did not show that statement (${presentation.error.message})`,
      };
    case "not_in_version":
      return {
        code: "presentation_not_read",
        clause: `${UNPROVEN}, and that statement was not read in this data version`,
      };
    default:
      return {
        code: "presentation_not_read",
        clause: `${UNPROVEN}, and that statement is not read yet; it is read in the background, ask again later`,
      };
  }
}

/**
 * Why a figure is withheld; null where its report was not needed for what is asked, so that it was not looked
 * at.
 */
export function doubtOf(fact: FinancialFact, presentations: Presentations | undefined): Doubt | null {
  const doubts = fact.flags.filter((flag) => /^suspect_|^conflicting|^sign_unproven/.test(flag));
  const [code] = doubts;
  if (code) return { code, clause: `which is in doubt (${doubts.join(", ")})` };
  if (!isUnproven(fact)) return { code: "in_doubt", clause: "which is in doubt" };
  const presentation = presentations?.get(fact.accession_number);
  return presentations && !presentation ? null : placeDoubt(presentation);
}
