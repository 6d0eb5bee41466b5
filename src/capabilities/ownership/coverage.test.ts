// Warnings of an answer about filings that could not be read in time.
import { expect, setDefaultTimeout, test } from "bun:test";
import { fakeClock } from "../../../test/support/fake-clock.ts";
import { endOfDay } from "../../market/calendar.ts";
import { addDays } from "../../market/date.ts";
import type { Lake } from "../../platform/lake/lake.ts";
import { openSqlite } from "../../platform/sqlite/sqlite.ts";
import { type CoverageDeps, ownershipCoverage } from "./coverage.ts";
import { CoverageStore } from "./coverage-store.ts";
import { FilingStore } from "./filing-store.ts";
import type { ReadOptions } from "./reader.ts";

setDefaultTimeout(1_200_000);

const CIK = "0007100001";
const DAYS = ["2026-08-03", "2026-07-01", "2026-06-02", "2020-02-03"];
const NOW = "2026-09-09T21:00:00Z";

/**
 * Coverage over a company's list with a filing on each day, and a reader that reads `perRead` filings before
 * its time is over.
 */
function world(perRead: number) {
  const clock = fakeClock(NOW);
  const sqlite = openSqlite(":memory:");
  const filings = new FilingStore({ sqlite, clock });
  const covered = new CoverageStore({ sqlite, clock });
  const untils: (number | undefined)[] = [];
  const deps = {
    filings,
    covered,
    clock,
    days: {} as CoverageDeps["days"],
    lake: {} as Lake,
    dayReading: { read: async () => null },
    versions: {
      read: async (_ciks, read) => read(),
      readDay: async (_date, read) => read(),
      load: async () => {},
      loadDay: async () => {},
    },
    lists: {
      async refresh(cik: string, kind: "insider" | "holder", from: string) {
        const rows = DAYS.filter((day) => day >= from).map((filing_date, i) => ({
          accession_number: `0007000000-26-00000${i}`,
          form_type: "4",
          filing_date,
          public_from: null,
          accepted_at: null,
          parties: [{ cik, is_subject: true }],
        }));
        filings.add(rows, "list");
        covered.saveList(cik, kind, { covered_from: from, listed_at: clock.now().toString() });
      },
    },
    reader: {
      async read(pending: ReturnType<FilingStore["find"]>, { untilMs }: ReadOptions) {
        untils.push(untilMs);
        const read = pending.slice(0, perRead);
        filings.saveReadStates(
          read.map((filing) => ({ ...filing, status: "succeeded", error: null, reading: 1, rows: 1 })),
          [],
        );
        return { read: read.length, failed: 0, rows: read.length, outage: null };
      },
    },
  } satisfies CoverageDeps;
  const ensure = (days: number) => {
    const request = {
      ciks: [CIK],
      kind: "insider" as const,
      from: addDays("2026-09-09", -days),
      untilMs: clock.nowMs(),
    };
    return ownershipCoverage(deps).ensureIssuer({ ...request, force: false }, new AbortController().signal);
  };
  const day = (date: string, count: number, asOf = endOfDay(date)) => {
    const rows = Array.from({ length: count }, (_, i) => ({
      accession_number: `0007000001-26-${String(i).padStart(6, "0")}`,
      form_type: "4",
      filing_date: date,
      public_from: null,
      accepted_at: null,
      parties: [{ cik: CIK, is_subject: null }],
    }));
    filings.add(rows, "daily_index");
    covered.saveDays("insider", [{ date, filings: count }], "daily_index");
    const refuseFuture = () => {};
    const own = { ...deps, days: { refuseFuture } as unknown as CoverageDeps["days"] };
    return ownershipCoverage(own).ensureDay(date, "insider", asOf, new AbortController().signal);
  };
  return { ensure, day, untils, nowMs: clock.nowMs() };
}

test("filings that are not read in time are counted, and the complete days begin after the newest of them", async () => {
  const { ensure, untils, nowMs } = world(2);
  const first = await ensure(3_650);
  expect(first).toMatchObject({
    fetched_count: 2,
    pending_count: 2,
    data_from: "2026-06-03",
    data_to: "2026-09-09",
  });
  expect(first.warnings).toEqual(["not_read: 2 filings are not read yet. Request again to read on."]);
  expect(untils).toEqual([nowMs + 200_000]);
  const second = await ensure(3_650);
  expect(second).toMatchObject({ fetched_count: 2, pending_count: 0, data_from: "2016-09-11", warnings: [] });
});

test("an unread filing before the window is not counted, but days before it are not complete", async () => {
  const { ensure } = world(3);
  expect(await ensure(3_650)).toMatchObject({ pending_count: 1, data_from: "2020-02-04" });
  expect(await ensure(800)).toMatchObject({ pending_count: 0, data_from: "2020-02-04" });
});

test("the days after the newest filing are complete though it is not read", async () => {
  const { ensure } = world(0);
  const { data_from, data_to, pending_count } = await ensure(10 * 7);
  expect([data_from, data_to, pending_count]).toEqual(["2026-08-04", "2026-09-09", 2]);
});

test("a day that is still being read says how much is left, and when to request again", async () => {
  expect(await world(0).day("2026-09-08", 240)).toEqual({
    pending_count: 240,
    retry_after_s: 30,
    warnings: ["not_read: 240 filings are not read yet: request again in 30 s."],
  });
  expect(await world(0).day("2026-09-08", 974)).toMatchObject({ pending_count: 974, retry_after_s: 60 });
  expect(await world(0).day("2026-09-08", 1)).toMatchObject({ retry_after_s: 5 });
  expect(await world(0).day("2026-09-08", 0)).toEqual({
    pending_count: 0,
    retry_after_s: null,
    warnings: [],
  });
});

test("of a day that had not begun at as_of nothing is read, and nothing is said of filings that came later", async () => {
  const at = (text: string) => Temporal.Instant.from(text);
  expect(await world(0).day("2026-09-08", 974, at("2026-09-08T03:59:59Z"))).toEqual({
    pending_count: 0,
    retry_after_s: null,
    warnings: [],
  });
  expect(await world(0).day("2026-09-08", 974, at("2026-09-08T04:00:00Z"))).toMatchObject({
    pending_count: 974,
  });
});
