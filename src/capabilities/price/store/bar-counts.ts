// Counts the stored bars of each symbol of a request, and finds the symbols that lack some: by the lake's
// engine, since the bars of many symbols are millions.
import { barsDaily } from "../../../datasets/bars-daily.ts";
import { corporateActions } from "../../../datasets/corporate-actions.ts";
import { earlierDay, laterDay } from "../../../market/date.ts";
import type { DateRange } from "../../../market/time-span.ts";
import { yieldToEventLoop } from "../../../platform/event-loop.ts";
import type { Lake } from "../../../platform/lake/lake.ts";
import { among, barDays, barsOfSpan, OWN, readBy, readOf, type StoredSpan, within } from "./stored-span.ts";

/** The days that are expected of a symbol, ascending. Symbols may share one list. */
export interface ExpectedOf {
  readonly symbol: string;
  readonly days: readonly string[];
}

/** The stored bars of a symbol within some days. A symbol without any has none of these. */
export interface BarCounts {
  readonly symbol: string;
  readonly bars: number;
  readonly last_date: string;
  /** Providers of the bars. */
  readonly sources: readonly string[];
  /** How many have no adjusted close. */
  readonly unadjusted: number;
  readonly first_unadjusted: string | null;
  readonly last_unadjusted: string | null;
  /** The extremes of its prices: to compare all four takes twice the time of the whole scan. */
  readonly lowest: number | null;
  readonly highest: number | null;
}

const COUNTS = `count(*) AS bars, max(date) AS last_date, list(DISTINCT source) AS sources,
  count(*) FILTER (adj_close IS NULL) AS unadjusted,
  min(date) FILTER (adj_close IS NULL) AS first_unadjusted,
  max(date) FILTER (adj_close IS NULL) AS last_unadjusted,
  min(low) AS lowest, max(high) AS highest`;

/** Counts bars as they are served at any moment. */
export function countBars(lake: Lake, span: StoredSpan): Promise<BarCounts[]> {
  return lake.query<BarCounts & Record<string, unknown>>(
    `SELECT symbol, ${COUNTS} ${barsOfSpan(span)} GROUP BY symbol`,
    {},
    readOf(span),
  );
}

const DAY_MS = 86_400_000;
const dayNumber = (date: string) => Date.parse(date) / DAY_MS;

/** The first and the last day of which it matters whether a bar is stored. */
interface Days {
  readonly first: string;
  readonly last: string;
}

const NO_DAYS: Days = { first: "1970-01-01", last: "1970-01-01" };

function spannedBy(asked: readonly ExpectedOf[]): Days {
  const lists = asked.map(({ days }) => days).filter((days) => days.length > 0);
  if (lists.length === 0) return NO_DAYS;
  const first = lists.map((days) => days[0] ?? "").reduce(earlierDay);
  const last = lists.map((days) => days.at(-1) ?? "").reduce(laterDay);
  return { first, last };
}

/** Bytes with a bit for each day from the first to the last. */
const bytesFor = ({ first, last }: Days) => Math.ceil((dayNumber(last) - dayNumber(first) + 1) / 8);

/**
 * A bit per day from the first to the last, 1 where the list has it: in hexadecimal digits, as the engine
 * gives them.
 */
function bitsOf(days: readonly string[], span: Days): string {
  const from = dayNumber(span.first);
  const bits = Buffer.alloc(bytesFor(span));
  for (const day of days) {
    const at = dayNumber(day) - from;
    bits[at >> 3] = (bits[at >> 3] ?? 0) | (0x80 >> (at & 7));
  }
  return bits.toString("hex").toUpperCase();
}

/** The stored bars of a symbol; `bits` has one for each day, and is null when none of the days has a bar. */
type Scanned<T> = T & { readonly symbol: string; readonly bars: number; readonly bits: string | null };

/**
 * Reads the rows once, and not again for the same request while their files are the same. They are counted as
 * they are stored: that takes a third of the time of the bars as served.
 */
