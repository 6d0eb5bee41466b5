// Recognises actions that a provider listed late: bars that were stored before, on a basis on or after the ex
// date, are without them. Which bars those are shows by comparing stored bars with those of a fetch that
// lists the action.
import type { ProviderBar } from "../../../market/bar.ts";
import type { CorporateAction } from "../../../market/bar-history.ts";
import type { LateAction } from "../fetched.ts";
import { factorTo, type OnBasis, type Split } from "./stored-closes.ts";

/** A stored bar with what its action comparison needs. */
export interface ComparedBar extends OnBasis {
  readonly close: number;
  readonly adj_close: number | null;
}

/** An action as it is stored. */
export interface KnownAction extends Split {
  readonly kind: string;
}

export interface Comparison {
  /** Stored bars beside the fetched ones of their days. */
  readonly pairs: readonly (readonly [ComparedBar, ProviderBar])[];
  readonly stored: readonly KnownAction[];
  readonly listed: readonly CorporateAction[];
  /** The basis of the fetched bars. */
  readonly basis: string;
}

/** Prices are rounded, and adjusted closes are computed with rounded dividends. */
const SAME_RATIO = 1e-3;
/** A bar is on one of two bases only where it is this much nearer to it than they are apart. */
const NEAR = 0.25;

const actionKey = ({ kind, ex_date }: Pick<KnownAction, "kind" | "ex_date">) => `${kind} ${ex_date}`;

/** The actions of both, each once: as listed, with what is stored of bars without it. */
export function mergeKnown(
  stored: readonly KnownAction[],
  listed: readonly Pick<CorporateAction, "kind" | "ex_date" | "price_factor">[],
): Map<string, KnownAction> {
  const known = new Map(stored.map((action) => [actionKey(action), action]));
  for (const { kind, ex_date, price_factor } of listed) {
    const before = known.get(actionKey({ kind, ex_date }));
    const factor = price_factor ?? before?.price_factor ?? null;
    known.set(actionKey({ kind, ex_date }), {
      kind,
      ex_date,
      price_factor: factor,
      missing_through: before?.missing_through ?? null,
    });
  }
  return known;
}

/** Whether a stored bar may be without an action: it is of a day before it, and on a basis on or after it. */
export const mayLack = ({ date, basis_date }: OnBasis, ex_date: string): boolean =>
  date < ex_date && ex_date <= basis_date;

/**
 * Returns the stored close divided by the fetched one, once every known action is applied; null where it is
 * unknown.
 */
function quotient(
  [stored, bar]: readonly [ComparedBar, ProviderBar],
  isSplit: boolean,
  known: Iterable<KnownAction>,
  basis: string,
): number | null {
  const actions = isSplit ? [...known].filter(({ kind }) => kind === "split") : known;
  const factor = factorTo(basis, stored, actions);
  const [before, now] = isSplit ? [stored.close, bar.close] : [stored.adj_close, bar.adj_close];
  return factor === null || before === null || now === null ? null : (before * factor) / now;
}

/**
 * The newest basis whose bars are without the action, `none`, or `unclear` where some bars of a basis are and
 * some are not.
 */
function missingThrough(
  { ex_date, price_factor, missing_through }: KnownAction,
  quotients: readonly (readonly [OnBasis, number])[],
): string | "none" | "unclear" {
  const apart = price_factor === null ? 0 : 1 / price_factor;
  const tolerance = Math.min(SAME_RATIO, NEAR * Math.abs(apart - 1));
  const without = new Set<string>();
  const within = new Set<string>();
  for (const [row, value] of quotients) {
    if (!mayLack(row, ex_date)) continue;
    if (Math.abs(value / apart - 1) <= tolerance) without.add(row.basis_date);
    else if (Math.abs(value - 1) <= tolerance && row.basis_date > (missing_through ?? ""))
      within.add(row.basis_date);
  }
  const newest = [...without].sort().at(-1);
  if (newest === undefined) return "none";
  return [...within].some((basis) => basis <= newest) ? "unclear" : newest;
}

/**
 * The listed actions that stored bars are without, splits first: adjusted closes are compared once the splits
 * are known. Null where bars contradict each other.
 */
export function findLate({ pairs, stored, listed, basis }: Comparison): readonly LateAction[] | null {
  const known = mergeKnown(stored, listed);
  const late: LateAction[] = [];
  const inOrder = listed
    .filter(({ ex_date }) => pairs.some(([row]) => mayLack(row, ex_date)))
    .toSorted((a, b) => Number(b.kind === "split") - Number(a.kind === "split"));
  for (const { kind, ex_date } of inOrder) {
    const action = known.get(actionKey({ kind, ex_date }));
    if (!action?.price_factor || action.price_factor === 1) continue;
    const quotients = pairs.flatMap((pair) => {
      const value = quotient(pair, kind === "split", known.values(), basis);
      return value === null ? [] : [[pair[0], value] as const];
    });
    const missing = missingThrough(action, quotients);
    if (missing === "unclear") return null;
    if (missing === "none") continue;
    known.set(actionKey(action), { ...action, missing_through: missing });
    late.push({ kind, ex_date, missing_through: missing });
  }
  return late;
}
