// The index of filings in the operational database: rows, how far each filer is covered, which days were taken in.
import {
  and,
  count,
  countDistinct,
  desc,
  eq,
  gte,
  inArray,
  isNull,
  lte,
  max,
  type SQL,
  sql,
} from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { inBatches } from "../../market/bulk.ts";
import type { Clock } from "../../platform/clock.ts";
import { instantText } from "../../platform/instant-text.ts";
import type { Db, Store } from "../../platform/sqlite/sqlite.ts";
import { isCurrentReport } from "./forms.ts";
import { filing_days, filing_events, filing_filers, filing_parses, filings } from "./tables.ts";

export type ParsedStatus = "pending" | "succeeded" | "failed";
export type FilingRecord = Omit<typeof filings.$inferSelect, "published">;
/** A row on its way in; the store adds when. */
export type IncomingFiling = Omit<FilingRecord, "indexed_at">;

/** When a filing was accepted and from when it could be read, in the stored form. */
export interface Accepted {
  readonly accepted_at: string | null;
  readonly known_at: string;
}

export interface FilerRecord {
  readonly cik: string;
  readonly name: string;
  /** Canonical symbols, the primary one first. */
  readonly tickers: readonly string[];
  readonly predecessor_ciks: readonly string[];
  readonly covered_from: string;
  readonly indexed_at: string;
}

export interface FoundFiling extends FilingRecord {
  /** Null for forms that are not read for events. */
  readonly parsed_status: ParsedStatus | null;
}

/** Which filings; every part given must hold. */
export interface FilingFilter {
  readonly ciks: readonly string[];
  readonly forms?: readonly string[] | null;
  readonly start?: string | null;
  readonly end?: string | null;
  /** Stored form of an instant: only what could be read then. */
  readonly asOf?: string | null;
  readonly status?: ParsedStatus;
  readonly withoutAcceptance?: boolean;
}

const ROWS_A_STATEMENT = 200;

function where(filter: FilingFilter): SQL | undefined {
  const { forms, start, end, asOf, status } = filter;
  return and(
    inArray(filings.cik, [...filter.ciks]),
    forms ? inArray(filings.form_type, [...forms]) : undefined,
    start ? gte(filings.filing_date, start) : undefined,
    end ? lte(filings.filing_date, end) : undefined,
    asOf ? lte(filings.known_at, asOf) : undefined,
    status ? eq(filing_parses.status, status) : undefined,
    filter.withoutAcceptance ? isNull(filings.accepted_at) : undefined,
  );
}

const given = (column: SQLiteColumn) => sql.raw(`excluded.${column.name}`);
const kept = (column: SQLiteColumn) => sql`coalesce(${column}, ${given(column)})`;

/** What a later index adds to a stored row: only what that row does not have; acceptance only by force. */
function enriched(force: boolean) {
  const learns = sql`${filings.accepted_at} IS NULL AND ${given(filings.accepted_at)} IS NOT NULL`;
  const gaps = [filings.report_date, filings.items, filings.primary_document, filings.size, filings.is_xbrl];
  const fills = gaps.map((column) => sql`(${column} IS NULL AND ${given(column)} IS NOT NULL)`);
  const changes = force ? [...fills, sql`(${learns})`] : fills;
  return {
    target: [filings.accession_number, filings.cik],
    set: {
      report_date: kept(filings.report_date),
      items: kept(filings.items),
      primary_document: kept(filings.primary_document),
      size: kept(filings.size),
      is_xbrl: kept(filings.is_xbrl),
      ...(force
        ? {
            known_at: sql`CASE WHEN ${learns} THEN ${given(filings.known_at)} ELSE ${filings.known_at} END`,
            accepted_at: kept(filings.accepted_at),
            precision: sql`CASE WHEN ${learns} THEN 'second' ELSE ${filings.precision} END`,
          }
        : {}),
      indexed_at: given(filings.indexed_at),
      published: sql`0`,
    },
    setWhere: sql.join(changes, sql` OR `),
  };
}

function addPending(db: Db, rows: readonly IncomingFiling[]): string[] {
  const reports = [
    ...new Set(rows.filter((r) => isCurrentReport(r.form_type)).map((r) => r.accession_number)),
  ];
  return inBatches(reports, ROWS_A_STATEMENT).flatMap((batch) =>
    db
      .insert(filing_parses)
      .values(
        batch.map((accession_number) => ({ accession_number, status: "pending" as const, attempts: 0 })),
      )
      .onConflictDoNothing()
      .returning({ accession_number: filing_parses.accession_number })
      .all()
      .map((row) => row.accession_number),
  );
}

