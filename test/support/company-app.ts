// The company capability behind the real HTTP edge, with sources a test makes up.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { company } from "../../src/capabilities/company/index.ts";
import type {
  Profiles,
  Regulator,
  SourceEntity,
  SourceProfile,
  SourceQuote,
} from "../../src/capabilities/company/sources.ts";
import { openStores } from "../../src/composition/context.ts";
import { readConfig } from "../../src/config.ts";
import type { Clock } from "../../src/platform/clock.ts";
import type { FundTickerRow, ListedTickerRow } from "../../src/providers/edgar/index.ts";
import { captureLog } from "./capture-log.ts";
import { serveCapability } from "./one-capability.ts";

/**
 * The answers of the made-up sources; a test changes them as it goes. `…Fault` is thrown in place of an
 * answer.
 */
export interface World {
  listed: ListedTickerRow[];
  funds: FundTickerRow[];
  /** By CIK. */
  entities: Record<string, SourceEntity>;
  /** By CIK. */
  firstFilings: Record<string, string>;
  /** By symbol; a list is used up from its front, its last one stays. */
  profiles: Record<string, SourceProfile | SourceProfile[]>;
  quotes: Record<string, SourceQuote>;
  listFault: Error | null;
  fundFault: Error | null;
  entityFault: Error | null;
  profileFault: Error | null;
  /** The requests in order: "companies", "funds", "entity 0000000001", "profile ZQX", "quotes ZQX". */
  asked: string[];
}

export const emptyWorld = (): World => ({
  listed: [],
  funds: [],
  entities: {},
  firstFilings: {},
  profiles: {},
  quotes: {},
  listFault: null,
  fundFault: null,
  entityFault: null,
  profileFault: null,
  asked: [],
});

function sourcesOf(world: World, clock: Clock): { regulator: Regulator; profiles: Profiles } {
  const said = <T>(what: string, error: Error | null, value: () => T): Promise<T> => {
    world.asked.push(what);
    return error ? Promise.reject(error) : Promise.resolve(value());
  };
  const now = () => clock.now().toString({ smallestUnit: "millisecond" });
  return {
    regulator: {
      listedTickers: () => said("companies", world.listFault, () => world.listed),
      fundTickers: () => said("funds", world.fundFault, () => world.funds),
      submissions: (cik) =>
        said(`entity ${cik}`, world.entityFault, () => {
          const entity = world.entities[cik];
          return entity
            ? { entity, first_filing_date: world.firstFilings[cik] ?? null, received_at: now() }
            : null;
        }),
    },
    profiles: {
      name: "yahoo",
      profile: (symbol) =>
        said(`profile ${symbol}`, world.profileFault, () => {
          const kept = world.profiles[symbol];
          const profile = Array.isArray(kept) ? (kept.length > 1 ? kept.shift() : kept[0]) : kept;
          return profile ? { ...profile, received_at: now() } : null;
        }),
      quotes: (symbols) =>
        said(`quotes ${symbols.join(",")}`, world.profileFault, () => ({
          quotes: new Map(Object.entries(world.quotes).filter(([symbol]) => symbols.includes(symbol))),
        })),
    },
  };
}

export interface CompanyApp extends Awaited<ReturnType<typeof openCompanyApp>> {}

/** Opens the routes over `sources`, or over a made-up world. */
export async function openCompanyApp(options: {
  clock: Clock;
  world?: World;
  sources?: { regulator: Regulator; profiles: Profiles };
  dataDir?: string;
}) {
  const { clock, world = emptyWorld() } = options;
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), "asof-company-")));
  const config = readConfig({ DATA_DIR: dataDir, JOBS: "off" });
  const log = captureLog();
  const { sqlite, lake } = await openStores({ config, clock, log }, { publishes: false });
  const companies = company({
    ...(options.sources ?? sourcesOf(world, clock)),
    lake,
    sqlite,
    clock,
    log,
    cacheDeps: { store: sqlite, clock, log },
    predecessorsOf: () => [],
  });
  const served = serveCapability({ config, clock, routes: companies.routes, name: "company" });
  return {
    world,
    clock,
    log,
    sqlite,
    lake,
    companies,
    dataDir,
    ...served,
    async close(keep = false) {
      await lake.close();
      sqlite.close();
      if (!keep) await rm(dataDir, { recursive: true, force: true });
    },
  };
}
