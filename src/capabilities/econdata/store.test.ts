import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fakeClock } from "../../../test/support/fake-clock.ts";
import { openWholeLake } from "../../../test/support/whole-lake.ts";
import type { Lake } from "../../platform/lake/lake.ts";
import { openSqlite, type Store } from "../../platform/sqlite/sqlite.ts";
import { type ObservationStore, observationStore } from "./store.ts";

setDefaultTimeout(1_200_000);

const signal = new AbortController().signal;
const OPEN = { start: "0001-01-01", end: "9999-12-31" };
let dir: string;
let lake: Lake;
let sqlite: Store;
let store: ObservationStore;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "econ-store-"));
  lake = await openWholeLake(dir, fakeClock("2026-09-09T21:00:00Z"));
  sqlite = openSqlite(":memory:");
  store = observationStore({ lake, sqlite });
});
afterEach(async () => {
  await lake.close();
  sqlite.close();
  await rm(dir, { recursive: true, force: true });
});

const ms = (at: string) => Date.parse(at);
/** A fetch of the present at a given time. */
const fetched = (
  at: string,
  rows: readonly (readonly [string, number | null])[],
  more: { span?: typeof OPEN; complete?: boolean; series?: string } = {},
) => {
  const day = at.slice(0, 10);
  return store.save({
    seriesId: more.series ?? "FICGDP",
    vintagesFrom: null,
    observations: rows.map(([date, value]) => ({ date, value, realtime_start: day, realtime_end: day })),
    span: more.span ?? OPEN,
    complete: more.complete ?? true,
    today: day,
    fetchedAtMs: ms(at),
  });
};
const asOf = async (at: string | null) =>
  (
    await lake.query<{ date: string; value: number | null }>(
      `SELECT date, value FROM observations_as_of(${at === null ? "NULL" : `'${at}'`})
       WHERE series_id = 'FICGDP' ORDER BY date`,
    )
  ).map(({ date, value }) => [date, value]);
const found = async (at: string, span = OPEN, series = "FICGDP") => {
  const found = await store.find(series, span, ms(at), signal);
  return found && [new Date(found.atMs).toISOString(), found.observations.map((o) => [o.date, o.value])];
};

test("three fetches with revisions: each time has its own values", async () => {
  expect(
    await fetched("2026-07-30T15:00:00Z", [
      ["2026-01-01", 100],
      ["2026-04-01", 110],
    ]),
  ).toBe(2);
  expect(
    await fetched("2026-08-28T15:00:00Z", [
      ["2026-01-01", 100],
      ["2026-04-01", 111],
    ]),
  ).toBe(1);
  expect(
    await fetched("2026-09-09T15:00:00Z", [
      ["2026-01-01", 99],
      ["2026-04-01", null],
      ["2026-07-01", 0],
    ]),
  ).toBe(3);
  expect(await asOf("2026-07-29")).toEqual([]);
  expect(await asOf("2026-07-30")).toEqual([
    ["2026-01-01", 100],
    ["2026-04-01", 110],
  ]);
  expect(await asOf("2026-08-28T14:59:59Z")).toEqual([
    ["2026-01-01", 100],
    ["2026-04-01", 110],
  ]);
  expect(await asOf("2026-08-28T15:00:00Z")).toEqual([
    ["2026-01-01", 100],
    ["2026-04-01", 111],
  ]);
  expect(await asOf(null)).toEqual([
    ["2026-01-01", 99],
    ["2026-04-01", null],
    ["2026-07-01", 0],
  ]);
  expect(await found("2026-08-01T00:00:00Z")).toEqual([
    "2026-07-30T15:00:00.000Z",
    [
      ["2026-01-01", 100],
      ["2026-04-01", 110],
    ],
  ]);
  expect(await found("2026-09-01T00:00:00Z")).toEqual([
    "2026-08-28T15:00:00.000Z",
    [
      ["2026-01-01", 100],
      ["2026-04-01", 111],
    ],
  ]);
  expect(await found("2026-07-30T14:59:59Z")).toBeNull();
});

test("an unchanged answer adds no rows, but records that it was still current", async () => {
  await fetched("2026-07-30T15:00:00Z", [["2026-01-01", 100]]);
  expect(await fetched("2026-09-09T15:00:00Z", [["2026-01-01", 100]])).toBe(0);
  expect(await found("2026-12-01T00:00:00Z")).toEqual(["2026-09-09T15:00:00.000Z", [["2026-01-01", 100]]]);
  expect(await lake.query("SELECT count(*) AS n FROM econ_observations")).toEqual([{ n: 1 }]);
});

