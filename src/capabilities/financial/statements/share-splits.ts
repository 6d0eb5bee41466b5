// The splits of a symbol that statements can be adjusted for, from the corporate actions that prices use.
import { newYorkDate } from "../../../market/calendar.ts";
import { addDays } from "../../../market/date.ts";
import { basisDay } from "../../../market/known-at.ts";
import type { Services } from "../../../market/services.ts";
import type { Split, SplitsOf, StoredSplits } from "../../../market/share-split.ts";
import { attempt } from "../outcome.ts";
import type { FillCloses } from "../sources.ts";
import type { TimeBudget } from "../time-budget.ts";
import type { PricedSymbol } from "./metric-closes.ts";

/** All splits of a symbol between two days. */
export interface SplitHistory {
  readonly symbol: string;
  readonly splits: readonly Split[];
  /** Every split from this day to `to` is in `splits`. */
  readonly from: string;
  /** The day on whose basis adjusted figures are, the splits of that day included. */
  readonly to: string;
}

/** A company's known splits, or why none are known. */
export interface KnownSplits {
  readonly history: SplitHistory | { readonly why: string };
  /** Why the price provider could not be asked for splits that are not stored; null when nothing failed. */
  readonly priceError: string | null;
}

/** Where splits come from. */
export interface SplitSources {
  readonly splitsOf: SplitsOf;
  readonly fill: FillCloses;
}

/** The figures for which splits are needed. */
export interface SplitRequest {
  /** The oldest basis of the figures. */
  readonly oldest: string;
  readonly priced: PricedSymbol;
  readonly asOf: Temporal.Instant | null;
  /** Time left for prices in the whole request. */
  readonly limit: TimeBudget;
}

/** The longest pause between two sessions: a symbol that was read longer ago may have been split since. */
const DAYS_BEHIND_MAX = 7;

const SPLITS = `SELECT ex_date, numerator, denominator FROM actions(CAST($as_of AS TIMESTAMPTZ))
  WHERE symbol = $symbol AND kind = 'split' AND ex_date <= CAST($wanted AS DATE) ORDER BY ex_date`;

/** Where splits are stored; `splitsKnownTo` gives the last day up to which those of a symbol are known. */
export interface StoredSplitDeps extends Pick<Services, "lake" | "clock"> {
  splitsKnownTo(symbol: string): Promise<string | null>;
}

export function storedSplits({ lake, clock, splitsKnownTo }: StoredSplitDeps): SplitsOf {
  return async (symbol, asOf, signal) => {
    const wanted = asOf === null ? newYorkDate(clock.now()) : basisDay(asOf);
    const through = await splitsKnownTo(symbol);
    const as_of = asOf === null ? null : asOf.toString();
    const splits = await lake.query<Split>(SPLITS, { symbol, as_of, wanted }, { signal });
    const [coverage] = await lake.query<{ from_date: string }>(
      "SELECT from_date FROM complete_actions() WHERE symbol = $symbol",
      { symbol },
      { signal },
    );
    return { splits, from: coverage?.from_date ?? null, through, wanted };
  };
}

/**
 * The days whose bars the price provider is asked for, since with them it gives the splits that are not
 * stored.
 */
function lackingDays({ from, through, wanted }: StoredSplits, oldest: string): string[] {
  const lacksOld = from === null || from > oldest;
  const lacksNew = through === null || through < wanted;
  return [...(lacksOld ? [oldest] : []), ...(lacksNew ? [wanted] : [])];
}

function historyOf(
  symbol: string,
  { splits, from, through, wanted }: StoredSplits,
  hasFailed: boolean,
): SplitHistory | { why: string } {
  if (from === null || through === null) return { why: `The splits of ${symbol} are not known.` };
  const isBehind = through < (hasFailed ? wanted : addDays(wanted, -DAYS_BEHIND_MAX));
  if (isBehind) return { why: `The splits of ${symbol} are not known up to ${wanted}.` };
  return { symbol, splits, from, to: through < wanted ? through : wanted };
}

/**
 * Finds the splits of a company's shares, and asks the price provider for those that are not stored. Never
 * throws an AsofError: what fails or takes too long is reported in `priceError`.
 */
export async function knownSplits(
  { splitsOf, fill }: SplitSources,
  { oldest, priced, asOf, limit }: SplitRequest,
  signal: AbortSignal,
): Promise<KnownSplits> {
  if ("why" in priced) return { history: priced, priceError: null };
  const { symbol } = priced;
  const read = () => attempt(splitsOf(symbol, asOf, signal), signal);
  const stored = await read();
  if (stored.error)
    return { history: { why: "Stored splits could not be read." }, priceError: stored.error.message };
  const lacking = lackingDays(stored.value, oldest);
  if (lacking.length === 0) return { history: historyOf(symbol, stored.value, false), priceError: null };
  const failure = await limit.within(signal, (limited) => fill(symbol, lacking, limited));
  const filled = await read();
  const { value } = filled.error ? stored : filled;
  return {
    history: historyOf(symbol, value, failure !== null || filled.error !== null),
    priceError: failure?.message ?? filled.error?.message ?? null,
  };
}
