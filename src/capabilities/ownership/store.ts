// The index of ownership filings in the operational database.
import { and, asc, count, desc, eq, gte, inArray, isNull, like, lte, min, or, sql } from "drizzle-orm";
import { inBatches } from "../../market/bulk.ts";
import { endOfDay } from "../../market/calendar.ts";
import type { Clock } from "../../platform/clock.ts";
import { instantText } from "../../platform/instant-text.ts";
import type { Db, Store } from "../../platform/sqlite/sqlite.ts";
import { backfill_items } from "../../platform/sqlite/tables.ts";
import { type Kind, kindOf } from "./forms.ts";
import { ownership_days, ownership_filings, ownership_lists, ownership_parties } from "./tables.ts";

export type FilingState = typeof ownership_filings.$inferSelect;
export type FoundIn = FilingState["found_in"];
export type Status = FilingState["status"];

/** A filing as an index tells it. */
export interface IndexedFiling {
  readonly accession_number: string;
  readonly form_type: string;
  readonly filing_date: string;
  readonly parties: readonly { readonly cik: string; readonly is_subject: boolean | null }[];
  /** From when anybody could read it, where the index tells. */
  readonly public_from: string | null;
  readonly accepted_at: string | null;
}

/** What became of reading a filing. */
export interface ReadState
  extends Pick<
    FilingState,
    "status" | "error" | "attempts" | "reading" | "rows" | "accepted_at" | "known_at"
  > {
  readonly accession_number: string;
}

/** Which filings; every part given must hold. */
export interface FilingFilter {
  readonly kind?: Kind;
  readonly status?: readonly Status[];
  /** With one of these as a party that may be whom the filing is about. */
  readonly subjects?: readonly string[];
  /** Only filings that are about one of the `subjects` for certain. */
  readonly isCertain?: boolean;
  readonly from?: string;
  readonly to?: string;
  readonly foundIn?: FoundIn;
}

const ROWS_A_STATEMENT = 200;
/** How the ledger of backfills names quarterly data sets, before what tells one from another. */
export const DATA_SET_NAME = "insiders ";

function where(filter: FilingFilter) {
  const { kind, status, subjects, isCertain = false, from, to, foundIn } = filter;
  return and(
    kind ? eq(ownership_filings.kind, kind) : undefined,
    status ? inArray(ownership_filings.status, [...status]) : undefined,
    from ? gte(ownership_filings.filing_date, from) : undefined,
    to ? lte(ownership_filings.filing_date, to) : undefined,
    foundIn ? eq(ownership_filings.found_in, foundIn) : undefined,
    subjects
      ? inArray(
          ownership_filings.accession_number,
          sql`(SELECT ${ownership_parties.accession_number} FROM ${ownership_parties} WHERE ${and(
            inArray(ownership_parties.cik, [...subjects]),
            isCertain
              ? eq(ownership_parties.is_subject, true)
              : or(isNull(ownership_parties.is_subject), eq(ownership_parties.is_subject, true)),
          )})`,
        )
      : undefined,
  );
}

/** Without a known moment it counts as known at the end of its filing date in New York. */
const endOf = (date: string): string => instantText(endOfDay(date).epochMilliseconds);
const stored = (instant: string): string => instantText(Temporal.Instant.from(instant).epochMilliseconds);

function addParties(db: Db, filings: readonly Pick<IndexedFiling, "accession_number" | "parties">[]): void {
  const rows = filings.flatMap(({ accession_number, parties }) =>
    parties.map(({ cik, is_subject }) => ({ cik, accession_number, is_subject })),
  );
  for (const batch of inBatches(rows, ROWS_A_STATEMENT))
    db.insert(ownership_parties)
      .values(batch)
      .onConflictDoUpdate({
        target: [ownership_parties.cik, ownership_parties.accession_number],
        set: { is_subject: sql`coalesce(excluded.is_subject, ${ownership_parties.is_subject})` },
      })
      .run();
}

