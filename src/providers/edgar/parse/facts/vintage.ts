// The kind of report a figure is in, when it became known, and how it compares with an earlier report's
// figure.
import { endOfDay } from "../../../../market/calendar.ts";
import type { FinancialFact, LineKind, Revision } from "./records.ts";

/**
 * periodic: annual and quarterly reports. other: current reports and prospectuses. proxy: proxy and
 * information statements, and reports of employees' plans, whose assets are not the company's.
 */
export type FormTier = "periodic" | "other" | "proxy";

const PERIODIC = /^(?:10-(?:K|Q|KT|QT)|10-?KT?405|10-?[KQ]SB(?:40)?|20-F|40-F)(?:\/A)?$/;
const ANNUAL = /^(?:10-?K|20-F|40-F)/;
const PROXY = /14[AC](?:\/A)?$|^11-K/;

export const tierOf = (form: string): FormTier =>
  PERIODIC.test(form) ? "periodic" : PROXY.test(form) ? "proxy" : "other";
export const isAnnualForm = (form: string): boolean => ANNUAL.test(form);
/** True for a report on the months between an old and a new fiscal year. */
export const isTransitionForm = (form: string): boolean => /^10-?KT/.test(form);

/**
 * The moment the figure became public, RFC 3339 UTC, from the filings index. Without it an XBRL figure counts
 * as public at the end of the filing day in New York, which is never too early. Schedules of the 1990s became
 * public days after their filing date, so without the index the result is null and they are not served under
 * `as_of`.
 */
export function knownAt({
  accepted_at,
  filed_date,
  source,
}: Pick<FinancialFact, "accepted_at" | "filed_date" | "source">): string | null {
  if (accepted_at !== null) return accepted_at;
  return source === "xbrl" ? endOfDay(filed_date).toString() : null;
}

/**
 * When a filing became public, as far as it is known: its acceptance, else the end of its filing day in New
 * York.
 */
export function knownOf(
  { accession, filed }: { readonly accession: string; readonly filed: string },
  acceptedAt: ((accession: string) => string | null | undefined) | undefined,
): { readonly accepted_at: string | null; readonly knownMs: number } {
  const accepted_at = acceptedAt?.(accession) ?? null;
  const known = accepted_at === null ? endOfDay(filed) : Temporal.Instant.from(accepted_at);
  return { accepted_at, knownMs: known.epochMilliseconds };
}

/**
 * Finest first: each divides the next one, so that an amount divisible by one is divisible by those before
 * it.
 */
const UNITS = [1e3, 1e5, 1e6] as const;
const SHARE_OF_ROUND = 0.9;
/** Amounts of money of one filing, counted by the units that divide them. */
export class Amounts {
  #counted = 0;
  readonly #divisible = UNITS.map(() => 0);

  add(value: number): void {
    if (value === 0) return;
    this.#counted++;
    for (let nth = 0; nth < UNITS.length && value % (UNITS[nth] ?? 1) === 0; nth++)
      this.#divisible[nth] = (this.#divisible[nth] ?? 0) + 1;
  }

  /** The unit to which the filing rounds: the largest one that divides nine in ten of its amounts. */
  get rounding(): number {
    if (this.#counted === 0) return 1;
    const last = this.#divisible.findLastIndex((count) => count >= SHARE_OF_ROUND * this.#counted);
    return UNITS[last] ?? 1;
  }
}

export function roundingOf(values: readonly number[]): number {
  const amounts = new Amounts();
  for (const value of values) amounts.add(value);
  return amounts.rounding;
}

/** True when two figures differ by rounding only. `rounding` is the coarser of the two units. */
export const agree = (a: number, b: number, rounding: number): boolean => Math.abs(a - b) <= rounding / 2;

/**
 * Split factors that are not whole numbers. Only share counts show them; earnings per share are too coarse.
 */
const ODD_FACTORS = [1.25, 1.5, 2.5];
const FACTOR_SLACK = 0.01;
/** Rounded earnings per share may be off by half a cent. */
const CENT_SLACK = 0.0051;
/** When the possible factors span a wider ratio than this, rounding hides the true one. */
const SPREAD_MAX = 1.5;

function isSplit(value: number, earlier: number, kind: LineKind): boolean {
  if ((kind !== "shares" && kind !== "per_share") || Math.sign(value) !== Math.sign(earlier)) return false;
  const [one, other] = [Math.abs(value), Math.abs(earlier)];
  const [small, large] = [Math.min(one, other), Math.max(one, other)];
  const slack = kind === "per_share" ? CENT_SLACK : 0;
  if (small <= slack) return false;
  const [least, most] = [(large - slack) / (small + slack), (large + slack) / (small - slack)];
  if (most / least > SPREAD_MAX) return false;
  const fits = (factor: number) =>
    factor >= least * (1 - FACTOR_SLACK) && factor <= most * (1 + FACTOR_SLACK);
  return fits(Math.max(2, Math.round((least + most) / 2))) || (kind === "shares" && ODD_FACTORS.some(fits));
}

/**
 * How `value` compares with the figure of an earlier report. `rounding` is the coarser unit of the two
 * filings.
 */
export function revisionOf(
  value: number,
  earlier: number | undefined,
  kind: LineKind,
  rounding: number,
): Revision {
  if (earlier === undefined) return "first";
  if (value === earlier) return "same";
  if (isSplit(value, earlier, kind)) return "split";
  const unit = kind === "per_share" ? 0 : kind === "shares" ? Math.min(rounding, 1e6) : rounding;
  return agree(value, earlier, unit) ? "rounding" : "restated";
}
