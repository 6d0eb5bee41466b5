// Gives each table of a row format the column `symbol` in its canonical spelling, by which tables can be
// joined.
import { canonical } from "../market/ticker.ts";
import { columnsOf, textMapper } from "../platform/cells.ts";
import type { Batch, Table, Vector } from "../platform/table.ts";

/** A column with one text. */
const constant = (text: string, rows: number): Vector => ({
  type: "VARCHAR",
  values: new Int32Array(rows),
  texts: [text],
  valid: null,
});

const canonicalTexts = textMapper(canonical);

/** The table with vectors made from those of each batch. */
function mapped(table: Table, columns: Table["columns"], make: (batch: Batch) => readonly Vector[]): Table {
  return {
    ...table,
    columns,
    async *batches() {
      for await (const batch of table.batches()) yield { rows: batch.rows, vectors: make(batch) };
    },
  };
}

/**
 * Writes `symbol` canonically: of the column `symbol`, else of the column `ticker`, else of the ticker in the
 * path, which every row is then about. A table about no ticker stays as it is.
 */
export function withSymbol(table: Table, path: Readonly<Record<string, unknown>>): Table {
  if (table.isCanonical) return table;
  const symbolAt = table.columns.findIndex(({ name }) => name === "symbol");
  const tickerAt = table.columns.findIndex(({ name }) => name === "ticker");
  if (symbolAt < 0 && tickerAt < 0) {
    const [name, given] = Object.entries(path).find(([key]) => key === "ticker" || key === "symbol") ?? [];
    if (typeof given !== "string") return table;
    const ticker = given.trim();
    const texts = { symbol: canonical(ticker), ...(name === "ticker" ? { ticker } : {}) };
    const columns = [...columnsOf("VARCHAR", ...Object.keys(texts)), ...table.columns];
    return mapped(table, columns, ({ rows, vectors }) => [
      ...Object.values(texts).map((text) => constant(text, rows)),
      ...vectors,
    ]);
  }
  const isNew = symbolAt < 0;
  const at = isNew ? tickerAt : symbolAt;
  const columns = isNew ? table.columns.toSpliced(at, 0, ...columnsOf("VARCHAR", "symbol")) : table.columns;
  return mapped(table, columns, ({ vectors }) => {
    const given = vectors[at];
    if (given?.type !== "VARCHAR") return vectors;
    return vectors.toSpliced(at, isNew ? 0 : 1, {
      ...given,
      texts: canonicalTexts(given.texts),
    });
  });
}
