// When snapshots are due: the exchange's days and hours, half days, both clock changes; and the job's slots.
import { expect, test } from "bun:test";
import { fakeClock } from "../../../test/support/fake-clock.ts";
import { exchangeCalendar } from "../../market/calendar.ts";
import type { Job } from "../../platform/jobs/job.ts";
import { jobSlots } from "../../platform/jobs/schedule.ts";
import type { Lake } from "../../platform/lake/lake.ts";
import { gainerHistory, slotsOf } from "./snapshots.ts";
import type { SourceRow } from "./sources.ts";

const calendar = exchangeCalendar();

/** The job with a given list of rows, and what it stored. */
function world(at: string, rows: readonly Partial<SourceRow>[] = []) {
  const clock = fakeClock(at);
  const stored: Record<string, unknown>[] = [];
  const lake = {
    async append(batches: readonly { rows: readonly Record<string, unknown>[] }[]) {
      for (const batch of batches) stored.push(...batch.rows);
      return [];
    },
  } as unknown as Lake;
  let asked = 0;
  const lists = {
    async dayGainers(count: number) {
      asked += count;
      return {
        rows: rows as SourceRow[],
        total: rows.length,
        warnings: [],
        as_of: clock.now().add({ milliseconds: 812 }).toString(),
      };
    },
  };
  const { job } = gainerHistory({ lists, source: { name: "test" }, lake, clock, calendar });
  const run = (scheduledFor = at) =>
    job.run({ signal: new AbortController().signal, scheduledFor, missed: [] });
  return { job, run, stored, asked: () => asked };
}

/** The times between two instants at which the job runs: its schedule with its gate. */
function due(job: Job, from: string, to: string): string[] {
  const ms = (text: string) => Temporal.Instant.from(text).epochMilliseconds;
  return jobSlots(job.schedule, job.zone)
    .between(ms(from) - 1, ms(to), 10_000)
    .map((slot) => Temporal.Instant.fromEpochMilliseconds(slot))
    .filter((slot) => job.gate?.(slot) ?? true)
    .map((slot) => slot.toString());
}
const { job } = world("2026-09-09T18:00:00Z");
const day = (date: string) => due(job, `${date}T00:00:00Z`, `${date}T23:59:59Z`);

test("a full day: every five minutes from 09:30 to 16:00 in New York, both inclusive", () => {
  const slots = day("2026-09-09");
  expect(slots).toHaveLength(79);
  expect([slots[0], slots[1], slots.at(-1)]).toEqual([
    "2026-09-09T13:30:00Z",
    "2026-09-09T13:35:00Z",
    "2026-09-09T20:00:00Z",
  ]);
  expect(slots.map((slot) => Temporal.Instant.from(slot).epochMilliseconds)).toEqual(
    slotsOf(calendar, "2026-09-09").map((slot) => Temporal.Instant.from(slot).epochMilliseconds),
  );
});

test("a half day ends at 13:00, a holiday and a weekend have none", () => {
  const half = day("2026-11-27");
  expect([half.length, half[0], half.at(-1)]).toEqual([43, "2026-11-27T14:30:00Z", "2026-11-27T18:00:00Z"]);
  expect(slotsOf(calendar, "2026-11-27")).toHaveLength(43);
  expect(day("2026-11-26")).toEqual([]);
  expect(slotsOf(calendar, "2026-11-26")).toEqual([]);
  expect(due(job, "2026-09-12T00:00:00Z", "2026-09-13T23:59:59Z")).toEqual([]);
});

test("the hours are New York's around both clock changes", () => {
  const ends = (date: string) => [day(date)[0], day(date).at(-1), day(date).length];
  expect(ends("2026-03-06")).toEqual(["2026-03-06T14:30:00Z", "2026-03-06T21:00:00Z", 79]);
  expect(ends("2026-03-09")).toEqual(["2026-03-09T13:30:00Z", "2026-03-09T20:00:00Z", 79]);
  expect(ends("2026-10-30")).toEqual(["2026-10-30T13:30:00Z", "2026-10-30T20:00:00Z", 79]);
  expect(ends("2026-11-02")).toEqual(["2026-11-02T14:30:00Z", "2026-11-02T21:00:00Z", 79]);
});

test("an extra closure is a day without snapshots", () => {
  const closed = exchangeCalendar({ extraClosures: ["2026-09-09"] });
  expect(slotsOf(closed, "2026-09-09")).toEqual([]);
});

test("a day outside the calendar has no slots and causes no error", () => {
  expect(slotsOf(calendar, "2099-01-05")).toEqual([]);
  expect(job.gate?.(Temporal.Instant.from("2099-01-05T15:00:00Z"))).toBe(false);
});

test("missed snapshots are gaps and never caught up", () => {
  expect(job.catchUp).toBe("gap");
});

const gainer = (symbol: string, price_time: string | null) => ({ symbol, name: symbol, price_time });

test("rows of this session are stored in order, with the time they were read", async () => {
  const { run, stored, asked } = world("2026-09-09T13:35:01Z", [
    gainer("ZORP", "2026-09-09T13:34:58Z"),
    gainer("QUIB.B", "2026-09-09T13:30:00Z"),
  ]);
  expect(await run("2026-09-09T13:35:00.000Z")).toEqual({ rows: 2 });
  expect(asked()).toBe(100);
  expect(stored).toEqual([
    expect.objectContaining({
      market_date: "2026-09-09",
      slot: "2026-09-09T13:35:00.000Z",
      rank: 1,
      symbol: "ZORP",
      known_at: "2026-09-09T13:35:01.812Z",
      source: "test",
    }),
    expect.objectContaining({ rank: 2, symbol: "QUIB.B" }),
  ]);
});

test("gainers of the day before are not stored as today's", async () => {
  const mixed = world("2026-09-09T13:30:00Z", [
    gainer("OLD", "2026-09-08T20:00:01Z"),
    gainer("NEW", "2026-09-09T13:30:00Z"),
    gainer("WHEN", null),
  ]);
  expect(await mixed.run()).toEqual({ rows: 1 });
  expect(mixed.stored.map(({ rank, symbol }) => [rank, symbol])).toEqual([[1, "NEW"]]);
  const stale = world("2026-09-09T13:30:00Z", [gainer("OLD", "2026-09-08T20:00:01Z")]);
  expect(await stale.run()).toEqual({ rows: 0 });
  expect(stale.stored).toEqual([]);
});

test("a run on demand outside the session asks and stores nothing", async () => {
  for (const at of [
    "2026-09-09T13:29:59Z",
    "2026-09-09T20:05:01Z",
    "2026-11-26T16:00:00Z",
    "2026-11-27T18:05:01Z",
  ]) {
    const { run, stored, asked } = world(at, [gainer("ZORP", at)]);
    expect(await run()).toEqual({ rows: 0 });
    expect([asked(), stored.length]).toEqual([0, 0]);
  }
  // A run slightly after the close.
  const { run } = world("2026-09-09T20:00:02Z", [gainer("ZORP", "2026-09-09T20:00:01Z")]);
  expect(await run()).toEqual({ rows: 1 });
});
