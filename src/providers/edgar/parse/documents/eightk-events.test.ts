import { describe, expect, test } from "bun:test";
import { fakeClock } from "../../../../../test/support/fake-clock.ts";
import type { EightKItem } from "./eightk.ts";
import { eightKEvents, parseEightKFiling, pressRelease } from "./eightk-events.ts";
import { type InlineDocument, ParseBudget, ParseFailed } from "./filing-text.ts";

const ACCESSION = "0000000001-20-000001";
const item = (item_number: string, content: string | null = `body of ${item_number}`): EightKItem => ({
  item_number,
  event_title: `title of ${item_number}`,
  content,
  content_source: "body",
});
const sources = (numbers: readonly string[], exhibit: string | null) =>
  eightKEvents(
    ACCESSION,
    numbers.map((number) => item(number)),
    exhibit,
  ).map((event) => `${event.item_number} ${event.content_source}`);
const document = (type: string, text: string | null, sequence: number | null = 1): InlineDocument => ({
  type,
  text,
  sequence,
  filename: null,
  description: null,
});

describe("events", () => {
  test("one for each item, with its kind; none for 9.01", () => {
    expect(eightKEvents(ACCESSION, [item("5.02"), item("9.01")], "release")).toEqual([
      {
        accession_number: ACCESSION,
        item_number: "5.02",
        event_type: "management_change",
        event_title: "title of 5.02",
        content: "body of 5.02",
        content_source: "body",
        content_length: 12,
        truncated: false,
      },
    ]);
    expect(eightKEvents(ACCESSION, [], "release")).toEqual([]);
    expect(eightKEvents(ACCESSION, [item("9.01")], null)).toEqual([]);
  });

  test.each([
    [["2.02", "9.01"], ["2.02 EX-99.1"]],
    [["7.01", "9.01"], ["7.01 EX-99.1"]],
    [["8.01", "9.01"], ["8.01 body"]],
    [["8.01"], ["8.01 body"]],
    [
      ["2.02", "8.01", "9.01"],
      ["2.02 EX-99.1", "8.01 EX-99.1"],
    ],
    [
      ["7.01", "8.01"],
      ["7.01 EX-99.1", "8.01 EX-99.1"],
    ],
    [
      ["5.02", "8.01", "9.01"],
      ["5.02 body", "8.01 EX-99.1"],
    ],
    [
      ["1.01", "2.03"],
      ["1.01 body", "2.03 body"],
    ],
    [
      ["5", "7"],
      ["5 body", "7 body"],
    ],
    [
      ["9", "12"],
      ["9 EX-99.1", "12 EX-99.1"],
    ],
  ])("with an exhibit %p take their content from %p", (numbers, expected) => {
    expect(sources(numbers, "release")).toEqual(expected);
    expect(sources(numbers, null)).toEqual(expected.map((line) => line.replace("EX-99.1", "body")));
    expect(sources(numbers, " \n")).toEqual(expected.map((line) => line.replace("EX-99.1", "body")));
  });

  test("old items keep their numbers", () => {
    const types = eightKEvents(
      ACCESSION,
      ["5", "12"].map((n) => item(n)),
      null,
    ).map((event) => event.event_type);
    expect(types).toEqual(["legacy_5", "legacy_12"]);
  });

  test("no content stays none", () => {
    expect(eightKEvents(ACCESSION, [item("5.02", null)], "release")).toMatchObject([
      { content: null, content_source: "body", content_length: 0, truncated: false },
    ]);
    expect(eightKEvents(ACCESSION, [item("2.02", null)], "release")).toMatchObject([{ content: "release" }]);
  });

  test("long content is cut and marked so, and keeps its whole length", () => {
    const cut = (content: string) => eightKEvents(ACCESSION, [item("5.02", content)], null, 4)[0];
    expect(cut("abcd")).toMatchObject({ content: "abcd", content_length: 4, truncated: false });
    expect(cut("abcde")).toMatchObject({ content: "abcd", content_length: 5, truncated: true });
    expect(cut("abc😀e")).toMatchObject({ content: "abc", content_length: 6, truncated: true });
  });
});

describe("the press release", () => {
  test.each([
    [["8-K", "EX-99.1"], "EX-99.1"],
    [["8-K", "EX-99"], "EX-99"],
    [["8-K", "EX-99.01"], "EX-99.01"],
    [["8-K", "EX-99", "EX-99.1"], "EX-99.1"],
    [["8-K", "EX-99.2", "EX-99.10", "EX-99.11", "EX-991"], undefined],
    [[], undefined],
  ])("of %p is %p", (types, expected) => {
    expect(pressRelease(types.map((type) => document(type, "x")))?.type).toBe(expected);
  });

  test("is the first that can be read", () => {
    const documents = [
      document("EX-99.1", "late", null),
      document("EX-99.1", "second", 3),
      document("EX-99.1", null, 2),
      document("EX-99.1", "third", 4),
    ];
    expect(pressRelease(documents)?.text).toBe("second");
  });
});

describe("a filing", () => {
  const body =
    "<html><p>Item 2.02 Results of Operations and Financial Condition</p><p>See the release.</p></html>";
  const budget = () => new ParseBudget(fakeClock("2026-01-05T15:00:00Z"));
  const parse = (documents: InlineDocument[], items: string[] | null = ["2.02"]) =>
    parseEightKFiling({ accession_number: ACCESSION, filing_date: "2020-01-02", items, documents }, budget());

  test("gives items, problems and events", () => {
    const got = parse([
      document("EX-99.1", "<html><p>Record&nbsp;quarter</p></html>", 2),
      document("8-K/A", body),
    ]);
    expect(got.items).toMatchObject([{ item_number: "2.02", content: "See the release." }]);
    expect(got.problems).toEqual([]);
    expect(got.events).toMatchObject([
      { item_number: "2.02", content: "Record quarter", content_source: "EX-99.1" },
    ]);
  });

  test("falls back to the body when the exhibit is a picture or a PDF", () => {
    expect(parse([document("8-K", body), document("EX-99.1", null, 2)]).events).toMatchObject([
      { content: "See the release.", content_source: "body" },
    ]);
  });

  test.each([
    ["no document of the form", [document("EX-99.1", "x")]],
    ["a body that is a PDF", [document("8-K", null)]],
    ["nothing", []],
  ])("fails with %s", (_, documents) => {
    expect(() => parse(documents)).toThrow(ParseFailed);
  });

  test("an attack in its exhibit fails it as a whole", () => {
    const bomb = '<!DOCTYPE a [<!ENTITY b "c">]><html><p>&b;</p></html>';
    expect(() => parse([document("8-K", body), document("EX-99.1", bomb, 2)])).toThrow("declares entities");
    // An exhibit that gives no content is not read.
    expect(parse([document("8-K", body), document("EX-10.1", bomb, 2)]).events).toHaveLength(1);
  });
});
