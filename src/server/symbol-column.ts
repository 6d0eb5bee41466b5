// Gives each table of a row format the column `symbol` in its canonical spelling, by which tables can be
// joined.
import { canonical } from "../market/ticker.ts";
import type { Table } from "../platform/answer.ts";

type Column = Table["columns"][number];

/** The canonical spelling of values, computed once for each run of equal values. */
function canonicalColumn() {
  let last: unknown;
  let symbol: string | null = null;
  return (ticker: unknown): string | null => {
    if (typeof ticker !== "string") return null;
    if (ticker !== last) {
      last = ticker;
      symbol = canonical(ticker);
    }
    return symbol;
  };
}

const column = (name: string): Column => ({ name, type: "VARCHAR" });

/** The table with the same values in each row before its own. */
function withConstants(table: Table, constants: Readonly<Record<string, string>>): Table {
  const values = Object.values(constants);
  return {
    ...table,
    columns: [...Object.keys(constants).map(column), ...table.columns],
    *rows() {
      for (const row of table.rows()) yield [...values, ...row];
    },
  };
}

/**
 * Writes `symbol` canonically: of the column `symbol`, else of the column `ticker`, else of the ticker in the
 * path, which every row is then about. A table about no ticker stays as it is.
 */
export function withSymbol(table: Table, path: Readonly<Record<string, unknown>>): Table {
  const symbolAt = table.columns.findIndex(({ name }) => name === "symbol");
  const tickerAt = table.columns.findIndex(({ name }) => name === "ticker");
  if (symbolAt < 0 && tickerAt < 0) {
    const [name, given] = Object.entries(path).find(([key]) => key === "ticker" || key === "symbol") ?? [];
    if (typeof given !== "string") return table;
    const ticker = given.trim();
    const constants = { symbol: canonical(ticker), ...(name === "ticker" ? { ticker } : {}) };
    return withConstants(table, constants);
  }
  const isNew = symbolAt < 0;
  const at = isNew ? tickerAt : symbolAt;
  return {
    ...table,
    columns: isNew ? table.columns.toSpliced(at, 0, column("symbol")) : table.columns,
    *rows() {
      const symbolOf = canonicalColumn();
      for (const row of table.rows()) {
        const symbol = symbolOf(row[at]);
        yield !isNew && symbol === row[at] ? row : row.toSpliced(at, isNew ? 0 : 1, symbol);
      }
    },
  };
}
