// The index of ownership filings as versions have it: noted in the lake when an answer uses it, and loaded
// for an earlier version.
import { and, asc, count, eq, inArray, isNull, max, or } from "drizzle-orm";
import { operationalStates } from "../../datasets/operational-states.ts";
import { endOfDay, newYorkDate } from "../../market/calendar.ts";
import { addDays } from "../../market/date.ts";
import { isFederalBusinessDay } from "../../market/federal-days.ts";
import type { Services } from "../../market/services.ts";
import { instantText } from "../../platform/instant-text.ts";
import { isReplaying } from "../../platform/reading.ts";
import { type CopiedRows, readOfOneVersion } from "../../platform/sqlite/one-version.ts";
import { recordedStates, type StateTable } from "../../platform/sqlite/recorded-states.ts";
import type { Db } from "../../platform/sqlite/sqlite.ts";
import type { StateRow } from "../../platform/sqlite/version-tables.ts";
import type { Kind } from "./forms.ts";
import { ownership_days, ownership_filings, ownership_lists, ownership_parties } from "./tables.ts";

const KINDS: readonly Kind[] = ["insider", "holder"];

/** The end of the day of an instant: a list is noted once a day, however often it is read. */
const dayEnd = (instant: string): string =>
  instantText(endOfDay(newYorkDate(Temporal.Instant.from(instant))).epochMilliseconds);

const LISTS: StateTable = {
  table: ownership_lists,
  rowsOf: (db, cik) =>
    db
      .select()
      .from(ownership_lists)
      .where(eq(ownership_lists.cik, cik))
      .orderBy(asc(ownership_lists.kind))
      .all()
      .map((row) => ({ ...row, listed_at: dayEnd(row.listed_at) })),
};

/** The filings that are or may be about a company and are not read. */
const unreadAbout = (cik: string) =>
  and(
    eq(ownership_parties.cik, cik),
    or(isNull(ownership_parties.is_subject), eq(ownership_parties.is_subject, true)),
    inArray(ownership_filings.status, ["pending", "failed"]),
  );
const sameFiling = eq(ownership_filings.accession_number, ownership_parties.accession_number);

const UNREAD: StateTable = {
  table: ownership_filings,
  rowsOf: (db, cik) =>
    db
      .select({
        accession_number: ownership_filings.accession_number,
        kind: ownership_filings.kind,
        form_type: ownership_filings.form_type,
        filing_date: ownership_filings.filing_date,
        cik: ownership_filings.cik,
        status: ownership_filings.status,
        error: ownership_filings.error,
        accepted_at: ownership_filings.accepted_at,
        known_at: ownership_filings.known_at,
      })
      .from(ownership_parties)
      .innerJoin(ownership_filings, sameFiling)
      .where(unreadAbout(cik))
      .orderBy(asc(ownership_filings.accession_number))
      .all(),
};

const PARTIES: StateTable = {
  table: ownership_parties,
  rowsOf: (db, cik) =>
    db
      .select({
        cik: ownership_parties.cik,
        accession_number: ownership_parties.accession_number,
        is_subject: ownership_parties.is_subject,
      })
      .from(ownership_parties)
      .innerJoin(ownership_filings, sameFiling)
      .where(unreadAbout(cik))
      .orderBy(asc(ownership_parties.accession_number))
      .all(),
};

interface DaySpan {
  readonly kind: Kind;
  readonly from: string;
  readonly to: string;
}

/** Days as spans without a missing business day. */
function spansOf(kind: Kind, days: readonly string[]): DaySpan[] {
  const spans: DaySpan[] = [];
  for (const day of days) {
    const last = spans.at(-1);
    let next = last === undefined ? day : addDays(last.to, 1);
    while (next < day && !isFederalBusinessDay(next)) next = addDays(next, 1);
    if (last !== undefined && next === day) spans[spans.length - 1] = { ...last, to: day };
    else spans.push({ kind, from: day, to: day });
  }
  return spans;
}

function daysOf({ kind, from, to }: DaySpan): StateRow[] {
  const days: StateRow[] = [];
  for (let date = from; date <= to; date = addDays(date, 1)) days.push({ kind, date });
  return days;
}

/**
 * The indexed days of all companies. They are read again only when their number or the newest reading
 * changes.
 */
function indexedDays(): StateTable {
  const cached = new Map<Kind, { readonly mark: string; readonly spans: readonly DaySpan[] }>();
  const spansIn = (db: Db, kind: Kind): readonly DaySpan[] => {
    const own = eq(ownership_days.kind, kind);
    const facts = { n: count(), newest: max(ownership_days.indexed_at) };
    const mark = JSON.stringify(db.select(facts).from(ownership_days).where(own).get());
    const known = cached.get(kind);
    if (known?.mark === mark) return known.spans;
    const dates = db.select({ date: ownership_days.date }).from(ownership_days).where(own);
    const rows = dates.orderBy(asc(ownership_days.date)).all();
    const spans = spansOf(
      kind,
      rows.map(({ date }) => date),
    );
    cached.set(kind, { mark, spans });
    return spans;
  };
  return {
    table: ownership_days,
    rowsOf: (db) => KINDS.flatMap((kind) => spansIn(db, kind)).map((span) => ({ ...span })),
    restored: (rows) => rows.flatMap((row) => daysOf(row as unknown as DaySpan)),
  };
}

