import { expect, test } from "bun:test";
import type { FigureWarning, FinancialFact } from "../../providers/edgar/index.ts";
import {
  distinct,
  lackingReports,
  note,
  REPLACED,
  readWarnings,
  warningsKnownAt,
  withoutMended,
} from "./warnings.ts";

const [OLD, NEW, BARE, UNDATED] = [
  "0000001234-10-000001",
  "0000001234-11-000001",
  "0000001234-10-000009",
  "0000001234-97-000007",
];
const fact = (accession_number: string, accepted_at: string) =>
  ({ accession_number, accepted_at, filed_date: accepted_at.slice(0, 10), source: "xbrl" }) as FinancialFact;
const facts = [fact(OLD, "2010-03-01T21:00:00Z"), fact(NEW, "2011-03-01T21:00:00Z")];
const about = (accession_number: string, detail: string): FigureWarning => ({
  ...note("currency_unclear", detail),
  accession_number,
});
const ofFile = note("rows_unread", "3 rows of companyfacts could not be read and are left out");
// Names the later report in its text, but is about the earlier one.
const ofOld = about(OLD, `revenue of ${NEW} is not used`);
const ofNew = about(NEW, "the currency is unclear");
const ofBare = about(BARE, "its figures are left out");
const ofUndated = about(UNDATED, "has no schedule in it");
const noted = [ofFile, ofOld, ofNew, ofBare, ofUndated];
const knownAt = (at: string | null) =>
  warningsKnownAt({
    asOf: at === null ? null : Temporal.Instant.from(at),
    noted,
    facts,
    acceptanceOf: (accessions) => new Map(accessions.includes(BARE) ? [[BARE, "2010-06-01T12:00:00Z"]] : []),
  });

test("without as_of, all warnings are shown", () => {
  expect(knownAt(null)).toEqual(noted);
});

test("with as_of, a warning is shown from the acceptance of its report, whatever its text names", () => {
  expect(knownAt("2010-03-01T20:59:59Z")).toEqual([]);
  expect(knownAt("2010-03-01T21:00:00Z")).toEqual([ofOld]);
  expect(knownAt("2010-06-01T12:00:00Z")).toEqual([ofOld, ofBare]);
  expect(knownAt("2030-01-01T00:00:00Z")).toEqual([ofOld, ofNew, ofBare]);
});

test("with as_of, a replaced report is named from its replacement on, not from its acceptance", () => {
  const replaced = { ...about(OLD, "figures are replaced"), code: REPLACED };
  const at = (warning: FigureWarning, moment: string) =>
    warningsKnownAt({
      asOf: Temporal.Instant.from(moment),
      noted: [warning],
      facts,
      acceptanceOf: () => new Map(),
    }).length;
  const dated = { ...replaced, noted_at: "2020-05-01T12:00:00Z" };
  expect(at(dated, "2020-05-01T11:59:59Z")).toBe(0);
  expect(at(dated, "2020-05-01T12:00:00Z")).toBe(1);
  expect(at(replaced, "2030-01-01T00:00:00Z")).toBe(0);
});

test("a warning about a line ends when a row gives the figure of that period", () => {
  const missing: FigureWarning = { ...ofOld, line: "revenue", period_end: "2009-12-31" };
  const row = (period_end_date: string, revenue: number | null) => ({ period_end_date, revenue });
  expect(withoutMended([missing], [row("2009-12-31", null), row("2010-12-31", 5)])).toEqual([missing]);
  expect(withoutMended([missing], [row("2009-12-31", 0)])).toEqual([]);
  // A quarter with the line beside a year without it.
  expect(withoutMended([missing], [row("2009-12-31", 5), row("2009-12-31", null)])).toEqual([missing]);
  expect(withoutMended([ofOld], [row("2009-12-31", 5)])).toEqual([ofOld]);
});

test("stored sentences of an earlier version are warnings about no report", () => {
  expect(readWarnings(JSON.stringify(["a sentence", ofNew]))).toEqual([note("reading", "a sentence"), ofNew]);
});

test("each sentence appears once", () => {
  expect(distinct([ofFile, ofNew, ofFile])).toEqual([ofFile, ofNew]);
});

test("reports with tagged figures that the file of figures lacks are named, amendments are not", () => {
  const report = (accession_number: string, day: string, form_type = "10-Q", is_xbrl = true) => ({
    accession_number,
    cik: "0000001234",
    form_type,
    filing_date: day,
    known_at: `${day}T21:00:00Z`,
    is_xbrl,
  });
  const reports = [
    report("c", "2026-10-28"),
    report("d", "2026-09-01", "10-K/A"),
    report("b", "2026-07-29"),
    report("e", "2026-06-01", "10-Q", false),
    report("a", "2026-04-29"),
    report("z", "2009-04-29"),
  ];
  const named = (at: string | null, ...known: string[]) =>
    lackingReports(
      reports,
      known.map((one) => fact(one, "2026-04-29T21:00:00Z")),
      at === null ? null : Temporal.Instant.from(at),
    ).map(({ accession_number }) => accession_number);
  expect(named(null, "a")).toEqual(["c", "b"]);
  expect(named(null, "a", "c")).toEqual(["b"]);
  expect(named("2026-07-29T21:00:00Z", "a")).toEqual(["b"]);
  expect(named("2026-07-29T20:59:59Z", "a")).toEqual([]);
  expect(named(null)).toEqual([]);
});
