// `bun test/bench/delta-commit.ts [FILES]`: how long the Delta log takes in a commit of one file to a dataset
// of many files (5,000).
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../src/platform/clock.ts";
import { batchOf, openLake } from "../../src/platform/lake/lake.ts";
import { schemaNumber } from "../../src/platform/lake/manifest.ts";
import { openParts } from "../../src/platform/lake/parts.ts";
import { commit, nextManifest, stage } from "../../src/platform/lake/write/commit.ts";
import { DATASETS, ticks } from "../faults/lake-support.ts";

const MONTHS = 100;
const ROUNDS = Math.ceil(Number(process.argv[2] ?? 5_000) / MONTHS);
const COMMITS = 60;

const monthOf = (n: number) => `${2015 + Math.floor(n / 12)}-${String((n % 12) + 1).padStart(2, "0")}`;
const dir = await realpath(await mkdtemp(join(tmpdir(), "asof-delta-commit-")));
const options = {
  dir,
  datasets: DATASETS,
  macros: [],
  clock: systemClock,
  deltaLogs: true,
  publishDelayMs: 3_600_000,
};

async function fill(): Promise<void> {
  const lake = await openLake(options);
  for (let round = 0; round < ROUNDS; round++) {
    const rows = Array.from({ length: MONTHS }, (_, n) => ({
      symbol: `R${round}`,
      interval: "5m",
      at: `${monthOf(n)}-05T15:00:00Z`,
      close: 1,
    }));
    await lake.append([batchOf(ticks, rows)]);
  }
  await lake.close();
}

/** The times of commits of one file and, within them, of their Delta log, in ms. */
async function measure(): Promise<{ whole: number[]; log: number[] }> {
  const { parts } = await openParts(options, dir);
  const { delta } = parts;
  if (!delta) throw new Error("the lake has no Delta logs");
  const [whole, log]: [number[], number[]] = [[], []];
  parts.delta = {
    ...delta,
    async follow(...change) {
      const startedAt = performance.now();
      await delta.follow(...change);
      log.push(performance.now() - startedAt);
    },
  };
  for (let n = 0; n < COMMITS; n++) {
    const startedAt = performance.now();
    await parts.lock.hold(async () => {
      const { manifest } = await nextManifest(parts);
      const { generation } = manifest;
      const place = { dataset: ticks.name, partition: "interval=5m/month=2015-01", kind: "delta" as const };
      const path = `${ticks.name}/${place.partition}/delta-${String(n).padStart(26, "0")}.parquet`;
      const file = { ...place, path, rows: 1, schema: schemaNumber(manifest, ticks), ranges: {} };
      const select = `SELECT 'C${n}' AS symbol, '5m' AS interval, TIMESTAMPTZ '2015-01-05 15:00:00Z' AS at, 1.0::DOUBLE AS close, ${generation}::BIGINT AS recorded`;
      const staged = await parts.db.use((connection) => stage(parts, connection, select, ticks, file));
      await commit(parts, manifest, [staged]);
    });
    whole.push(performance.now() - startedAt);
  }
  await parts.db.close();
  return { whole, log };
}

function shown(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(1);
  return `least ${at(0)} ms, median ${at(0.5)} ms, p95 ${at(0.95)} ms`;
}

try {
  await fill();
  const { whole, log } = await measure();
  console.log(`${MONTHS * ROUNDS} files, ${COMMITS} commits of one file`);
  console.log(`the whole commit  ${shown(whole)}`);
  console.log(`its Delta log     ${shown(log)}`);
} finally {
  await rm(dir, { recursive: true, force: true });
}
process.exit(0);
