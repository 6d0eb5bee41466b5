// The index of filings in the operational database: the filings and where parsing their events stands.
import {
  and,
  count,
  countDistinct,
  desc,
  eq,
  gt,
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
import type { Services } from "../../market/services.ts";
import { instantText } from "../../platform/instant-text.ts";
import type { Db } from "../../platform/sqlite/sqlite.ts";
import { filerStore } from "./filer-store.ts";
import { isCurrentReport } from "./forms.ts";
import { filing_events, filing_parses, filings } from "./tables.ts";

export type ParsedStatus = "pending" | "succeeded" | "failed";
export type FilingRecord = Omit<typeof filings.$inferSelect, "published">;
/** A row to be stored; the store adds the time. */
export type IncomingFiling = Omit<FilingRecord, "indexed_at">;

/** When a filing was accepted and when it became public, in the stored form. */
export interface Accepted {
  readonly accepted_at: string | null;
  readonly known_at: string;
}

export interface FoundFiling extends FilingRecord {
  /** Null for forms that have no events. */
  readonly parsed_status: ParsedStatus | null;
}

/** Which filings; all conditions that are given must be met. */
export interface FilingFilter {
  readonly ciks: readonly string[];
  readonly forms?: readonly string[] | null;
  readonly start?: string | null;
  readonly end?: string | null;
  /** Only filings public at this instant, in the stored form. */
  readonly asOf?: string | null;
  readonly status?: ParsedStatus;
  /** Only filings that are not known to be public at this instant. */
  readonly after?: string | null;
  readonly withoutAcceptance?: boolean;
}

const ROWS_PER_STATEMENT = 200;

function where(filter: FilingFilter): SQL | undefined {
  const { forms, start, end, asOf, status } = filter;
  return and(
    inArray(filings.cik, [...filter.ciks]),
    forms ? inArray(filings.form_type, [...forms]) : undefined,
    start ? gte(filings.filing_date, start) : undefined,
    end ? lte(filings.filing_date, end) : undefined,
    asOf ? lte(filings.known_at, asOf) : undefined,
    filter.after ? gt(filings.known_at, filter.after) : undefined,
    status ? eq(filing_parses.status, status) : undefined,
    filter.withoutAcceptance ? isNull(filings.accepted_at) : undefined,
  );
}

/** The value of the row that an insert tried to add. */
const given = (column: SQLiteColumn) => sql.raw(`excluded.${column.name}`);
/** The stored value, or the new one when none is stored. */
const storedOr = (column: SQLiteColumn) => sql`coalesce(${column}, ${given(column)})`;

/** Upsert that only fills in what a stored row lacks. It fills in the acceptance only with `force`. */
function fillIn(force: boolean) {
  const isAccepted = sql`${filings.accepted_at} IS NULL AND ${given(filings.accepted_at)} IS NOT NULL`;
  const gaps = [filings.report_date, filings.items, filings.primary_document, filings.size, filings.is_xbrl];
  const fills = gaps.map((column) => sql`(${column} IS NULL AND ${given(column)} IS NOT NULL)`);
  const changes = force ? [...fills, sql`(${isAccepted})`] : fills;
  return {
    target: [filings.accession_number, filings.cik],
    set: {
      report_date: storedOr(filings.report_date),
      items: storedOr(filings.items),
      primary_document: storedOr(filings.primary_document),
      size: storedOr(filings.size),
      is_xbrl: storedOr(filings.is_xbrl),
      ...(force
        ? {
            known_at: sql`CASE WHEN ${isAccepted} THEN ${given(filings.known_at)} ELSE ${filings.known_at} END`,
            accepted_at: storedOr(filings.accepted_at),
            precision: sql`CASE WHEN ${isAccepted} THEN 'second' ELSE ${filings.precision} END`,
          }
        : {}),
      indexed_at: given(filings.indexed_at),
      published: sql`0`,
    },
    setWhere: sql.join(changes, sql` OR `),
  };
}

/** Marks new current reports as pending; returns their accession numbers. */
function addPending(db: Db, rows: readonly IncomingFiling[]): string[] {
  const reports = [
    ...new Set(rows.filter((r) => isCurrentReport(r.form_type)).map((r) => r.accession_number)),
  ];
  return inBatches(reports, ROWS_PER_STATEMENT).flatMap((batch) =>
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

/** Writes of filings. */
function filingWrites({ sqlite, clock }: Pick<Services, "sqlite" | "clock">) {
  return {
    /**
     * Stores rows. A row that exists keeps its values and gets those it lacked; its acceptance is filled in
     * only with `force`. Returns the accession numbers of current reports met for the first time, which are
     * now pending.
     */
    save(rows: readonly IncomingFiling[], force: boolean): string[] {
      const indexed_at = instantText(clock.nowMs());
      const update = fillIn(force);
      return inBatches(rows, ROWS_PER_STATEMENT).flatMap((batch) =>
        sqlite.write((db) => {
          const values = batch.map((row) => ({ ...row, indexed_at, published: false }));
          db.insert(filings).values(values).onConflictDoUpdate(update).run();
          return addPending(db, batch);
        }),
      );
    },

    /** Adds items and report date from a filing's detail page, when the index it came from had no items. */
    addPageFields(
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
     * Stores the acceptance from a filing's header when it is unknown. The filing's events are published
     * again, with the new time.
     */
    setAcceptance(accession: string, page: Accepted): void {
      const condition = and(eq(filings.accession_number, accession), isNull(filings.accepted_at));
      const indexed_at = instantText(clock.nowMs());
      sqlite.write((db) => {
        if (page.accepted_at === null) {
          db.update(filings).set({ precision: "day" }).where(condition).run();
          return;
        }
        const acceptance = {
          accepted_at: page.accepted_at,
          known_at: page.known_at,
          precision: "second" as const,
        };
        const rows = db
          .update(filings)
          .set({ ...acceptance, indexed_at, published: false })
          .where(condition)
          .returning({ accession_number: filings.accession_number })
          .all();
        if (rows.length === 0) return;
        db.update(filing_events)
          .set({ published: false })
          .where(eq(filing_events.accession_number, accession))
          .run();
      });
    },
  };
}

/** Reads of filings. */
function filingReads({ sqlite }: Pick<Services, "sqlite">) {
  /** One row per filing, also when it is in the lists of several filers. */
  const selected = (db: Db, condition: SQL | undefined) =>
    db
      .select({ ...columns, cik: max(filings.cik) })
      .from(filings)
      .leftJoin(filing_parses, eq(filing_parses.accession_number, filings.accession_number))
      .where(condition)
      .groupBy(filings.accession_number);

  const byAccessions = (accessions: readonly string[]): FoundFiling[] => {
    const rows = sqlite.use((db) => selected(db, inArray(filings.accession_number, [...accessions])).all());
    return rows.map((row) => ({ ...row, cik: row.cik ?? "" }));
  };

  return {
    /** Newest first; filings of the same moment by descending accession number. */
    find(filter: FilingFilter, page: { readonly limit: number; readonly offset: number }): FoundFiling[] {
      const rows = sqlite.use((db) =>
        selected(db, where(filter))
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

    byAccessions,

    /** Null when the filing is not indexed. */
    byAccession: (accession: string): FoundFiling | null => byAccessions([accession])[0] ?? null,

    /** Accession numbers of a filer's filings whose list left two acceptance times possible, newest first. */
    ambiguous: (cik: string, limit: number): string[] =>
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

    /** Number of current reports that are not read yet. */
    pendingCount: (): number =>
      sqlite.use((db) =>
        db.select({ n: count() }).from(filing_parses).where(eq(filing_parses.status, "pending")).get(),
      )?.n ?? 0,

    /** Accession numbers of pending filings, newest filing first. */
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
  };
}

/** Opens the index of filings. */
export const filingsStore = (services: Pick<Services, "sqlite" | "clock">) => ({
  ...filerStore(services),
  ...filingWrites(services),
  ...filingReads(services),
});

export type FilingsStore = ReturnType<typeof filingsStore>;
