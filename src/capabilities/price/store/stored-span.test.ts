// Kept bars and actions are dropped when any dataset changes that their macros read.
import { expect, test } from "bun:test";
import { DATASETS, MACROS } from "../../../datasets/index.ts";
import { BARS_AND_ACTIONS } from "./stored-span.ts";

/** Ranges of every dataset, so that macros name all that they can read. */
const METADATA = { range: () => ["2020-01-01", "2026-01-01"] as const, partitions: () => ["year=2026"] };

const words = (sql: string) => new Set(sql.match(/\w+/g));

/** The datasets that a macro names, by itself or through others. */
function datasetsOf(name: string, met = new Set<string>()): Set<string> {
  const named = words(MACROS.find((each) => each.name === name)?.body(METADATA) ?? "");
  met.add(name);
  const found = new Set(DATASETS.map((each) => each.name).filter((each) => named.has(each)));
  for (const macro of MACROS)
    if (named.has(macro.name) && !met.has(macro.name))
      for (const each of datasetsOf(macro.name, met)) found.add(each);
  return found;
}

test("the macros of bars and actions read the datasets that are named for them, and no others", () => {
  const read = ["bars", "bars_now", "scaled_actions", "scaled_actions_now"].flatMap((name) => [
    ...datasetsOf(name),
  ]);
  expect([...new Set(read)].sort()).toEqual(BARS_AND_ACTIONS.map(({ name }) => name).sort());
});
