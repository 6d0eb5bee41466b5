// A made-up chart of a share with a split and dividends that is sound, and typing errors in it. The errors
// were written down before the rules that should find them were read.
import type { FakeRow } from "../support/fake-chart.ts";

export type Event = Readonly<Record<string, string | number>>;
export interface Chart {
  readonly rows: readonly FakeRow[];
  readonly events: Readonly<Record<"splits" | "dividends", readonly Event[]>>;
}

const sessions = [
  ...["2026-02-23", "2026-02-24", "2026-02-25", "2026-02-26", "2026-02-27"],
  ...["2026-03-02", "2026-03-03", "2026-03-04", "2026-03-05", "2026-03-06"],
];
export const at = (day: string): number =>
  Temporal.Instant.from(`${day}T14:30:00Z`).epochMilliseconds / 1_000;

const rows = sessions.map((day, nth): FakeRow => {
  const close = 40 + nth / 4;
  return [`${day}T14:30:00Z`, close - 0.3, close + 0.5, close - 0.6, close, 1_200_000 + 1_000 * nth, close];
});
const splits = [{ date: at("2026-03-03"), numerator: 4, denominator: 1, splitRatio: "4:1" }];
const dividends = [{ date: at("2026-02-25"), amount: 0.22 }];

export const soundChart: Chart = { rows, events: { splits, dividends } };

export interface ListError {
  readonly name: string;
  readonly typed: Chart;
}

const with_ = (events: Partial<Chart["events"]>): Chart => ({
  rows,
  events: { ...soundChart.events, ...events },
});
/** The chart with another fifth row: its number in that column. */
const withCell = (column: 1 | 2 | 3 | 4 | 5, value: number): Chart => ({
  ...soundChart,
  rows: rows.map((row, nth) => (nth === 4 ? (row.with(column, value) as unknown as FakeRow) : row)),
});

export const listErrors: readonly ListError[] = [
  {
    name: "a split of one share into none",
    typed: with_({ splits: [{ ...splits[0], denominator: 0, splitRatio: "4:0" }] }),
  },
  {
    name: "the same split on two neighbouring days",
    typed: with_({ splits: [...splits, { ...splits[0], date: at("2026-03-04") }] }),
  },
  {
    name: "a split without its day",
    typed: with_({ splits: [{ numerator: 4, denominator: 1, splitRatio: "4:1" }] }),
  },
  {
    name: "a split the other way round",
    typed: with_({ splits: [{ ...splits[0], numerator: 1, denominator: 4, splitRatio: "1:4" }] }),
  },
  { name: "a dividend below zero", typed: with_({ dividends: [{ ...dividends[0], amount: -0.22 }] }) },
  {
    name: "a dividend a thousand times too large",
    typed: with_({ dividends: [{ ...dividends[0], amount: 220 }] }),
  },
  {
    name: "the same dividend on two neighbouring days",
    typed: with_({ dividends: [...dividends, { date: at("2026-02-26"), amount: 0.22 }] }),
  },
  { name: "a dividend without its day", typed: with_({ dividends: [{ amount: 0.22 }] }) },
  { name: "a close a hundred times too large", typed: withCell(4, 4_100) },
  { name: "a high below the low", typed: withCell(2, 30) },
  { name: "an open below zero", typed: withCell(1, -41) },
  { name: "a volume below zero", typed: withCell(5, -1_204_000) },
];
