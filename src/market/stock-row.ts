// A stock as market lists and the screener show it: its documented fields and its columns.
import { type Static, Type } from "@sinclair/typebox";
import { columnsOfPairs, tableOfObjects } from "../platform/cells.ts";
import type { Table, TableColumnType } from "../platform/table.ts";
import { numberOrNull, textOrNull } from "./answer-fields.ts";

const percentOrNull = (what: string) => numberOrNull(`${what}, in percent points (1.5 is 1.5 %).`);

/** The fields of a row; null means unknown. */
export const STOCK_FIELDS = {
  rank: Type.Integer({ description: "Position in the list, from 1." }),
  symbol: Type.String({ description: "Symbol in its canonical spelling, such as BRK.B." }),
  name: textOrNull("Name of the company or fund."),
  exchange: textOrNull("The provider's code of the exchange: NMS, NGM and NCM are Nasdaq, NYQ is NYSE."),
  quote_type: textOrNull("EQUITY, ETF, …"),
  currency: textOrNull("ISO 4217 code; the currency of the prices and of market_cap."),
  price: numberOrNull("Newest price of the regular session, in `currency`."),
  price_time: textOrNull("When that price traded, RFC 3339 UTC; never the time of the request."),
  change: numberOrNull("Change against the previous session's close, in `currency`."),
  change_percent: percentOrNull("Change against the previous session's close"),
  volume: numberOrNull("Shares traded in the session of price_time."),
  avg_volume_3m: numberOrNull("Shares traded per day, average of three months."),
  market_cap: numberOrNull("Market value, in whole units of `currency`."),
  pe_ratio: numberOrNull(
    "Price divided by the earnings of the last twelve months; null when they are a loss.",
  ),
  fifty_two_week_high: numberOrNull("Highest price of the last 52 weeks, in `currency`."),
  fifty_two_week_low: numberOrNull("Lowest price of the last 52 weeks, in `currency`."),
  fifty_two_week_change_percent: percentOrNull("Change of the price over 52 weeks"),
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

/** A row with the fields of `given` that belong to it; other properties are left out. */
export function stockRow(rank: number, given: Omit<StockRow, "rank">): StockRow {
  const row: StockRow = { ...given, rank };
  return Object.fromEntries(STOCK_COLUMNS.map(([name]) => [name, row[name]])) as StockRow;
}

/** A table of the given columns and rows. */
export function tableOf<Row extends object>(
  name: string,
  columns: readonly (readonly [keyof Row & string, TableColumnType])[],
  rows: readonly Row[],
): Table {
  return tableOfObjects(name, columnsOfPairs(columns), rows);
}
