// How the datasets describe themselves for the ledger of changes.
import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { lakeYard } from "../../test/faults/lake-support.ts";
import type { Dataset } from "../platform/lake/dataset.ts";
import type { Change } from "../platform/lake/lake.ts";
import { DATASETS } from "./index.ts";

setDefaultTimeout(1_200_000);

const yard = lakeYard({ publishes: false });
afterEach(yard.clear);

test("every dataset that says since when its rows are public says it by its own columns", async () => {
  const lake = await yard.open({ datasets: DATASETS });
  const stated = DATASETS.filter(({ changes }) => changes?.publicFrom !== undefined);
  for (const { name, changes } of stated)
    expect(await lake.query(`SELECT (${changes?.publicFrom})::TIMESTAMPTZ AS moment FROM ${name}`)).toEqual(
      [],
    );
  expect(stated.length).toBeGreaterThan(15);
});

/** A value of each type; the second row of a key is a day later and has the number of a later reading. */
const VALUES = {
  DATE: "2026-09-08",
  DOUBLE: 2.5,
  INTEGER: 7,
  BIGINT: 8,
  VARCHAR: "ZORP",
  BOOLEAN: false,
} as const;

const rowOf = ({ columns, changes }: Dataset, later: number) =>
  Object.fromEntries(
    Object.entries(columns).map(([name, { type }]) => {
      if (name === "withdrawn") return [name, later === 1];
      if (name === changes?.reading && type === "INTEGER") return [name, later];
      return [name, type === "TIMESTAMPTZ" ? `2026-09-0${8 + later}T12:00:00.250Z` : VALUES[type]];
    }),
  );

test("the ledger reads every dataset, and the last state of its key", async () => {
  const lake = await yard.open({ datasets: DATASETS });
  const alone: Change[] = [];
  for (const dataset of DATASETS) {
    const from = await lake.generation();
    for (const later of [0, 1]) await lake.append([{ dataset, rows: [rowOf(dataset, later)] }]);
    const to = await lake.generation();
    const changes = await lake.ledger({ from, to, datasets: [dataset] });
    alone.push(...changes);
    const rows = [0, 1].map((later) => rowOf(dataset, later));
    expect([dataset.name, changes[0]?.op, changes[0]?.after]).toEqual([
      dataset.name,
      "insert",
      rows[0] ?? null,
    ]);
    const second = changes[1];
    if (dataset.columns.withdrawn) expect(second?.op).toBe("withdraw");
    else if (dataset.changes?.reading) expect(second?.op).toBe("reread");
    // Where the moment is part of the key, or the first row stays, nothing follows it.
    else if (second?.before) expect(second.op).toBe("revise");
    if (second?.before) expect([second.before, second.after]).toEqual(rows);
  }
  // Keys of any types stand in one order.
  const all = { from: 0, to: await lake.generation(), datasets: DATASETS };
  expect(await lake.ledger(all)).toEqual(alone);
  const last = await lake.ledger({ ...all, lastUpTo: all.to });
  const newest = new Map(alone.map((change) => [`${change.dataset} ${JSON.stringify(change.key)}`, change]));
  expect(last).toEqual([...newest.values()].toSorted((a, b) => alone.indexOf(a) - alone.indexOf(b)));
  const counts = await lake.ledgerCounts(all);
  expect(new Set(counts.map(({ dataset }) => dataset)).size).toBe(DATASETS.length);
});
