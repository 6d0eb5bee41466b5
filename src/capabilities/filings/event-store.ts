// Events of current reports and the parse state of each filing, in the operational database.
import {
  and,
  asc,
  count,
  desc,
  eq,
  gte,
  inArray,
  lt,
  lte,
  max,
  notInArray,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import type { Services } from "../../market/services.ts";
import { instantMs, instantText } from "../../platform/instant-text.ts";
import type { Db } from "../../platform/sqlite/sqlite.ts";
import { EVENTS_READING } from "../../providers/edgar/index.ts";
import type { ParsedStatus } from "./store.ts";
import { filing_events, filing_parses, filings } from "./tables.ts";

/** An event from the parser, with its item's current number and the hash of the bytes it was read from. */
export interface ParsedEvent {
  readonly item_number: string;
  readonly modern_item: string | null;
  readonly event_type: string;
  readonly event_title: string;
  readonly content: string | null;
  readonly content_source: string;
  readonly content_length: number;
  readonly truncated: boolean;
  readonly source_sha256: string | null;
}

export interface ParseState {
  readonly status: ParsedStatus;
  readonly error: string | null;
  readonly problems: readonly string[];
  readonly attempts: number;
  readonly parsed_at: string | null;
}

export interface EventFilter {
  readonly ciks: readonly string[];
  readonly start: string;
  readonly end: string;
  /** The item number as filed, or its current number. */
  readonly item?: string | undefined;
  readonly event_type?: string | undefined;
  /** Only events public at this instant, in the stored form. */
  readonly asOf: string | null;
}

function where(filter: EventFilter): SQL | undefined {
  const { item, event_type, asOf } = filter;
  return and(
    eq(filing_events.withdrawn, false),
    inArray(filings.cik, [...filter.ciks]),
    gte(filings.filing_date, filter.start),
    lte(filings.filing_date, filter.end),
    item === undefined
      ? undefined
      : or(eq(filing_events.item_number, item), eq(filing_events.modern_item, item)),
    event_type === undefined ? undefined : eq(filing_events.event_type, event_type),
    asOf === null ? undefined : lte(filings.known_at, asOf),
  );
}

const CONTENTS = [
  filing_events.event_type,
  filing_events.event_title,
  filing_events.modern_item,
  filing_events.content,
  filing_events.content_source,
  filing_events.content_length,
  filing_events.truncated,
  filing_events.source_sha256,
];

/** Upsert that replaces an event whose content differs; an unchanged event keeps its parsed_at. */
function replaceChanged() {
  const given = (name: string) => sql.raw(`excluded.${name}`);
  const names = [...CONTENTS.map((column) => column.name), "parsed_at", "withdrawn", "published"];
  return {
    target: [filing_events.accession_number, filing_events.item_number],
    set: Object.fromEntries(names.map((name) => [name, given(name)])),
    setWhere: sql.join(
      [
        sql`${filing_events.withdrawn}`,
        ...CONTENTS.map((column) => sql`${column} IS NOT ${given(column.name)}`),
      ],
      sql` OR `,
    ),
  };
}

/** Withdraws the filing's events whose items are not in `items`. */
function withdrawOthers(db: Db, accession: string, items: readonly string[], parsed_at: string): void {
  db.update(filing_events)
    .set({ withdrawn: true, published: false, parsed_at })
    .where(
      and(
        eq(filing_events.accession_number, accession),
        eq(filing_events.withdrawn, false),
        items.length > 0 ? notInArray(filing_events.item_number, [...items]) : undefined,
      ),
    )
    .run();
}

/**
 * A failed parse is tried again after ten minutes, then after four times as long each time: at the latest
 * after 43 hours.
 */
const RETRY_MS_FIRST = 10 * 60_000;
const RETRY_FACTOR = 4;
const RETRIES_MAX = 5;

/** The parse state of filings. */
function parseStates({ sqlite, clock }: Pick<Services, "sqlite" | "clock">) {
  const setState = (db: Db, accession_number: string, state: Partial<typeof filing_parses.$inferInsert>) =>
    db.update(filing_parses).set(state).where(eq(filing_parses.accession_number, accession_number)).run();

  // A filing that an earlier parser could not read becomes pending again.
  sqlite.use((db) =>
    db
      .update(filing_parses)
      .set({ status: "pending" })
      .where(and(eq(filing_parses.status, "failed"), lt(filing_parses.reading, EVENTS_READING)))
      .run(),
  );

  const oneMoreAttempt = sql`${filing_parses.attempts} + 1`;

  return {
    /** Null for a filing that has no events by its form, or is not indexed. */
    state(accession: string): ParseState | null {
      const row = sqlite.use((db) =>
        db.select().from(filing_parses).where(eq(filing_parses.accession_number, accession)).get(),
      );
      if (!row) return null;
      const { status, error, attempts, parsed_at } = row;
      return { status, error, attempts, parsed_at, problems: JSON.parse(row.problems ?? "[]") };
    },

    /** Makes the filing pending, whatever its state; its events stay until it is parsed again. */
    reset(accession: string): void {
      sqlite.use((db) => setState(db, accession, { status: "pending", error: null }));
    },

    /** pending → succeeded: replaces the filing's events with these. */
    succeed(accession: string, events: readonly ParsedEvent[], problems: readonly string[]): void {
      const parsed_at = instantText(clock.nowMs());
      const rows = events.map((event) => ({
        ...event,
        accession_number: accession,
        parsed_at,
        withdrawn: false,
        published: false,
      }));
      sqlite.write((db) => {
        if (rows.length > 0) db.insert(filing_events).values(rows).onConflictDoUpdate(replaceChanged()).run();
        withdrawOthers(
          db,
          accession,
          events.map((event) => event.item_number),
          parsed_at,
        );
        const state = {
          status: "succeeded" as const,
          reading: EVENTS_READING,
          error: null,
          problems: JSON.stringify(problems),
          parsed_at,
        };
        db.update(filing_parses)
          .set({ ...state, attempts: oneMoreAttempt })
          .where(eq(filing_parses.accession_number, accession))
          .run();
      });
    },

    /** pending → failed: withdraws the filing's events and notes the reason. */
    fail(accession: string, error: string): void {
      const parsed_at = instantText(clock.nowMs());
      sqlite.write((db) => {
        withdrawOthers(db, accession, [], parsed_at);
        db.update(filing_parses)
          .set({
            status: "failed",
            reading: EVENTS_READING,
            error,
            problems: null,
            parsed_at,
            attempts: oneMoreAttempt,
          })
          .where(eq(filing_parses.accession_number, accession))
          .run();
      });
    },

    /**
     * Makes filings pending again whose parse failed some time ago, and returns them: a document that is
     * missing on the day of a filing is often there an hour later. After RETRIES_MAX attempts a filing stays
     * failed.
     */
    retryFailed(): string[] {
      const row = { accession: filing_parses.accession_number, attempts: filing_parses.attempts };
      return sqlite.write((db) => {
        const failed = db
          .select({ ...row, parsed_at: filing_parses.parsed_at })
          .from(filing_parses)
          .where(and(eq(filing_parses.status, "failed"), lte(filing_parses.attempts, RETRIES_MAX)))
          .all();
        const isDue = ({ attempts, parsed_at }: (typeof failed)[number]) =>
          parsed_at === null ||
          clock.nowMs() - instantMs(parsed_at) >= RETRY_MS_FIRST * RETRY_FACTOR ** Math.max(0, attempts - 1);
        const due = failed.filter(isDue).map(({ accession }) => accession);
        for (const accession of due) setState(db, accession, { status: "pending", error: null });
        return due;
      });
    },

    /** Leaves the filing pending because its documents could not be fetched, and notes the reason. */
    postpone(accession: string, error: string): void {
      sqlite.use((db) => setState(db, accession, { error }));
    },
  };
}

/** Reads of events. */
function eventReads({ sqlite }: Pick<Services, "sqlite">) {
  return {
    /** Newest filing first, within a filing by item. */
    find(filter: EventFilter, page: { readonly limit: number; readonly offset: number }) {
      return sqlite.use((db) =>
        db
          .select({
            event: filing_events,
            cik: max(filings.cik),
            filing_date: filings.filing_date,
            report_date: filings.report_date,
            accepted_at: filings.accepted_at,
          })
          .from(filing_events)
          .innerJoin(filings, eq(filings.accession_number, filing_events.accession_number))
          .where(where(filter))
          .groupBy(filing_events.accession_number, filing_events.item_number)
          .orderBy(
            desc(filings.filing_date),
            desc(filings.known_at),
            desc(filing_events.accession_number),
            asc(sql`CAST(${filing_events.item_number} AS REAL)`),
            asc(filing_events.item_number),
          )
          .limit(page.limit)
          .offset(page.offset)
          .all(),
      );
    },

    count(filter: EventFilter): number {
      const row = sqlite.use((db) => {
        const found = db
          .select({
            accession_number: filing_events.accession_number,
            item_number: filing_events.item_number,
          })
          .from(filing_events)
          .innerJoin(filings, eq(filings.accession_number, filing_events.accession_number))
          .where(where(filter))
          .groupBy(filing_events.accession_number, filing_events.item_number)
          .as("found");
        return db.select({ total: count() }).from(found).get();
      });
      return row?.total ?? 0;
    },
  };
}

/** Opens the store of events. */
export const eventStore = (services: Pick<Services, "sqlite" | "clock">) => ({
  ...parseStates(services),
  ...eventReads(services),
});

export type EventStore = ReturnType<typeof eventStore>;
