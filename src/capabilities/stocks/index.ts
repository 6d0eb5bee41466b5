// Market lists: members of indexes, most active, gainers, trending. Its face: what it needs, and what it gives.
import type { Calendar } from "../../market/calendar.ts";
import type { CacheDeps } from "../../platform/cache/cache.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Job } from "../../platform/jobs/job.ts";
import type { Lake } from "../../platform/lake/lake.ts";
import { stocksAnswers } from "./answers.ts";
import { type IndexLists, indexLists } from "./constituents.ts";
import { marketLists } from "./lists.ts";
import { stocksRoutes } from "./routes.ts";
import { gainerHistory } from "./snapshots.ts";
import type { IndexSource, ListSource, StocksLog } from "./sources.ts";
import { trendingAnswers } from "./trending.ts";

export interface StocksNeeds {
  readonly indexes: IndexSource;
  readonly lists: ListSource;
  readonly lake: Lake;
  readonly clock: Clock;
  readonly calendar: Calendar;
  readonly log: StocksLog;
  readonly cacheDeps: CacheDeps;
}

/** Once a day, whoever asks: so that the history of the lists has no hole but where the service stood still. */
function membersJob(indexes: IndexLists): Job {
  return {
    name: "index-constituents",
    description: "Reads the members of the indexes anew and stores the lists that changed.",
    schedule: "40 6 * * *",
    zone: "America/New_York",
    deadlineMs: 5 * 60_000,
    catchUp: "once",
    run: async ({ signal }) => ({ rows: await indexes.refresh(signal) }),
  };
}

/** Composes the capability: its routes and its jobs. */
export function stocks(needs: StocksNeeds) {
  const { lake, clock, calendar, log, cacheDeps } = needs;
  const lists = marketLists(needs.lists, cacheDeps);
  const indexes = indexLists({ source: needs.indexes, lake, clock, log, cacheDeps });
  const history = gainerHistory({ lists, source: needs.lists, lake, clock, calendar });
  const answers = stocksAnswers({
    lists,
    indexes,
    trending: trendingAnswers({ lists, clock }),
    history,
    sourceName: needs.lists.name,
    clock,
  });
  const jobs: readonly Job[] = [history.job, membersJob(indexes)];
  return { routes: stocksRoutes(answers), jobs };
}
