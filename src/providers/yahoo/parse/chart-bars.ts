// Turns rows into bars. Rows that are not a bar of the requested span are dropped and counted; nothing is
// repaired.
import type { ProviderBar } from "../../../market/bar.ts";
import type { ChartFrame } from "./chart-meta.ts";
import { dateIn } from "./chart-meta.ts";
import type { ChartRow, ChartRows } from "./chart-rows.ts";
import { type ChartInterval, minutesOf, type Sessions } from "./sessions.ts";

/** Counts of the rows left out. Together with the bars they add up to the rows of the answer. */
export interface DroppedRows {
  /** Dates of sessions (intraday: starts) whose only rows have no close. */
  readonly null_rows: string[];
  /** Rows outside the requested span; Yahoo often appends the last trade. */
  readonly out_of_range: number;
  /** Rows replaced by a later row of the same day (intraday: of the same start). */
  readonly duplicates: number;
  /** Rows outside regular hours, when extended hours were not requested. */
  readonly extended: number;
  /** Daily rows with a stamp that no daily bar has (parse/sessions.ts). */
  readonly misplaced: number;
  /** Intraday rows that start between two bars: the last trade of a running session, appended like a bar. */
  readonly between_bars: number;
}

/** The requested chart, as far as its rows are concerned. Epoch seconds; `end` is exclusive. */
export interface ChartSpan {
  readonly interval: ChartInterval;
  readonly start: number | null;
  readonly end: number;
  readonly prePost: boolean;
}

interface Dated {
  readonly row: ChartRow;
  readonly date: string;
  /** Identifies a bar: its date, or the start of an intraday bar. */
  readonly key: string;
}

function instantOf(seconds: number): Temporal.Instant {
  return Temporal.Instant.fromEpochMilliseconds(seconds * 1000);
}

/**
 * Keeps one row per key: the last with a close, else the last. A settled row precedes the live one of its
 * day.
 */
// A settled row with a close of 10 and a live one of 11 on one day: 11 stays; a live one of null: 10 stays.
function keepLast(rows: readonly Dated[]): { kept: Dated[]; duplicates: number } {
  const byKey = new Map<string, Dated>();
  for (const dated of rows) {
    const before = byKey.get(dated.key);
    if (before === undefined || dated.row.close !== null || before.row.close === null)
      byKey.set(dated.key, dated);
  }
  const kept = [...byKey.values()].sort((a, b) => a.row.seconds - b.row.seconds);
  return { kept, duplicates: rows.length - kept.length };
}

type Phase = ReturnType<Sessions["phase"]>;
const SESSION_OF = { before: "pre", regular: "regular", after: "post", unknown: "regular" } as const;

/** Converts a row. `session` is "regular" for daily bars and where the hours are unknown. */
function makeBar({ row, date }: Dated, phase: Phase, settled: boolean): ProviderBar | null {
  const { seconds, close, ...values } = row;
  if (close === null) return null;
  // Yahoo does not count volume in extended hours and writes 0, which here means unknown.
  const isUncounted = row.volume === 0 && (phase === "before" || phase === "after");
  const volume = isUncounted ? null : row.volume;
  return { date, at: instantOf(seconds), ...values, close, volume, settled, session: SESSION_OF[phase] };
}

/** The bars of an answer. */
export function makeBars(
  { rows, isCloseOnly }: ChartRows,
  span: ChartSpan,
  frame: ChartFrame,
  sessions: Sessions,
): { bars: ProviderBar[]; dropped: DroppedRows } {
  const minutes = minutesOf(span.interval);
  const dated = rows.map((row): Dated => {
    const at = instantOf(row.seconds);
    const date = dateIn(frame.zone, at);
    return { row, date, key: minutes === null ? date : at.toString() };
  });
  const lastDate = dated.at(-1)?.date ?? "";
  const phaseOf = ({ row, date }: Dated): Phase =>
    minutes === null ? "regular" : sessions.phase(date, row.seconds);
  const isSettled = ({ row, date }: Dated): boolean => {
    if (isCloseOnly) return false;
    if (minutes !== null) return sessions.isIntradaySettled(row.seconds, minutes);
    // Longer bars are not stored: weeks and months are aggregated from days.
    return (
      span.interval === "1d" &&
      sessions.isDailySettled({ date, seconds: row.seconds, isFollowed: date < lastDate })
    );
  };

  const inRange = dated.filter(
    ({ row }) => row.seconds >= (span.start ?? -Infinity) && row.seconds < span.end,
  );
  const placed =
    span.interval === "1d"
      ? inRange.filter(({ row, date }) => !sessions.isMisplaced(date, row.seconds))
      : inRange;
  const starts = minutes === null ? placed : placed.filter(({ row }) => row.seconds % 60 === 0);
  const requested = span.prePost ? starts : starts.filter((d) => SESSION_OF[phaseOf(d)] === "regular");
  const { kept, duplicates } = keepLast(requested);
  const bars = kept.flatMap((d) => makeBar(d, phaseOf(d), isSettled(d)) ?? []);
  return {
    bars,
    dropped: {
      null_rows: kept.filter(({ row }) => row.close === null).map(({ key }) => key),
      out_of_range: dated.length - inRange.length,
      duplicates,
      extended: starts.length - requested.length,
      misplaced: inRange.length - placed.length,
      between_bars: placed.length - starts.length,
    },
  };
}
