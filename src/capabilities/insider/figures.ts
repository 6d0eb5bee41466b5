// Sums and counts over insiders' trades: every figure over the same trades. Pure.

/** What the figures are made of. */
export interface Trade {
  readonly accession_number: string;
  /** All who report it. */
  readonly owners: readonly { readonly cik: string | null; readonly name: string }[];
  readonly is_c_suite: boolean | null;
  readonly security_type: string;
  readonly bucket: string;
  /** Day of the trade, or of the filing where it is not told or told as after it. */
  readonly traded_on: string;
  readonly transaction_date: string | null;
  readonly transaction_code: string | null;
  readonly acquired_disposed: string | null;
  readonly shares: number | null;
  readonly transaction_value: number | null;
  readonly purchase_pct_of_holding: number | null;
}

export const PURCHASE = "P";
export const SALE = "S";

/** Whether a trade counts as buying: an open-market purchase, or with `buyOnly` false any acquisition. */
export const isBuying = (buyOnly: boolean) => (trade: Trade) =>
  buyOnly ? trade.transaction_code === PURCHASE : trade.acquired_disposed === "A";

/** How many trade: those who report a trade together count as one, whoever of them stands first. */
function partiesOf(trades: readonly Trade[]): number {
  const above = new Map<string, string>();
  const topOf = (owner: string): string => {
    let top = owner;
    for (let next = above.get(top); next !== undefined; next = above.get(top)) top = next;
    return top;
  };
  const tops = new Set<string>();
  for (const { owners } of trades) {
    const [first = "", ...others] = owners.map(({ cik, name }) => topOf(cik ?? name));
    tops.add(first);
    for (const other of others)
      if (topOf(other) !== first) {
        above.set(topOf(other), first);
        tops.delete(other);
      }
  }
  return tops.size;
}

/** Fifteen digits: what adding binary fractions puts behind them is no figure of anybody's. */
const tidy = (value: number): number => Number(value.toPrecision(15));

const sum = (values: readonly number[]): number => tidy(values.reduce((total, value) => total + value, 0));

/** The dollars of trades: 0 without trades, null where none of them has a value. */
function dollarsOf(trades: readonly Trade[]): number | null {
  const values = trades.flatMap((trade) => trade.transaction_value ?? []);
  return trades.length > 0 && values.length === 0 ? null : sum(values);
}

const withoutValue = (trades: readonly Trade[]): number =>
  trades.filter((trade) => trade.transaction_value === null).length;

const sharesOf = (trades: readonly Trade[]): number =>
  sum(trades.flatMap((trade) => (trade.security_type === "non_derivative" ? (trade.shares ?? []) : [])));

/** The percentages by filing and pocket: each line of a pocket bears the same. */
function percentages(trades: readonly Trade[]): number[] {
  const buckets = new Map<string, number>();
  for (const trade of trades)
    if (trade.purchase_pct_of_holding !== null)
      buckets.set(`${trade.accession_number} ${trade.bucket}`, trade.purchase_pct_of_holding);
  return [...buckets.values()];
}

/** Figures of buying, all of them over the trades given. */
export function buyingOf(trades: readonly Trade[]) {
  const days = trades
    .flatMap(({ transaction_date: day, traded_on }) => (day !== null && day <= traded_on ? day : []))
    .sort();
  const percents = percentages(trades);
  return {
    buy_dollar_total: dollarsOf(trades),
    cluster_size: partiesOf(trades),
    csuite_count: partiesOf(trades.filter((trade) => trade.is_c_suite === true)),
    avg_pct_of_holding: percents.length === 0 ? null : tidy(sum(percents) / percents.length),
    transaction_count: trades.length,
    without_value: withoutValue(trades),
    first_date: days[0] ?? null,
    last_date: days.at(-1) ?? null,
  };
}

/** Open-market purchases against open-market sales. */
export function balanceOf(trades: readonly Trade[]) {
  const buys = trades.filter((trade) => trade.transaction_code === PURCHASE);
  const sells = trades.filter((trade) => trade.transaction_code === SALE);
  const [buy_value, sell_value] = [dollarsOf(buys), dollarsOf(sells)];
  return {
    buy_count: buys.length,
    sell_count: sells.length,
    buy_shares: sharesOf(buys),
    sell_shares: sharesOf(sells),
    buy_value,
    sell_value,
    net_value: buy_value === null || sell_value === null ? null : tidy(buy_value - sell_value),
    unique_buyers: partiesOf(buys),
    unique_sellers: partiesOf(sells),
    without_value: withoutValue([...buys, ...sells]),
  };
}
