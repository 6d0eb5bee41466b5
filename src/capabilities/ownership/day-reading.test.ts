// A long day: the request is answered after a while, and the reading goes on without it.
import { expect, test } from "bun:test";
import { captureLog } from "../../../test/support/capture-log.ts";
import { fakeClock } from "../../../test/support/fake-clock.ts";
import { dayReading } from "./day-reading.ts";
import type { FilingState } from "./filing-store.ts";
import type { ReadCounts, ReadOptions } from "./reader.ts";

const DAY = "2026-09-08";
const COUNTS: ReadCounts = { read: 1, failed: 0, rows: 1, outage: null };

/** A reader whose parts end when the test says so. */
function world() {
  const clock = fakeClock("2026-09-09T21:00:00Z");
  const parts: {
    untilMs: number;
    signal: AbortSignal;
    end: (counts: ReadCounts) => void;
    fail: (e: Error) => void;
  }[] = [];
  const reader = {
    read: (_filings: readonly FilingState[], { untilMs = 0, signal }: ReadOptions) =>
      new Promise<ReadCounts>((end, fail) => {
        parts.push({ untilMs: untilMs - clock.nowMs(), signal, end, fail });
        signal.addEventListener("abort", () => fail(signal.reason));
      }),
  };
  const log = captureLog();
  const noted: string[] = [];
  const versions = { noteDays: async (days: readonly string[]) => void noted.push(...days) };
  const reading = dayReading({ filings: { find: () => [] }, reader, versions, clock, log });
  const read = (signal = new AbortController().signal) => reading.read(DAY, "insider", signal);
  return { clock, parts, reading, read, log, noted };
}
const settle = () => new Promise((resolve) => setImmediate(resolve));

test("a request waits for the first part; the rest is read without it", async () => {
  const { parts, read, noted } = world();
  const answer = read();
  expect(parts.map(({ untilMs }) => untilMs)).toEqual([7_000]);
  parts[0]?.end(COUNTS);
  expect(await answer).toEqual(COUNTS);
  await settle();
  expect(parts.map(({ untilMs }) => untilMs)).toEqual([7_000, Number.POSITIVE_INFINITY]);
  // Another request joins the reading.
  const joined = read();
  expect(parts.length).toBe(2);
  parts[1]?.end({ ...COUNTS, read: 7 });
  expect((await joined)?.read).toBe(7);
  await settle();
  expect(noted).toEqual([DAY]);
  void read().catch(() => {});
  expect(parts.length).toBe(3);
});

test("a part that does not end keeps no request longer than nine seconds", async () => {
  const { clock, parts, read } = world();
  const answer = read();
  clock.advance(9_000);
  expect(await answer).toBeNull();
  expect(parts[0]?.signal.aborted).toBe(false);
});

test("a client that goes ends its wait, not the reading; an outage ends the reading", async () => {
  const { parts, read } = world();
  const client = new AbortController();
  const gone = read(client.signal);
  const stays = read();
  client.abort(new Error("gone"));
  expect(gone).rejects.toThrow("gone");
  expect(parts.length).toBe(1);
  expect(parts[0]?.signal.aborted).toBe(false);
  const outage = new Error("down") as never;
  parts[0]?.end({ ...COUNTS, outage });
  expect((await stays)?.outage).toBe(outage);
  await settle();
  expect(parts.length).toBe(1);
});

test("a failure of the store reaches the request and the log; stopping ends the reading silently", async () => {
  const { parts, read, reading, log } = world();
  const failed = read();
  parts[0]?.fail(new Error("disk full"));
  expect(failed).rejects.toThrow("disk full");
  await settle();
  expect(log.lines.filter(({ level }) => level === "error").length).toBe(1);
  const stopped = read();
  const stop = reading.stop();
  expect(stopped).rejects.toThrow("stopping");
  await stop;
  expect(log.lines.filter(({ level }) => level === "error").length).toBe(1);
});
