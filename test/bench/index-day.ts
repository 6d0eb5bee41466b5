// A day of filings indexed and its 8-Ks read, against the least time the regulator's pace allows.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { serveSample } from "../../sample/serve.ts";
import { exchangeCalendar } from "../../src/market/calendar.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { edgarPolicy } from "../../src/providers/edgar/index.ts";
import { type Measurement, timed } from "./measure.ts";

const root = resolve(import.meta.dir, "../..");

export const indexDay: Measurement = {
  name: "index-day",
  description: "recent days of filings indexed and their 8-Ks read",
  goal: { kind: "at most", ratio: 1.1 },
  async run({ quick, tell }) {
    const dataDir = await mkdtemp(join(tmpdir(), "asof-bench-"));
    const upstream = await serveSample({ symbols: quick ? 3_000 : 11_000 });
    const calendar = exchangeCalendar({});
    const since = calendar.previousSession(calendar.lastClosedSession(systemClock.now()));
    tell(`indexing every filing since ${since}`);
    try {
      const took = await timed(async () => {
        const child = Bun.spawn([process.execPath, "scripts/cli.ts", "index", "filings", "--since", since], {
          cwd: root,
          env: {
            ...process.env,
            DATA_DIR: dataDir,
            UPSTREAM_GATEWAY: upstream.url,
            SEC_USER_AGENT: "Asof bench bench@example.com",
          },
          stdio: ["ignore", "ignore", "ignore"],
        });
        if ((await child.exited) !== 0) throw new Error("the days could not be indexed");
      });
      const asked = upstream.traffic().total;
      const boundMs = asked * edgarPolicy.spacingMsMin;
      const s = (x: number) => `${(x / 1000).toFixed(1)} s`;
      return [
        {
          what: `${s(took)} for ${asked} requests, the process's start included`,
          against: `${s(boundMs)} at ${edgarPolicy.spacingMsMin} ms a request`,
          ratio: took / boundMs,
        },
      ];
    } finally {
      await upstream.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};
