// The market-list capability: members of indexes, most active shares, gainers, trending.
import type { Services } from "../../market/services.ts";
import type { Job } from "../../platform/jobs/job.ts";
import type { Log } from "../../platform/log.ts";
import { stocksAnswers } from "./answers.ts";
import { type IndexLists, indexLists } from "./constituents.ts";
import { marketLists } from "./lists.ts";
import { stocksRoutes } from "./routes.ts";
import { gainerHistory } from "./snapshots.ts";
import type { IndexSource, ListSource } from "./sources.ts";
import { trendingAnswers } from "./trending.ts";

export interface StocksDeps extends Pick<Services, "lake" | "clock" | "calendar" | "cacheDeps"> {
  readonly indexes: IndexSource;
  readonly lists: ListSource;
  readonly log: Pick<Log, "warn">;
}

/** Reads the lists once a day, so that their history has gaps only where the service was down. */
function membersJob(indexes: IndexLists): Job {
  return {
    name: "index-constituents",
    description: "Reads the members of the indexes and stores the lists that changed.",
    schedule: "40 6 * * *",
    zone: "America/New_York",
    deadlineMs: 5 * 60_000,
    catchUp: "once",
    fills: ["index_constituents"],
    run: async ({ signal }) => ({ rows: await indexes.refresh(signal) }),
  };
}

/** Builds the capability: its routes and its jobs. */
export function stocks(deps: StocksDeps) {
  const { lake, clock, calendar, log, cacheDeps } = deps;
  const lists = marketLists(deps.lists, cacheDeps);
  const indexes = indexLists({ source: deps.indexes, lake, clock, log, cacheDeps });
  const history = gainerHistory({ lists, source: deps.lists, lake, clock, calendar });
  const answers = stocksAnswers({
    lists,
    indexes,
    trending: trendingAnswers({ lists, clock }),
    history,
    sourceName: deps.lists.name,
    clock,
    calendar,
  });
  const jobs: readonly Job[] = [history.job, membersJob(indexes)];
  return {
    routes: stocksRoutes(answers),
    jobs,
    /** The symbols of the most active list, in its order. Throws Upstream*. */
    mostActive: async (signal: AbortSignal): Promise<string[]> =>
      (await lists.mostActive(false, signal)).value.rows.map(({ symbol }) => symbol),
  };
}
