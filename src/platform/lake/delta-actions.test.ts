// What brings a log to the manifest, for files in any order and with paths of any letters.
import { expect, test } from "bun:test";
import { steadyRandom } from "../../../test/bench/measure.ts";
import { changedDatasets } from "./delta.ts";
import { type Action, actionsTo, apply, emptyState } from "./delta-actions.ts";
import type { LakeFile, Manifest } from "./manifest.ts";

const file = (name: string, dataset = "prices", kind: LakeFile["kind"] = "delta"): LakeFile => ({
  path: `${dataset}/${name}.parquet`,
  dataset,
  partition: "",
  kind,
  rows: 1,
  bytes: 1,
  sha256: "",
  schema: 0,
  ranges: {},
});
const manifestOf = (files: LakeFile[]) =>
  ({ generation: 1, files, schemas: {}, retired: [], set_aside: [] }) as unknown as Manifest;
const toManifest = (state: ReturnType<typeof emptyState>, manifest: Manifest): Action[] =>
  actionsTo(state, {
    manifest,
    dataset: "prices",
    schema: { symbol: "VARCHAR" },
    nowMs: 1,
    isRowless: false,
  });
const added = (actions: readonly Action[]) => actions.flatMap(({ add }) => add?.path ?? []).sort();
const removed = (actions: readonly Action[]) => actions.flatMap(({ remove }) => remove?.path ?? []).sort();

test("drawn changes, orders and names: the log adds and removes exactly what differs", () => {
  const random = steadyRandom(11);
  const all = Array.from({ length: 40 }, (_, n) => file(n % 5 === 0 ? `a b=é${n}` : `year=2026/f${n}`));
  const inTable = ({ path }: LakeFile) => encodeURI(path.slice("prices/".length));
  const state = emptyState();
  const live = new Set<string>();
  for (let round = 0; round < 300; round++) {
    const files = all.filter(() => random() < 0.6);
    if (round % 3 === 0) files.sort(() => random() - 0.5);
    if (round % 4 === 0) files.splice(3, 0, file("other", "events"), file("old", "prices", "history"));
    const wanted = files
      .filter(({ dataset, kind }) => dataset === "prices" && kind !== "history")
      .map(inTable);
    const actions = toManifest(state, manifestOf(files));
    expect(added(actions)).toEqual(wanted.filter((path) => !live.has(path)).sort());
    expect(removed(actions)).toEqual([...live].filter((path) => !wanted.includes(path)).sort());
    apply(state, actions);
    live.clear();
    for (const path of wanted) live.add(path);
    expect([...state.files.keys()].sort()).toEqual(wanted.toSorted());
    state.version++;
  }
});

test("drawn manifests: a dataset changed where its current files differ, whatever their order", () => {
  const random = steadyRandom(12);
  const all = Array.from({ length: 24 }, (_, n) =>
    file(`f${n}`, ["prices", "events", "ticks"][n % 3], n % 7 === 0 ? "history" : "delta"),
  );
  const current = (files: readonly LakeFile[], dataset: string) =>
    files
      .filter((each) => each.dataset === dataset && each.kind !== "history")
      .map(({ path }) => path)
      .sort();
  let before: LakeFile[] = [];
  for (let round = 0; round < 500; round++) {
    const after = all.filter(() => random() < (round % 2 ? 0.95 : 0.5));
    if (round % 3 === 0) after.sort(() => random() - 0.5);
    const changed = ["prices", "events", "ticks"].filter(
      (dataset) => !Bun.deepEquals(current(before, dataset), current(after, dataset)),
    );
    expect(changedDatasets(manifestOf(before), manifestOf(after)).sort()).toEqual(changed.sort());
    before = after;
  }
});
