// A share as market lists and the screener show it: its fields, with their documentation, and its columns.
import { type Static, Type } from "@sinclair/typebox";
import type { Table, TableColumnType } from "../platform/answer.ts";

const number = (description: string) => Type.Union([Type.Number({ description }), Type.Null()]);
const text = (description: string) => Type.Union([Type.String({ description }), Type.Null()]);
const percent = (what: string) => number(`${what}, in percent points (1.5 is 1.5 %).`);

/** The fields of a row; null is unknown. */
export const STOCK_FIELDS = {
  rank: Type.Integer({ description: "Place in the list, from 1." }),
  symbol: Type.String({ description: "Symbol in its canonical spelling, such as BRK.B." }),
  name: text("Company or fund."),
  exchange: text("The provider's code of the exchange: NMS, NGM and NCM are Nasdaq, NYQ is NYSE."),
  quote_type: text("EQUITY, ETF, …"),
  currency: text("ISO 4217; of the prices and of market_cap."),
  price: number("Newest price of the regular session, in currency."),
  price_time: text("When that price traded, RFC 3339 UTC: never the time of asking."),
  change: number("Against the close of the session before, in currency."),
  change_percent: percent("Against the close of the session before"),
  volume: number("Shares traded in the session of price_time."),
  avg_volume_3m: number("Shares traded a day, average of three months."),
  market_cap: number("Market value, whole units of currency."),
  pe_ratio: number("Price to the earnings of the last twelve months; null where these are a loss."),
  fifty_two_week_high: number("Highest price of 52 weeks, in currency."),
  fifty_two_week_low: number("Lowest price of 52 weeks, in currency."),
  fifty_two_week_change_percent: percent("Price against that of 52 weeks ago"),
} as const;

export const StockRow = Type.Object(STOCK_FIELDS);
export type StockRow = Static<typeof StockRow>;

/** Columns of a row in tables and in the lake. */
export const STOCK_COLUMNS = [
  ["rank", "BIGINT"],
  ["symbol", "VARCHAR"],
  ["name", "VARCHAR"],
  ["exchange", "VARCHAR"],
  ["quote_type", "VARCHAR"],
  ["currency", "VARCHAR"],
  ["price", "DOUBLE"],
  ["price_time", "TIMESTAMPTZ"],
  ["change", "DOUBLE"],
  ["change_percent", "DOUBLE"],
  ["volume", "DOUBLE"],
  ["avg_volume_3m", "DOUBLE"],
  ["market_cap", "DOUBLE"],
  ["pe_ratio", "DOUBLE"],
  ["fifty_two_week_high", "DOUBLE"],
  ["fifty_two_week_low", "DOUBLE"],
  ["fifty_two_week_change_percent", "DOUBLE"],
] as const satisfies readonly (readonly [keyof StockRow, TableColumnType])[];

/** The row of `given`, without whatever else it carries. */
export function stockRow(rank: number, given: Omit<StockRow, "rank">): StockRow {
  return {
    rank,
    symbol: given.symbol,
    name: given.name,
    exchange: given.exchange,
    quote_type: given.quote_type,
    currency: given.currency,
    price: given.price,
    price_time: given.price_time,
    change: given.change,
    change_percent: given.change_percent,
    volume: given.volume,
    avg_volume_3m: given.avg_volume_3m,
    market_cap: given.market_cap,
    pe_ratio: given.pe_ratio,
    fifty_two_week_high: given.fifty_two_week_high,
    fifty_two_week_low: given.fifty_two_week_low,
    fifty_two_week_change_percent: given.fifty_two_week_change_percent,
  };
}

/** Rows as a table of these columns. */
export function tableOf<Row extends object>(
  name: string,
  columns: readonly (readonly [keyof Row & string, TableColumnType])[],
  rows: readonly Row[],
): Table {
  return {
    name,
    columns: columns.map(([column, type]) => ({ name: column, type })),
    *rows() {
      for (const row of rows) yield columns.map(([column]) => row[column] ?? null);
    },
  };
}
