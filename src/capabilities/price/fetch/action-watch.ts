// The job that puts stored prices on the basis of a new session: one list says which symbols split or paid a
// dividend, and only those are requested again.
import type { MarketAction, MarketActions } from "../../../market/bar-history.ts";
import { mapSettled } from "../../../market/bulk.ts";
import { newYorkDate } from "../../../market/calendar.ts";
import { addDays } from "../../../market/date.ts";
import type { Services } from "../../../market/services.ts";
import { type AsofError, isOutage } from "../../../platform/errors.ts";
import type { Job } from "../../../platform/jobs/job.ts";
import type { Log } from "../../../platform/log.ts";
import type { FeedSource } from "../sources.ts";
import type { PriceStore } from "../store/store.ts";
import type { History } from "./history.ts";

export interface ActionWatchDeps extends Pick<Services, "calendar" | "clock"> {
  readonly source: MarketActions;
  /** Its list is read instead, where it is configured. */
  readonly feed?: (MarketActions & Pick<FeedSource, "isConfigured">) | undefined;
  readonly history: Pick<History, "collect" | "facts">;
  readonly store: Pick<PriceStore, "actionDays" | "oldestBases">;
  readonly log: Pick<Log, "warn">;
}

/** How far back the list is read, for actions that were listed late; further where sessions were missed. */
const DAYS_BACK = 30;
/** A list's day of a split and its ex date differ by less than this. */
const SPLIT_DAYS_OFF = 6;
/**
 * Symbols requested again at once; each names its own days, and the feed takes those that share them
 * together.
 */
const TOGETHER = 100;

/** Symbols with one earliest day of an action that is not stored. */
interface Behind {
  readonly since: string;
  readonly symbols: readonly string[];
}

/**
 * Finds the stored symbols of which the list names an action that is not stored, by the earliest such day.
 */
async function findBehind(
  { store, history }: ActionWatchDeps,
  listed: readonly MarketAction[],
  start: string,
): Promise<readonly Behind[]> {
  const named = [...new Set(listed.map(({ symbol }) => symbol))];
  if (named.length === 0) return [];
  const bases = new Map((await store.oldestBases(named)).map((row) => [row.symbol, row.through_date]));
  const held = [...bases.keys()];
  if (held.length === 0) return [];
  const [stored, facts] = [
    await store.actionDays(held, addDays(start, -SPLIT_DAYS_OFF)),
    history.facts(held),
  ];
  const isStored = ({ symbol, kind, date }: MarketAction) => {
    // Providers treat these differently: a later reading of the symbol has what its provider makes of them.
    if (kind === "other") return date <= (facts(symbol).actionsThrough ?? bases.get(symbol) ?? "");
    if (kind === "dividend") return stored(symbol, kind).includes(date);
    const [from, to] = [addDays(date, -SPLIT_DAYS_OFF), addDays(date, SPLIT_DAYS_OFF)];
    return stored(symbol, kind).some((day) => day > from && day < to);
  };
  const days = new Map<string, string>();
  for (const action of listed) {
    const { symbol, date } = action;
    if (!bases.has(symbol) || isStored(action)) continue;
    const known = days.get(symbol);
    if (known === undefined || date < known) days.set(symbol, date);
  }
  return [...Map.groupBy(days.keys(), (symbol) => days.get(symbol) ?? start)].map(([since, symbols]) => ({
    since,
    symbols,
  }));
}

/**
 * Creates the job. Answers never wait for it: until it has run they state the basis they are on
 * (`adjusted_through`).
 */
export function actionWatch(deps: ActionWatchDeps): Job {
  const { source, feed, history, calendar, clock, log } = deps;

  /** Requests symbols from `since` on; throws the error of an outage once every symbol has been tried. */
  const refresh = async ({ since, symbols }: Behind, today: string, signal: AbortSignal): Promise<number> => {
    const plan = { source: "feed_then_provider", refetch: true } as const;
    const outages: AsofError[] = [];
    let done = 0;
    for (let i = 0; i < symbols.length; i += TOGETHER) {
      const some = symbols.slice(i, i + TOGETHER);
      const collected = await history.collect({
        symbols: some,
        ranges: [{ start: since, end: today }],
        plan,
        signal,
      });
      for (const [symbol, { failure }] of collected) {
        if (failure === null) done += 1;
        else log.warn("actions of a symbol could not be read", { symbol, reason: failure.message });
        if (isOutage(failure)) outages.push(failure);
      }
    }
    if (outages[0]) throw outages[0];
    return done;
  };

  return {
    name: "corporate-actions",
    description:
      "Reads the list of the whole market's splits (from the brokerage feed, where its keys are set, also dividends), and requests the stored symbols again that it names.",
    // An hour after the open every provider has rescaled its prices for the actions of the day.
    schedule: "35 10 * * 1-5",
    zone: "America/New_York",
    gate: (at) => calendar.isSession(newYorkDate(at)),
    deadlineMs: 60 * 60_000,
    catchUp: "once",
    fills: ["corporate_actions"],
    async run({ signal, missed }) {
      const today = newYorkDate(clock.now());
      const oldest = missed.map((slot) => newYorkDate(Temporal.Instant.from(slot))).sort()[0] ?? today;
      const start = addDays(oldest, -DAYS_BACK);
      const list = feed?.isConfigured() ? feed : source;
      const listed = await list.marketActions({ start, end: today, signal });
      const outcomes = await mapSettled(
        await findBehind(deps, listed, start),
        (behind) => refresh(behind, today, signal),
        { concurrency: 1, signal },
      );
      signal.throwIfAborted();
      for (const outcome of outcomes) if (!outcome.ok) throw outcome.error;
      return { rows: outcomes.reduce((sum, outcome) => sum + (outcome.ok ? outcome.value : 0), 0) };
    },
  };
}
