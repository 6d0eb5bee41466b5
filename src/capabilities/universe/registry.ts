// Compares the registry with the exchanges' lists: which listings are new, changed, renamed or delisted.
// Pure.
import { readIssue } from "../../market/issue.ts";
import type { DirectoryFile, SourceListing, SourceScreened } from "./sources.ts";
import type { universe_listings } from "./tables.ts";

export type Listing = typeof universe_listings.$inferSelect;

/** A file of the symbol directory as just read, and when it was read before. */
export interface Reading {
  readonly file: DirectoryFile;
  readonly rows: readonly SourceListing[];
  readonly previous_read_at: string | null;
}

/** The contents of all lists. */
export interface Lists {
  /** Files that could be read. */
  readonly readings: readonly Reading[];
  /**
   * Whether all files could be read. If not, a missing listing may be in the unread file, and none counts as
   * delisted.
   */
  readonly areWhole: boolean;
  /** CIKs by canonical symbol; null if the regulator's list could not be read. */
  readonly ciks: ReadonlyMap<string, string> | null;
  /** By canonical symbol; null if the screener could not be read. */
  readonly screened: ReadonlyMap<string, SourceScreened> | null;
  readonly at: string;
}

export interface Differences {
  /** New and changed listings to store, in no particular order. */
  readonly changed: readonly Listing[];
  /** Those whose content, apart from the market value, has changed: the lake gets a new row for each. */
  readonly vintages: readonly Listing[];
  readonly added: number;
  readonly updated: number;
  readonly renamed: number;
  readonly gone: number;
  /** New listings that the filters refused. */
  readonly refused: number;
}

/** Decides whether a new listing enters the registry. */
export type Admits = (listing: Listing) => boolean;

/** The columns whose change makes a new vintage of a row. */
const CONTENT = [
  "symbol",
  "name",
  "cik",
  "sector",
  "industry",
  "country",
  "ipo_year",
  "exchange",
  "security_type",
  "is_etf",
  "is_active",
  "last_seen",
  "former_symbols",
  "continued_by",
  "source",
] as const satisfies readonly (keyof Listing)[];

const isSame = (a: Listing, b: Listing) => CONTENT.every((name) => a[name] === b[name]);

/** Which of a company's securities a symbol is: ordinary shares, class B, warrant. */
const kindOf = ({ symbol, security_type }: Pick<Listing, "symbol" | "security_type">) =>
  `${security_type} ${readIssue(symbol)?.parts.join(".") ?? ""}`;

/** A listing as the lists describe it. Fields of a list that could not be read keep their values. */
function listed(row: SourceListing, file: DirectoryFile, lists: Lists, before: Listing | undefined): Listing {
  const { ciks, screened, at } = lists;
  const known = screened?.get(row.symbol);
  const isUnscreened = screened === null;
  return {
    listing: before?.listing ?? row.symbol,
    symbol: row.symbol,
    name: row.name,
    // A ticker that is missing from the regulator's list keeps its known filer.
    cik: ciks?.get(row.symbol) ?? before?.cik ?? null,
    sector: isUnscreened ? (before?.sector ?? null) : (known?.sector ?? null),
    industry: isUnscreened ? (before?.industry ?? null) : (known?.industry ?? null),
    country: isUnscreened ? (before?.country ?? null) : (known?.country ?? null),
    ipo_year: isUnscreened ? (before?.ipo_year ?? null) : (known?.ipo_year ?? null),
    exchange: row.exchange,
    security_type: row.security_type,
    is_etf: row.is_etf,
    is_active: true,
    first_seen: before?.first_seen ?? at,
    last_seen: null,
    former_symbols: before?.former_symbols ?? null,
    continued_by: null,
    source: file,
    market_cap: isUnscreened ? (before?.market_cap ?? null) : (known?.market_cap ?? null),
    market_cap_at: isUnscreened ? (before?.market_cap_at ?? null) : known?.market_cap ? at : null,
  };
}

const withFormer = (gone: Listing, last_seen: string): string =>
  JSON.stringify([...JSON.parse(gone.former_symbols ?? "[]"), { ticker: gone.symbol, last_seen }]);

/**
 * Matches a delisted with a new listing of the same security of the same filer, if there is exactly one of
 * each.
 */
// Made up: OLDZ, a filer's only common stock, goes and NEWZ comes: renamed. Where two new stocks come:
// neither is.
function renames(gone: readonly Listing[], fresh: readonly Listing[]): Map<Listing, Listing> {
  const keyed = (rows: readonly Listing[]) =>
    Map.groupBy(
      rows.filter(({ cik }) => cik !== null),
      (row) => `${row.cik} ${kindOf(row)}`,
    );
  const went = keyed(gone);
  const pairs = new Map<Listing, Listing>();
  for (const [key, came] of keyed(fresh)) {
    const [before, ...others] = went.get(key) ?? [];
    const [after] = came;
    if (before && after && others.length === 0 && came.length === 1) pairs.set(after, before);
  }
  return pairs;
}

/** The largest first, so that a limit admits those. */
const bySize = (a: Listing, b: Listing) =>
  (b.market_cap ?? -1) - (a.market_cap ?? -1) || (a.symbol < b.symbol ? -1 : 1);

