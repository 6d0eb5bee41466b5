// A stored dividend as a row of the answers, and what the rows of an answer do not know.
import { columnsOfPairs, tableOfObjects } from "../../platform/cells.ts";
import type { Dividend, MarketDividend } from "./schema.ts";
import type { KnownDividend, StoredDividend } from "./store.ts";

const COLUMNS = [
  ["ticker", "VARCHAR"],
  ["ex_dividend_date", "DATE"],
  ["declaration_date", "DATE"],
  ["record_date", "DATE"],
  ["payment_date", "DATE"],
  ["amount", "DOUBLE"],
  ["adjusted_amount", "DOUBLE"],
  ["currency", "VARCHAR"],
  ["frequency", "VARCHAR"],
  ["dividend_type", "VARCHAR"],
  ["status", "VARCHAR"],
  ["as_of_date", "DATE"],
  ["revision", "BIGINT"],
  ["known_at", "TIMESTAMPTZ"],
  ["backfilled", "BOOLEAN"],
  ["source", "VARCHAR"],
] as const;

/** The dividends of a ticker as a table. */
export const dividendTable = (name: string, data: readonly Dividend[]) =>
  tableOfObjects(name, columnsOfPairs(COLUMNS), data);

const MARKET_COLUMNS = COLUMNS.filter((column) => column[0] !== "adjusted_amount");

/** The dividends of the market as a table. */
export const marketTable = (name: string, data: readonly MarketDividend[]) =>
  tableOfObjects(name, columnsOfPairs(MARKET_COLUMNS), data);

const TYPES = ["cash", "special", "stock"] as const;
const STATUSES = ["declared", "paid", "cancelled", "estimated"] as const;

/** A stored dividend as the calendar of the market shows it: with the amount as paid only. */
export function marketDividendOf(row: StoredDividend): MarketDividend {
  return {
    ticker: row.symbol,
    ex_dividend_date: row.ex_dividend_date,
    declaration_date: row.declaration_date,
    record_date: row.record_date,
    payment_date: row.payment_date,
    amount: row.amount,
    currency: row.currency,
    frequency: row.frequency,
    dividend_type: TYPES.find((type) => type === row.dividend_type) ?? null,
    status: STATUSES.find((status) => status === row.status) ?? "declared",
    as_of_date: row.as_of_date,
    revision: row.revision,
    known_at: row.known_at,
    backfilled: row.backfilled,
    source: row.source,
  };
}

/** A stored dividend as the answer about its ticker shows it. */
export function dividendOf(ticker: string, row: KnownDividend, areSplitsKnown: boolean): Dividend {
  const reported = row.basis_date === null ? row.amount : row.reported_amount;
  const isKnown = areSplitsKnown && reported !== null && row.split_factor !== null;
  return {
    ...marketDividendOf(row),
    ticker,
    adjusted_amount: isKnown ? Number((reported * (row.split_factor ?? 1)).toPrecision(12)) : null,
  };
}

const BACKFILLED =
  "Rows marked backfilled were fetched after as_of_date; their provider may have changed them in the meantime.";

/**
 * Says of the served rows that some were fetched later, and how many amounts could not be brought to the
 * basis on which they were paid.
 */
export function rowWarnings(rows: readonly StoredDividend[]): string[] {
  const unknown = rows.filter(({ amount, basis_date }) => amount === null && basis_date !== null).length;
  return [
    ...(rows.some(({ backfilled }) => backfilled) ? [BACKFILLED] : []),
    ...(unknown === 0
      ? []
      : [
          `amount is null for ${unknown} dividends: not every split between their ex date and their fetch is known.`,
        ]),
  ];
}
