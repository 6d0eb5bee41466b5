// Insiders' trades out of the lake, and as answers show them.
import { insiderTransactions } from "../../datasets/insider-transactions.ts";
import type { Table, TableColumnType } from "../../platform/answer.ts";
import type { RowOf } from "../../platform/lake/dataset.ts";
import type { Lake } from "../../platform/lake/lake.ts";
import { indexPageUrl } from "../../providers/edgar/index.ts";
import type { Trade } from "./figures.ts";
import type { Transaction } from "./schema.ts";

type Row = Omit<RowOf<typeof insiderTransactions>, "role"> & { readonly traded_on: string };

/** Which trades; every part given must hold. */
export interface TradeFilter {
  /** An instant as it is stored: only what could be read then. */
  readonly knownBy: string;
  readonly ciks?: readonly string[];
  /** Trades on or after this day and up to the other; by the filing's date where the form tells no day, or one after it. */
  readonly from?: string;
  readonly to?: string;
  readonly filing_date?: string;
  readonly code?: string;
  readonly type?: string;
}

/** No trade is filed before it is made: a later day is a slip of the pen. */
const TRADED_ON = "least(coalesce(transaction_date, filing_date), filing_date)";

function where(filter: TradeFilter) {
  const { knownBy, ciks, from, to, filing_date, code, type } = filter;
  const given = { ciks, from, to, filing_date, code, type };
  const conditions: Record<keyof typeof given, string> = {
    ciks: "issuer_cik = ANY($ciks)",
    from: `${TRADED_ON} >= $from::DATE`,
    to: `${TRADED_ON} <= $to::DATE`,
    filing_date: "filing_date = $filing_date::DATE",
    code: "transaction_code = $code",
    type: "transaction_type = $type",
  };
  const names = (Object.keys(given) as (keyof typeof given)[]).filter((name) => given[name] !== undefined);
  return {
    sql: names.map((name) => conditions[name]).join(" AND ") || "true",
    params: { as_of: knownBy, ...Object.fromEntries(names.map((name) => [name, given[name] ?? null])) },
  };
}

const shown = (text: string | null): string | null => text?.replace(".000Z", "Z") ?? null;

/** A row as answers show it; `tickerOf` names the issuer. */
function transactionOf(row: Row, tickerOf: (cik: string) => string | null): Transaction {
  const { accession_number, line, form_type, filing_date, issuer_cik } = row;
  const owners = JSON.parse(row.owners) as { cik: string | null; name: string }[];
  return {
    ...{ accession_number, line, form_type, filing_date, accepted_at: shown(row.accepted_at) },
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
    /** Newest filing first, within it by line. */
    async list(
      filter: TradeFilter,
      page: { readonly limit: number; readonly offset: number },
      tickersOf: (ciks: readonly string[]) => (cik: string) => string | null,
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
      const tickerOf = tickersOf(rows.map((row) => row.issuer_cik));
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

    /** What figures are made of, of every trade that fits. */
    async figures(filter: TradeFilter, signal: AbortSignal): Promise<Trade[]> {
      const { sql, params } = where(filter);
      const rows = await lake.query<Omit<Trade, "owners"> & { readonly owners: string }>(
        `SELECT accession_number, owners, is_c_suite, security_type, bucket, ${TRADED_ON} AS traded_on,
           transaction_date, transaction_code, acquired_disposed, shares, transaction_value, purchase_pct_of_holding
         FROM insider_transactions_as_of($as_of) WHERE ${sql}`,
        params,
        { signal },
      );
      return rows.map((row) => ({ ...row, owners: JSON.parse(row.owners) as Trade["owners"] }));
    },
  };
}

export type InsiderTrades = ReturnType<typeof insiderTrades>;

/** Columns of the row formats whose type is not that of text. */
const TYPES: Readonly<Record<string, TableColumnType>> = {
  line: "BIGINT",
  filing_date: "DATE",
  accepted_at: "TIMESTAMPTZ",
  transaction_date: "DATE",
  ...Object.fromEntries(
    Object.entries(insiderTransactions.columns)
      .filter(([, { type }]) => type === "DOUBLE" || type === "BOOLEAN")
      .map(([name, { type }]) => [name, type as TableColumnType]),
  ),
};

const COLUMNS: readonly (keyof Transaction)[] = [
  ...(["accession_number", "line", "form_type", "filing_date", "accepted_at", "transaction_date"] as const),
  ...(["ticker", "issuer_name", "issuer_cik", "issuer_trading_symbol", "owner_name", "owner_cik"] as const),
  ...(["owner_relationship", "officer_title", "is_director", "is_officer", "is_ten_percent_owner"] as const),
  ...(["is_ceo", "is_cfo", "is_c_suite", "security_title", "security_type", "transaction_code"] as const),
  ...(["transaction_type", "acquired_disposed", "shares", "price_per_share", "transaction_value"] as const),
  ...(["shares_owned_after", "purchase_pct_of_holding", "ownership_nature", "nature_of_ownership"] as const),
  ...(["is_10b5_1", "is_amendment", "joint_filers", "filing_url"] as const),
];

/** Trades as rows; joint filers as JSON text. */
export function tradeTable(name: string, trades: readonly Transaction[]): Table {
  return {
    name,
    columns: COLUMNS.map((column) => ({ name: column, type: TYPES[column] ?? "VARCHAR" })),
    *rows() {
      for (const trade of trades)
        yield COLUMNS.map((column) =>
          column === "joint_filers" ? JSON.stringify(trade.joint_filers) : trade[column],
        );
    },
  };
}
