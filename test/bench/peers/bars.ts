// Stored daily bars into a frame in Python: the service and its lake beside ArcticDB and polars on the same
// rows.
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
/** Each with the library whose frame both sides end with. */
const PEERS = [
  ["arctic", "ArcticDB, a frame per symbol", "pandas"],
  ["polars", "polars over the lake's Parquet", "polars"],
  ["pandas", "pandas over the lake's Parquet", "pandas"],
] as const;
const NAMES: Readonly<Record<Ours, string>> = {
  service: "pyasof over HTTP",
  lake: "DuckDB on the lake, macro bars_now",
};

type AsksOf = (peer: number) => readonly Ask[];

async function compareSides(
  peer: PythonChild,
  asksOf: AsksOf,
  ours: Ours,
  times: readonly string[],
): Promise<Result[]> {
  const reported = new Map<string, Reported>();
  const side = (name: string) => async (ask: Ask) => {
    const found = await peer.ask({ what: "bars", side: name, ...ask });
    const key = JSON.stringify(ask);
    const other = reported.get(key);
    if (other) checkSame(other, found, name);
    reported.set(key, found);
    return found.ms;
  };
  const results: Result[] = [];
  for (const [at, [name, description, frame]] of PEERS.entries()) {
    const asks = asksOf(at);
    for (const time of times) {
      const [mine, theirs] = await forEachSequential(asks, WARMUPS, side(`${ours} ${frame}`), side(name));
      results.push({
        what: `${ms(mine)} of ${NAMES[ours]}${time}`,
        against: `${ms(theirs)} of ${description}${time}`,
        ratio: mine / theirs,
      });
    }
  }
  return results;
}

interface Comparison {
  readonly name: string;
  readonly description: string;
  readonly ours: readonly Ours[];
  /** Whether the service keeps the results: each question is then asked a second time, of the peer too. */
  readonly isKept?: boolean;
  /**
   * `peer` counts those that are compared with, of which each has questions that were never asked where
   * results are kept.
   */
  asks(market: StoredMarket, quick: boolean, peer: number): readonly Ask[];
}

const ONCE = [""];
const TWICE = [", asked first", ", asked again"];

const comparison = ({ name, description, ours, isKept = false, asks }: Comparison): Measurement => ({
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
      const asksOf: AsksOf = (at) => asks(market, setting.quick, at);
      for (const side of ours)
        results.push(
          ...(await compareSides(peer, asksOf, side, isKept && side === "service" ? TWICE : ONCE)),
        );
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
  isKept: true,
  asks: ({ symbols, years }, quick, peer) => {
    const count = quick ? 20 : 60;
    const own = sample(symbols, count * PEERS.length, steadyRandom(11)).slice(
      count * peer,
      count * (peer + 1),
    );
    return own.map((symbol, i) => ({ symbols: [symbol], ...wholeYear(years[i % years.length]) }));
  },
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
