// What the service knows of tickers and companies without asking: the regulator's lists, and earlier answers.
import { and, asc, desc, eq, inArray, isNull, sql } from "drizzle-orm";
import { inBatches } from "../../market/bulk.ts";
import { fromSec } from "../../market/spelling.ts";
import { instantText } from "../../platform/instant-text.ts";
import type { Db, Store } from "../../platform/sqlite/sqlite.ts";
import { company_facts, company_lists, company_tickers } from "../../platform/sqlite/tables.ts";
import type { SourceFund, SourceListed } from "./sources.ts";

export type ListKind = "company" | "fund";

/** A ticker of the regulator's lists and whom it names. */
export type Listing = typeof company_tickers.$inferSelect;
type NewListing = Omit<Listing, "first_seen_at" | "gone_at">;

/** A source's last words, and when they were read (RFC 3339 UTC). */
export interface Held<T> {
  readonly body: T;
  readonly read_at: string;
}

/** Rows written in one transaction: some 20 ms, after which others have their turn. */
const ROWS_PER_WRITE = 500;

const keyOf = ({ symbol, cik }: { symbol: string; cik: string }) => `${symbol} ${cik}`;

/** The place of each line among those of its CIK: the list runs by size, so its places as a whole change daily. */
function places(list: readonly { readonly cik: string }[]): (cik: string) => number {
  const next = new Map(list.map(({ cik }) => [cik, 0]));
  return (cik) => {
    const place = next.get(cik) ?? 0;
    next.set(cik, place + 1);
    return place;
  };
}

/** Lines of the list of companies as rows. The list's own order tells the main class of a company. */
export function companyRows(list: readonly SourceListed[]): NewListing[] {
  const placeOf = places(list);
  return list.map(({ cik, ticker, name, exchange }) => ({
    symbol: fromSec(ticker) ?? ticker.toUpperCase(),
    cik,
    kind: "company",
    ticker,
    name: name === "" ? null : name,
    exchange,
    series_id: null,
    class_id: null,
    position: placeOf(cik),
  }));
}

export function fundRows(list: readonly SourceFund[]): NewListing[] {
  const placeOf = places(list);
  return list.map(({ cik, ticker, series_id, class_id }) => ({
    symbol: fromSec(ticker) ?? ticker.toUpperCase(),
    cik,
    kind: "fund",
    ticker,
    name: null,
    exchange: null,
    series_id,
    class_id,
    position: placeOf(cik),
  }));
}

const COMPARED = ["ticker", "name", "exchange", "series_id", "class_id", "position"] as const;

const isSame = (row: NewListing, stored: Listing | undefined) =>
  stored !== undefined && stored.gone_at === null && COMPARED.every((name) => row[name] === stored[name]);

/** Lets others have their turn on the event loop. */
const yieldToEventLoop = () => new Promise<void>((resolve) => setImmediate(resolve));

const excluded = (name: string) => sql.raw(`excluded.${name}`);

function upsert(tx: Db, rows: readonly Listing[]): void {
  tx.insert(company_tickers)
    .values([...rows])
    .onConflictDoUpdate({
      target: [company_tickers.kind, company_tickers.symbol, company_tickers.cik],
      set: Object.fromEntries([...COMPARED, "gone_at"].map((name) => [name, excluded(name)])),
    })
    .run();
}

/** Stored rows against a list as it was read now: what is new or other, and what is no longer in it. */
function differences(stored: readonly Listing[], rows: readonly NewListing[], now: string) {
  const before = new Map(stored.map((row) => [keyOf(row), row]));
  // The same line twice counts once, at its first place.
  const wanted = new Map(rows.toReversed().map((row) => [keyOf(row), row]));
  const changed = [...wanted]
    .filter(([key, row]) => !isSame(row, before.get(key)))
    .map(([key, row]) => ({
      ...row,
      first_seen_at: before.get(key)?.first_seen_at ?? now,
      gone_at: null,
    }));
  const gone = [...before]
    .filter(([key, row]) => row.gone_at === null && !wanted.has(key))
    .map(([, row]) => ({ ...row, gone_at: now }));
  const added = changed.filter(({ symbol, cik }) => !before.has(keyOf({ symbol, cik }))).length;
  return { lines: wanted.size, changed, gone, added };
}

