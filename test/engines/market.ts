// `bun test/engines/market.ts FOLDER`: a data folder of the sample market, and what the catalogue's macros
// answer on it.
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { DATASETS, MACROS } from "../../src/datasets/index.ts";
import { type Columns, type Macro, quoted, storedColumns } from "../../src/platform/lake/dataset.ts";
import { type Catalogue, openCatalogue } from "../../src/platform/lake/lake.ts";
import { callOf } from "../support/macro-calls.ts";
import { walkedMarket } from "../support/walked-market.ts";

/**
 * Moments at which each macro with an `as_of` is asked: everything, within the market's last days, and
 * before.
 */
const MOMENTS = [[], ["as_of := '2026-09-08'"], ["as_of := TIMESTAMPTZ '2026-06-01 20:00:00Z'"]];

/** One SELECT with its answer: floating-point numbers as numbers, all else as text. */
interface Expected {
  readonly of: string;
  readonly sql: string;
  readonly columns: readonly string[];
  readonly types: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

const plain = (name: string, type: string) => (type === "DOUBLE" ? name : `${name}::VARCHAR`);

async function expected(catalogue: Catalogue, of: string, from: string, columns: Columns): Promise<Expected> {
  const names = Object.keys(columns);
  const types = names.map((name) => columns[name]?.type ?? "");
  const sql = `SELECT ${names.map((name, at) => plain(quoted(name), types[at] ?? "")).join(", ")} FROM ${from}`;
  const found = await catalogue.query(sql);
  if (found.cut) throw new Error(`${from} has more rows than are compared`);
  const rows = Array.from({ length: found.rowCount }, (_, row) =>
    found.columns.map((column) => column[row] ?? null),
  );
  return { of, sql, columns: names, types, rows };
}

function callsOf(macro: Macro): string[] {
  const moments = macro.parameters.includes("as_of := NULL") ? MOMENTS : [[]];
  return moments.map((moment) => callOf(macro, moment));
}

async function answers(catalogue: Catalogue): Promise<Expected[]> {
  const found: Expected[] = [];
  for (const dataset of DATASETS)
    found.push(await expected(catalogue, dataset.name, quoted(dataset.name), storedColumns(dataset)));
  for (const macro of MACROS)
    for (const call of callsOf(macro))
      found.push(
        macro.kind === "table"
          ? await expected(catalogue, macro.name, call, macro.columns)
          : await expected(catalogue, macro.name, `(SELECT ${call} AS value)`, {
              value: { ...macro.returns, description: "" },
            }),
      );
  return found;
}

const [folder] = process.argv.slice(2);
if (!folder) throw new Error("Name the folder to make.");
const walked = await walkedMarket();
for (const { path, expected, status, text } of walked.answers)
  if (status !== expected) throw new Error(`${path}: ${text.slice(0, 300)}`);
for (const part of ["lake", "catalog.duckdb"])
  await cp(join(walked.dataDir, part), join(folder, part), { recursive: true });
const catalogue = await openCatalogue(walked.dataDir);
await Bun.write(
  join(folder, "expected.json"),
  JSON.stringify({
    comments: Object.fromEntries(MACROS.map(({ name, description }) => [name, description])),
    answers: await answers(catalogue),
  }),
);
catalogue.close();
