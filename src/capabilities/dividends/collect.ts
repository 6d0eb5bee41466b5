// Reads the dividends of a symbol or of an ex-dividend day from the providers and stores what is new.
import { absenceOf, absent } from "../../market/absence.ts";
import { newYorkDate } from "../../market/calendar.ts";
import type { Services } from "../../market/services.ts";
import { AsofError, NotFound, UpstreamFailed } from "../../platform/errors.ts";
import { instantText } from "../../platform/instant-text.ts";
import { datesOf, dividendDays } from "./days.ts";
import { type DividendRow, type Observation, revise, type Seen } from "./revise.ts";
import type { ActionSource, DividendSource, KnownTicker, SourceHistory, SourcePage } from "./sources.ts";
import type { DividendStore, Followed } from "./store.ts";

/** The outcome of reading a symbol; cached until the symbol is read again. */
export interface Reading {
  readonly read_at: string;
  readonly good_for_s: number;
  readonly warnings: readonly string[];
}

export interface CollectDeps extends Pick<Services, "calendar" | "clock"> {
  readonly source: DividendSource;
  readonly actions: ActionSource;
  readonly knownTicker: KnownTicker;
  readonly store: DividendStore;
}

/** How long a complete reading is good. */
const GOOD_S = 6 * 3600;
/** How long the list of an ex-dividend day is good. */
export const DAY_GOOD_S = GOOD_S;
/**
 * How long a reading is good that is incomplete, or that does not know the splits of the newest session yet.
 */
// A reading of 09:00 that one provider failed is repeated from 09:10 on, a complete one from 15:00 on.
const RETRY_S = 10 * 60;

const momentText = (at: Temporal.Instant) => instantText(at.epochMilliseconds);

type Outcome<T> =
  | { readonly value: T; readonly error: null }
  | { readonly value: null; readonly error: AsofError };

async function attempt<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<Outcome<T>> {
  try {
    return { value: await work, error: null };
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof AsofError)) throw error;
    return { value: null, error };
  }
}

interface FoundPage {
  readonly page: SourcePage;
  readonly assetClass: "stocks" | "etf";
}

/**
 * Fetches the page of a symbol under the asset class that has its history. Under the wrong class Nasdaq
 * answers with an error or a page without rows, so both classes are tried until one is known to be right.
 * Null: no such symbol.
 */
