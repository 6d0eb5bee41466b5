// Stored daily bars into a frame in Python: the service and its lake beside ArcticDB and polars on the same rows.
import { join } from "node:path";
import { exchangeCalendar } from "../../../src/market/calendar.ts";
import {
  forEachSequential,
  type Measurement,
  ms,
  type Result,
  type Setting,
  type StoredMarket,
  sample,
  steadyRandom,
} from "../measure.ts";
import { checkSame, type PythonChild, type Reported } from "../python-child.ts";
import { startService } from "../service-process.ts";
import { startPeer } from "./environment.ts";

const MANY = 500;
const WARMUPS = 2;

interface Ask {
  /** Null: every symbol. */
  readonly symbols: readonly string[] | null;
  readonly start: string;
  readonly end: string;
}

type Ours = "service" | "lake";
const PEERS = [
  ["arctic", "ArcticDB, a frame per symbol"],
  ["polars", "polars over the lake's Parquet"],
  ["pandas", "pandas over the lake's Parquet"],
] as const;
const NAMES: Readonly<Record<Ours, string>> = {
  service: "pyasof over HTTP",
  lake: "DuckDB on the lake, macro bars",
};

async function compareSides(peer: PythonChild, asks: readonly Ask[], ours: Ours): Promise<Result[]> {
  const reported = new Map<Ask, Reported>();
  const side = (name: string) => async (ask: Ask) => {
    const found = await peer.ask({ what: "bars", side: name, ...ask });
    const other = reported.get(ask);
    if (other) checkSame(other, found, name);
    reported.set(ask, found);
    return found.ms;
  };
  const results: Result[] = [];
  for (const [name, description] of PEERS) {
    const [mine, theirs] = await forEachSequential(asks, WARMUPS, side(ours), side(name));
    results.push({
      what: `${ms(mine)} of ${NAMES[ours]}`,
      against: `${ms(theirs)} of ${description}`,
      ratio: mine / theirs,
    });
  }
  return results;
}

interface Comparison {
  readonly name: string;
  readonly description: string;
  readonly ours: readonly Ours[];
  asks(market: StoredMarket, quick: boolean): readonly Ask[];
}

const comparison = ({ name, description, ours, asks }: Comparison): Measurement => ({
  name,
  description,
  goal: { kind: "at most", ratio: 1 },
  async run(setting: Setting) {
    const market = await setting.market();
    const service = await startService({ DATA_DIR: market.dataDir, JOBS: "off" });
    const peer = startPeer("bars.py", setting.tell);
    try {
      const store = `${market.dataDir}-arctic`;
      setting.tell(`opening ArcticDB in ${store}`);
      await peer.ask({
        what: "prepare",
        url: service.url,
        data: market.dataDir,
        store: join(store),
        symbols: market.symbols,
      });
      const results: Result[] = [];
      for (const side of ours) results.push(...(await compareSides(peer, asks(market, setting.quick), side)));
      return results;
    } finally {
      await peer.stop();
      await service.stop();
    }
  },
});

const wholeYear = (year: number | undefined) => ({ start: `${year}-01-01`, end: `${year}-12-31` });

export const peerSymbolYear = comparison({
  name: "peer-symbol-year",
  description: "one symbol-year as a frame in Python",
  ours: ["service", "lake"],
  asks: ({ symbols, years }, quick) =>
    sample(symbols, quick ? 20 : 60, steadyRandom(11)).map((symbol, i) => ({
      symbols: [symbol],
      ...wholeYear(years[i % years.length]),
    })),
});

export const peerDay = comparison({
  name: "peer-day",
  description: "one day of all symbols as a frame in Python",
  ours: ["lake"],
  asks: ({ years }, quick) =>
    sample(
      exchangeCalendar().sessionsBetween(`${years[0]}-01-01`, `${years.at(-1)}-12-31`),
      quick ? 6 : 10,
      steadyRandom(12),
    ).map((day) => ({ symbols: null, start: day, end: day })),
});

export const peerMany = comparison({
  name: "peer-many",
  description: `${MANY} symbols × all stored years as a frame in Python`,
  ours: ["service", "lake"],
  asks: ({ symbols, years }, quick) => {
    const random = steadyRandom(13);
    return Array.from({ length: quick ? 4 : 6 }, () => ({
      symbols: sample(symbols, MANY, random),
      start: `${years[0]}-01-01`,
      end: `${years.at(-1)}-12-31`,
    }));
  },
});