/**
 * The regulator's list may follow a rename by days. A listing that was delisted longer ago than this was not
 * renamed.
 */
// Delisted on 1 August: a listing of the same filer first seen on 20 August continues it, one of 10 September
// does not.
const LATE_MS_MAX = 30 * 86_400_000;
const msOf = (instant: string) => Temporal.Instant.from(instant).epochMilliseconds;

/**
 * Renames that are detected late: a listing that was added without a CIK has one now, and it is the CIK of a
 * listing that was delisted shortly before. Returns the delisted listings with `continued_by` set.
 */
function lateRenames(stored: readonly Listing[], present: ReadonlyMap<string, Listing>): Listing[] {
  const named = stored.flatMap((before) => {
    const now = present.get(before.listing);
    return now && before.cik === null && now.cik !== null ? [now] : [];
  });
  const went = stored.filter(
    (row) => !row.is_active && row.continued_by === null && !present.has(row.listing),
  );
  return [...renames(went, named)].flatMap(([after, before]) => {
    const lateMs = msOf(after.first_seen) - msOf(before.last_seen ?? before.first_seen);
    return lateMs >= 0 && lateMs <= LATE_MS_MAX ? [{ ...before, continued_by: after.listing }] : [];
  });
}

/** Whether two CIKs are known and different. */
const isOtherFiler = (a: string | null, b: string | null) => a !== null && b !== null && a !== b;

/** An unused listing name: the symbol, or the symbol with the day if an earlier company had the symbol. */
function nameFor(symbol: string, at: string, taken: ReadonlyMap<string, Listing>): string {
  if (!taken.has(symbol)) return symbol;
  let name = `${symbol}~${at.slice(0, 10)}`;
  while (taken.has(name)) name += "~";
  return name;
}

/** By symbol, the listing that has it now, or had it last. */
function latestBySymbol(stored: readonly Listing[]): Map<string, Listing> {
  const found = new Map<string, Listing>();
  for (const row of stored) {
    const other = found.get(row.symbol);
    if (!other || row.is_active || (!other.is_active && row.first_seen > other.first_seen))
      found.set(row.symbol, row);
  }
  return found;
}

/** Splits the lines of the lists into stored listings, by listing name, and new ones. */
function matched(stored: readonly Listing[], lists: Lists) {
  const latest = latestBySymbol(stored);
  const present = new Map<string, Listing>();
  const fresh: Listing[] = [];
  const met = new Set<string>();
  for (const { file, rows } of lists.readings)
    for (const row of rows) {
      if (met.has(row.symbol)) continue;
      met.add(row.symbol);
      const before = latest.get(row.symbol);
      const cik = lists.ciks?.get(row.symbol) ?? null;
      const own = before && !isOtherFiler(before.cik, cik) ? before : undefined;
      const now = listed(row, file, lists, own);
      if (own) present.set(own.listing, now);
      else fresh.push(now);
    }
  return { present, fresh: fresh.sort(bySize) };
}

/**
 * Finds the changes to the stored listings. A symbol that comes back is the same listing, unless it belongs
 * to another filer now. A listing is delisted if all files were read and none has it.
 */
// Made up: ZQX is gone in March and back in May under the same CIK: one listing; under another CIK:
// `ZQX~2026-05-04`.
export function differences(stored: readonly Listing[], lists: Lists, admits: Admits): Differences {
  const byName = new Map(stored.map((row) => [row.listing, row]));
  const { present, fresh } = matched(stored, lists);
  const read = new Map(lists.readings.map(({ file, previous_read_at }) => [file, previous_read_at]));
  const gone = stored.filter((row) => lists.areWhole && row.is_active && !present.has(row.listing));
  const lastSeen = (row: Listing) => read.get(row.source) ?? row.first_seen;
  const pairs = renames(gone, fresh);
  const changed: Listing[] = [...present.values()];
  let added = 0;
  let refused = 0;
  for (const now of fresh) {
    const before = pairs.get(now);
    if (before) {
      const { listing, first_seen } = before;
      changed.push({ ...now, listing, first_seen, former_symbols: withFormer(before, lastSeen(before)) });
      continue;
    }
    if (!admits(now)) {
      refused += 1;
      continue;
    }
    const row = { ...now, listing: nameFor(now.symbol, lists.at, byName) };
    byName.set(row.listing, row);
    changed.push(row);
    added += 1;
  }
  const renamed = new Set([...pairs.values()].map(({ listing }) => listing));
  const lost = gone.filter(({ listing }) => !renamed.has(listing));
  for (const row of lost) changed.push({ ...row, is_active: false, last_seen: lastSeen(row) });
  const late = lateRenames(stored, present);
  changed.push(...late);
  const before = new Map(stored.map((row) => [row.listing, row]));
  const vintages = changed.filter((row) => {
    const known = before.get(row.listing);
    return !known || !isSame(row, known);
  });
  const updated = vintages.length - added - lost.length;
  const counts = { added, updated, renamed: renamed.size + late.length, gone: lost.length, refused };
  return { changed, vintages, ...counts };
}
