// Listings and readings of the lists in the operational database; vintages of listings in the lake.
import { and, asc, desc, eq, getTableColumns, inArray, sql } from "drizzle-orm";
import { universeReadings } from "../../datasets/universe-readings.ts";
import { universeRegistry } from "../../datasets/universe-registry.ts";
import { inBatches } from "../../market/bulk.ts";
import { yieldToEventLoop } from "../../platform/event-loop.ts";
import type { RowOf } from "../../platform/lake/dataset.ts";
import { batchOf, type Lake } from "../../platform/lake/lake.ts";
import type { Db, Store } from "../../platform/sqlite/sqlite.ts";
import { listReadings } from "./list-readings.ts";
import type { Listing } from "./registry.ts";
import type { DirectoryFile } from "./sources.ts";
import { universe_listings, universe_readings } from "./tables.ts";

/** Rows per transaction: some 20 ms, after which other work gets its turn. */
const ROWS_PER_WRITE = 400;

/** All columns but the key, set to the values of the new row. */
const REPLACED = Object.fromEntries(
  Object.keys(getTableColumns(universe_listings))
    .filter((name) => name !== "listing")
    .map((name) => [name, sql.raw(`excluded.${name}`)]),
);

function upsert(tx: Db, rows: readonly Listing[]): void {
  tx.insert(universe_listings)
    .values([...rows])
    .onConflictDoUpdate({ target: universe_listings.listing, set: REPLACED })
    .run();
}

function vintage(row: Listing, known_at: string): RowOf<typeof universeRegistry> {
  const { market_cap: _cap, market_cap_at: _at, ...content } = row;
  return { ...content, known_at };
}

export function universeStore({ sqlite, lake }: { readonly sqlite: Store; readonly lake: Lake }) {
  const lists = listReadings({ sqlite, lake });
  return {
    listings: (): Listing[] =>
      sqlite.use((db) => db.select().from(universe_listings).orderBy(asc(universe_listings.listing)).all()),

    /** The newest reading of a list: when it was read, and the number of its lines. */
    reading(list: DirectoryFile): { readonly read_at: string; readonly rows: number } | null {
      return (
        sqlite.use((db) =>
          db
            .select()
            .from(universe_readings)
            .where(eq(universe_readings.list, list))
            .orderBy(desc(universe_readings.read_at))
            .limit(1)
            .get(),
        ) ?? null
      );
    },

    readings: lists.newest,
    firstReading: lists.first,

    /**
     * Whether an exchange lists a canonical symbol, or has since the first reading; null before the first
     * reading.
     */
    isListed(symbol: string): boolean | null {
      const known = sqlite.use((db) =>
        db
          .select({ listing: universe_listings.listing })
          .from(universe_listings)
          .where(eq(universe_listings.symbol, symbol))
          .get(),
      );
      if (known) return true;
      return sqlite.use((db) => db.select().from(universe_readings).get()) === undefined ? null : false;
    },

    /** The symbols of listed common stocks and depositary shares, the largest companies first. */
    listedSymbols: (): string[] =>
      sqlite
        .use((db) =>
          db
            .select({ symbol: universe_listings.symbol })
            .from(universe_listings)
            .where(
              and(
                eq(universe_listings.is_active, true),
                inArray(universe_listings.security_type, ["common", "adr"]),
              ),
            )
            .orderBy(sql`${universe_listings.market_cap} DESC NULLS LAST`, universe_listings.symbol)
            .all(),
        )
        .map(({ symbol }) => symbol),

    /** The screener's last market values of the companies behind listings. */
    marketCaps(
      listings: readonly string[],
    ): ReadonlyMap<string, Pick<Listing, "market_cap" | "market_cap_at">> {
      const { listing, market_cap, market_cap_at } = universe_listings;
      const rows = sqlite.use((db) =>
        db
          .select({ listing, market_cap, market_cap_at })
          .from(universe_listings)
          .where(inArray(listing, [...listings]))
          .all(),
      );
      return new Map(rows.map((row) => [row.listing, row]));
    },

    /**
     * Saves the changes of a reading. The lake is written first: after a crash in between, the next reading
     * finds the same differences again and adds another, equal row.
     */
    async save(
      changed: readonly Listing[],
      vintages: readonly Listing[],
      readings: readonly { readonly list: DirectoryFile; readonly rows: number }[],
      at: string,
    ): Promise<void> {
      await lake.append([
        batchOf(
          universeRegistry,
          vintages.map((row) => vintage(row, at)),
        ),
        batchOf(universeReadings, [
          ...(await lists.unstored()),
          ...readings.map((one) => ({ ...one, known_at: at })),
        ]),
      ]);
      for (const batch of inBatches(changed, ROWS_PER_WRITE)) {
        sqlite.write((tx) => upsert(tx, batch));
        await yieldToEventLoop();
      }
      // Last: a list counts as read once all of its changes are saved.
      sqlite.write((tx) => {
        for (const { list, rows } of readings)
          tx.insert(universe_readings).values({ list, rows, read_at: at }).onConflictDoNothing().run();
      });
    },
  };
}

export type UniverseStore = ReturnType<typeof universeStore>;
