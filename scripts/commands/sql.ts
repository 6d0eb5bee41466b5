// `bun run cli sql "…"`: runs one read-only query on the published catalogue.
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { readConfig } from "../../src/config.ts";
import { openCatalogue } from "../../src/platform/lake/lake.ts";

const text = (value: unknown) => (value === null ? "" : String(value));

function table(names: readonly string[], rows: readonly unknown[][]): string {
  const widths = names.map((n, i) => Math.max(n.length, ...rows.map((r) => text(r[i]).length)));
  const line = (cells: string[]) =>
    cells
      .map((c, i) => c.padEnd(widths[i] ?? 0))
      .join("  ")
      .trimEnd();
  return `${[line([...names]), line(widths.map((w) => "-".repeat(w))), ...rows.map((r) => line(r.map(text)))].join("\n")}\n`;
}

const csvCell = (value: unknown) =>
  /[",\r\n]/.test(text(value)) ? `"${text(value).replaceAll('"', '""')}"` : text(value);

const csv = (names: readonly string[], rows: readonly unknown[][]) =>
  `${[names.join(","), ...rows.map((r) => r.map(csvCell).join(","))].join("\n")}\n`;

const ndjson = (names: readonly string[], rows: readonly unknown[][]) =>
  rows.map((r) => `${JSON.stringify(Object.fromEntries(names.map((n, i) => [n, r[i]])))}\n`).join("");

const WRITERS = { table, csv, ndjson };

export async function run(query: string, { format }: { format: keyof typeof WRITERS }): Promise<void> {
  const dataDir = resolve(readConfig(process.env).dataDir);
  if (!existsSync(join(dataDir, "catalog.duckdb")))
    throw new RangeError(`${dataDir} has no catalog.duckdb yet; it appears with the first stored data.`);
  const catalogue = await openCatalogue(dataDir);
  try {
    const { names, columns, rowCount, cut } = await catalogue.query(query).catch((error: Error) => {
      throw new RangeError(error.message.trim());
    });
    const rows = Array.from({ length: rowCount }, (_, row) => columns.map((column) => column[row] ?? null));
    process.stdout.write(WRITERS[format](names, rows));
    if (cut) process.stderr.write(`Only the first ${rowCount} rows are shown.\n`);
  } finally {
    catalogue.close();
  }
}
