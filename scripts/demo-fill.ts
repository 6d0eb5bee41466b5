// Fills the demo at its start, so that the first minute has companies, news, short volume and scores without
// a POST.
import { addDays } from "../src/market/date.ts";

/** Asks the service: POST with a body, GET without. */
export type Ask = (path: string, body?: Readonly<Record<string, string>>) => Promise<unknown>;

const DAYS = 90;
const PAUSE_MS = 500;

/** In the order of their use to a newcomer, one after the other: pages are opened at the same time. */
const worksUpTo = (
  day: string,
  days: number,
): readonly (readonly [path: string, body: Readonly<Record<string, string>>])[] => [
  ["/universe/admin/discover", {}],
  ["/shortvolume/admin/ingest", { start_date: addDays(day, -days), end_date: day }],
  ["/scheduler/admin/jobs/short-interest/run", {}],
  ["/scheduler/admin/jobs/news-poll/run", {}],
  ["/scheduler/admin/jobs/overlay-scores/run", {}],
  ["/scheduler/admin/jobs/universe-snapshots/run", {}],
];

const isRunning = async (ask: Ask): Promise<boolean> => {
  const { total } = (await ask("/scheduler/runs?outcome=running&limit=1")) as { total: number };
  return total > 0;
};

/**
 * `day` is the service's, `days` what is read of short volume before it. A part that fails is left out: the
 * console says that it is not read.
 */
export async function fillDemo(ask: Ask, day: string, days: number = DAYS): Promise<void> {
  for (const [path, body] of worksUpTo(day, days))
    try {
      await ask(path, body);
      while (await isRunning(ask)) await Bun.sleep(PAUSE_MS);
    } catch {
      // The next part does not need this one.
    }
}
