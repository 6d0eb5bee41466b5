// From starting the process to its first answer: on a full data folder a stored series, on an empty one its
// health.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Measurement, median, ms, timed } from "./measure.ts";
import { startService } from "./service-process.ts";

const GOAL_MS = 500;
/** Nothing listens there: the start must not need the provider. */
const NO_UPSTREAM = "http://127.0.0.1:9";

/** Median time from spawning the process to the last byte of its first answer. */
async function firstAnswer(dataDirOf: () => Promise<string>, path: string, rounds: number): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const dataDir = await dataDirOf();
    let stop: () => Promise<number> = async () => 0;
    const took = await timed(async () => {
      const service = await startService({ DATA_DIR: dataDir, UPSTREAM_GATEWAY: NO_UPSTREAM });
      stop = service.stop;
      const response = await fetch(service.url + path);
      await response.bytes();
      if (response.status !== 200) throw new Error(`${path} answered ${response.status}`);
    });
    times.push(took);
    await stop();
  }
  return median(times);
}

export const start: Measurement = {
  name: "start",
  description: "start of the process to its first answer",
  goal: { kind: "at most", ratio: 1 },
  async run({ market, quick }) {
    const { dataDir, symbols, years } = await market();
    const rounds = quick ? 5 : 11;
    const year = years.at(-1);
    const series = `/api/v1/price/data/${symbols[7]}?start_date=${year}-01-01&end_date=${year}-12-31`;
    const full = await firstAnswer(async () => dataDir, series, rounds);
    const made: string[] = [];
    const fresh = async () => {
      const folder = await mkdtemp(join(tmpdir(), "asof-bench-"));
      made.push(folder);
      return folder;
    };
    const empty = await firstAnswer(fresh, "/api/v1/health", rounds);
    for (const folder of made) await rm(folder, { recursive: true, force: true });
    return [
      { what: `${ms(full)}, full folder, a stored series`, against: `${GOAL_MS} ms`, ratio: full / GOAL_MS },
      { what: `${ms(empty)}, empty folder, health`, against: `${GOAL_MS} ms`, ratio: empty / GOAL_MS },
    ];
  },
};