/** The index's columns for a filing that is not read. */
const UNREAD_COLUMNS = {
  accession_number: ownership_filings.accession_number,
  kind: ownership_filings.kind,
  filing_date: ownership_filings.filing_date,
  status: ownership_filings.status,
  known_at: ownership_filings.known_at,
};
const isUnread = inArray(ownership_filings.status, ["pending", "failed"]);

/** The insiders' filings of a day that are not read. */
const UNREAD_OF_DAY: StateTable = {
  table: ownership_filings,
  rowsOf: (db, date) =>
    db
      .select(UNREAD_COLUMNS)
      .from(ownership_filings)
      .where(and(eq(ownership_filings.filing_date, date), eq(ownership_filings.kind, "insider"), isUnread))
      .orderBy(asc(ownership_filings.accession_number))
      .all(),
};

const isUnreadHolder = and(eq(ownership_filings.kind, "holder"), isUnread);

/** The large holders' filings about all companies that are not read. */
const UNREAD_HOLDERS: StateTable = {
  table: ownership_filings,
  rowsOf: (db) =>
    db
      .select(UNREAD_COLUMNS)
      .from(ownership_filings)
      .where(isUnreadHolder)
      .orderBy(asc(ownership_filings.accession_number))
      .all(),
};

const HOLDER_PARTIES: StateTable = {
  table: ownership_parties,
  rowsOf: (db) =>
    db
      .select({ cik: ownership_parties.cik, accession_number: ownership_parties.accession_number })
      .from(ownership_parties)
      .innerJoin(ownership_filings, sameFiling)
      .where(isUnreadHolder)
      .orderBy(asc(ownership_parties.accession_number), asc(ownership_parties.cik))
      .all(),
};

/** The subject of the days of all companies. */
const MARKET = ["all"];
/**
 * While more large holders' filings wait to be read, such as at a backfill, the list of all companies names
 * no version.
 */
// While 20,000 schedules wait, answers about all companies have no X-Data-Version.
const UNREAD_HOLDERS_MAX = 5_000;

const unreadHolders = (sqlite: Services["sqlite"]): number =>
  sqlite.use((db) => db.select({ n: count() }).from(ownership_filings).where(isUnreadHolder).get())?.n ?? 0;

export function ownershipVersions({ lake, sqlite, clock }: Pick<Services, "lake" | "sqlite" | "clock">) {
  const services = { lake, sqlite, clock, dataset: operationalStates };
  const issuers = recordedStates(services, { kind: "ownership", tables: [LISTS, UNREAD, PARTIES] });
  const days = recordedStates(services, { kind: "ownership_days", tables: [indexedDays()] });
  const insiderDays = recordedStates(services, { kind: "insider_day", tables: [UNREAD_OF_DAY] });
  const holders = recordedStates(services, {
    kind: "large_holders",
    tables: [UNREAD_HOLDERS, HOLDER_PARTIES],
  });
  const allDays: CopiedRows = {
    isReady: () => days.isReady(MARKET),
    bringUp: () => days.bringUp(MARKET),
  };
  const areFew = () => unreadHolders(sqlite) <= UNREAD_HOLDERS_MAX;
  const allHolders: CopiedRows = {
    isReady: () => areFew() && holders.isReady(MARKET),
    bringUp: async () => (areFew() ? holders.bringUp(MARKET) : undefined),
  };
  const sources: readonly CopiedRows[] = [issuers, allDays];
  const ofDay: readonly CopiedRows[] = [insiderDays, allDays];
  const ofHolders: readonly CopiedRows[] = [allHolders, allDays];
  return {
    /** Reads a part of an answer about the insiders of all companies that depends on the filings of a day. */
    readDay: <T>(date: string, read: () => T): Promise<T> =>
      readOfOneVersion({ lake, sqlite }, ofDay, [date], read),

    /** Reads a part of an answer about the large holders of all companies that depends on their filings. */
    readHolders: <T>(read: () => T): Promise<T> =>
      readOfOneVersion({ lake, sqlite }, ofHolders, MARKET, read),

    /** Notes days whose filings were read, so that versions have them before an answer uses them. */
    async noteDays(dates: readonly string[]): Promise<void> {
      await Promise.all([insiderDays.bringUp(dates), allHolders.bringUp(MARKET), allDays.bringUp(MARKET)]);
    },

    /**
     * Loads the insiders' filings of a day of the version that the request is answered from. Throws
     * `not_replayable` where it has none.
     */
    async loadDay(date: string): Promise<void> {
      await insiderDays.require(date, `which filings of ${date} were read`);
      await days.load(MARKET);
    },

    /**
     * Loads the large holders' filings of the version that the request is answered from. Throws
     * `not_replayable` where it has none.
     */
    async loadHolders(): Promise<void> {
      if (!isReplaying()) return;
      await holders.require("all", "which of the large holders' filings were read");
      await days.load(MARKET);
    },

    /** Reads a part of an answer about companies that depends on the index. */
    read: <T>(ciks: readonly string[], read: () => T): Promise<T> =>
      readOfOneVersion({ lake, sqlite }, sources, ciks, read),

    /**
     * Loads the index of companies of the version that the request is answered from. Throws `not_replayable`
     * where it has none of the first.
     */
    async load(ciks: readonly string[]): Promise<void> {
      if (!isReplaying()) return;
      const [own = ""] = ciks;
      await issuers.require(own, "which of the company's filings were read");
      await issuers.load(ciks);
      await days.load(MARKET);
    },
  };
}

export type OwnershipVersions = ReturnType<typeof ownershipVersions>;
