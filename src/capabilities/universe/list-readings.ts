// When the exchanges' lists were read: from the lake, and from the operational database where an earlier
// release stored it there alone.
import type { universeReadings } from "../../datasets/universe-readings.ts";
import { instantMs, instantText } from "../../platform/instant-text.ts";
import type { RowOf } from "../../platform/lake/dataset.ts";
import type { Lake } from "../../platform/lake/lake.ts";
import { isReplaying } from "../../platform/reading.ts";
import type { Store } from "../../platform/sqlite/sqlite.ts";
import { universe_readings } from "./tables.ts";

type ReadingRow = RowOf<typeof universeReadings>;

/**
 * When the first stored listing was seen. A version from before readings were stored in the lake knows
 * nothing earlier.
 */
async function firstVintage(lake: Lake, signal: AbortSignal): Promise<string | null> {
  const [row] = await lake.query<{ at: string | null }>(
    "SELECT min(known_at) AS at FROM universe_registry",
    {},
    { signal },
  );
  return row?.at == null ? null : instantText(instantMs(row.at));
}

/** The readings that the operational database has. */
function notedReadings(sqlite: Store): ReadingRow[] {
  const rows = sqlite.use((db) => db.select().from(universe_readings).all());
  return rows.map(({ list, rows, read_at }) => ({ list, rows, known_at: read_at }));
}

/**
 * The readings that the lake has. Their instants have the decimals of the operational database, so that text
 * order is time order.
 */
async function storedReadings(lake: Lake, signal?: AbortSignal): Promise<ReadingRow[]> {
  const sql = "SELECT list, rows, known_at FROM universe_readings";
  const rows = await lake.query<ReadingRow>(sql, {}, signal ? { signal } : {});
  return rows.map((row) => ({ ...row, known_at: instantText(instantMs(row.known_at)) }));
}

export function listReadings({ sqlite, lake }: { readonly sqlite: Store; readonly lake: Lake }) {
  /** Every reading; in an earlier version, those that it holds. */
  const all = async (signal: AbortSignal): Promise<ReadingRow[]> => [
    ...(await storedReadings(lake, signal)),
    ...(isReplaying() ? [] : notedReadings(sqlite)),
  ];

  return {
    /** The newest reading of each list, up to `until` if given. RFC 3339 UTC. */
    async newest(until: string | null, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
      const newest = new Map<string, string>();
      for (const { list, known_at } of await all(signal))
        if ((until === null || known_at <= until) && known_at > (newest.get(list) ?? ""))
          newest.set(list, known_at);
      return newest;
    },

    /** When a list was first read; null before the first reading. */
    async first(signal: AbortSignal): Promise<string | null> {
      const readings = (await all(signal)).map(({ known_at }) => known_at).sort();
      return readings[0] ?? (isReplaying() ? await firstVintage(lake, signal) : null);
    },

    /** The readings that the lake lacks, such as those of releases that did not store them there. */
    async unstored(): Promise<ReadingRow[]> {
      const stored = new Set((await storedReadings(lake)).map(({ list, known_at }) => `${list} ${known_at}`));
      return notedReadings(sqlite).filter(({ list, known_at }) => !stored.has(`${list} ${known_at}`));
    },
  };
}
