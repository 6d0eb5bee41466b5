// The actions that bring a log to the manifest, for files in any order and with paths of any letters.
import { expect, test } from "bun:test";
import { steadyRandom } from "../../../../test/bench/measure.ts";
import type { LakeFile, Manifest } from "../manifest.ts";
import { changedDatasets } from "./delta.ts";
import { type Action, actionsTo, apply, emptyState } from "./delta-actions.ts";

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
const toManifest = (
  state: ReturnType<typeof emptyState>,
  manifest: Manifest,
  { stats = ["symbol"], isRowless = false } = {},
): Action[] =>
  actionsTo(state, {
    manifest,
    dataset: "prices",
    schema: { symbol: "VARCHAR", at: "TIMESTAMPTZ" },
    stats,
    nowMs: 1,
    isRowless,
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

test("statistics cover the named columns; one that a file was written without is null in all its rows", () => {
  const ranges = {
    symbol: ["A", "B"] as const,
    at: ["2026-01-05T00:00:00.000Z", "2026-01-06T00:00:00.000Z"] as const,
  };
  const [old, fresh] = [
    { ...file("old"), rows: 3, ranges: { symbol: ranges.symbol } },
    { ...file("fresh"), rows: 2, ranges, schema: 1, recorded: [4, 7] as const },
  ];
  const manifest = {
    ...manifestOf([old, fresh]),
    schemas: {
      prices: [{ symbol: "VARCHAR" }, { symbol: "VARCHAR", at: "TIMESTAMPTZ", recorded: "BIGINT" }],
    },
  } as Manifest;
  const stated = (stats: string[]) => {
    const actions = toManifest(emptyState(), manifest, { stats });
    const configuration = actions.flatMap(({ metaData }) => (metaData ? [metaData.configuration] : []));
    return [...configuration, ...actions.flatMap(({ add }) => (add ? JSON.parse(add.stats) : []))];
  };
  expect(stated(["symbol", "at", "recorded"])).toEqual([
    { "delta.dataSkippingStatsColumns": "symbol,at,recorded" },
    {
      numRecords: 3,
      minValues: { symbol: "A" },
      maxValues: { symbol: "B" },
      nullCount: { symbol: 0, at: 3, recorded: 3 },
    },
    {
      numRecords: 2,
      minValues: { symbol: "A", at: ranges.at[0], recorded: 4 },
      maxValues: { symbol: "B", at: ranges.at[1], recorded: 7 },
      nullCount: { symbol: 0, at: 0, recorded: 0 },
    },
  ]);
  expect(stated([])).toEqual([
    {},
    { numRecords: 3, minValues: {}, maxValues: {}, nullCount: {} },
    { numRecords: 2, minValues: {}, maxValues: {}, nullCount: {} },
  ]);
});

test("a log whose statistics cover other columns states all of them again, as no change of rows", () => {
  const state = emptyState();
  const files = [file("a"), file("b")];
  apply(state, toManifest(state, manifestOf(files), { stats: [] }));
  state.version++;
  expect(toManifest(state, manifestOf(files), { stats: [] })).toEqual([]);
  const merged = file("c");
  merged.rows = 2;
  const actions = toManifest(state, manifestOf([file("a"), merged]), { isRowless: true });
  expect(actions.flatMap(({ add }) => (add ? [[add.path, add.dataChange]] : []))).toEqual([
    ["a.parquet", false],
    ["c.parquet", true],
  ]);
  expect(removed(actions)).toEqual(["b.parquet"]);
  apply(state, actions);
  expect(toManifest(state, manifestOf([file("a"), merged]))).toEqual([]);
  const restated = toManifest(state, manifestOf([file("a"), merged]), { stats: ["at"], isRowless: true });
  expect(restated[0]?.commitInfo?.operation).toBe("SET METADATA");
  expect(restated.flatMap(({ add }) => (add ? [[add.path, add.dataChange]] : []))).toEqual([
    ["a.parquet", false],
    ["c.parquet", false],
  ]);
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
