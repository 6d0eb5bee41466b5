// The history of one symbol from the store, beside yfinance asking a provider on this machine.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serveSample } from "../../../sample/serve.ts";
import { newYorkDate } from "../../../src/market/calendar.ts";
import { systemClock } from "../../../src/platform/clock.ts";
import { forEachSequential, type Measurement, ms } from "../measure.ts";
import { checkSame, type Reported } from "../python-child.ts";
import { startService } from "../service-process.ts";
import { startPeer } from "./environment.ts";

const SYMBOLS = ["ZORP", "QUIB-B"];
const ROUNDS = 12;
const WARMUPS = 2;
const YEARS = 5;

export const peerYahoo: Measurement = {
  name: "peer-yfinance",
  description: `${YEARS} years of one symbol as a frame in Python, asked before`,
  goal: { kind: "at most", ratio: 1 },
  async run({ tell }) {
    const dataDir = await mkdtemp(join(tmpdir(), "asof-bench-"));
    const upstream = await serveSample({ years: YEARS });
    const service = await startService({ DATA_DIR: dataDir, UPSTREAM_GATEWAY: upstream.url, JOBS: "off" });
    const peer = startPeer("yahoo.py", tell);
    try {
      await peer.ask({ what: "prepare", url: service.url, gateway: upstream.url });
      const today = Temporal.PlainDate.from(newYorkDate(systemClock.now()));
      const span = {
        start: today.subtract({ years: YEARS }).toString(),
        end: today.subtract({ days: 7 }).toString(),
      };
      const reported = new Map<string, Reported>();
      const side = (name: string) => async (symbol: string) => {
        const found = await peer.ask({ what: "history", side: name, symbol, ...span });
        const other = reported.get(symbol);
        if (other) checkSame(other, found, `${name} of ${symbol}`);
        reported.set(symbol, found);
        return found.ms;
      };
      const asks = Array.from({ length: ROUNDS }, (_, i) => SYMBOLS[i % SYMBOLS.length] ?? "");
      const [mine, theirs] = await forEachSequential(asks, WARMUPS, side("service"), side("yfinance"));
      const what = `${ms(mine)} of pyasof.yf from the store, ${reported.get(SYMBOLS[0] ?? "")?.rows} bars`;
      const against = `${ms(theirs)} of yfinance, the provider on this machine`;
      return [{ what, against, ratio: mine / theirs }];
    } finally {
      await peer.stop();
      await service.stop();
      await upstream.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};
