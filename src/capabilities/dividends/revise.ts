// Decides which revisions an observation adds to the stored dividends. Pure.
import type { dividendCalendar } from "../../datasets/dividend-calendar.ts";
import type { RowOf } from "../../platform/lake/dataset.ts";

export type DividendRow = RowOf<typeof dividendCalendar>;

/** A dividend as the provider has it now. */
export type Seen = Pick<
  DividendRow,
  | "ex_dividend_date"
  | "dividend_type"
  | "declaration_date"
  | "record_date"
  | "payment_date"
  | "amount"
  | "reported_amount"
  | "basis_date"
  | "currency"
>;

export interface Observation {
  readonly symbol: string;
  readonly source: string;
  readonly rows: readonly Seen[];
  /** New York day and instant of the observation. */
  readonly today: string;
  readonly known_at: string;
  /** Whether a declared dividend with a future ex date is cancelled when the observation lacks it. */
  cancels(row: DividendRow): boolean;
  /** New shares per old share, by the splits after the first day up to and including the second. */
  splitRatio(after: string, through: string): number;
}

/** Providers round adjusted amounts to six decimals, and rescaling a split rounds again. */
// 0.1925 and 0.19251 are one amount, 0.1925 and 0.1926 are a revision. So are 0.002 and 0.002002.
const SAME_RATIO = 1e-4;
const SAME_CENTS = 1e-6;

const isClose = (a: number | null, b: number | null) =>
  a === b ||
  (a !== null &&
    b !== null &&
    Math.abs(a - b) <= Math.max(SAME_CENTS, SAME_RATIO * Math.max(Math.abs(a), Math.abs(b))));

const groupOf = (row: Seen) => `${row.ex_dividend_date} ${row.dividend_type}`;

const PLAIN = ["declaration_date", "record_date", "payment_date", "currency"] as const;

/**
 * Whether the stored revision still holds. An adjusted amount that only followed a split is the same amount.
 */
// Made up: 0.77 stored before a 4:1 split and 0.1925 seen after it are the same dividend.
function stillHolds(stored: DividendRow, seen: Seen, ratio: Observation["splitRatio"]): boolean {
  if (stored.status !== "declared" || PLAIN.some((field) => stored[field] !== seen[field])) return false;
  if (stored.basis_date === null || seen.basis_date === null) return stored.amount === seen.amount;
  if (stored.reported_amount === null) return seen.reported_amount === null;
  const rescaled = stored.reported_amount / ratio(stored.basis_date, seen.basis_date);
  return isClose(rescaled, seen.reported_amount);
}

/**
 * Pairs stored rows with seen ones: equal amounts first, then in order. A seen row without a partner is new.
 */
function paired(stored: readonly DividendRow[], seen: readonly Seen[]) {
  const left = [...stored].sort((a, b) => a.part - b.part);
  const take = (fits: (row: DividendRow) => boolean): DividendRow | null => {
    const i = left.findIndex(fits);
    return i < 0 ? null : (left.splice(i, 1)[0] ?? null);
  };
  const exact = seen.map((row) => ({ row, before: take((b) => b.amount === row.amount) }));
  const pairs = exact.map(({ row, before }) => ({ row, before: before ?? take(() => true) }));
  return { pairs, missing: left };
}

/**
 * Returns the rows to append: dividends that are new, changed, or declared and now gone. `stored` holds the
 * newest revision of each dividend of this symbol and source.
 */
// Made up: of two payments that the list of 10 May lacks, the one with ex date 20 May is cancelled, that of 5
// May stays.
export function revise(stored: readonly DividendRow[], seen: Observation): DividendRow[] {
  const { symbol, source, today, known_at } = seen;
  const before = Map.groupBy(stored, groupOf);
  // Two identical lines are one payment.
  const lines = new Map(seen.rows.map((row) => [JSON.stringify(row), row]));
  const now = Map.groupBy(lines.values(), groupOf);
  const stamp = { as_of_date: today, known_at, source, symbol };
  const added: DividendRow[] = [];
  for (const group of new Set([...before.keys(), ...now.keys()])) {
    const known = before.get(group) ?? [];
    const { pairs, missing } = paired(known, now.get(group) ?? []);
    let part = Math.max(0, ...known.map((row) => row.part));
    for (const { row, before: old } of pairs) {
      if (old && stillHolds(old, row, seen.splitRatio)) continue;
      const place = old ? { part: old.part, revision: old.revision + 1 } : { part: ++part, revision: 1 };
      added.push({ ...row, ...place, ...stamp, frequency: null, status: "declared" });
    }
    for (const old of missing)
      if (old.status === "declared" && old.ex_dividend_date > today && seen.cancels(old))
        added.push({ ...old, ...stamp, status: "cancelled", revision: old.revision + 1 });
  }
  return added;
}
