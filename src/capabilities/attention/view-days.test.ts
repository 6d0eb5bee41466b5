// Days that the provider leaves out: no views, not published yet, or unknown.
import { expect, test } from "bun:test";
import { type FetchedViews, knownAt, newViews, type StoredViews } from "./view-days.ts";

const FETCHED = "2026-09-09T21:00:00Z";
const fetched = (days: Record<string, number>, more: Partial<FetchedViews> = {}): FetchedViews => ({
  span: { start: "2026-09-01", end: "2026-09-08" },
  days: Object.entries(days).map(([date, views]) => ({ date, views })),
  projectLast: "2026-09-08",
  fetchedAtMs: Date.parse(FETCHED),
  ...more,
});
const stored = (rows: Record<string, StoredViews> = {}) => new Map(Object.entries(rows));
const brief = (answer: FetchedViews, before = stored()) =>
  newViews(answer, before).map(({ date, views, is_reported }) => [date.slice(8), views, is_reported]);

test("a day left out between two views is zero; one before the first view is unknown", () => {
  expect(brief(fetched({ "2026-09-03": 2, "2026-09-06": 1, "2026-09-08": 4 }))).toEqual([
    ["03", 2, true],
    ["04", 0, false],
    ["05", 0, false],
    ["06", 1, true],
    ["07", 0, false],
    ["08", 4, true],
  ]);
});

test("days left out at the end are zero up to the day before the project's last, never beyond", () => {
  const days = { "2026-09-01": 3, "2026-09-03": 2 };
  const upTo = (projectLast: string | null) => brief(fetched(days, { projectLast })).at(-1);
  expect(upTo("2026-09-08")).toEqual(["07", 0, false]);
  expect(upTo("2026-09-06")).toEqual(["05", 0, false]);
  expect(upTo("2026-09-03")).toEqual(["03", 2, true]);
  expect(upTo(null)).toEqual(["03", 2, true]);
});

test("without any view nothing is known, unless views are stored", () => {
  expect(brief(fetched({}))).toEqual([]);
  const before = stored({ "2026-08-20": { views: 7, is_reported: true } });
  expect(brief(fetched({}), before).length).toBe(7);
  expect(brief(fetched({}), stored({ "2026-08-20": { views: 0, is_reported: false } }))).toEqual([]);
});

test("a count is known when published, or when fetched if that was earlier", () => {
  const at = Date.parse(FETCHED);
  expect(knownAt("2026-09-08", at)).toBe("2026-09-09T21:00:00.000Z");
  expect(knownAt("2026-09-06", at)).toBe("2026-09-09T00:00:00.000Z");
  expect(knownAt("2024-02-29", at)).toBe("2024-03-03T00:00:00.000Z");
});

test("a corrected count is known from its fetch on; a count left out later stays", () => {
  const held = stored({
    "2026-09-02": { views: 5, is_reported: true },
    "2026-09-03": { views: 0, is_reported: false },
    "2026-09-04": { views: 8, is_reported: true },
  });
  const rows = newViews(fetched({ "2026-09-02": 6, "2026-09-03": 1 }, { projectLast: "2026-09-05" }), held);
  expect(rows).toEqual([
    { date: "2026-09-02", views: 6, is_reported: true, known_at: "2026-09-09T21:00:00.000Z" },
    { date: "2026-09-03", views: 1, is_reported: true, known_at: "2026-09-09T21:00:00.000Z" },
  ]);
  expect(
    newViews(fetched({ "2026-09-02": 5, "2026-09-04": 8 }, { projectLast: "2026-09-04" }), held),
  ).toEqual([]);
});
