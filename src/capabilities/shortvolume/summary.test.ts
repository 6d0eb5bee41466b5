// Averages, deviation and totals over the last sessions.
import { expect, test } from "bun:test";
import type { VolumeRow } from "./schema.ts";
import { summarise } from "./summary.ts";

/** `count` sessions, newest first; the dates only need to differ. */
const sessions = Array.from({ length: 30 }, (_, i) => `2026-08-${String(30 - i).padStart(2, "0")}`);
const row = (date: string, short_volume: number, total_volume = 100): VolumeRow => ({
  date,
  symbol: "ZORP",
  short_volume,
  total_volume,
  short_exempt_volume: 0,
  short_exempt_ratio: 0,
  market: "Q",
  short_volume_ratio: total_volume > 0 ? short_volume / total_volume : null,
});

test("figures of a full window", () => {
  // Ratios 0.40 on the newest day, then 0.50 and 0.60 in turn.
  const rows = sessions.slice(0, 25).map((date, i) => row(date, i === 0 ? 40 : i % 2 === 1 ? 50 : 60));
  const found = summarise(rows, sessions, 20);
  expect(found.short_volume_ratio).toBe(0.4);
  expect(found.avg_ratio_5d).toBeCloseTo((0.4 + 0.5 + 0.6 + 0.5 + 0.6) / 5, 12);
  const mean = (0.4 + 10 * 0.5 + 9 * 0.6) / 20;
  expect(found.avg_ratio_20d).toBeCloseTo(mean, 12);
  const squares = (0.4 - mean) ** 2 + 10 * (0.5 - mean) ** 2 + 9 * (0.6 - mean) ** 2;
  expect(found.zscore_20d).toBeCloseTo((0.4 - mean) / Math.sqrt(squares / 19), 10);
  expect(found.total_short_volume).toBe(40 + 10 * 50 + 9 * 60);
  expect(found.total_volume).toBe(2000);
  expect(found.days).toBe(20);
});

test("sessions without a line are unknown, not 0", () => {
  const rows = [0, 1, 3].map((i) => row(sessions[i] ?? "", 30));
  const found = summarise(rows, sessions, 4);
  expect(found.avg_ratio_5d).toBeCloseTo(0.3, 12);
  expect(found).toMatchObject({
    avg_ratio_20d: null,
    zscore_20d: null,
    total_short_volume: 90,
    total_volume: 300,
    days: 3,
  });
  expect(summarise(rows.slice(0, 2), sessions, 4).avg_ratio_5d).toBeNull();
});

test("ratios that never differ have no z-score, a day without volume no ratio", () => {
  const rows = sessions.slice(0, 20).map((date) => row(date, 50));
  expect(summarise(rows, sessions, 20)).toMatchObject({ avg_ratio_20d: 0.5, zscore_20d: null });
  // Shares of no exact binary value: their plain mean is not quite the ratio, and the z-score would be near
  // 1.
  for (const sold of [10, 30, 35, 70])
    expect(
      summarise(
        rows.map(({ date }) => row(date, sold)),
        sessions,
        20,
      ),
    ).toMatchObject({ avg_ratio_20d: sold / 100, zscore_20d: null });
  const idle = [row(sessions[0] ?? "", 0, 0), ...rows.slice(1)];
  expect(summarise(idle, sessions, 20)).toMatchObject({
    short_volume_ratio: null,
    zscore_20d: null,
    avg_ratio_20d: 0.5,
    days: 20,
  });
});

test("totals carry no more digits than the file has", () => {
  const rows = [0, 1, 2].map((i) => row(sessions[i] ?? "", 0.1, 121_706_345.593752));
  expect(summarise(rows, sessions, 20)).toMatchObject({
    total_short_volume: 0.3,
    total_volume: 365_119_036.781256,
  });
});

test("without known ratios all figures are null", () => {
  expect(summarise([], sessions, 20)).toEqual({
    short_volume_ratio: null,
    avg_ratio_5d: null,
    avg_ratio_20d: null,
    zscore_20d: null,
    total_short_volume: null,
    total_volume: null,
    days: 0,
  });
});