export function ownershipStore({ sqlite, clock }: { readonly sqlite: Store; readonly clock: Clock }) {
  const now = () => instantText(clock.nowMs());

  return {
    /** Takes filings in that are not there yet, as pending; gives their accession numbers. */
    add(filings: readonly IndexedFiling[], foundIn: FoundIn): string[] {
      const fresh: string[] = [];
      for (const batch of inBatches(filings, ROWS_A_STATEMENT))
        sqlite.write((db) => {
          const rows = batch.flatMap((filing) => {
            const { accession_number, form_type, filing_date, parties, public_from } = filing;
            const [kind, first] = [kindOf(form_type), parties[0]];
            if (kind === null || !first) return [];
            return {
              ...{ accession_number, kind, form_type, filing_date, cik: first.cik },
              ...{ status: "pending" as const, attempts: 0, found_in: foundIn, indexed_at: now() },
              accepted_at: filing.accepted_at && stored(filing.accepted_at),
              known_at: public_from ? stored(public_from) : endOf(filing_date),
            };
          });
          if (rows.length === 0) return;
          const added = db
            .insert(ownership_filings)
            .values(rows)
            .onConflictDoNothing()
            .returning({ accession_number: ownership_filings.accession_number })
            .all();
          addParties(db, batch);
          fresh.push(...added.map((row) => row.accession_number));
        });
      return fresh;
    },

    /** Newest filing first. */
    find: (filter: FilingFilter, limit = 1_000_000): FilingState[] =>
      sqlite.use((db) =>
        db
          .select()
          .from(ownership_filings)
          .where(where(filter))
          .orderBy(desc(ownership_filings.filing_date), desc(ownership_filings.accession_number))
          .limit(limit)
          .all(),
      ),

    count: (filter: FilingFilter): number =>
      sqlite.use((db) => db.select({ n: count() }).from(ownership_filings).where(where(filter)).get())?.n ??
      0,

    byAccessions: (accessions: readonly string[]): FilingState[] =>
      inBatches(accessions, 500).flatMap((batch) =>
        sqlite.use((db) =>
          db.select().from(ownership_filings).where(inArray(ownership_filings.accession_number, batch)).all(),
        ),
      ),

    /** Filings of large holders known by a moment and not read, with their parties, of those with one of these as a party. */
    unreadOf(ciks: readonly string[], knownBy: string): { known_at: string; parties: ReadonlySet<string> }[] {
      const unread = inBatches(ciks, 500).flatMap((batch) =>
        sqlite.use((db) =>
          db
            .select({
              accession_number: ownership_filings.accession_number,
              known_at: ownership_filings.known_at,
            })
            .from(ownership_parties)
            .innerJoin(
              ownership_filings,
              eq(ownership_filings.accession_number, ownership_parties.accession_number),
            )
            .where(
              and(
                inArray(ownership_parties.cik, batch),
                eq(ownership_filings.kind, "holder"),
                inArray(ownership_filings.status, ["pending", "failed"]),
                lte(ownership_filings.known_at, knownBy),
              ),
            )
            .all(),
        ),
      );
      const numbers = [...new Set(unread.map((row) => row.accession_number))];
      const parties = inBatches(numbers, 500).flatMap((batch) =>
        sqlite.use((db) =>
          db.select().from(ownership_parties).where(inArray(ownership_parties.accession_number, batch)).all(),
        ),
      );
      const byFiling = Map.groupBy(parties, (row) => row.accession_number);
      return unread.map(({ accession_number, known_at }) => ({
        known_at,
        parties: new Set((byFiling.get(accession_number) ?? []).map((row) => row.cik)),
      }));
    },

    /** Notes what became of filings, all at once. */
    mapSettled(states: readonly ReadState[], told: Parameters<typeof addParties>[1] = []): void {
      const read_at = now();
      sqlite.write((db) => {
        addParties(db, told);
        for (const { accession_number, ...state } of states)
          db.update(ownership_filings)
            .set({ ...state, read_at })
            .where(eq(ownership_filings.accession_number, accession_number))
            .run();
      });
    },

    /** Notes that a quarterly data set brought these filings: they need not be fetched. */
    settleByDataSet(accessions: readonly string[]): void {
      const set = { status: "succeeded" as const, reading: 0, read_at: now() };
      for (const batch of inBatches(accessions, 500))
        sqlite.write((db) =>
          db
            .update(ownership_filings)
            .set(set)
            .where(
              and(
                inArray(ownership_filings.accession_number, batch),
                eq(ownership_filings.status, "pending"),
                isNull(ownership_filings.reading),
              ),
            )
            .run(),
        );
    },

    /** Makes filings pending again. */
    reset(filter: FilingFilter): void {
      sqlite.write((db) =>
        db.update(ownership_filings).set({ status: "pending", attempts: 0 }).where(where(filter)).run(),
      );
    },

    list(cik: string, kind: Kind): { covered_from: string; listed_at: string } | null {
      return (
        sqlite.use((db) =>
          db
            .select()
            .from(ownership_lists)
            .where(and(eq(ownership_lists.cik, cik), eq(ownership_lists.kind, kind)))
            .get(),
        ) ?? null
      );
    },

    saveList(cik: string, kind: Kind, told: { covered_from: string; listed_at: string }): void {
      sqlite.write((db) =>
        db
          .insert(ownership_lists)
          .values({ cik, kind, ...told })
          .onConflictDoUpdate({
            target: [ownership_lists.cik, ownership_lists.kind],
            set: {
              covered_from: sql`min(${ownership_lists.covered_from}, excluded.covered_from)`,
              listed_at: sql`max(${ownership_lists.listed_at}, excluded.listed_at)`,
            },
          })
          .run(),
      );
    },

    /** Days of the span of which everybody's filings are in the index. */
    days: (kind: Kind, from: string, to: string): Set<string> =>
      new Set(
        sqlite
          .use((db) =>
            db
              .select({ date: ownership_days.date })
              .from(ownership_days)
              .where(
                and(
                  eq(ownership_days.kind, kind),
                  gte(ownership_days.date, from),
                  lte(ownership_days.date, to),
                ),
              )
              .orderBy(asc(ownership_days.date))
              .all(),
          )
          .map((row) => row.date),
      ),

    /** The first day that was taken in from a daily index; null when none was. */
    firstDay: (): string | null =>
      sqlite.use((db) =>
        db
          .select({ date: min(ownership_days.date) })
          .from(ownership_days)
          .where(eq(ownership_days.source, "daily_index"))
          .get(),
      )?.date ?? null,

    saveDays(
      kind: Kind,
      days: readonly { readonly date: string; readonly filings: number }[],
      source: typeof ownership_days.$inferSelect.source,
    ): void {
      const rows = days.map((day) => ({ ...day, kind, source, indexed_at: now() }));
      sqlite.write((db) => {
        for (const batch of inBatches(rows, ROWS_A_STATEMENT))
          db.insert(ownership_days)
            .values(batch)
            .onConflictDoUpdate({
              target: [ownership_days.kind, ownership_days.date],
              set: {
                filings: sql`excluded.filings`,
                source: sql`excluded.source`,
                indexed_at: sql`excluded.indexed_at`,
              },
            })
            .run();
      });
    },

    /** Whether a quarterly data set was ever begun to be taken in. */
    hasDataSets: (): boolean =>
      sqlite.use((db) =>
        db
          .select({ item: backfill_items.item })
          .from(backfill_items)
          .where(like(backfill_items.backfill, `${DATA_SET_NAME}%`))
          .limit(1)
          .get(),
      ) !== undefined,
  };
}

export type OwnershipStore = ReturnType<typeof ownershipStore>;
