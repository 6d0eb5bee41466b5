// The store of prices: bars and actions in the lake, what is known of symbols and their gaps in SQLite.
import { actionCoverage } from "../../../datasets/action-coverage.ts";
import { barsDaily } from "../../../datasets/bars-daily.ts";
import { barsDailyRevisions } from "../../../datasets/bars-daily-revisions.ts";
import { barsIntraday } from "../../../datasets/bars-intraday.ts";
import { barsProvisional } from "../../../datasets/bars-provisional.ts";
import { corporateActions } from "../../../datasets/corporate-actions.ts";
import type { BarHistory } from "../../../market/bar-history.ts";
import { newYorkDate } from "../../../market/calendar.ts";
import type { Services } from "../../../market/services.ts";
import type { RowOf } from "../../../platform/lake/dataset.ts";
import { batchOf } from "../../../platform/lake/lake.ts";
import { isReplaying } from "../../../platform/reading.ts";
import type { Fetched } from "../fetched.ts";
import { barRow, newActions, newRevisions } from "./lake-rows.ts";
import { withLaterDividends } from "./later-dividends.ts";
import { type BarsRead, newestBases } from "./newest-basis.ts";
import { markSeams } from "./seam.ts";
import { seriesBars } from "./series-bars.ts";
import { storedBars } from "./stored-bars.ts";
import { storedCoverage } from "./stored-coverage.ts";
import { type SymbolFacts, symbolFacts } from "./symbol-facts.ts";

/**
 * Opens the store. Reads are in stored-bars.ts and symbol-facts.ts; here are the writes, and what needs both.
 */
export function priceStore({
  lake,
  sqlite,
  clock,
  calendar,
  stored,
}: Pick<Services, "lake" | "sqlite" | "clock" | "calendar"> & {
  /** Called with the symbols whose bars were stored. */
  stored?: (symbols: readonly string[]) => void;
}) {
  const bars = storedBars(lake, seriesBars({ lake, calendar, clock }));
  const coverage = storedCoverage(lake);
  const symbols = symbolFacts({ sqlite, clock, actionsFrom: coverage.from });
  return {
    ...bars,
    ...symbols,

    /**
     * Returns the stored facts about symbols, before something is fetched. A symbol may have bars but no day
     * up to which its actions are known, when the process was killed between writing the two or the database
     * was lost: the oldest basis of its bars takes the day's place, so that every action since is fetched
     * again.
     */
    async factsToFetch(list: readonly string[]): Promise<(symbol: string) => SymbolFacts> {
      if (isReplaying()) return symbols.facts(list);
      await coverage.ready();
      const facts = symbols.facts(list);
      const open = list.filter((symbol) => facts(symbol).actionsThrough === null);
      const rows = open.length === 0 ? [] : await bars.oldestBases(open);
      if (rows.length === 0) return facts;
      symbols.noteActionsThrough(rows);
      return symbols.facts(list);
    },

    /**
     * Up to which day the actions of symbols are known; null when nothing is stored. An earlier version does
     * not have the days themselves, only the newest basis of its bars. `bars` is what is read of them.
     */
    async actionsThrough(
      list: readonly string[],
      bars: BarsRead,
    ): Promise<(symbol: string) => string | null> {
      if (!isReplaying()) {
        const facts = symbols.facts(list);
        return (symbol) => facts(symbol).actionsThrough;
      }
      const newest = await newestBases(lake, list, bars);
      return (symbol) => newest.get(symbol) ?? null;
    },

    /**
     * Stores fetches: bars of days that are not stored yet, new actions, and differing later values as
     * revisions. Resolves to the fetches; one with a seam (seam.ts) is not stored.
     */
    async save(fetches: readonly Fetched[]): Promise<readonly Fetched[]> {
      const measured = await withLaterDividends(lake, fetches);
      const marked = await markSeams(lake, measured, newYorkDate(clock.now()));
      const batch = marked.filter(({ seam }) => seam === undefined);
      if (batch.length === 0) return marked;
      const rows = batch.flatMap((fetched) => fetched.settled.map((bar) => barRow(fetched, bar)));
      const actions = await newActions(lake, batch, calendar);
      await coverage.ready();
      const complete = coverage.coverageRows(batch);
      const written = await lake.append([
        batchOf(corporateActions, actions),
        batchOf(barsDaily, rows),
        batchOf(actionCoverage, complete),
      ]);
      coverage.note(complete);
      const overlaps = written.some(({ dataset, skipped }) => dataset === barsDaily.name && skipped > 0);
      if (overlaps) await lake.append([batchOf(barsDailyRevisions, await newRevisions(lake, batch))]);
      symbols.saveFacts(batch);
      stored?.([...new Set(rows.map(({ symbol }) => symbol))]);
      return marked;
    },

    /** Stores bars of companies that held a symbol before its present holder; a bar stored before stays. */
    async saveFormer(rows: readonly RowOf<typeof barsDaily>[]): Promise<void> {
      if (rows.length > 0) await lake.append([batchOf(barsDaily, rows)]);
    },

    /** Stores bars that are not settled, apart from those that are; a later fetch is a later row. */
    async saveProvisional(rows: readonly RowOf<typeof barsProvisional>[]): Promise<void> {
      if (rows.length > 0) await lake.append([batchOf(barsProvisional, rows)]);
    },

    /** Stores intraday bars of sessions that are over; a bar stored before stays. */
    async saveIntraday(symbol: string, interval: string, source: string, answer: BarHistory): Promise<void> {
      const rows = answer.bars.map((bar) => ({
        symbol,
        interval,
        at: bar.at.toString(),
        session_date: bar.date,
        session: bar.session,
        open: bar.open,
        high: bar.high,
        low: bar.low,
        close: bar.close,
        volume: bar.volume,
        vwap: null,
        trade_count: null,
        basis_date: answer.basis_date,
        known_at: answer.received_at.toString(),
        source,
      }));
      await lake.append([batchOf(barsIntraday, rows)]);
    },
  };
}

export type PriceStore = ReturnType<typeof priceStore>;
