// Reads insiders' trades from the lake, and formats them for answers.
import { insiderDollars, type insiderTransactions } from "../../datasets/insider-transactions.ts";
import { shownInstant } from "../../platform/instant-text.ts";
import type { RowOf } from "../../platform/lake/dataset.ts";
import type { Lake } from "../../platform/lake/lake.ts";
import { indexPageUrl } from "../../providers/edgar/index.ts";
import { roundOff, type Trade } from "./figures.ts";
import type { Transaction } from "./schema.ts";

type Row = Omit<RowOf<typeof insiderTransactions>, "role"> & { readonly traded_on: string };

/** Which trades; every given part must hold. */
export interface TradeFilter {
  /** A stored instant: only what was public then. */
  readonly knownBy: string;
  readonly ciks?: readonly string[];
  /** First and last day of the trade. The filing date counts if the form gives no day, or a later one. */
  readonly from?: string;
  readonly to?: string;
  readonly filing_date?: string;
  readonly code?: string;
  readonly type?: string;
  readonly direction?: "A" | "D";
}

/** The day of a trade. A day after the filing date is an error of the filer. */
// A trade dated 9 June in a form of 2 June counts on 2 June.
const TRADED_ON = "least(coalesce(transaction_date, filing_date), filing_date)";

/**
 * Whether a trade equals one on another form in day, code, number, price and holding, while nothing says that
 * they are one.
 */
// Made up: two directors bought 500 shares at 41 dollars on one day, and each holds 500: perhaps one trade.
const REPEATS = `(shares_owned_after IS NOT NULL AND dense_rank() OVER (PARTITION BY issuer_cik, transaction_date,
    transaction_code, security_type, shares, price_per_share, shares_owned_after ORDER BY accession_number) > 1)`;

function where(filter: TradeFilter) {
  const { knownBy, ...given } = filter;
  const conditions: Record<Exclude<keyof TradeFilter, "knownBy">, string> = {
    ciks: "issuer_cik = ANY($ciks)",
    from: `${TRADED_ON} >= $from::DATE`,
    to: `${TRADED_ON} <= $to::DATE`,
    filing_date: "filing_date = $filing_date::DATE",
    code: "transaction_code = $code",
    type: "transaction_type = $type",
    direction: "acquired_disposed = $direction",
  };
  const names = (Object.keys(given) as (keyof typeof given)[]).filter((name) => given[name] !== undefined);
  return {
    sql: names.map((name) => conditions[name]).join(" AND ") || "true",
    params: { as_of: knownBy, ...Object.fromEntries(names.map((name) => [name, given[name] ?? null])) },
  };
}

/** A row as answers show it. `tickerOf` gives the issuer's ticker. */
function transactionOf(row: Row, tickerOf: (cik: string) => string | null): Transaction {
  const { accession_number, issuer_cik } = row;
  const owners = JSON.parse(row.owners) as { cik: string | null; name: string }[];
  return {
    accession_number,
    line: row.line,
    form_type: row.form_type,
    filing_date: row.filing_date,
    accepted_at: shownInstant(row.accepted_at),
    transaction_date: row.transaction_date,
    ticker: tickerOf(issuer_cik),
    issuer_name: row.issuer_name,
    issuer_cik,
    issuer_trading_symbol: row.issuer_symbol,
    owner_name: row.owner_name,
    owner_cik: row.owner_cik,
    owner_relationship: row.owner_relationship,
    officer_title: row.officer_title,
    is_director: row.is_director,
    is_officer: row.is_officer,
    is_ten_percent_owner: row.is_ten_percent_owner,
    is_ceo: row.is_ceo,
    is_cfo: row.is_cfo,
    is_c_suite: row.is_c_suite,
    security_title: row.security_title,
    security_type: row.security_type === "derivative" ? "derivative" : "non_derivative",
    transaction_code: row.transaction_code,
    transaction_type: row.transaction_type as Transaction["transaction_type"],
    acquired_disposed: row.acquired_disposed,
    shares: row.shares,
    price_per_share: row.price_per_share,
    transaction_value: row.transaction_value,
    shares_owned_after: row.shares_owned_after,
    purchase_pct_of_holding: row.purchase_pct_of_holding,
    ownership_nature: row.ownership_nature,
    nature_of_ownership: row.nature_of_ownership,
    is_10b5_1: row.is_10b5_1,
    is_amendment: row.is_amendment,
    joint_filers: owners.slice(1).map(({ name, cik }) => ({ name, cik })),
    filing_url: indexPageUrl({ accession_number, cik: issuer_cik }),
  };
}

