// The columns that the code and docs/catalogue.md state for each macro are those that DuckDB finds in the
// catalogue.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DATASETS, MACROS } from "../../src/datasets/index.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { type Macro, quoted, storedColumns } from "../../src/platform/lake/dataset.ts";
import { type Catalogue, openCatalogue, openLake } from "../../src/platform/lake/lake.ts";
import { callOf } from "../support/macro-calls.ts";
import { walkedMarket } from "../support/walked-market.ts";

setDefaultTimeout(1_200_000);

let catalogue: Catalogue;
let empty: Catalogue;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "asof-columns-"));
  const lake = await openLake({ dir: folder, datasets: DATASETS, macros: MACROS, clock: systemClock });
  await lake.publish();
  await lake.close();
  empty = await openCatalogue(folder);
  catalogue = await openCatalogue((await walkedMarket()).dataDir);
});
afterAll(async () => {
  for (const each of [catalogue, empty]) each?.close();
  await rm(folder, { recursive: true, force: true });
});

/** DuckDB's name of a column type. */
const sqlType = (type: string) => (type === "TIMESTAMPTZ" ? "TIMESTAMP WITH TIME ZONE" : type);

async function described(from: Catalogue, sql: string): Promise<string[]> {
  const { columns } = await from.query(`DESCRIBE ${sql}`);
  return (columns[0] ?? []).map((name, at) => `${name} ${columns[1]?.[at]}`);
}

function stated(macro: Macro): string[] {
  if (macro.kind === "scalar") return [`value ${sqlType(macro.returns.type)}`];
  return Object.entries(macro.columns).map(([name, { type }]) => `${name} ${sqlType(type)}`);
}

const selectOf = (macro: Macro) =>
  macro.kind === "table" ? `FROM ${callOf(macro)}` : `SELECT ${callOf(macro)} AS value`;

describe.each(MACROS.map((macro) => [macro.name, macro] as const))("%s", (name, macro) => {
  test("has the documented columns, with data and without", async () => {
    expect(await described(catalogue, selectOf(macro))).toEqual(stated(macro));
    expect(await described(empty, selectOf(macro))).toEqual(stated(macro));
  });

  test("has its description as the SQL comment", async () => {
    const { columns } = await catalogue.query(
      `SELECT DISTINCT comment FROM duckdb_functions() WHERE function_name = '${name}' AND database_name = 'catalog'`,
    );
    expect(columns).toEqual([[macro.description]]);
  });

  if (macro.kind === "table")
    test("is null only where it may be", async () => {
      const never = Object.keys(macro.columns).filter((column) => !macro.columns[column]?.nullable);
      const counts = never.map((column) => `count(*) - count(${quoted(column)})`);
      const { columns } = await catalogue.query(`SELECT ${counts.join(", ")} FROM ${callOf(macro)}`);
      const nulls = never.filter((_, at) => Number(columns[at]?.[0]) > 0);
      expect(nulls).toEqual([]);
    });
});

/** No bar of the walk is revised, and the company it asks for has no large holder. */
const WITHOUT_ROWS = ["bar_revisions", "ownership_as_of", "ownership_positions"];

test("the sample market has rows for all other macros, so that nulls would show", async () => {
  const without: string[] = [];
  for (const macro of MACROS) {
    if (macro.kind === "scalar") continue;
    const { columns } = await catalogue.query(`SELECT count(*) FROM ${callOf(macro)}`);
    if (Number(columns[0]?.[0]) === 0) without.push(macro.name);
  }
  expect(without.filter((name) => !WITHOUT_ROWS.includes(name))).toEqual([]);
});

test("the views have the columns of their datasets", async () => {
  for (const dataset of DATASETS) {
    const columns = Object.entries(storedColumns(dataset)).map(
      ([name, { type }]) => `${name} ${sqlType(type)}`,
    );
    expect(await described(catalogue, dataset.name)).toEqual(columns);
  }
});

test("the page has a table for each macro, a row for each column", async () => {
  const page = await Bun.file(new URL("../../docs/catalogue.md", import.meta.url)).text();
  for (const macro of MACROS) {
    const [, part = ""] = page.split(`\n### ${macro.name}()\n`);
    const rows = [...(part.split("\n### ")[0] ?? "").matchAll(/^\| `(\w+)` \| (\w+) \|/gm)].map(
      ([, name, type]) => `${name} ${sqlType(type ?? "")}`,
    );
    expect([macro.name, rows]).toEqual([macro.name, macro.kind === "table" ? stated(macro) : []]);
  }
});
