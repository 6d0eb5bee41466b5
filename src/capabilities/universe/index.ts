// The universe: which securities are listed, and their market values at month ends.
import { newYorkDate } from "../../market/calendar.ts";
import type { Services } from "../../market/services.ts";
import type { Job } from "../../platform/jobs/job.ts";
import { snapshotBuilder } from "./build.ts";
import { BuildLedger } from "./build-ledger.ts";
import { discovery } from "./discover.ts";
import { snapshotInputs } from "./inputs.ts";
import { monthOf } from "./months.ts";
import { registryList } from "./registry-list.ts";
import { DISCOVER_JOB, SNAPSHOTS_JOB, type UniverseRequests, universeRequests } from "./requests.ts";
import { universeRoutes } from "./routes.ts";
import { screener } from "./screen.ts";
import type { CollectFigures, CollectPrices, ListingSource, ShareCount, TickerList } from "./sources.ts";
import { universeStore } from "./store.ts";

export interface UniverseDeps
  extends Pick<Services, "lake" | "sqlite" | "clock" | "calendar" | "log" | "runNow"> {
  /** The exchanges' lists. */
  readonly source: ListingSource;
  readonly regulator: TickerList;
  readonly prices: CollectPrices;
  readonly figures: CollectFigures;
  readonly shareCount: ShareCount;
  readonly admin: Parameters<typeof universeRoutes>[1];
}

const NEW_YORK = "America/New_York";
const MINUTE_MS = 60_000;

function jobsOf(
  calendar: Services["calendar"],
  discover: ReturnType<typeof discovery>,
  { monthly }: Pick<UniverseRequests, "monthly">,
): Job[] {
  return [
    {
      name: DISCOVER_JOB,
      description: "Reads the lists of the exchanges into the registry.",
      schedule: "15 6 * * 1-5",
      zone: NEW_YORK,
      gate: (at) => calendar.isSession(newYorkDate(at)),
      deadlineMs: 15 * MINUTE_MS,
      catchUp: "once",
      fills: ["universe_registry", "universe_readings"],
      async run({ signal }) {
        const { added, updated, delisted } = await discover({}, signal);
        return { rows: added + updated + delisted };
      },
    },
    {
      name: SNAPSHOTS_JOB,
      description:
        "Builds the snapshot of the month that has just ended, and of the month before the rows that could not be computed then.",
      // On the first session of a month, after its close: the last close of the month before is settled then.
      schedule: "30 18 1-7 * *",
      zone: NEW_YORK,
      gate(at) {
        const date = newYorkDate(at);
        return calendar.isSession(date) && monthOf(calendar.previousSession(date)) !== monthOf(date);
      },
      // A cold build of all listings takes hours at the providers' pace.
      deadlineMs: 24 * 60 * MINUTE_MS,
      catchUp: "once",
      fills: ["universe_snapshots"],
      after: [DISCOVER_JOB],
      run: monthly,
    },
  ];
}

/** Composes the capability: its routes, its jobs, and what the command line runs. */
export function universe(deps: UniverseDeps) {
  const { source, regulator, lake, sqlite, clock, calendar, log, runNow } = deps;
  const store = universeStore({ sqlite, lake });
  const discover = discovery({ source, regulator, store, clock, log });
  const builder = snapshotBuilder({
    store,
    inputs: snapshotInputs({ lake, sqlite }),
    lake,
    prices: deps.prices,
    figures: deps.figures,
    shareCount: deps.shareCount,
    calendar,
    clock,
  });
  const builds = new BuildLedger({ sqlite, clock, log });
  const requests = universeRequests({ discover, builder, builds, runNow, calendar, clock });
  const answers = {
    registry: registryList({ lake, store }),
    screen: screener({ lake, store, clock, calendar, builds }),
    requests,
  };
  return {
    routes: universeRoutes(answers, deps.admin),
    jobs: jobsOf(calendar, discover, requests),
    requests,
    isListed: store.isListed,
    listedSymbols: store.listedSymbols,
  };
}
