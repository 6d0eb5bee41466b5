// Price factors of dividends whose answer lacks the close before the ex date: computed from the stored close.
import { FINAL_BASIS } from "../../../datasets/bars-daily.ts";
import type { CorporateAction } from "../../../market/bar-history.ts";
import type { Calendar } from "../../../market/calendar.ts";
import { addDays } from "../../../market/date.ts";
import type { Lake } from "../../../platform/lake/lake.ts";
import type { Fetched } from "../fetched.ts";
import { expectedDays } from "../gaps.ts";

interface StoredClose extends Record<string, unknown> {
  readonly symbol: string;
  readonly date: string;
  readonly close: number;
  readonly currency: string | null;
  readonly basis_date: string;
}

/** A split of a symbol: of prices before `ex_date`, `price_factor` remains. */
export interface Split {
  readonly ex_date: string;
  readonly price_factor: number | null;
  /** Prices of days before `ex_date` with a basis from `ex_date` up to this day are without it. */
  readonly missing_through?: string | null | undefined;
}

/** A stored price: of which day, and the basis it is said to be on. */
export interface OnBasis {
  readonly date: string;
  readonly basis_date: string;
}

/** A dividend without a price factor, and the session before its ex date. */
export interface OpenDividend {
  readonly fetched: Fetched;
  readonly action: CorporateAction;
  readonly before: string;
}

/** No exchange rests longer. */
const WITHOUT_SESSION_DAYS_MAX = 14;

/** The dividend, when only the close before its ex date is missing to compute its factor; else null. */
export function openDividend(
  fetched: Fetched,
  action: CorporateAction,
  calendar: Calendar,
): OpenDividend | null {
  const { kind, amount, currency, price_factor, ex_date } = action;
  if (kind !== "dividend" || price_factor !== null || amount === null) return null;
  if (currency !== fetched.answer.meta.currency) return null;
  const from = addDays(ex_date, -WITHOUT_SESSION_DAYS_MAX);
  const before = expectedDays(fetched.listing, from, addDays(ex_date, -1), calendar).at(-1);
  return before === undefined ? null : { fetched, action, before };
}

export const splitsOf = (actions: readonly (Split & { readonly kind: string })[]): readonly Split[] =>
  actions.filter(({ kind }) => kind === "split");

/**
 * Whether a price must still be scaled by an action: one after its basis, or one listed late that it is
 * without.
 */
function lacks({ date, basis_date }: OnBasis, { ex_date, missing_through = null }: Split): boolean {
  if (ex_date > basis_date) return true;
  return date < ex_date && missing_through !== null && basis_date <= missing_through;
}

/**
 * Returns the factor that brings a stored price to the basis `end`: the product of the actions it lacks; null
 * when one is unknown.
 */
export function factorTo(end: string, price: OnBasis, actions: Iterable<Split>): number | null {
  let factor = 1;
  for (const action of actions) {
    if (action.ex_date > end || !lacks(price, action)) continue;
    if (action.price_factor === null) return null;
    factor *= action.price_factor;
  }
  return factor;
}

/**
 * Computes the factors that the stored closes allow. The close of the session itself counts, no older one, on
 * the basis of the amount and in its currency.
 * @param storedActions of the symbols, as `actions(NULL)` has them
 */
export async function factorsFromStored(
  lake: Lake,
  open: readonly OpenDividend[],
  storedActions: readonly {
    readonly symbol: string;
    readonly kind: string;
    readonly ex_date: string;
    readonly price_factor: number | null;
    readonly missing_through: string | null;
  }[],
): Promise<ReadonlyMap<CorporateAction, number>> {
  const factors = new Map<CorporateAction, number>();
  if (open.length === 0) return factors;
  const days = open.map(({ before }) => before).sort();
  const rows = await lake.query<StoredClose>(
    `SELECT symbol, date, close, currency, basis_date FROM bars_daily
     WHERE symbol = ANY($symbols) AND date BETWEEN CAST($start AS DATE) AND CAST($end AS DATE)
       AND CAST(date AS VARCHAR) = ANY($days) AND basis_date < DATE '${FINAL_BASIS}'`,
    {
      symbols: open.map(({ fetched }) => fetched.symbol),
      start: days[0] ?? null,
      end: days.at(-1) ?? null,
      days,
    },
  );
  const closes = new Map(rows.map((row) => [`${row.symbol} ${row.date}`, row]));
  for (const { fetched, action, before } of open) {
    const row = closes.get(`${fetched.symbol} ${before}`);
    if (row === undefined || row.currency !== action.currency) continue;
    const stored = storedActions.filter(({ symbol }) => symbol === fetched.symbol);
    const splits = new Map(
      [...splitsOf(stored), ...splitsOf(fetched.actions)].map((split) => [split.ex_date, split]),
    );
    const scale = factorTo(fetched.answer.basis_date, row, splits.values());
    const factor = scale === null ? null : 1 - (action.amount ?? 0) / (row.close * scale);
    if (factor !== null && factor > 0 && factor <= 1) factors.set(action, factor);
  }
  return factors;
}
