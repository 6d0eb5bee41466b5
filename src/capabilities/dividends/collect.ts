// Reads what the providers say of a symbol's dividends, or of a day's, and stores what is new of it.
import { type Calendar, newYorkDate } from "../../market/calendar.ts";
import type { Clock } from "../../platform/clock.ts";
import { AsofError, NotFound, UpstreamFailed } from "../../platform/errors.ts";
import { datesOf, dividendDays } from "./days.ts";
import { type DividendRow, type Observation, revise, type Seen } from "./revise.ts";
import type { ActionSource, DividendSource, KnownTicker, SourceHistory, SourcePage } from "./sources.ts";
import type { DividendStore, Followed } from "./store.ts";

/** What a reading came to; remembered until the symbol is read again. */
export interface Reading {
  readonly read_at: string;
  readonly good_for_s: number;
  readonly warnings: readonly string[];
}

export interface CollectDeps {
  readonly source: DividendSource;
  readonly actions: ActionSource;
  readonly knownTicker: KnownTicker;
  readonly store: DividendStore;
  readonly calendar: Calendar;
  readonly clock: Clock;
}

/** How long a whole reading is good, and one around a fault or from the first minutes of a session. */
const GOOD_S = 6 * 3600;
const RETRY_S = 10 * 60;

const ms = (at: Temporal.Instant) => at.toString({ smallestUnit: "millisecond" });

type Outcome<T> =
  | { readonly value: T; readonly fault: null }
  | { readonly value: null; readonly fault: AsofError };

async function attempt<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<Outcome<T>> {
  try {
    return { value: await work, fault: null };
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof AsofError)) throw error;
    return { value: null, fault: error };
  }
}

/**
 * The page of a symbol under the class that has its history. Under the wrong class Nasdaq says no, or sends a page
 * without rows, so that both are looked at until one was found to be right. Null: it has no such symbol.
 */
async function pageOf(
  { source }: CollectDeps,
  symbol: string,
  held: Followed | null,
  signal: AbortSignal | undefined,
): Promise<{ page: SourcePage; assetClass: "stocks" | "etf" } | null> {
  const known = held?.asset_class ?? null;
  const classes = known === "etf" ? (["etf", "stocks"] as const) : (["stocks", "etf"] as const);
  let first: { page: SourcePage; assetClass: "stocks" | "etf" } | null = null;
  for (const assetClass of classes) {
    try {
      const page = await source.dividends(symbol, assetClass, signal);
      const found = { page, assetClass };
      if (page.rows.length > 0 || assetClass === known) return found;
      first ??= found;
    } catch (error) {
      if (!(error instanceof NotFound)) throw error;
    }
  }
  return first;
}

/** A page that has lost what was paid long ago is not whole, and would cancel what it merely lost. */
function refuseLoss(source: string, stored: readonly DividendRow[], page: SourcePage, today: string): void {
  const past = stored.filter((row) => row.ex_dividend_date <= today && row.status !== "cancelled");
  const listed = new Set(page.rows.map((row) => row.ex_dividend_date));
  if (past.length > 0 && !past.some((row) => listed.has(row.ex_dividend_date)))
    throw new UpstreamFailed(
      source,
      `${source} sent none of the ${past.length} past dividends it had before`,
    );
}

/** Payments that have happened, of a provider that adjusts them: as paid only where no split came since. */
function seenInHistory({ actions, basis_date }: SourceHistory): Seen[] {
  const splits = actions.filter((action) => action.kind === "split").map((split) => split.ex_date);
  return actions
    .filter((action) => action.kind === "dividend")
    .map(({ ex_date, amount, currency }) => ({
      ex_dividend_date: ex_date,
      dividend_type: "cash",
      declaration_date: null,
      record_date: null,
      payment_date: null,
      amount: splits.some((split) => split > ex_date) ? null : amount,
      reported_amount: amount,
      basis_date,
      currency,
    }));
}

