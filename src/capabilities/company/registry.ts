// The registry: the regulator's lists of tickers in the operational database, and what sources last answered.

import { and, asc, desc, eq, inArray, isNull, sql } from "drizzle-orm";
import { company_tickers } from "../../datasets/tables.ts";
import { inBatches } from "../../market/bulk.ts";
import { fromSec } from "../../market/spelling.ts";
import { yieldToEventLoop } from "../../platform/event-loop.ts";
import { instantText } from "../../platform/instant-text.ts";
import type { Db, Store } from "../../platform/sqlite/sqlite.ts";
import type { FundTickerRow, ListedTickerRow } from "../../providers/edgar/index.ts";
import { sourceAnswers } from "./source-answers.ts";
import { company_lists } from "./tables.ts";

export type ListKind = "company" | "fund";

/** A ticker of the regulator's lists with the company or fund it belongs to. */
export type Listing = typeof company_tickers.$inferSelect;
type NewListing = Omit<Listing, "first_seen_at" | "gone_at">;

/** Rows written in one transaction: about 20 ms, then other work gets the event loop. */
const ROWS_PER_WRITE = 500;

const listingKey = ({ symbol, cik }: { symbol: string; cik: string }) => `${symbol} ${cik}`;

/**
 * The position of each line among those of its CIK. The list is sorted by company size, so positions in the
 * whole list change daily.
 */
function positions(list: readonly { readonly cik: string }[]): (cik: string) => number {
  const next = new Map(list.map(({ cik }) => [cik, 0]));
  return (cik) => {
    const position = next.get(cik) ?? 0;
    next.set(cik, position + 1);
    return position;
  };
}

/** The list of companies as rows. The list's order decides which class of a company is the main one. */
export function companyRows(list: readonly ListedTickerRow[]): NewListing[] {
  const positionOf = positions(list);
  return list.map(({ cik, ticker, name, exchange }) => ({
    symbol: fromSec(ticker) ?? ticker.toUpperCase(),
    cik,
    kind: "company",
    ticker,
    name: name === "" ? null : name,
    exchange,
    series_id: null,
    class_id: null,
    position: positionOf(cik),
  }));
}

export function fundRows(list: readonly FundTickerRow[]): NewListing[] {
  const positionOf = positions(list);
  return list.map(({ cik, ticker, series_id, class_id }) => ({
    symbol: fromSec(ticker) ?? ticker.toUpperCase(),
    cik,
    kind: "fund",
    ticker,
    name: null,
    exchange: null,
    series_id,
    class_id,
    position: positionOf(cik),
  }));
}

const COMPARED = ["ticker", "name", "exchange", "series_id", "class_id", "position"] as const;

const isSame = (row: NewListing, stored: Listing | undefined) =>
  stored !== undefined && stored.gone_at === null && COMPARED.every((name) => row[name] === stored[name]);

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

/**
 * Compares the stored rows with the list just read: which rows are new or changed, and which are no longer
 * listed.
 */
function differences(stored: readonly Listing[], rows: readonly NewListing[], now: string) {
  const before = new Map(stored.map((row) => [listingKey(row), row]));
  // A line that appears twice counts once, at its first position.
  const listed = new Map(rows.toReversed().map((row) => [listingKey(row), row]));
  const changed = [...listed]
    .filter(([key, row]) => !isSame(row, before.get(key)))
    .map(([key, row]) => ({
      ...row,
      first_seen_at: before.get(key)?.first_seen_at ?? now,
      gone_at: null,
    }));
  const gone = [...before]
    .filter(([key, row]) => row.gone_at === null && !listed.has(key))
    .map(([, row]) => ({ ...row, gone_at: now }));
  const added = changed.filter(({ symbol, cik }) => !before.has(listingKey({ symbol, cik }))).length;
  return { lines: listed.size, changed, gone, added };
}

function tickerRegistry(store: Store) {
  return {
    /**
     * The listing of a canonical symbol: its current holder (companies before funds), else its last one. Null
     * when no list ever contained the symbol.
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

    /** Every line of a list, present and past. */
    linesOf: (kind: ListKind): Listing[] =>
      store.use((db) => db.select().from(company_tickers).where(eq(company_tickers.kind, kind)).all()),

    /** All holders of a canonical symbol that the lists ever had, companies before funds. */
    listingsOf: (symbol: string): Listing[] =>
      store.use((db) =>
        db
          .select()
          .from(company_tickers)
          .where(eq(company_tickers.symbol, symbol))
          .orderBy(asc(company_tickers.kind), asc(company_tickers.first_seen_at))
          .all(),
      ),

    /** Current listings of the same company (for a fund: of the same series), in the list's order. */
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

    /** Listings of companies, present and past, in the list's order. */
    ofCompanies: (ciks: readonly string[]): Listing[] =>
      inBatches(ciks, ROWS_PER_WRITE).flatMap((batch) =>
        store.use((db) =>
          db
            .select()
            .from(company_tickers)
            .where(and(inArray(company_tickers.cik, batch), eq(company_tickers.kind, "company")))
            .orderBy(asc(company_tickers.position))
            .all(),
        ),
      ),

    /** When a list was last read and how many lines it had; null: never. */
    list: (kind: ListKind): typeof company_lists.$inferSelect | null =>
      store.use((db) => db.select().from(company_lists).where(eq(company_lists.kind, kind)).get()) ?? null,

    /**
     * Stores a list just read: adds new lines, updates changed ones and marks absent ones as gone. The list
     * counts as read only when all of it is stored.
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
  };
}

/** Opens the registry: the regulator's listings, and what each source last answered about a company. */
export const companyRegistry = (store: Store) => ({ ...tickerRegistry(store), ...sourceAnswers(store) });

export type CompanyRegistry = ReturnType<typeof companyRegistry>;
