import { describe, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { fakeClock } from "../../../../../test/support/fake-clock.ts";
import { parseEightK } from "./eightk.ts";
import { ParseBudget, ParseFailed } from "./filing-text.ts";

setDefaultTimeout(1_200_000);

const SIGNED =
  "\n\nSIGNATURES\n\nPursuant to the requirements of the Securities Exchange Act of 1934, the registrant has duly caused " +
  "this report to be signed.\n\nItem 8.01 Other Events\n\nBehind the signatures.";
const EXHIBITS = "\n\nItem 9.01 Financial Statements and Exhibits.\n\n(d) Exhibits";

function parse(text: string, items: readonly string[] | null = null, filing_date = "2020-01-02") {
  return parseEightK({ text, items, filing_date }, new ParseBudget(fakeClock("2026-01-05T15:00:00Z")));
}

/** Contents by item. */
function contents(text: string, items: readonly string[] | null = null, filing_date = "2020-01-02") {
  return Object.fromEntries(
    parse(text, items, filing_date).items.map((item) => [item.item_number, item.content]),
  );
}

describe("headings", () => {
  test.each([
    ["as the form has it", "Item 8.01 Other Events"],
    ["capitals and a stop", "ITEM 8.01. OTHER EVENTS."],
    ["a colon", "Item 8.01: Other Events"],
    ["a dash", "Item 8.01 — Other Events"],
    ["no blank", "Item8.01 Other Events"],
    ["a stray blank", "Item 8. 01 Other Events"],
    ["digits apart", "Item 8.0 1 Other Events"],
    ["a colon for the point", "Item 8:01 Other Events"],
    ["a comma for the point", "Item 8,01 Other Events"],
    ["cells", "Item\t8.01\tOther Events"],
    ["lines", "Item\n8.01\n\nOther Events"],
    ["a rule before it", "------Item 8.01 Other Events"],
    ["a rule below it", "Item 8.01 Other Events\n======================"],
    ["the section before it", "Section 8 – Other Events Item 8.01 Other Events"],
    ["the section above it", "Section 8 – Other Events\nItem 8.01 Other Events"],
    ["a bullet", "• Item 8.01 Other Events"],
    ["no title", "Item 8.01"],
    ["no title, with a stop", "ITEM 8.01."],
    ["a title of its own", "Item 8.01 Termination of Merger Agreement"],
    ["more than the title", "Item 8.01 Other Events – Dividend Declaration"],
    ["a comma", "Item 8.01, Other Events"],
    ["small letters", "item 8.01 other events"],
    ["a part", "Item 8.01(a). Other Events"],
    ["a wrapped title above", "Item 8.01   Other\n            Events"],
    ["spaced letters", "I T E M 8.01 Other Events"],
    ["spaced letters throughout", "I t e m 8 . 0 1 O t h e r E v e n t s"],
    ["a capital apart", "I tem 8.01 Other Events"],
  ])("%s", (_, heading) => {
    for (const items of [null, ["8.01", "9.01"]])
      expect(contents(`FORM 8-K\n\n${heading}\n\nThe news.\n\nMore.${EXHIBITS}${SIGNED}`, items)).toEqual({
        "8.01": "The news.\n\nMore.",
        "9.01": "(d) Exhibits",
      });
  });

  test.each([
    ["Item 8.01. Other Events. On March 3 it paid.", "On March 3 it paid."],
    ["Item 8.01. Other Events. See Exhibit.", "See Exhibit."],
    ["Item 8.01. On March 3 it paid a dividend.", "On March 3 it paid a dividend."],
    ["Item 8.01 Other Events\tOn March 3 it paid a dividend.", "On March 3 it paid a dividend."],
  ])("a text on the heading's own line: %s", (text, expected) => {
    expect(contents(text + SIGNED)).toEqual({ "8.01": expected });
  });

  test("a text that begins like its title keeps its words", () => {
    const prose = "The results of operations for the quarter were good.";
    expect(contents(`Item 2.02\n\n${prose}${SIGNED}`)).toEqual({ "2.02": prose });
    const same = "Results of operations for the quarter were good, and more is said in the release.";
    expect(contents(`Item 2.02 ${same}${SIGNED}`, ["2.02"])).toEqual({ "2.02": same });
  });

  test("long titles: left out parts, older wording, line breaks", () => {
    for (const title of [
      "Departure of Directors or Certain Officers; Election of Directors; Appointment of Certain Officers; Compensatory\nArrangements of Certain Officers.",
      "Departure of Directors; Compensatory Arrangements",
      "DEPARTURE OF DIRECTORS OR PRINCIPAL OFFICERS; ELECTION OF DIRECTORS; APPOINTMENT OF PRINCIPAL OFFICERS",
      "Election of Directors",
    ])
      expect(contents(`Item 5.02(b), (c) and (e)  ${title}\n\nShe left.${SIGNED}`)).toEqual({
        "5.02": "She left.",
      });
  });

  test.each([
    ["Items 2.02 and 7.01. Results of Operations and Financial Condition; Regulation FD Disclosure."],
    ["Item 2.02 and Item 7.01. Results of Operations and Financial Condition and Regulation FD Disclosure"],
    ["Item 2.02. Results of Operations and Financial Condition and Item 7.01. Regulation FD Disclosure."],
    ["Item 2.02/7.01 Results of Operations"],
    ["Item 2.02 Results of Operations and Financial Condition.\nItem 7.01 Regulation FD Disclosure."],
    ["Items 2.02 & 7.01"],
  ])("several items share a text: %s", (heading) => {
    expect(contents(`${heading}\n\nThe news.${EXHIBITS}${SIGNED}`)).toEqual({
      "2.02": "The news.",
      "7.01": "The news.",
      "9.01": "(d) Exhibits",
    });
  });

  test("the parts of an item under two headings are one item", () => {
    const text =
      "Item 5.02(b) Departure of Directors\n\nShe left.\n\nItem 5.02(d) Election of Directors\n\nHe came.";
    expect(contents(text + SIGNED)).toEqual({ "5.02": "She left.\n\nHe came." });
  });
});

describe("mentions", () => {
  const kept = (mention: string) => {
    const text = `Item 1.01 Entry into a Material Definitive Agreement\n\nFirst.\n\n${mention}\n\nLast.`;
    expect(contents(text + SIGNED)).toEqual({ "1.01": `First.\n\n${mention}\n\nLast.` });
  };
  test.each([
    ["See Item 8.01 above."],
    ["Item 8.01 of this report is furnished."],
    ["ITEM 8.01 OF THIS REPORT IS FURNISHED."],
    ["Item 8.01 above says so."],
    ["Item 8.01 Other Events of this report is furnished."],
    ["Item 8.01 Other Events above is furnished."],
    ["It is incorporated by reference into\nItem 7.01 Regulation FD Disclosure and not filed."],
    ["The information that the company gives under the caption\nItem 7.01 The Outlook is furnished."],
    ["It is described under (\nItem 7.01 Regulation FD Disclosure)"],
    ["“Item 2.02 Results of Operations and Financial Condition” is furnished."],
    ["Item 2.02, Item 7.01 and Item 8.01 are furnished."],
    ["Item 8.01) is furnished"],
    ["Item 5. Other Events"],
    ["Item 601 of Regulation S-K lists exhibits."],
    ["Item 2.021 Other Events"],
    ["Item 10.01 Other Events"],
    ["Lineitem 8.01 Other Events"],
  ])("%s", kept);

  test("a table of contents opens nothing", () => {
    const rows =
      "Item 2.02\tResults of Operations and Financial Condition\t2\nItem 9.01 Exhibits ........ Page 3\nSIGNATURES\t4\nEXHIBIT INDEX\t5";
    const text = `${rows}\n\nItem 2.02 Results of Operations and Financial Condition\n\nThe news.${EXHIBITS}${SIGNED}`;
    expect(contents(text)).toEqual({ "2.02": "The news.", "9.01": "(d) Exhibits" });
  });

  test("a row of the exhibit list opens nothing", () => {
    const rows = "Item 2.02 Results of Operations and Financial Condition\tPress release\n99.1\tRelease";
    const text = `Item 2.02 Results of Operations and Financial Condition\n\nThe news.${EXHIBITS}\n\n${rows}${SIGNED}`;
    expect(contents(text)).toEqual({ "2.02": "The news.", "9.01": `(d) Exhibits\n\n${rows}` });
  });
});

describe("ends", () => {
  test.each([
    ["spaced letters", "S I G N A T U R E S\n\nThe registrant has duly caused this report to be signed"],
    [
      "no heading",
      "Pursuant to the requirements of the Act, the registrant has duly caused this report to be signed",
    ],
    ["no sentence", "SIGNATURE\n\n/s/ A. Person"],
    [
      "an index of exhibits first",
      "EXHIBIT INDEX\n\n99.1 Release\n\nSIGNATURES\n\nduly caused this report to be signed",
    ],
    [
      "page number and section",
      "3\n\nSECTION 9 – FINANCIAL STATEMENTS\n\nItem 9.01 Exhibits\n\n(d)\n\nSIGNATURE",
    ],
    ["a note that signatures follow", "[Signature page follows]\n\nPage 2 of 3\n\n* * *\n\nSIGNATURE"],
    ["the link at the top of the next page", "2\n\nTable of Contents\n\nSIGNATURE"],
    ["the end of the text", ""],
  ])("%s", (_, end) => {
    expect(
      contents(`Item 8.01 Other Events\n\nIt signed the signature page in 2020.\n\n${end}`),
    ).toMatchObject({
      "8.01": "It signed the signature page in 2020.",
    });
  });
});

describe("any text", () => {
  const piece = fc.constantFrom(
    ..."Item |Items |ITEM |5.02|8.01|9.01|2. 02|5| and |, |(b)|.|: |\n|\n\n|\t|Other Events|Results of |Operations |Departure of Directors".split(
      "|",
    ),
    ..."the |news |of |above|SIGNATURES\n|Exhibit Index\n|duly caused this |Section 8|“|)|3\n|Not applicable".split(
      "|",
    ),
  );

  test("gives each item once, its content cut from the text, or a failure of its own kind", () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), fc.boolean(), (pieces, isListed) => {
        const text = pieces.join("");
        const listed = isListed ? ["5.02", "8.01"] : null;
        try {
          const { items } = parse(text, listed);
          const numbers = items.map((item) => item.item_number);
          expect(numbers).toEqual(listed ?? [...new Set(numbers)].sort());
          for (const { content } of items)
            for (const line of content?.split("\n") ?? []) expect(text).toContain(line);
        } catch (error) {
          if (!(error instanceof ParseFailed)) throw error;
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("old filings", () => {
  test("have items 1 to 12", () => {
    const text =
      "ITEM 5.  OTHER EVENTS AND REGULATION FD DISCLOSURE.\n\nOn May 1, see Item 2 below.\n\nITEM 7(c).  EXHIBITS\n\n99.1 Release\n\n" +
      "Item 12.  Disclosure of Results of Operations and\n          Financial Condition\n\nGood.";
    expect(contents(text + SIGNED, null, "2004-08-20")).toEqual({
      "5": "On May 1, see Item 2 below.",
      "7": "99.1 Release",
      "12": "Good.",
    });
    expect(() => parse(text + SIGNED, null, "2004-08-23")).toThrow(ParseFailed);
    expect(contents(text + SIGNED, ["5", "7", "12"], "2004-08-23")).toMatchObject({ "12": "Good." });
  });

  test("items said not to apply are none, unless the filing lists them", () => {
    const text =
      "Item 1. Changes in Control of Registrant.\n\nNot applicable.\n\nItems 2 through 4. Not Applicable\n\n" +
      "Item 5. Other Events.\n\nNews.\n\nItem 6. Resignations of Registrant's Directors. None.";
    expect(contents(text + SIGNED, null, "1999-05-01")).toEqual({ "5": "News." });
    expect(contents(text + SIGNED, ["3", "5"], "1999-05-01")).toEqual({
      "3": "Not Applicable",
      "5": "News.",
    });
  });
});

describe("the filing's own list", () => {
  const text = `Item 8.01 Other Events\n\nThe news.\n\nItem 7.01 Regulation FD Disclosure\n\nMore.${EXHIBITS}${SIGNED}`;

  test("decides which items there are; other headings only end them", () => {
    const { items, problems } = parse(text, [" 8.01 ", "8.01", ""]);
    expect(items).toEqual([
      { item_number: "8.01", event_title: "Other Events", content: "The news.", content_source: "body" },
    ]);
    expect(problems).toEqual(["under a heading, but not listed by the filing: 7.01, 9.01"]);
  });

  test("an item without heading, without text, or unknown is said to be so", () => {
    const { items, problems } = parse(
      `Item 2.02 Results of Operations and Financial Condition${EXHIBITS}${SIGNED}`,
      ["9.01", "2.02", "5.07", "77.7"],
    );
    expect(items.map((item) => [item.item_number, item.content])).toEqual([
      ["2.02", null],
      ["5.07", null],
      ["9.01", "(d) Exhibits"],
    ]);
    expect(problems).toEqual([
      "listed by the filing, but without a heading in its text: 5.07",
      "no text under the heading: 2.02",
      "listed by the filing, but not an item of Form 8-K: 77.7",
    ]);
  });

  test("finds its items within a line when no line begins with them", () => {
    const line =
      "The end. Item 7.01 Regulation FD Disclosure. We said so. Item 9.01 Financial Statements and Exhibits. (d)None";
    expect(contents(line, ["7.01", "9.01"])).toEqual({ "7.01": "We said so.", "9.01": "(d)None" });
    expect(() => parse(line)).toThrow(ParseFailed);
  });

  test.each([
    ["a number and its title", "8.01 Other Events"],
    ["a number, a stop, its title in capitals", "8.01. OTHER EVENTS"],
    ["cells", "8.01\tOther Events"],
    ["a number above its title", "8.01\n\nOther Events"],
    ["a mistyped word", "Iten 8.01 Other Events"],
    ["a longer word", "Item Number 8.01 Other Events"],
    ["a part", "8.01(a) Other Events"],
    ["the title alone", "Other Events."],
    ["the title alone, underlined", "OTHER EVENTS\n============"],
  ])("finds an item it lists under a heading without the word Item: %s", (_, heading) => {
    const body = `FORM 8-K\n\n${heading}\n\nThe news.\n\nMore.`;
    expect(contents(body + EXHIBITS + SIGNED, ["8.01", "9.01"])).toEqual({
      "8.01": "The news.\n\nMore.",
      "9.01": "(d) Exhibits",
    });
    expect(contents(body + SIGNED, ["8.01"])).toEqual({ "8.01": "The news.\n\nMore." });
    // The list of exhibits ends it, listed or not.
    const exhibits = "\n\n9.01 Financial Statements and Exhibits\n\n(d) Exhibits";
    expect(contents(body + exhibits + SIGNED, ["8.01"])).toEqual({ "8.01": "The news.\n\nMore." });
    expect(() => parse(body + SIGNED)).toThrow("no heading of any item");
    expect(() => parse(body + SIGNED, ["5.07"])).toThrow("no heading of 5.07");
  });

  test("long titles without the word Item, and what is not listed opens nothing", () => {
    const title =
      "Departure of Directors or Certain Officers; Election of Directors; Appointment of Certain Officers;\nCompensatory Arrangements of Certain Officers";
    const body = `5.02 ${title}\n\nShe left.\n\nOther Events\n\nStill she.\n\nFinancial Statements and Exhibits\n\n(d) Exhibits`;
    expect(contents(body + SIGNED, ["5.02", "9.01"])).toEqual({
      "5.02": "She left.\n\nOther Events\n\nStill she.",
      "9.01": "(d) Exhibits",
    });
  });

  test.each([
    ["in the midst of a line", "It is reported under 8.01 Other Events."],
    ["at the start of a line that goes on", "8.01 Other Events of this report is furnished."],
    ["in a line that was wrapped", "The information that the company gives under the caption\nOther Events"],
    ["another number's title", "8.01 Regulation FD"],
    ["a title that goes on", "Other Events and More"],
    ["words before it", "Certain Other Events"],
    ["small letters", "other events"],
    ["a number alone", "8.01"],
  ])("takes no mention for a heading without the word Item: %s", (_, mention) => {
    const text = `Item 1.01 Entry into a Material Definitive Agreement\n\nFirst.\n\n${mention}\n\nLast.`;
    expect(contents(text + SIGNED, ["1.01", "8.01"])).toEqual({
      "1.01": `First.\n\n${mention}\n\nLast.`,
      "8.01": null,
    });
  });

  test("a heading with the word Item is enough: nothing else is looked for", () => {
    const text = "Item 8.01\n\nThe first of it.\n\nOther Events\n\n8.01 Other Events\n\nLast.";
    expect(contents(text + SIGNED, ["8.01"])).toEqual({
      "8.01": "The first of it.\n\nOther Events\n\n8.01 Other Events\n\nLast.",
    });
  });

  test("old items without the word", () => {
    const text = "5. Other Events\n\nThe news.\n\nFINANCIAL STATEMENTS AND EXHIBITS\n\n99 Release";
    expect(contents(text + SIGNED, ["5", "7"], "1999-05-01")).toEqual({
      "5": "The news.",
      "7": "99 Release",
    });
  });

  test("an empty one is no list", () => {
    expect(Object.keys(contents(text, []))).toEqual(["7.01", "8.01", "9.01"]);
  });

  test.each([
    ["a text without its items", "Nothing here about it.", "no_item_headings"],
    ["a text with other items only", `Item 8.01 Other Events\n\nThe news.${SIGNED}`, "no_item_headings"],
    ["a text without words", " 2020 \n --- ", "no_body"],
    ["an empty text", "", "no_body"],
  ])("fails on %s", (_, body, reason) => {
    let found = "none";
    try {
      parse(body, ["5.07"]);
    } catch (error) {
      if (error instanceof ParseFailed) found = error.reason;
    }
    expect(found).toBe(reason);
  });
});