export function insiderTrades(lake: Lake) {
  return {
    /** A page of trades, newest filing first and by line within a filing. */
    async list(
      filter: TradeFilter,
      page: { readonly limit: number; readonly offset: number },
      tickersOf: (ciks: readonly string[]) => Promise<(cik: string) => string | null>,
      signal: AbortSignal,
    ): Promise<{ data: Transaction[]; total: number }> {
      const { sql, params } = where(filter);
      const rows = await lake.query<Row & { readonly total: number }>(
        `SELECT *, ${TRADED_ON} AS traded_on, count(*) OVER () AS total FROM insider_transactions_as_of($as_of)
         WHERE ${sql} ORDER BY known_at DESC, accession_number DESC, line LIMIT $limit OFFSET $offset`,
        { ...params, ...page },
        { signal },
      );
      const total = rows[0]?.total ?? (page.offset === 0 ? 0 : await this.count(filter, signal));
      const tickerOf = await tickersOf(rows.map((row) => row.issuer_cik));
      return { data: rows.map((row) => transactionOf(row, tickerOf)), total: Number(total) };
    },

    async count(filter: TradeFilter, signal: AbortSignal): Promise<number> {
      const { sql, params } = where(filter);
      const [row] = await lake.query<{ total: number }>(
        `SELECT count(*) AS total FROM insider_transactions_as_of($as_of) WHERE ${sql}`,
        params,
        { signal },
      );
      return Number(row?.total ?? 0);
    },

    /**
     * The input of the figures: every matching trade, and the dollars of those for which each condition of
     * `sums` holds. `would` says which sums would be what, if trades that may be one counted once.
     */
    async figures<Name extends string>(
      filter: TradeFilter,
      sums: Readonly<Record<Name, string>>,
      signal: AbortSignal,
    ): Promise<{ trades: Trade[]; dollars: Record<Name, number | null>; would: string[] }> {
      const { sql, params } = where(filter);
      const shown = `(SELECT *, ${TRADED_ON} AS traded_on, ${REPEATS} AS repeats FROM insider_transactions_as_of($as_of) WHERE ${sql})`;
      const names = Object.keys(sums) as Name[];
      const columns = names.flatMap((name) => [
        `${insiderDollars(sums[name])} AS ${name}`,
        `${insiderDollars(`NOT repeats AND ${sums[name]}`)} AS once_${name}`,
      ]);
      const [rows, [dollars]] = await Promise.all([
        lake.query<Omit<Trade, "owners"> & { readonly owners: string }>(
          `SELECT accession_number, owners, is_c_suite, security_type, bucket, traded_on, transaction_date,
             transaction_code, acquired_disposed, shares, transaction_value, purchase_pct_of_holding FROM ${shown}`,
          params,
          { signal },
        ),
        lake.query<Record<string, number | null>>(`SELECT ${columns.join(", ")} FROM ${shown}`, params, {
          signal,
        }),
      ]);
      const sum = (name: string) => {
        const value = dollars?.[name] ?? null;
        return value === null ? null : roundOff(value);
      };
      return {
        trades: rows.map((row) => ({ ...row, owners: JSON.parse(row.owners) as Trade["owners"] })),
        dollars: Object.fromEntries(names.map((name) => [name, sum(name)])) as Record<Name, number | null>,
        would: names.flatMap((name) => {
          const once = sum(`once_${name}`);
          return once === sum(name) ? [] : [`${name} would be ${once}`];
        }),
      };
    },
  };
}

export type InsiderTrades = ReturnType<typeof insiderTrades>;