const columns = {
  accession_number: filings.accession_number,
  company_name: filings.company_name,
  form_type: filings.form_type,
  filing_date: filings.filing_date,
  report_date: filings.report_date,
  accepted_at: filings.accepted_at,
  items: filings.items,
  primary_document: filings.primary_document,
  size: filings.size,
  is_xbrl: filings.is_xbrl,
  precision: filings.precision,
  known_at: filings.known_at,
  indexed_at: filings.indexed_at,
  parsed_status: filing_parses.status,
};

export function filingsStore({ sqlite, clock }: { readonly sqlite: Store; readonly clock: Clock }) {
  /** A filing in the lists of several of the filers is found once. */
  const selected = (db: Db, filter: FilingFilter) =>
    db
      .select({ ...columns, cik: max(filings.cik) })
      .from(filings)
      .leftJoin(filing_parses, eq(filing_parses.accession_number, filings.accession_number))
      .where(where(filter))
      .groupBy(filings.accession_number);

  return {
    filer(cik: string): FilerRecord | null {
      const row = sqlite.use((db) => db.select().from(filing_filers).where(eq(filing_filers.cik, cik)).get());
      if (!row) return null;
      return { ...row, tickers: JSON.parse(row.tickers), predecessor_ciks: JSON.parse(row.predecessor_ciks) };
    },

    /** The indexed filer whose symbol this is; null when none is known. */
    cikOfTicker: (symbol: string): string | null =>
      sqlite.use((db) =>
        db
          .select({ cik: filing_filers.cik })
          .from(filing_filers)
          .where(sql`EXISTS (SELECT 1 FROM json_each(${filing_filers.tickers}) WHERE value = ${symbol})`)
          .get(),
      )?.cik ?? null,

    saveFiler(filer: FilerRecord): void {
      const row = {
        ...filer,
        tickers: JSON.stringify(filer.tickers),
        predecessor_ciks: JSON.stringify(filer.predecessor_ciks),
      };
      sqlite.use((db) =>
        db
          .insert(filing_filers)
          .values(row)
          .onConflictDoUpdate({ target: filing_filers.cik, set: row })
          .run(),
      );
    },

    /**
     * Stores rows. A row that is there keeps what it says and gains what it lacked; its acceptance is filled in only
     * when `force` is set. Gives the accession numbers of current reports met for the first time, all of them pending.
     */
    save(rows: readonly IncomingFiling[], force: boolean): string[] {
      const indexed_at = instantText(clock.nowMs());
      const update = enriched(force);
      return inBatches(rows, ROWS_A_STATEMENT).flatMap((batch) =>
        sqlite.write((db) => {
          const values = batch.map((row) => ({ ...row, indexed_at, published: false }));
          db.insert(filings).values(values).onConflictDoUpdate(update).run();
          return addPending(db, batch);
        }),
      );
    },

    /** Items and report date of a filing from its detail page, where the index it came from told none. */
    learn(
      accession: string,
      page: { readonly items: readonly string[]; readonly report_date: string | null },
    ): void {
      const items = page.items.join(",");
      const report_date = sql`coalesce(${filings.report_date}, ${page.report_date})`;
      sqlite.use((db) =>
        db
          .update(filings)
          .set({ items, report_date, indexed_at: instantText(clock.nowMs()), published: false })
          .where(and(eq(filings.accession_number, accession), isNull(filings.items)))
          .run(),
      );
    },

    /**
     * The moment of acceptance as the detail page of a filing tells it, where it was not known: of a row whose index
     * told two moments, or, by `force`, of any. Its events are known from then too.
     */
    accept(accession: string, page: Accepted, force: boolean): void {
      const isSame = and(eq(filings.accession_number, accession), isNull(filings.accepted_at));
      const wanted = force ? isSame : and(isSame, eq(filings.precision, "ambiguous"));
      const indexed_at = instantText(clock.nowMs());
      sqlite.write((db) => {
        if (page.accepted_at === null) {
          db.update(filings).set({ precision: "day" }).where(wanted).run();
          return;
        }
        const told = { accepted_at: page.accepted_at, known_at: page.known_at, precision: "second" as const };
        const rows = db
          .update(filings)
          .set({ ...told, indexed_at, published: false })
          .where(wanted)
          .returning({ accession_number: filings.accession_number })
          .all();
        if (rows.length === 0) return;
        db.update(filing_events)
          .set({ published: false })
          .where(eq(filing_events.accession_number, accession))
          .run();
      });
    },

    /** Accession numbers of a filer's filings of which the index told two moments, newest first. */
    unsettled: (cik: string, limit: number): string[] =>
      sqlite
        .use((db) =>
          db
            .select({ accession_number: filings.accession_number })
            .from(filings)
            .where(and(eq(filings.cik, cik), eq(filings.precision, "ambiguous"), isNull(filings.accepted_at)))
            .orderBy(desc(filings.filing_date), desc(filings.accession_number))
            .limit(limit)
            .all(),
        )
        .map((row) => row.accession_number),

    /** Newest first; of several with one moment the greatest accession number first. */
    find(filter: FilingFilter, page: { readonly limit: number; readonly offset: number }): FoundFiling[] {
      const rows = sqlite.use((db) =>
        selected(db, filter)
          .orderBy(desc(filings.filing_date), desc(filings.known_at), desc(filings.accession_number))
          .limit(page.limit)
          .offset(page.offset)
          .all(),
      );
      return rows.map((row) => ({ ...row, cik: row.cik ?? "" }));
    },

    count(filter: FilingFilter): number {
      const row = sqlite.use((db) =>
        db
          .select({ total: countDistinct(filings.accession_number) })
          .from(filings)
          .leftJoin(filing_parses, eq(filing_parses.accession_number, filings.accession_number))
          .where(where(filter))
          .get(),
      );
      return row?.total ?? 0;
    },

    /** The filing as one of the filers' lists has it; null when it is in none. */
    byAccession(accession: string): FoundFiling | null {
      return this.byAccessions([accession])[0] ?? null;
    },

    byAccessions(accessions: readonly string[]): FoundFiling[] {
      const rows = sqlite.use((db) =>
        db
          .select({ ...columns, cik: max(filings.cik) })
          .from(filings)
          .leftJoin(filing_parses, eq(filing_parses.accession_number, filings.accession_number))
          .where(inArray(filings.accession_number, [...accessions]))
          .groupBy(filings.accession_number)
          .all(),
      );
      return rows.map((row) => ({ ...row, cik: row.cik ?? "" }));
    },

    /** How many filings of the index stand in each parse state. */
    parseCounts(): Record<ParsedStatus, number> {
      const rows = sqlite.use((db) =>
        db
          .select({ status: filing_parses.status, n: count() })
          .from(filing_parses)
          .groupBy(filing_parses.status)
          .all(),
      );
      const counts = { pending: 0, succeeded: 0, failed: 0 };
      for (const { status, n } of rows) counts[status] = n;
      return counts;
    },

    /** Filers whose lists are indexed, ascending. */
    filers: (): string[] =>
      sqlite
        .use((db) =>
          db.select({ cik: filing_filers.cik }).from(filing_filers).orderBy(filing_filers.cik).all(),
        )
        .map((row) => row.cik),

    /** Accession numbers still to be parsed, newest filing first. */
    pending: (limit: number): string[] =>
      sqlite
        .use((db) =>
          db
            .select({ accession_number: filing_parses.accession_number })
            .from(filing_parses)
            .innerJoin(filings, eq(filings.accession_number, filing_parses.accession_number))
            .where(eq(filing_parses.status, "pending"))
            .groupBy(filing_parses.accession_number)
            .orderBy(desc(max(filings.filing_date)), desc(filing_parses.accession_number))
            .limit(limit)
            .all(),
        )
        .map((row) => row.accession_number),

    hasDay: (date: string): boolean =>
      sqlite.use((db) => db.select().from(filing_days).where(eq(filing_days.date, date)).get()) !== undefined,

    saveDay(date: string, filingCount: number): void {
      const row = { date, filings: filingCount, indexed_at: instantText(clock.nowMs()) };
      sqlite.use((db) =>
        db.insert(filing_days).values(row).onConflictDoUpdate({ target: filing_days.date, set: row }).run(),
      );
    },
  };
}

export type FilingsStore = ReturnType<typeof filingsStore>;