async function scan<T>(
  lake: Lake,
  { symbols, ranges, signal }: Omit<StoredSpan, "asOf">,
  span: Days,
  counts: string,
): Promise<Map<string, Scanned<T>>> {
  const { first, last } = span;
  // A multiple of eight days: the engine would fill up the last byte with ones.
  const bits = `bitstring_agg(date - DATE '${first}', 0, ${8 * bytesFor(span) - 1})`;
  const isAmong = `date BETWEEN DATE '${first}' AND DATE '${last}'`;
  const rows = await lake.query<Scanned<T> & Record<string, unknown>>(
    `SELECT symbol, ${counts}, hex((${bits} FILTER (${isAmong}))::BLOB) AS bits
     FROM bars_daily WHERE ${among(symbols)} AND ${within(ranges)} AND ${OWN} GROUP BY symbol`,
    {},
    { signal, ...readBy(symbols), days: barDays(ranges), keptOf: [barsDaily] },
  );
  return new Map(rows.map((row) => [row.symbol, row]));
}

/** Symbols whose days are compared before others have their turn. */
const SYMBOLS_AT_ONCE = 25;

/** The symbols whose stored days are other days than expected, fewer or more. */
async function differing(
  asked: readonly ExpectedOf[],
  found: ReadonlyMap<string, Scanned<unknown>>,
  days: Days,
): Promise<string[]> {
  const bits = new Map<readonly string[], string>();
  const differ: string[] = [];
  for (const [at, { symbol, days: expected }] of asked.entries()) {
    if (at > 0 && at % SYMBOLS_AT_ONCE === 0) await yieldToEventLoop();
    const own = found.get(symbol);
    if (!bits.has(expected)) bits.set(expected, bitsOf(expected, days));
    // Bars outside the days are only in the count.
    const isWhole =
      own === undefined || own.bars === 0
        ? expected.length === 0
        : own.bars === expected.length && own.bits === bits.get(expected);
    if (!isWhole) differ.push(symbol);
  }
  return differ;
}

/** The symbols whose stored days within the ranges are other days than expected, fewer or more. */
export async function incompleteSymbols(
  lake: Lake,
  asked: readonly ExpectedOf[],
  ranges: readonly DateRange[],
): Promise<string[]> {
  const days = spannedBy(asked);
  const symbols = asked.map(({ symbol }) => symbol);
  return differing(asked, await scan(lake, { symbols, ranges }, days, "count(*) AS bars"), days);
}

/**
 * Counts the bars of today and finds the symbols that lack some in one pass over the files. The actions of a
 * few symbols have an unknown factor, with which an adjusted close may be unknown though one is stored: their
 * bars are counted as served.
 */
export function barScan(lake: Lake, span: Omit<StoredSpan, "asOf">) {
  let latest: { readonly days: Days; readonly found: Promise<Map<string, Scanned<BarCounts>>> } | undefined;
  const scanOf = (days: Days) => {
    if (latest === undefined || days.first < latest.days.first || days.last > latest.days.last)
      latest = { days, found: scan<BarCounts>(lake, span, days, COUNTS) };
    return latest;
  };
  return {
    async incomplete(asked: readonly ExpectedOf[]): Promise<string[]> {
      const { days, found } = scanOf(spannedBy(asked));
      return differing(asked, await found, days);
    },
    async counts(): Promise<BarCounts[]> {
      const { found } = latest ?? scanOf(NO_DAYS);
      const open = await lake.query<{ symbol: string }>(
        `SELECT DISTINCT symbol FROM ${corporateActions.name} WHERE ${among(span.symbols)} AND price_factor IS NULL`,
        {},
        { signal: span.signal, ...readBy(span.symbols) },
      );
      const symbols = open.map(({ symbol }) => symbol);
      const served = symbols.length === 0 ? [] : await countBars(lake, { ...span, symbols, asOf: null });
      const isServed = new Set(symbols);
      const scanned = [...(await found).values()].filter(({ symbol }) => !isServed.has(symbol));
      return [...scanned.map(({ bits: _, ...counts }) => counts), ...served];
    },
  };
}