test("vintages fetched later take their own place in time, and never replace the present", async () => {
  await fetched("2026-09-01T15:00:00Z", [["2026-04-01", 112]]);
  const saved = await store.save({
    seriesId: "FICGDP",
    vintagesFrom: "1776-07-04",
    observations: [
      { date: "2026-04-01", value: 110, realtime_start: "2026-07-30", realtime_end: "2026-08-27" },
      { date: "2026-04-01", value: 111, realtime_start: "2026-08-28", realtime_end: "2026-08-30" },
      { date: "2026-04-01", value: 112, realtime_start: "2026-08-31", realtime_end: "9999-12-31" },
    ],
    span: OPEN,
    complete: true,
    today: "2026-09-09",
    fetchedAtMs: ms("2026-09-09T15:00:00Z"),
  });
  expect(saved).toBe(3);
  expect(await asOf("2026-07-29")).toEqual([]);
  expect(await asOf("2026-07-30")).toEqual([["2026-04-01", 110]]);
  expect(await asOf("2026-08-28T12:00:00Z")).toEqual([["2026-04-01", 110]]);
  expect(await asOf("2026-08-28")).toEqual([["2026-04-01", 111]]);
  expect(await asOf("2026-08-31")).toEqual([["2026-04-01", 112]]);
  expect(await asOf(null)).toEqual([["2026-04-01", 112]]);
  // All vintages are stored, so any time up to the fetch can be answered.
  expect(await found("2026-08-29T12:00:00Z")).toEqual(["2026-08-29T12:00:00.000Z", [["2026-04-01", 111]]]);
  expect(await found("2000-01-01T00:00:00Z")).toEqual(["2000-01-01T00:00:00.000Z", []]);
});

test("an incomplete set of vintages is not stored: it could place an old value after a newer one", async () => {
  await fetched("2026-09-01T15:00:00Z", [["2026-04-01", 112]]);
  const part = await store.save({
    seriesId: "FICGDP",
    vintagesFrom: "1776-07-04",
    observations: [
      { date: "2026-04-01", value: 110, realtime_start: "2026-07-30", realtime_end: "2026-08-27" },
    ],
    span: OPEN,
    complete: false,
    today: "2026-09-09",
    fetchedAtMs: ms("2026-09-09T15:00:00Z"),
  });
  expect(part).toBe(0);
  expect(await asOf(null)).toEqual([["2026-04-01", 112]]);
});

test("withdrawn days are missing from then on, and return when the provider has them again", async () => {
  await fetched("2026-07-30T15:00:00Z", [
    ["2026-01-01", 1],
    ["2026-04-01", 2],
  ]);
  await fetched("2026-08-28T15:00:00Z", [["2026-04-01", 2]]);
  await fetched("2026-09-09T15:00:00Z", [
    ["2026-01-01", 1],
    ["2026-04-01", 2],
  ]);
  expect(await asOf("2026-08-01")).toEqual([
    ["2026-01-01", 1],
    ["2026-04-01", 2],
  ]);
  expect(await asOf("2026-08-28")).toEqual([["2026-04-01", 2]]);
  expect(await asOf(null)).toEqual([
    ["2026-01-01", 1],
    ["2026-04-01", 2],
  ]);
});

test("only a completely stored span is answered", async () => {
  const span = { start: "2026-01-01", end: "2026-06-30" };
  await fetched(
    "2026-07-30T15:00:00Z",
    [
      ["2026-01-01", 1],
      ["2026-04-01", 2],
    ],
    { span },
  );
  await fetched("2026-08-28T15:00:00Z", [["2026-07-01", 3]], { complete: false });
  expect(await found("2026-09-09T00:00:00Z")).toBeNull();
  expect(await found("2026-09-09T00:00:00Z", { start: "2025-12-31", end: "2026-06-30" })).toBeNull();
  expect(await found("2026-09-09T00:00:00Z", span, "OTHER")).toBeNull();
  expect(await found("2026-09-09T00:00:00Z", { start: "2026-02-01", end: "2026-06-30" })).toEqual([
    "2026-07-30T15:00:00.000Z",
    [["2026-04-01", 2]],
  ]);
  // The incomplete answer is stored all the same.
  expect(await asOf(null)).toEqual([
    ["2026-01-01", 1],
    ["2026-04-01", 2],
    ["2026-07-01", 3],
  ]);
});
