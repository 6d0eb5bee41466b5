// Sums and counts of insiders' trades: all figures of an answer cover the same trades. Pure.

/** The fields of a trade from which figures are computed. */
export interface Trade {
  readonly accession_number: string;
  /** All owners who report the trade. */
  readonly owners: readonly { readonly cik: string | null; readonly name: string }[];
  readonly is_c_suite: boolean | null;
  readonly security_type: string;
  readonly bucket: string;
  readonly transaction_date: string | null;
  readonly transaction_code: string | null;
  readonly acquired_disposed: string | null;
  readonly shares: number | null;
  readonly transaction_value: number | null;
  readonly purchase_pct_of_holding: number | null;
}

export const PURCHASE = "P";
export const SALE = "S";

/** Trades of Table I. The figures cover them alone; trades of Table II are counted beside them. */
const sharesAmong = (trades: readonly Trade[]) =>
  trades.filter(({ security_type }) => security_type === "non_derivative");

/**
 * Distinct buyers or sellers: owners who ever report a trade together count as one, in whatever order they
 * report.
 */
// A and B report one trade together, B and C another: one buyer.
function countTraders(trades: readonly Trade[]): number {
  const parents = new Map<string, string>();
  const rootOf = (owner: string): string => {
    let root = owner;
    for (let next = parents.get(root); next !== undefined; next = parents.get(root)) root = next;
    return root;
  };
  const roots = new Set<string>();
  for (const { owners } of trades) {
    const [first = "", ...others] = owners.map(({ cik, name }) => rootOf(cik ?? name));
    roots.add(first);
    for (const other of others)
      if (rootOf(other) !== first) {
        parents.set(rootOf(other), first);
        roots.delete(other);
      }
  }
  return roots.size;
}

/** Rounds to fifteen digits, which removes the noise of adding binary fractions. */
export const roundOff = (value: number): number => Number(value.toPrecision(15));

const sum = (values: readonly number[]): number =>
  roundOff(values.reduce((total, value) => total + value, 0));

/** The warning of possible duplicates; `would` says what the sums would be. */
export const duplicateWarning = (would: readonly string[]): string[] =>
  would.length === 0
    ? []
    : [
        `possible_duplicate: Trades equal another in day, code, number, price and holding, on a form of another owner. Counted once, ${would.join(", ")}.`,
      ];

const withoutValue = (trades: readonly Trade[]): number =>
  trades.filter((trade) => trade.transaction_value === null).length;

const sharesOf = (trades: readonly Trade[]): number => sum(trades.flatMap(({ shares }) => shares ?? []));

/** One percentage per filing and holding bucket: all lines of a bucket have the same. */
function percentages(trades: readonly Trade[]): number[] {
  const buckets = new Map<string, number>();
  for (const trade of trades)
    if (trade.purchase_pct_of_holding !== null)
      buckets.set(`${trade.accession_number} ${trade.bucket}`, trade.purchase_pct_of_holding);
  return [...buckets.values()];
}

/** Figures of buying. All of them cover the given trades of Table I, whose dollars are `dollars`. */
export function buyingOf(all: readonly Trade[], dollars: { readonly buy_dollar_total: number | null }) {
  const trades = sharesAmong(all);
  const days = trades.flatMap(({ transaction_date }) => transaction_date ?? []).sort();
  const percents = percentages(trades);
  return {
    ...dollars,
    cluster_size: countTraders(trades),
    csuite_count: countTraders(trades.filter((trade) => trade.is_c_suite === true)),
    avg_pct_of_holding: percents.length === 0 ? null : roundOff(sum(percents) / percents.length),
    transaction_count: trades.length,
    without_value: withoutValue(trades),
    derivative_count: all.length - trades.length,
    first_date: days[0] ?? null,
    last_date: days.at(-1) ?? null,
  };
}

/** Open-market purchases against open-market sales of Table I, whose dollars are `dollars`. */
export function balanceOf(
  all: readonly Trade[],
  dollars: { readonly buy_value: number | null; readonly sell_value: number | null },
) {
  const { buy_value, sell_value } = dollars;
  const open = all.filter(
    ({ transaction_code }) => transaction_code === PURCHASE || transaction_code === SALE,
  );
  const trades = sharesAmong(open);
  const buys = trades.filter((trade) => trade.transaction_code === PURCHASE);
  const sells = trades.filter((trade) => trade.transaction_code === SALE);
  return {
    buy_count: buys.length,
    sell_count: sells.length,
    buy_shares: sharesOf(buys),
    sell_shares: sharesOf(sells),
    buy_value,
    sell_value,
    net_value: buy_value === null || sell_value === null ? null : roundOff(buy_value - sell_value),
    unique_buyers: countTraders(buys),
    unique_sellers: countTraders(sells),
    without_value: withoutValue(trades),
    derivative_count: open.length - trades.length,
  };
}
