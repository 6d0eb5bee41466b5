// Who held a ticker at a moment, decided from made-up spans of lists and counts of forms.
import { expect, test } from "bun:test";
import { claimsOf, holderAt, type ListedSpan, type NamedInForms } from "./holder.ts";

const AT = "2020-06-01T00:00:00.000Z";
const day = (date: string) => `${date}T00:00:00.000Z`;
const span = (cik: string, from: string, to: string | null = null): ListedSpan => ({
  cik,
  name: cik,
  from: day(from),
  to: to && day(to),
});
const forms = (cik: string, given: Partial<NamedInForms>): NamedInForms => ({
  cik,
  name: cik,
  last_before: null,
  first_after: null,
  recent: 0,
  near: given.recent ?? 0,
  ...given,
});
const found = (
  evidence: { spans?: ListedSpan[]; forms?: NamedInForms[] },
  predecessors: Readonly<Record<string, string>> = {},
) =>
  holderAt(claimsOf({ spans: [], forms: [], ...evidence }, AT, (cik) => predecessors[cik] ?? cik)).map(
    ({ claim, basis }) => `${claim.cik} ${basis}`,
  );

test("a list that had the ticker then is proof, not who has it now", () => {
  expect(found({ spans: [span("a", "2019-01-01", "2021-01-01"), span("b", "2021-01-01")] })).toEqual([
    "a proven",
  ]);
  // On the day of the handover the new holder has it.
  expect(found({ spans: [span("a", "2019-01-01", "2020-06-01"), span("b", "2020-06-01")] })).toEqual([
    "b proven",
  ]);
  // A company that has a ticker again counts all the time; the one in between came later.
  expect(found({ spans: [span("a", "2018-01-01"), span("b", "2020-01-01", "2020-09-01")] })).toEqual([
    "b proven",
  ]);
});

test("recent forms are proof before the first list", () => {
  const a = forms("a", { last_before: day("2020-03-01"), recent: 1, near: 1 });
  expect(found({ spans: [span("b", "2026-01-01")], forms: [a] })).toEqual(["a proven"]);
});

test("old forms prove only a company that is also the next one seen", () => {
  const old = forms("a", { last_before: day("2012-03-01") });
  expect(found({ spans: [span("a", "2026-01-01")], forms: [old] })).toEqual(["a proven"]);
  expect(found({ spans: [span("b", "2026-01-01")], forms: [old] })).toEqual(["b later", "a earlier"]);
  expect(found({ forms: [old] })).toEqual(["a earlier"]);
});

test("nothing but today's list proves nothing", () => {
  expect(found({ spans: [span("b", "2026-01-01")] })).toEqual(["b later"]);
  expect(found({})).toEqual([]);
});

test("the first company seen afterwards comes before today's", () => {
  const a = forms("a", { first_after: day("2021-03-01"), near: 3 });
  const evidence = { spans: [span("b", "2026-01-01")], forms: [a] };
  expect(found(evidence)).toEqual(["a later"]);
  // A single form may have another company's symbol.
  expect(found({ ...evidence, forms: [{ ...a, near: 1 }] })).toEqual(["b later"]);
});

test("a form with another company's symbol does not take the ticker", () => {
  const own = forms("a", {
    last_before: day("2020-05-01"),
    first_after: day("2020-07-01"),
    recent: 9,
    near: 20,
  });
  const stray = forms("x", { last_before: day("2020-05-20"), recent: 1 });
  expect(found({ forms: [stray, own] })).toEqual(["a proven"]);
  expect(found({ forms: [{ ...stray, first_after: day("2020-06-20"), near: 2 }, own] })).toEqual([
    "a proven",
  ]);
});

test("after a handover the new company answers, although late forms of the former one follow", () => {
  const former = forms("a", {
    last_before: day("2020-05-01"),
    first_after: day("2020-06-10"),
    recent: 5,
    near: 6,
  });
  const next = forms("b", {
    last_before: day("2020-05-20"),
    first_after: day("2020-06-05"),
    recent: 2,
    near: 30,
  });
  expect(found({ forms: [former, next] })).toEqual(["b proven"]);
});

test("a ticker that a list has lost is not proven by forms from before", () => {
  const a = forms("a", { last_before: day("2020-03-01"), recent: 4, near: 4 });
  expect(found({ spans: [span("a", "2019-01-01", "2020-04-01")], forms: [a] })).toEqual(["a earlier"]);
});

test("a predecessor and its successor are one company", () => {
  const old = forms("old", { last_before: day("2020-03-01"), recent: 4, near: 4 });
  expect(found({ spans: [span("new", "2026-01-01")], forms: [old] }, { old: "new" })).toEqual(["new proven"]);
});
