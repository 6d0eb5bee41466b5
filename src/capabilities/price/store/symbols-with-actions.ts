// Which symbols have any corporate action. The stored bars of the others are on one basis as they are: the
// engine then has neither to look for their actions nor to plan how to scale them, which takes longer than
// reading a year of one symbol.
import { corporateActions } from "../../../datasets/corporate-actions.ts";
import type { Lake } from "../../../platform/lake/lake.ts";
import { currentReading, isReplaying, Reading, refuseDamage, unnoted } from "../../../platform/reading.ts";

/** The symbols with actions in one version of the stored actions. */
interface Known {
  readonly version: string;
  /** Undefined while they are read, and where that failed. */
  symbols?: ReadonlySet<string>;
}

/** Whether the rows of the current request are prepared and sent from the version that its answer names. */
const isPinned = () => (currentReading()?.pinned ?? null) !== null;

export function symbolsWithActions(lake: Pick<Lake, "query" | "version">) {
  let known: Known | undefined;
  let lastVersion: string | undefined;

  const load = async (version: string) => {
    const loaded: Known = { version };
    known = loaded;
    // A symbol of a lost file would count as having none; without the list each read names the loss itself.
    refuseDamage();
    const rows = await lake.query<{ symbol: string }>(`SELECT DISTINCT symbol FROM ${corporateActions.name}`);
    if ((await lake.version([corporateActions])) === version)
      loaded.symbols = new Set(rows.map(({ symbol }) => symbol));
  };

  /**
   * The symbols of a version that was asked for before: while fetches store actions, each version is seen
   * once.
   */
  const symbolsOf = (version: string): ReadonlySet<string> | undefined => {
    if (known?.version === version) return known.symbols;
    if (lastVersion === version) new Reading().run(() => load(version)).catch(() => {});
    lastVersion = version;
    return undefined;
  };

  const haveNone = (symbols: readonly string[], version: string): boolean => {
    const withActions = symbolsOf(version);
    return withActions !== undefined && !symbols.some((symbol) => withActions.has(symbol));
  };

  return {
    /**
     * Runs `read` with whether none of the symbols has an action. Runs it again without that, where actions
     * were stored meanwhile: they may belong to the bars that it has read. In an earlier version, and in that
     * of rows that are being sent, a symbol has no action where it has none now: no stored action is ever
     * replaced, so the newest rows have those of every version.
     */
    async read<T>(
      symbols: readonly string[],
      asOf: Temporal.Instant | null,
      read: (haveNone: boolean) => Promise<T>,
    ): Promise<T> {
      if (asOf !== null) return read(false);
      const ofNewest = isReplaying() || isPinned() ? unnoted : <R>(work: () => R) => work();
      const newest = () => ofNewest(() => lake.version([corporateActions], symbols));
      const version = await newest();
      if (!haveNone(symbols, version)) return read(false);
      const found = await read(true);
      // An earlier version does not contain what is stored now.
      if (isReplaying()) return found;
      return (await newest()) === version ? found : read(false);
    },
  };
}
