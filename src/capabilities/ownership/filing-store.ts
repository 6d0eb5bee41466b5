// The filings of the index in the operational database: what was filed by which parties, and whether it was
// read.
import { and, count, desc, eq, gte, inArray, isNull, lte, or, sql } from "drizzle-orm";
import { inBatches } from "../../market/bulk.ts";
import { endOfDay } from "../../market/calendar.ts";
import type { Services } from "../../market/services.ts";
import { instantText } from "../../platform/instant-text.ts";
import type { Db } from "../../platform/sqlite/sqlite.ts";
import { type Kind, kindOf } from "./forms.ts";
import { ownership_filings, ownership_parties } from "./tables.ts";

export type FilingState = typeof ownership_filings.$inferSelect;
export type FoundIn = FilingState["found_in"];
export type Status = FilingState["status"];

/** A filing as an index describes it. */
export interface IndexedFiling {
  readonly accession_number: string;
  readonly form_type: string;
  readonly filing_date: string;
  readonly parties: readonly { readonly cik: string; readonly is_subject: boolean | null }[];
  /** When the filing became public, if the index says so. */
  readonly public_from: string | null;
  readonly accepted_at: string | null;
}

/** The outcome of reading a filing. */
export interface ReadState
  extends Pick<
    FilingState,
    "status" | "error" | "attempts" | "reading" | "rows" | "accepted_at" | "known_at"
  > {
  readonly accession_number: string;
}

/** The parties that the header of a filing names. */
export type FilingParties = Pick<IndexedFiling, "accession_number" | "parties">;

/** Which filings; every given part must hold. */
export interface FilingFilter {
  readonly kind?: Kind;
  readonly status?: readonly Status[];
  /** Filings that are, or may be, about one of these companies. */
  readonly subjects?: readonly string[];
  /** Only filings that are known to be about one of the `subjects`. */
  readonly isCertain?: boolean;
  readonly from?: string;
  readonly to?: string;
  readonly foundIn?: FoundIn;
}

const ROWS_PER_STATEMENT = 200;
/** Values of one IN list. */
const VALUES_PER_QUERY = 500;

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

/** The end of a filing date in New York: when a filing counts as known if its acceptance is unknown. */
const endOf = (date: string): string => instantText(endOfDay(date).epochMilliseconds);
const storedInstant = (instant: string): string =>
  instantText(Temporal.Instant.from(instant).epochMilliseconds);

/** A new row for an indexed filing; none for a form of another kind, or without a party. */
function pendingRow(filing: IndexedFiling, found_in: FoundIn, indexed_at: string) {
  const { accession_number, form_type, filing_date, parties, public_from, accepted_at } = filing;
  const kind = kindOf(form_type);
  const [first] = parties;
  if (kind === null || !first) return [];
  return {
    accession_number,
    kind,
    form_type,
    filing_date,
    cik: first.cik,
    status: "pending" as const,
    attempts: 0,
    found_in,
    indexed_at,
    accepted_at: accepted_at && storedInstant(accepted_at),
    known_at: public_from ? storedInstant(public_from) : endOf(filing_date),
  };
}

function addParties(db: Db, filings: readonly FilingParties[]): void {
  const rows = filings.flatMap(({ accession_number, parties }) =>
    parties.map(({ cik, is_subject }) => ({ cik, accession_number, is_subject })),
  );
  for (const batch of inBatches(rows, ROWS_PER_STATEMENT))
    db.insert(ownership_parties)
      .values(batch)
      .onConflictDoUpdate({
        target: [ownership_parties.cik, ownership_parties.accession_number],
        set: { is_subject: sql`coalesce(excluded.is_subject, ${ownership_parties.is_subject})` },
      })
      .run();
}

/** Large holders' filings with one of these parties that were public by a moment and are not read. */
const unreadHolderFilings = (db: Db, ciks: readonly string[], knownBy: string) =>
  db
    .select({
      accession_number: ownership_filings.accession_number,
      known_at: ownership_filings.known_at,
    })
    .from(ownership_parties)
    .innerJoin(ownership_filings, eq(ownership_filings.accession_number, ownership_parties.accession_number))
    .where(
      and(
        inArray(ownership_parties.cik, [...ciks]),
        eq(ownership_filings.kind, "holder"),
        inArray(ownership_filings.status, ["pending", "failed"]),
        lte(ownership_filings.known_at, knownBy),
      ),
    )
    .all();

