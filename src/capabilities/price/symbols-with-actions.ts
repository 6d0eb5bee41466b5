// Which symbols have any corporate action. The stored bars of the others are on one basis as they are: the engine then has
// neither to look for their actions nor to plan how to scale them, which takes longer than reading a year of one symbol.
import { corporateActions } from "../../datasets/corporate-actions.ts";
import type { Lake } from "../../platform/lake/lake.ts";
import { currentReading, isReplaying, unnoted } from "../../platform/reading.ts";

/** The symbols with actions in one version of the stored actions. */
interface Known {
  readonly version: string;
  /** Undefined while they are read, and where that failed. */
  symbols?: ReadonlySet<string>;
}

/** Whether reads of the current request see the newest rows, not those of a version. */
const seesNewest = () => !isReplaying() && (currentReading()?.pinned ?? null) === null;

export function symbolsWithActions(lake: Pick<Lake, "query" | "version">) {
  let known: Known | undefined;
  let lastVersion: string | undefined;

  const load = async (version: string) => {
    const loaded: Known = { version };
    known = loaded;
    const rows = await lake.query<{ symbol: string }>(`SELECT DISTINCT symbol FROM ${corporateActions.name}`);
    if ((await lake.version(corporateActions)) === version)
      loaded.symbols = new Set(rows.map(({ symbol }) => symbol));
  };

  /** The symbols of a version that was asked for before: while fetches store actions, each version is seen once. */
  const symbolsOf = (version: string): ReadonlySet<string> | undefined => {
    if (known?.version === version) return known.symbols;
    if (lastVersion === version) unnoted(() => load(version)).catch(() => {});
    lastVersion = version;
    return undefined;
  };

  return {
    /**
     * Runs `read` with whether none of the symbols has an action. Runs it again without that, where actions were stored
     * meanwhile: they may belong to the bars that it has read.
     */
    async read<T>(
      symbols: readonly string[],
      asOf: Temporal.Instant | null,
      read: (haveNone: boolean) => Promise<T>,
    ): Promise<T> {
      if (asOf !== null || !seesNewest()) return read(false);
      const version = await lake.version(corporateActions);
      const withActions = symbolsOf(version);
      if (withActions === undefined || symbols.some((symbol) => withActions.has(symbol))) return read(false);
      const found = await read(true);
      return (await lake.version(corporateActions)) === version ? found : read(false);
    },
  };
}
