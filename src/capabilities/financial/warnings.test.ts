import { expect, test } from "bun:test";
import type { FinancialFact } from "../../providers/edgar/index.ts";
import { warningsKnownAt } from "./warnings.ts";

const fact = (accession_number: string, accepted_at: string) =>
  ({ accession_number, accepted_at, filed_date: accepted_at.slice(0, 10), source: "xbrl" }) as FinancialFact;
const facts = [
  fact("0000001234-10-000001", "2010-03-01T21:00:00Z"),
  fact("0000001234-11-000001", "2011-03-01T21:00:00Z"),
];
const ofBoth =
  "revenue to 2009-12-31 = 5 USD (0000001234-10-000001) and 7 (0000001234-11-000001): conflicting";
const warnings = [
  "3 rows of companyfacts could not be read and are left out",
  "net_income 2009-01-01 2009-12-31 = 5 USD (NetIncomeLoss, 0000001234-10-000001): suspect_scale",
  "net_income 2010-01-01 2010-12-31 = 6 USD (NetIncomeLoss, 0000001234-11-000001): suspect_scale",
  "the currency of 0000001234-09-000007 is unclear, its figures are left out",
  "the schedule of 0000001234-97-000007 has no schedule in it",
  "the currency of 0000001234-10-000009 is unclear, its figures are left out",
  "revenue of periods from 2008-12-31 to 2010-12-31 in 4 reports is left out",
  ofBoth,
];
const warningsAt = (at: string | null) =>
  warningsKnownAt(at === null ? null : Temporal.Instant.from(at), warnings, facts);

test("without as_of, all warnings are shown", () => {
  expect(warningsAt(null)).toEqual(warnings);
});

test("with as_of, no warning about a later report or later days is shown", () => {
  const [unread, of2009, of2010, year09, year97, year10] = warnings;
  expect(warningsAt("2010-03-01T20:59:59Z")).toEqual([unread, year09, year97] as string[]);
  expect(warningsAt("2010-03-01T21:00:00Z")).toEqual([unread, of2009, year09, year97] as string[]);
  expect(warningsAt("2011-03-01T21:00:00Z")).toEqual([
    unread,
    of2009,
    of2010,
    year09,
    year97,
    year10,
    ofBoth,
  ] as string[]);
});