export function companyRegistry(store: Store) {
  return {
    /**
     * Whom a canonical symbol names: who bears it now (the list of companies counts before that of funds), else who
     * bore it last; null for one that no list had.
     */
    listing(symbol: string): Listing | null {
      const rows = store.use((db) =>
        db
          .select()
          .from(company_tickers)
          .where(eq(company_tickers.symbol, symbol))
          .orderBy(
            desc(isNull(company_tickers.gone_at)),
            desc(company_tickers.gone_at),
            asc(company_tickers.kind),
          )
          .limit(1)
          .all(),
      );
      return rows[0] ?? null;
    },

    /** Present listings of the same company, of a fund those of the same series, in the list's order. */
    siblings({ cik, kind, series_id }: Listing): Listing[] {
      return store.use((db) =>
        db
          .select()
          .from(company_tickers)
          .where(
            and(
              eq(company_tickers.cik, cik),
              eq(company_tickers.kind, kind),
              isNull(company_tickers.gone_at),
              ...(series_id === null ? [] : [eq(company_tickers.series_id, series_id)]),
            ),
          )
          .orderBy(asc(company_tickers.position))
          .all(),
      );
    },

    /** Present listings of companies, in the list's order. */
    ofCompanies: (ciks: readonly string[]): Listing[] =>
      inBatches(ciks, ROWS_PER_WRITE).flatMap((batch) =>
        store.use((db) =>
          db
            .select()
            .from(company_tickers)
            .where(
              and(
                inArray(company_tickers.cik, batch),
                eq(company_tickers.kind, "company"),
                isNull(company_tickers.gone_at),
              ),
            )
            .orderBy(asc(company_tickers.position))
            .all(),
        ),
      ),

    /** When a list was last read, and how many lines it had; null before the first time. */
    list: (kind: ListKind): { readonly rows: number; readonly read_at: string } | null =>
      store.use((db) => db.select().from(company_lists).where(eq(company_lists.kind, kind)).get()) ?? null,

    /**
     * Takes over a list as it was read: new lines come in, changed ones change, absent ones are marked as gone. The
     * list counts as read once all of it is in.
     */
    async saveList(
      kind: ListKind,
      rows: readonly NewListing[],
      atMs: number,
    ): Promise<{ added: number; gone: number }> {
      const now = instantText(atMs);
      const stored = store.use((db) =>
        db.select().from(company_tickers).where(eq(company_tickers.kind, kind)).all(),
      );
      const { lines, changed, gone, added } = differences(stored, rows, now);
      for (const batch of inBatches([...changed, ...gone], ROWS_PER_WRITE)) {
        store.write((tx) => upsert(tx, batch));
        await yieldToEventLoop();
      }
      const list = { rows: lines, read_at: now };
      store.write((tx) =>
        tx
          .insert(company_lists)
          .values({ kind, ...list })
          .onConflictDoUpdate({ target: company_lists.kind, set: list })
          .run(),
      );
      return { added, gone: gone.length };
    },

    /** A source's last words on `key`; null when there are none, or none that can be read. */
    facts<T>(source: string, key: string): Held<T> | null {
      const row = store.use((db) =>
        db
          .select()
          .from(company_facts)
          .where(and(eq(company_facts.source, source), eq(company_facts.key, key)))
          .get(),
      );
      if (!row) return null;
      try {
        return { body: JSON.parse(row.body) as T, read_at: row.read_at };
      } catch {
        return null;
      }
    },

    saveFacts(source: string, key: string, held: Held<unknown>): void {
      const row = { body: JSON.stringify(held.body), read_at: held.read_at };
      store.write((tx) =>
        tx
          .insert(company_facts)
          .values({ source, key, ...row })
          .onConflictDoUpdate({ target: [company_facts.source, company_facts.key], set: row })
          .run(),
      );
    },
  };
}

export type CompanyRegistry = ReturnType<typeof companyRegistry>;