export class FilingStore {
  readonly #sqlite: Services["sqlite"];
  readonly #clock: Services["clock"];

  constructor({ sqlite, clock }: Pick<Services, "sqlite" | "clock">) {
    this.#sqlite = sqlite;
    this.#clock = clock;
  }

  #now = () => instantText(this.#clock.nowMs());

  /** Adds filings that are not in the index yet, as pending. Returns their accession numbers. */
  add(filings: readonly IndexedFiling[], foundIn: FoundIn): string[] {
    const fresh: string[] = [];
    for (const batch of inBatches(filings, ROWS_PER_STATEMENT))
      this.#sqlite.write((db) => {
        const rows = batch.flatMap((filing) => pendingRow(filing, foundIn, this.#now()));
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
  }

  /** Newest filing first. */
  find(filter: FilingFilter, limit = 1_000_000): FilingState[] {
    return this.#sqlite.use((db) =>
      db
        .select()
        .from(ownership_filings)
        .where(where(filter))
        .orderBy(desc(ownership_filings.filing_date), desc(ownership_filings.accession_number))
        .limit(limit)
        .all(),
    );
  }

  count(filter: FilingFilter): number {
    const row = this.#sqlite.use((db) =>
      db.select({ n: count() }).from(ownership_filings).where(where(filter)).get(),
    );
    return row?.n ?? 0;
  }

  byAccessions(accessions: readonly string[]): FilingState[] {
    return inBatches(accessions, VALUES_PER_QUERY).flatMap((batch) =>
      this.#sqlite.use((db) =>
        db.select().from(ownership_filings).where(inArray(ownership_filings.accession_number, batch)).all(),
      ),
    );
  }

  /**
   * Large holders' filings with one of these parties that were public by a moment and are not read, with all
   * their parties.
   */
  unreadWith(ciks: readonly string[], knownBy: string): { known_at: string; parties: ReadonlySet<string> }[] {
    const unread = inBatches(ciks, VALUES_PER_QUERY).flatMap((batch) =>
      this.#sqlite.use((db) => unreadHolderFilings(db, batch, knownBy)),
    );
    const numbers = [...new Set(unread.map((row) => row.accession_number))];
    const parties = inBatches(numbers, VALUES_PER_QUERY).flatMap((batch) =>
      this.#sqlite.use((db) =>
        db.select().from(ownership_parties).where(inArray(ownership_parties.accession_number, batch)).all(),
      ),
    );
    const byFiling = Map.groupBy(parties, (row) => row.accession_number);
    return unread.map(({ accession_number, known_at }) => ({
      known_at,
      parties: new Set((byFiling.get(accession_number) ?? []).map((row) => row.cik)),
    }));
  }

  /** Saves the outcomes of reading filings, and the parties their headers name, in one transaction. */
  saveReadStates(states: readonly ReadState[], parties: readonly FilingParties[] = []): void {
    const read_at = this.#now();
    this.#sqlite.write((db) => {
      addParties(db, parties);
      for (const { accession_number, ...state } of states)
        db.update(ownership_filings)
          .set({ ...state, read_at })
          .where(eq(ownership_filings.accession_number, accession_number))
          .run();
    });
  }

  /** Marks pending filings as read from a quarterly data set: they need not be fetched. */
  markReadFromDataSet(accessions: readonly string[]): void {
    const set = { status: "succeeded" as const, reading: 0, read_at: this.#now() };
    for (const batch of inBatches(accessions, VALUES_PER_QUERY))
      this.#sqlite.write((db) =>
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
  }

  /** Makes filings pending again. */
  reset(filter: FilingFilter): void {
    this.#sqlite.write((db) =>
      db.update(ownership_filings).set({ status: "pending", attempts: 0 }).where(where(filter)).run(),
    );
  }
}
