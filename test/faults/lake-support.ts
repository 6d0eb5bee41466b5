// A small lake for tests: one dataset of each kind, in a folder that goes away.

import { mkdtempSync, rmdirSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../src/platform/clock.ts";
import { dataset, type RowOf } from "../../src/platform/lake/dataset.ts";
import { type Disk, realDisk } from "../../src/platform/lake/disk.ts";
import { batchOf, type Lake, type LakeOptions, openLake } from "../../src/platform/lake/lake.ts";

export const prices = dataset({
  name: "prices",
  description: "Prices, the first good one a symbol and day.",
  columns: {
    symbol: { type: "VARCHAR", description: "Symbol." },
    date: { type: "DATE", description: "Day." },
    close: { type: "DOUBLE", positive: true, unit: "USD", description: "Close." },
    volume: { type: "BIGINT", nullable: true, unit: "shares", description: "Volume." },
    final: { type: "BOOLEAN", nullable: true, description: "Settled." },
    rank: { type: "INTEGER", nullable: true, description: "Rank." },
    known_at: { type: "TIMESTAMPTZ", description: "When fetched." },
  },
  key: ["symbol", "date"],
  partition: { by: "year", column: "date" },
  sort: ["symbol", "date"],
  fill: "first",
});

export const ticks = dataset({
  name: "ticks",
  description: "Values by interval and instant.",
  columns: {
    symbol: { type: "VARCHAR", description: "Symbol." },
    interval: { type: "VARCHAR", description: "Length." },
    at: { type: "TIMESTAMPTZ", description: "Start." },
    close: { type: "DOUBLE", description: "Close." },
  },
  key: ["symbol", "interval", "at"],
  partition: { by: "month", column: "at", and: "interval" },
  sort: ["symbol", "at"],
  fill: "first",
});

export const events = dataset({
  name: "events",
  description: "What became known of an event, every report.",
  columns: {
    symbol: { type: "VARCHAR", description: "Symbol." },
    date: { type: "DATE", description: "Day." },
    amount: { type: "DOUBLE", nullable: true, description: "Amount." },
    known_at: { type: "TIMESTAMPTZ", description: "When fetched." },
  },
  key: ["symbol", "date"],
  partition: { by: "none" },
  sort: ["symbol", "date", "known_at"],
  fill: "append",
});

/** Rows that name a company and no symbol. */
export const filed = dataset({
  name: "filed",
  description: "Filed documents.",
  columns: {
    cik: { type: "VARCHAR", description: "Company." },
    number: { type: "INTEGER", description: "Document." },
    known_at: { type: "TIMESTAMPTZ", nullable: true, description: "When public." },
  },
  key: ["cik", "number"],
  partition: { by: "none" },
  sort: ["cik", "number"],
  fill: "first",
  changes: { publicFrom: "known_at" },
});

export const DATASETS = [prices, ticks, events];

export type PriceRow = RowOf<typeof prices>;

export const price = (symbol: string, date: string, close = 1, more: Partial<PriceRow> = {}): PriceRow => ({
  symbol,
  date,
  close,
  volume: null,
  final: null,
  rank: null,
  known_at: "2026-01-05T12:00:00Z",
  ...more,
});

/** The real disk, until its n-th act (from 1) and for as many acts as `times`: those fail with `code`. */
export function failingDisk(code: string): {
  disk: Disk;
  acts: number;
  failFrom(act: number, times: number): void;
} {
  let [from, until] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const act = async <T>(work: () => Promise<T>): Promise<T> => {
    state.acts++;
    if (state.acts >= from && state.acts < until)
      throw Object.assign(new Error(`${code}: the disk refuses`), { code });
    return work();
  };
  const disk: Disk = {
    makeFolder: (path) => act(() => realDisk.makeFolder(path)),
    write: (path, text) => act(() => realDisk.write(path, text)),
    appendLine: (path, text) => act(() => realDisk.appendLine(path, text)),
    sync: (path) => act(() => realDisk.sync(path)),
    rename: (a, b) => act(() => realDisk.rename(a, b)),
    link: (a, b) => act(() => realDisk.link(a, b)),
    remove: realDisk.remove,
  };
  const state = {
    disk,
    acts: 0,
    failFrom(n: number, times: number) {
      state.acts = 0;
      [from, until] = [n, n + times];
    },
  };
  return state;
}

const mountSmall = (path: string, megabytes = 2) =>
  Bun.spawnSync(["mount", "-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", path], { stderr: "ignore" })
    .exitCode === 0;

/** Whether this machine lets us mount a disk. */
export function canMount(): boolean {
  if (!(Bun.which("mount") && Bun.which("umount"))) return false;
  const path = mkdtempSync(join(tmpdir(), "disk-"));
  const isMounted = mountSmall(path);
  if (isMounted) Bun.spawnSync(["umount", "-l", path]);
  rmdirSync(path);
  return isMounted;
}

/** Folders and lakes that a test made, opened with `common`; `clear` belongs into afterEach. */
export function lakeYard(common: Partial<LakeOptions> = {}) {
  const lakes: (() => Promise<unknown>)[] = [];
  const mounts: (() => unknown)[] = [];
  const folders: (() => Promise<unknown>)[] = [];
  const folder = async (): Promise<string> => {
    const dir = await mkdtemp(join(tmpdir(), "lake-"));
    folders.push(() => rm(dir, { recursive: true, force: true }));
    return dir;
  };
  return {
    folder,
    /** A folder that is a small disk of its own; only where `canMount`. */
    async smallDisk(megabytes?: number): Promise<string> {
      const path = await folder();
      if (!mountSmall(path, megabytes)) throw new Error("mounting is not permitted here");
      mounts.push(() => Bun.spawnSync(["umount", "-l", path]));
      return path;
    },
    async open(options: Partial<LakeOptions> = {}): Promise<Lake> {
      const dir = options.dir ?? (await folder());
      const lake = await openLake({
        datasets: DATASETS,
        macros: [],
        clock: systemClock,
        threads: 2,
        ...common,
        ...options,
        dir,
      });
      let isOpen = true;
      const close = async () => {
        if (isOpen) await lake.close();
        isOpen = false;
      };
      lakes.push(close);
      return { ...lake, close };
    },
    async clear(): Promise<void> {
      for (const each of [lakes, mounts, folders]) for (const close of each.splice(0)) await close();
    },
  };
}

/** A lake of three years, a file each, closed. */
export async function threeYears(yard: Pick<ReturnType<typeof lakeYard>, "folder" | "open">) {
  const dir = await yard.folder();
  const lake = await yard.open({ dir });
  for (const year of [2024, 2025, 2026])
    await lake.append([
      batchOf(prices, [price("A", `${year}-03-04`, year), price("B", `${year}-03-04`, year)]),
    ]);
  await lake.close();
  const fileOf = async (year: number) => {
    const folder = join(dir, "lake", "prices", `year=${year}`);
    return join(folder, (await readdir(folder))[0] ?? "");
  };
  return { dir, fileOf };
}
