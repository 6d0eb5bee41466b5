import { expect, test } from "bun:test";
import type { DailyBar, ProviderBar } from "../../../market/bar.ts";
import { addDays } from "../../../market/date.ts";
import { withProvisional } from "./series.ts";

const figures = (close: number) => ({ open: close, high: close, low: close, close, volume: 1 });
const stored = (date: string, close: number): DailyBar => ({
  date,
  ...figures(close),
  adjusted_close: close,
});
const provisional = (date: string, close: number): ProviderBar => ({
  date,
  at: Temporal.Instant.from(`${date}T14:30:00Z`),
  ...figures(close),
  close,
  adj_close: close,
  settled: false,
  session: "regular",
});

test("a day that is stored has one bar, however long ago it was", () => {
  const days = Array.from({ length: 30 }, (_, i) => addDays("2026-01-01", i));
  const bars = withProvisional(
    days.map((date) => stored(date, 10)),
    [provisional("2026-01-02", 99), provisional("2026-01-31", 11)],
  );
  expect(bars.map((bar) => bar.date)).toEqual([...days, "2026-01-31"]);
  expect([bars[1]?.close, bars.at(-1)?.close, bars.at(-1)?.provisional]).toEqual([10, 11, true]);
});
