// The history of one symbol from the store, beside yfinance asking a provider on this machine. Every day is
// stored before; a question is asked once, and then again.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serveSample } from "../../../sample/serve.ts";
import { newYorkDate } from "../../../src/market/calendar.ts";
import { systemClock } from "../../../src/platform/clock.ts";
import { forEachSequential, type Measurement, ms, type Result } from "../measure.ts";
import { checkSame, type Reported } from "../python-child.ts";
import { startService } from "../service-process.ts";
import { startPeer } from "./environment.ts";

const SYMBOLS = ["ZORP", "QUIB-B"];
const ROUNDS = 50;
const WARMUPS = 10;
const YEARS = 5;
/** yfinance leaves its prices unrounded; the service has the provider's seven digits. */
const TOLERANCE = 1e-7;

export const peerYahoo: Measurement = {
  name: "peer-yfinance",
  description: `${YEARS} years of one symbol as a frame in Python, stored before`,
  goal: { kind: "at most", ratio: 1 },
  async run({ tell }) {
    const dataDir = await mkdtemp(join(tmpdir(), "asof-bench-"));
    const upstream = await serveSample({ years: YEARS });
    const service = await startService({ DATA_DIR: dataDir, UPSTREAM_GATEWAY: upstream.url, JOBS: "off" });
    const peer = startPeer("yahoo.py", tell);
    try {
      await peer.ask({ what: "prepare", url: service.url, gateway: upstream.url });
      const today = Temporal.PlainDate.from(newYorkDate(systemClock.now()));
      const start = today.subtract({ years: YEARS });
      const end = today.subtract({ days: 7 }).toString();
      const asks = Array.from({ length: ROUNDS }, (_, i) => ({
        symbol: SYMBOLS[i % SYMBOLS.length] ?? "",
        start: start.add({ days: i }).toString(),
        end,
      }));
      for (const symbol of SYMBOLS)
        await peer.ask({
          what: "history",
          side: "service",
          symbol,
          start: start.toString(),
          end: today.toString(),
        });
      const reported = new Map<string, Reported>();
      const side = (name: string) => async (ask: (typeof asks)[number]) => {
        const found = await peer.ask({ what: "history", side: name, ...ask });
        const key = JSON.stringify(ask);
        const other = reported.get(key);
        if (other) checkSame(other, found, `${name} of ${key}`, TOLERANCE);
        reported.set(key, found);
        return found.ms;
      };
      const results: Result[] = [];
      for (const time of ["first", "again"]) {
        const [mine, theirs] = await forEachSequential(asks, WARMUPS, side("service"), side("yfinance"));
        const [{ rows = 0 } = {}] = reported.values();
        results.push({
          what: `${ms(mine)} of pyasof.yf from the store, ${rows} bars, asked ${time}`,
          against: `${ms(theirs)} of yfinance, the provider on this machine, asked ${time}`,
          ratio: mine / theirs,
        });
      }
      return results;
    } finally {
      await peer.stop();
      await service.stop();
      await upstream.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};