export function dividendCollector(deps: CollectDeps) {
  const readDay = dividendDays(deps);
  const { source, actions, knownTicker, store, calendar, clock } = deps;
  const today = () => newYorkDate(clock.now());

  const observe = async (
    symbol: string,
    by: string,
    rows: readonly Seen[],
    at: Temporal.Instant,
    cancels: Observation["cancels"],
  ) => {
    const stored = await store.ofSymbol(symbol, by);
    const splits = await store.splits(symbol);
    const splitRatio = (after: string, through: string) =>
      splits.reduce((ratio, s) => (s.ex_date > after && s.ex_date <= through ? ratio * s.ratio : ratio), 1);
    return revise(stored, {
      symbol,
      source: by,
      rows,
      today: newYorkDate(at),
      known_at: ms(at),
      cancels,
      splitRatio,
    });
  };

  /** Of a symbol without a page: the calendar of the day on which it is to go ex next, if that is known. */
  const readAhead = async (symbol: string, signal?: AbortSignal): Promise<void> => {
    const next = await actions.exDividendDate(symbol, signal);
    if (next !== null && next >= today()) await readDay(next, signal);
  };

  const savePage = async (symbol: string, page: SourcePage) => {
    refuseLoss(source.name, await store.ofSymbol(symbol, source.name), page, today());
    const rows = page.rows.map((row) => ({
      ...datesOf(row),
      dividend_type: row.dividend_type,
      currency: row.currency,
    }));
    await store.append(await observe(symbol, source.name, rows, page.received_at, () => true));
  };

  const saveHistory = async (symbol: string, history: SourceHistory) => {
    const rows = seenInHistory(history);
    await store.append(await observe(symbol, actions.name, rows, history.received_at, () => false));
  };

  /** What is known of the splits after a reading: never less than before. */
  const splitsAfter = (held: Followed | null, history: SourceHistory | null) => ({
    splits_since: held?.splits_since ?? (history ? ms(history.received_at) : null),
    splits_through: history?.basis_date ?? held?.splits_through ?? null,
  });

  const goodForS = (isWhole: boolean, through: string | null) =>
    isWhole && through !== null && through >= calendar.latestSession(clock.now()) ? GOOD_S : RETRY_S;

  /**
   * Reads a symbol and stores what is new. Throws NotFound `unknown_ticker` when nobody knows it; what the
   * calendar's provider throws, where it keeps the symbol's history or nobody else has any.
   */
  const read = async (symbol: string, signal?: AbortSignal): Promise<Reading> => {
    const held = store.followed(symbol);
    const [paged, told] = await Promise.all([
      attempt(pageOf(deps, symbol, held, signal), signal),
      attempt(actions.history(symbol, signal), signal),
    ]);
    const history = told.value;
    const warnings: string[] = [];
    if (history) await store.saveSplits(symbol, history, actions.name);
    else if (!(told.fault instanceof NotFound))
      warnings.push(
        `Splits could not be read (${told.fault?.message}): adjusted amounts are null where they matter.`,
      );
    if (paged.fault && (held?.coverage === "page" || !history)) throw paged.fault;
    const page = paged.value?.page ?? null;
    if (!page && !paged.fault && !history) {
      await knownTicker(symbol, signal);
      warnings.push("Neither provider has anything on this ticker.");
    }
    if (paged.fault)
      warnings.push(
        `The calendar of dividends could not be asked (${paged.fault.message}): declared payments and dates other than the ex date may be missing.`,
      );
    if (page?.is_covered) await savePage(symbol, page);
    else {
      if (history) await saveHistory(symbol, history);
      if (page) warnings.push(...(await aheadWarnings(symbol, signal)));
    }
    const splits = splitsAfter(held, history);
    const read_at = ms(clock.now());
    store.follow({
      symbol,
      asset_class: paged.value?.assetClass ?? held?.asset_class ?? null,
      coverage: page ? (page.is_covered ? "page" : "elsewhere") : (held?.coverage ?? null),
      read_at,
      ...splits,
    });
    const isWhole = !paged.fault && (history !== null || told.fault instanceof NotFound);
    return { read_at, good_for_s: goodForS(isWhole, splits.splits_through), warnings };
  };

  const aheadWarnings = async (symbol: string, signal?: AbortSignal): Promise<string[]> => {
    const ahead = await attempt(readAhead(symbol, signal), signal);
    const listed =
      "Nasdaq keeps the history of its own listings alone: of this ticker, past payments have an ex date and an amount from the price provider, coming ones stand in once the calendar of their day was read.";
    return ahead.fault
      ? [listed, `Coming payments could not be looked for (${ahead.fault.message}).`]
      : [listed];
  };

  return { read, readDay };
}

export type DividendCollector = ReturnType<typeof dividendCollector>;
