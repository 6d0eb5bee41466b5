// From stored columns and provisional bars to the series of an answer: one list of bars per symbol, on one basis.
import type { DailyBar, ProviderBar } from "../../market/bar.ts";
import { adjustedDigits, sumDigits } from "../../market/float.ts";
import type { DateRange } from "../../market/time-span.ts";
import type { ColumnsResult } from "../../platform/lake/lake.ts";

/** An action of a symbol, on the basis of its bars. */
export interface SeriesAction {
  readonly symbol: string;
  readonly ex_date: string;
  readonly kind: string;
  readonly amount: number | null;
  readonly currency: string | null;
  readonly ratio: number | null;
}

const value = (column: readonly unknown[] | undefined, row: number) =>
  (column?.[row] ?? null) as number | null;

/** The rows of a symbol within the columns of many: from `start`, up to but without `end`. */
export interface RowSpan {
  readonly start: number;
  readonly end: number;
}

/** Where the rows of each symbol, or of each place in an answer, stand in sorted columns of which it is the first. */
export function rowsByFirst<Key extends string | number>({
  columns,
  rowCount,
}: ColumnsResult): Map<Key, RowSpan> {
  const keys = (columns[0] ?? []) as Key[];
  const spans = new Map<Key, RowSpan>();
  for (let start = 0, end = 1; end <= rowCount; end++) {
    if (end < rowCount && keys[end] === keys[start]) continue;
    spans.set(keys[start] as Key, { start, end });
    start = end;
  }
  return spans;
}

/** The days of a symbol's rows. */
export const datesOf = ({ columns }: ColumnsResult, rows: RowSpan | undefined) =>
  rows === undefined ? [] : ((columns[1]?.slice(rows.start, rows.end) ?? []) as string[]);

/** A symbol's rows as bars. Each call makes new ones. */
export function barsOf({ names, columns }: ColumnsResult, rows: RowSpan | undefined): DailyBar[] {
  const [, dates, opens, highs, lows, closes, volumes, adjusted] = columns;
  const [provisional, backfilled] = ["provisional", "backfilled"].map((name) => columns[names.indexOf(name)]);
  const bars: DailyBar[] = [];
  for (let row = rows?.start ?? 0; row < (rows?.end ?? 0); row++) {
    const bar: DailyBar = {
      date: dates?.[row] as string,
      open: value(opens, row),
      high: value(highs, row),
      low: value(lows, row),
      close: value(closes, row),
      volume: value(volumes, row),
      adjusted_close: value(adjusted, row),
    };
    if (provisional?.[row] === true) bar.provisional = true;
    if (backfilled?.[row] === true) bar.backfilled = true;
    bars.push(bar);
  }
  return bars;
}

/** The providers of a symbol's rows; of the days that `counts` names, where given. */
export function sourcesOf(
  { columns }: ColumnsResult,
  rows: RowSpan | undefined,
  counts?: (date: string) => boolean,
): string[] {
  const [dates, names] = [columns[1], columns[8]];
  const sources: string[] = [];
  for (let row = rows?.start ?? 0; row < (rows?.end ?? 0); row++) {
    const name = names?.[row] as string;
    if (name === sources.at(-1) || sources.includes(name)) continue;
    if (!counts || counts(dates?.[row] as string)) sources.push(name);
  }
  return sources;
}

/** When the newest of stored bars was fetched, and their newest basis; null when there are none. */
interface Freshness {
  readonly recorded_at: string | null;
  readonly basis_date: string | null;
}

const isLater = (a: string, b: string | null) => b === null || Date.parse(a) > Date.parse(b);

/** The freshness of the rows of the store's `bars` query of a single symbol. */
export function freshnessOf({ names, columns, rowCount }: ColumnsResult): Freshness {
  const text = (name: string, row: number) => columns[names.indexOf(name)]?.[row] as string;
  let newest: Freshness = { recorded_at: null, basis_date: null };
  for (let row = 0; row < rowCount; row++) {
    const [recorded_at, basis_date] = [text("recorded_at", row), text("basis_date", row)];
    if (recorded_at !== newest.recorded_at && isLater(recorded_at, newest.recorded_at))
      newest = { ...newest, recorded_at };
    if (newest.basis_date === null || basis_date > newest.basis_date) newest = { ...newest, basis_date };
  }
  return newest;
}

/** A provisional bar as a row of an answer. */
const provisionalBar = (bar: ProviderBar): DailyBar => ({
  date: bar.date,
  open: bar.open,
  high: bar.high,
  low: bar.low,
  close: bar.close,
  volume: bar.volume,
  adjusted_close: adjustedDigits(bar.adj_close),
  provisional: true,
});

/** Stored bars with the provisional ones of days that are not stored; both oldest first. */
export function withProvisional(stored: DailyBar[], provisional: readonly ProviderBar[]): DailyBar[] {
  const [first] = provisional;
  if (first === undefined) return stored;
  const have = new Set<string>();
  for (let i = stored.length - 1; i >= 0; i--) {
    const date = stored[i]?.date ?? "";
    if (date < first.date) break;
    have.add(date);
  }
  const more = provisional.filter((b) => !have.has(b.date)).map(provisionalBar);
  return more.length === 0 ? stored : [...stored, ...more].sort((a, b) => (a.date < b.date ? -1 : 1));
}

/** Writes dividends and split ratios onto the bars of their ex dates. Returns the dividends in another currency, which no bar can show. */
export function attachActions(
  bars: readonly Pick<DailyBar, "date" | "dividend" | "split_ratio">[],
  actions: readonly SeriesAction[],
  currency: string | null,
): SeriesAction[] {
  if (actions.length === 0) return [];
  const byDate = new Map(bars.map((b) => [b.date, b]));
  const left: SeriesAction[] = [];
  for (const action of actions) {
    const { ex_date, kind, amount, ratio } = action;
    const bar = byDate.get(ex_date);
    if (!bar) continue;
    const isOtherCurrency = action.currency !== null && currency !== null && action.currency !== currency;
    if (kind === "split") {
      if (ratio !== null) bar.split_ratio = (bar.split_ratio ?? 1) * ratio;
    } else if (kind === "dividend" && amount !== null) {
      if (isOtherCurrency) left.push(action);
      else bar.dividend = sumDigits((bar.dividend ?? 0) + amount);
    }
  }
  return left;
}

/** Groups actions by symbol. */
export function actionsBySymbol(actions: readonly SeriesAction[]): Map<string, SeriesAction[]> {
  const grouped = new Map<string, SeriesAction[]>();
  for (const action of actions) {
    const list = grouped.get(action.symbol);
    if (list) list.push(action);
    else grouped.set(action.symbol, [action]);
  }
  return grouped;
}

/** "2026-08-03 to 2026-09-04", or several such ranges. */
export const rangeText = (ranges: readonly DateRange[]) =>
  ranges.map((r) => `${r.start ?? "the beginning"} to ${r.end}`).join(", ");
