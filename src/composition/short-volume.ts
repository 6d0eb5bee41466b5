// Short volume: FINRA and what is asked of its files.
import { shortVolume } from "../capabilities/shortvolume/index.ts";
import { classifyFinra, finra, finraPolicy } from "../providers/finra/index.ts";
import type { Context, Part } from "./context.ts";

/** Composes the daily files, the panel and short interest. */
export function composeShortVolume(context: Context) {
  const { lake, sqlite, clock, calendar, log, admin, runNow, connect } = context;
  const source = finra(connect(finraPolicy, classifyFinra));
  const shortVolumes = shortVolume({
    source,
    lake,
    sqlite,
    clock,
    calendar,
    log: log.child({ capability: "shortvolume" }),
    admin,
    runNow,
  });
  const part: Part = {
    jobs: shortVolumes.jobs,
    providers: () => [{ ...source.health(), name: "shortvolume" }],
  };
  return { shortVolumes, part };
}