async function pageOf(
  { source }: CollectDeps,
  symbol: string,
  followed: Followed | null,
  signal: AbortSignal | undefined,
): Promise<FoundPage | null> {
  const known = followed?.asset_class ?? null;
  const classes = known === "etf" ? (["etf", "stocks"] as const) : (["stocks", "etf"] as const);
  let first: FoundPage | null = null;
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

/**
 * Throws UpstreamFailed for a page without any past dividend that is stored: it is incomplete, and would
 * cancel what it lacks.
 */
function refuseIncomplete(
  source: string,
  stored: readonly DividendRow[],
  page: SourcePage,
  today: string,
): void {
  const past = stored.filter((row) => row.ex_dividend_date <= today && row.status !== "cancelled");
  const listed = new Set(page.rows.map((row) => row.ex_dividend_date));
  if (past.length > 0 && !past.some((row) => listed.has(row.ex_dividend_date)))
    throw new UpstreamFailed(
      source,
      `${source} sent none of the ${past.length} past dividends that it sent before.`,
    );
}

/**
 * Past payments from a provider that adjusts amounts for splits: `amount` is null where a split came later.
 */
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

/** Creates a function that reads what is coming of a symbol without a page of its own. */
function comingReader({ actions, clock }: CollectDeps, readDay: ReturnType<typeof dividendDays>) {
  /**
   * Reads the calendar of the symbol's next ex-dividend day, when that day is known: for symbols without a
   * page.
   */
  const readNextExDay = async (symbol: string, signal?: AbortSignal): Promise<void> => {
    const next = await actions.exDividendDate(symbol, signal);
    if (next !== null && next >= newYorkDate(clock.now())) await readDay(next, signal);
  };

  /** Reads the next ex-dividend day of a symbol that is listed on another exchange. */
  return async (symbol: string, signal?: AbortSignal) => {
    const ahead = await attempt(readNextExDay(symbol, signal), signal);
    const listed =
      "Nasdaq keeps dividend histories only of its own listings. For this ticker, past payments come from the price provider with an ex date and an amount; coming payments appear once the calendar of their ex date has been read.";
    const failed = ahead.error
      ? [absent(absenceOf(ahead.error), `Coming payments could not be read (${ahead.error.message}).`)]
      : [];
    return { isRead: ahead.error === null, warnings: [listed, ...failed] };
  };
}

export function dividendCollector(deps: CollectDeps) {
  const readDay = dividendDays(deps);
  const readUncovered = comingReader(deps, readDay);
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
      known_at: momentText(at),
      cancels,
      splitRatio,
    });
  };

  const savePage = async (symbol: string, page: SourcePage) => {
    refuseIncomplete(source.name, await store.ofSymbol(symbol, source.name), page, today());
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

  /** How far splits are known after a reading: never less than before. */
  const splitsAfter = (followed: Followed | null, history: SourceHistory | null) => ({
    splits_since: followed?.splits_since ?? (history ? momentText(history.received_at) : null),
    splits_through: history?.basis_date ?? followed?.splits_through ?? null,
  });

  const goodForS = (isComplete: boolean, through: string | null) =>
    isComplete && through !== null && through >= calendar.latestSession(clock.now()) ? GOOD_S : RETRY_S;

  /**
   * Reads a symbol and stores what is new. Throws NotFound `unknown_ticker` when no provider knows the
   * ticker, and the error of the provider that has the symbol's past payments, or may have them: the symbol
   * does not count as read.
   */
  const read = async (symbol: string, signal?: AbortSignal): Promise<Reading> => {
    const followed = store.followed(symbol);
    const [found, past] = await Promise.all([
      attempt(pageOf(deps, symbol, followed, signal), signal),
      attempt(actions.history(symbol, signal), signal),
    ]);
    const history = past.value;
    const warnings: string[] = [];
    if (history) await store.saveSplits(symbol, history, actions.name);
    else if (!(past.error instanceof NotFound))
      warnings.push(
        absent(
          absenceOf(past.error),
          `Splits could not be read (${past.error?.message}): adjusted amounts are null where splits matter.`,
        ),
      );
    if (found.error && (followed?.coverage === "page" || !history)) throw found.error;
    const page = found.value?.page ?? null;
    // Without a page of its own, a symbol has its past payments only in the history.
    if (!page?.is_covered && past.error && !(past.error instanceof NotFound)) throw past.error;
    if (!page && !found.error && !history) {
      await knownTicker(symbol, signal);
      warnings.push(absent("nothing_there", "Neither provider has any dividends of this ticker."));
    }
    if (found.error)
      warnings.push(
        absent(
          absenceOf(found.error),
          `The dividend calendar could not be asked (${found.error.message}): declared payments and dates other than the ex date may be missing.`,
        ),
      );
    let isComplete = !found.error && (history !== null || past.error instanceof NotFound);
    if (page?.is_covered) await savePage(symbol, page);
    else {
      if (history) await saveHistory(symbol, history);
      if (page) {
        const ahead = await readUncovered(symbol, signal);
        warnings.push(...ahead.warnings);
        isComplete &&= ahead.isRead;
      }
    }
    const splits = splitsAfter(followed, history);
    const now = momentText(clock.now());
    // A symbol that was read in part counts as read only as far as it did before.
    const read_at = isComplete ? now : (followed?.read_at ?? now);
    const coverage = page?.is_covered
      ? "page"
      : page && isComplete
        ? "elsewhere"
        : (followed?.coverage ?? null);
    const asset_class = found.value?.assetClass ?? followed?.asset_class ?? null;
    await store.follow({ symbol, asset_class, coverage, read_at, ...splits }, warnings, now);
    return { read_at, good_for_s: goodForS(isComplete, splits.splits_through), warnings };
  };

  return { read, readDay };
}

export type DividendCollector = ReturnType<typeof dividendCollector>;
