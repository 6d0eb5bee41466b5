// Every recorded 8-K, 500 generated ones and the worst cases through the event parser.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../src/platform/clock.ts";
import {
  bodyDocument,
  compareItems,
  decodeFiling,
  type EightKItem,
  type InlineDocument,
  itemEra,
  itemOfTitle,
  ParseBudget,
  ParseFailed,
  parseEightK,
  parseEightKFiling,
  pressRelease,
  splitSubmission,
  toPlainText,
} from "../../src/providers/edgar/index.ts";
import { fakeClock } from "../support/fake-clock.ts";
import { generate8K } from "../support/generated-8k.ts";

setDefaultTimeout(1_200_000);

const folder = join(process.env.CONFORMANCE_DIR ?? join(import.meta.dir, "../../../shared/real"), "edgar");
const budget = () => new ParseBudget(systemClock);
const read = (file: string) => decodeFiling(readFileSync(join(folder, file)));

function list(part: string): string[] {
  if (!existsSync(join(folder, part))) return [];
  return readdirSync(join(folder, part))
    .sort()
    .map((file) => join(part, file));
}

interface Recorded {
  readonly source: string;
  readonly documents: readonly InlineDocument[];
  /** The items its own header names; null for a document without header. */
  readonly items: readonly string[] | null;
  readonly filing_date: string;
}

/** A whole submission with the item list of its header, by number (.nc) or title (.txt). */
function readSubmission(file: string): Recorded {
  const source = read(file);
  const header = source.slice(0, source.indexOf("<DOCUMENT>"));
  const filed = header.match(/(?:FILED AS OF DATE:\s+|<FILING-DATE>)(\d{4})(\d\d)(\d\d)/);
  const filing_date = filed ? filed.slice(1).join("-") : "2020-01-02";
  const numbers = [...header.matchAll(/^<ITEMS>(.+)$/gm)].map((match) => match[1] ?? "");
  const titles = [...header.matchAll(/^ITEM INFORMATION:\s+(.+)$/gm)].map((match) => match[1] ?? "");
  const named = titles.map((title) => itemOfTitle(title, itemEra(filing_date)) ?? `unknown title ${title}`);
  return { source, documents: splitSubmission(source, budget()), items: [...numbers, ...named], filing_date };
}

function readBody(file: string): Recorded {
  const source = read(file);
  const document = { type: "8-K", sequence: 1, filename: null, description: null, text: source };
  return { source, documents: [document], items: null, filing_date: "2020-01-02" };
}

function itemsOf({ documents, items, filing_date }: Recorded): readonly EightKItem[] {
  const body = bodyDocument(documents)?.text ?? "";
  return parseEightK({ text: toPlainText(body, budget()), items, filing_date }, budget()).items;
}

/** First and last words under each heading, as the documents read. */
const FACTS: Readonly<Record<string, Readonly<Record<string, readonly [string, string]>>>> = {
  "8k/0000887919-21-000012.html": {
    "8.01": ["On March 29, 2021, Premier", "when it becomes available."],
    "9.01": ["(c) Exhibit 99.1", "Definitive Merger Agreement”."],
  },
  "8k/0001437749-16-028287.html": {
    "2.02": ["On March 23, 2016, Sophiris", "general incorporation language."],
    "9.01": ["(d) Exhibits", "dated March 23, 2016."],
  },
  "8k/1800Flowers.8-K.html": { "5.07": ["1-800-FLOWERS.COM, Inc.", "3,936,780"] },
  "8k/ADBE_adbe-20230315.htm": {
    "2.02": ["On March 15, 2023, Adobe", "non-GAAP information is presented."],
    "9.01": ["(d) Exhibits", "Inline XBRL document)"],
  },
  "8k/BLK_d435686d8k.htm": { "5.02": ["As previously reported", "Financial Officer of the Company."] },
  "8k/BuckleInc.8-K.html": {
    "2.02": ["On November 22, 2024", "specific reference in such filing."],
    "9.01": ["Exhibit 99.1 Press Release", "Inline XBRL document)"],
  },
  "8k/JPM_jpm-20260624.htm": {
    "5.02": ["On June 25, 2026, JPMorgan", "information on this measure."],
    "9.01": ["(d) Exhibit", "included in Exhibit 101)."],
  },
  "8k/JWN_jwn-20230301.htm": {
    "5.02": ["e) Compensatory Arrangements", "this Current Report on Form 8-K."],
    "9.01": ["10.1\tForm of 2023", "Inline XBRL document)"],
  },
  "8k/NextPoint.8K.html": { "8.01": ["Effective December 19, 2023", "future events or otherwise."] },
  "8k/form8K.Blackrock.html": { "5.02": ["As previously reported", "Financial Officer of the Company."] },
  "8k_full/0000943374-24-000509.txt": {
    "5.02": ["On December 20, 2024, the Boards", "employment agreements."],
  },
  "8k_full/AAPL_2019-11-15.txt": {
    "8.01": ["On November 15, 2019, Apple", "within Exhibit 5.1."],
    "9.01": ["(d)\tExhibits.", "Current Report on Form 8-K."],
  },
  "8k_full/ACFN_0001493152-25-001317.nc": {
    "5.02": ["On January 6, 2025, the Registrant", "as provided therein."],
    "9.01": ["(d) Exhibits", "Inline XBRL document)"],
  },
  "8k_full/ADBE_0000796343-23-000044.txt": {
    "2.02": ["On March 15, 2023, Adobe", "non-GAAP information is presented."],
    "9.01": ["(d) Exhibits", "Inline XBRL document)"],
  },
  "8k_full/BLK_0001193125-23-048785.txt": {
    "5.02": ["As previously reported", "Financial Officer of the Company."],
  },
  // Its header leaves 9.01 out, though the text has it.
  "8k_full/JPM_0000019617-26-000241.txt": {
    "5.02": ["On June 25, 2026, JPMorgan", "information on this measure."],
  },
  "8k_full/JWN_0000072333-23-000015.txt": {
    "5.02": ["e) Compensatory Arrangements", "this Current Report on Form 8-K."],
    "9.01": ["10.1\tForm of 2023", "Inline XBRL document)"],
  },
  "8k_full/MMM_0000066740-24-000023.txt": {
    "8.01": ["On March 8, 2024, 3M", "incorporated by reference herein."],
  },
};

const full = list("8k_full").filter((file) => /\.(?:txt|nc)$/.test(file));
// Exhibits recorded beside them are no 8-K.
const bodies = list("8k").filter((file) => /\.html?$/.test(file) && !file.includes(".EX"));
if (full.length + bodies.length === 0) test("skipped: no recordings", () => {});

/** Nothing of another item, of the signatures or of its own heading stands in an item's content. */
function expectBounded(items: readonly EightKItem[]): void {
  for (const { item_number, event_title, content } of items) {
    const text = content ?? "";
    expect(`${item_number}: ${text.length > 0}`).toBe(`${item_number}: true`);
    expect(text).not.toMatch(/^\s*item\s+\d\.\s?\d\d[\s.:]+\p{Lu}/imu);
    expect(text).not.toMatch(/^\s*(?:signatures?|exhibit index)\s*$/im);
    expect(text).not.toMatch(/duly\s+caused\s+this\s+report/i);
    expect(text.toLowerCase()).not.toStartWith(event_title.toLowerCase());
    expect(text).toBe(text.trim());
  }
}

function expectFacts(file: string, items: readonly EightKItem[]): void {
  const facts = FACTS[file];
  if (facts === undefined) return;
  expect(items.map((item) => item.item_number)).toEqual(Object.keys(facts).sort(compareItems));
  for (const { item_number, content } of items) {
    const [first, last] = facts[item_number] ?? ["", ""];
    expect(content).toStartWith(first);
    expect(content).toEndWith(last);
  }
}

describe.if(full.length > 0)("every recorded submission of an 8-K", () => {
  for (const file of full) {
    test(file, () => {
      const recorded = readSubmission(file);
      const items = itemsOf(recorded);
      const listed = [...new Set(recorded.items)].sort(compareItems);
      if (listed.length > 0) expect(items.map((item) => item.item_number)).toEqual(listed);
      expectBounded(items);
      expectFacts(file, items);
      // Without the list the text alone gives at least the same items, with the same text.
      const alone = itemsOf({ ...recorded, items: null });
      expect(alone).toEqual(expect.arrayContaining([...items]));
      const declared = [...recorded.source.matchAll(/^<DOCUMENT>$/gm)].length;
      expect(recorded.documents.length).toBe(declared);
    });
  }

  test("their events take the release where the items say so", () => {
    const events = (name: string) => {
      const file = full.find((path) => path.includes(name));
      if (file === undefined) return null;
      const recorded = readSubmission(file);
      return parseEightKFiling({ ...recorded, accession_number: name }, budget()).events;
    };
    const adobe = events("0000796343-23-000044");
    if (adobe) {
      expect(adobe).toMatchObject([
        { item_number: "2.02", event_type: "earnings_results", content_source: "EX-99.1", truncated: false },
      ]);
      expect(adobe[0]?.content).toMatch(/^Exhibit 99\.1\n[\s\S]*\nSubscription\t\$4,373\t\$3,958\n/);
    }
    const mmm = events("0000066740-24-000023");
    if (mmm) expect(mmm).toMatchObject([{ item_number: "8.01", content_source: "body" }]);
    const jpm = events("0000019617-26-000241");
    if (jpm) expect(jpm).toMatchObject([{ item_number: "5.02", content_source: "body" }]);
  });

  test("a download that stopped anywhere fails, and never reads as a shorter filing", () => {
    const { source } = readSubmission(full[0] ?? "");
    for (let share = 1; share < 40; share += 1) {
      const cut = source.slice(0, Math.floor((source.length * share) / 40));
      expect(() => splitSubmission(cut, budget())).toThrow(ParseFailed);
    }
  });
});

describe.if(bodies.length > 0)("every recorded body of an 8-K", () => {
  for (const file of bodies) {
    test(file, () => {
      const items = itemsOf(readBody(file));
      expect(items.length).toBeGreaterThan(0);
      expectBounded(items);
      expectFacts(file, items);
    });
  }

  test("a press release is no 8-K", () => {
    for (const file of list("8k").filter((path) => path.includes(".EX")))
      expect(() => itemsOf(readBody(file))).toThrow("no heading of any item");
  });
});

describe("500 generated 8-Ks", () => {
  function check(seed: number, isListed: boolean): string[] {
    const made = generate8K(seed);
    const spent = budget();
    const documents = splitSubmission(made.source, spent);
    const { items, events } = parseEightKFiling(
      { ...made, items: isListed ? made.items : null, documents },
      spent,
    );
    const faults: string[] = [];
    const expectSame = (what: string, got: unknown, wanted: unknown) => {
      if (!Bun.deepEquals(got, wanted))
        faults.push(`${what}: ${JSON.stringify(got)}, not ${JSON.stringify(wanted)}`);
    };
    expectSame(
      "items",
      items.map((item) => item.item_number),
      made.items,
    );
    for (const { item_number, content } of items) {
      const [first = "", last = ""] = made.marks.get(item_number) ?? [];
      expectSame(`${item_number} begins`, content?.slice(0, first.length), first);
      expectSame(`${item_number} ends`, content?.slice(-last.length), last);
      expectSame(`${item_number} holds one text`, content?.match(/Firstword/g)?.length, 1);
    }
    expectSame("release", pressRelease(documents) !== null, made.release !== null);
    expectSame(
      "events",
      events.map((e) => e.item_number),
      made.items.filter((number) => number !== "9.01"),
    );
    for (const event of events.filter((e) => e.content_source === "EX-99.1"))
      expectSame("event begins", event.content?.slice(0, 11), made.release);
    expectSame("few steps", spent.steps < 10 * made.source.length + 200_000, true);
    return faults.map((error) => `${made.layout}, ${isListed ? "listed" : "not listed"}: ${error}`);
  }

  test("give their items, each with its own text, listed or not", () => {
    const faults: string[] = [];
    for (let seed = 0; seed < 500; seed += 1) faults.push(...check(seed, true), ...check(seed, false));
    expect(faults).toEqual([]);
  });
});

describe("worst cases", () => {
  /**
   * Work for an input of `size` and for one ten times as large; the limits stand wide open, the clock still.
   */
  function growth(make: (size: number) => string, size: number): { share: number; perCharacter: number } {
    const steps = [size, size * 10].map((n) => {
      const spent = new ParseBudget(fakeClock("2026-01-05T15:00:00Z"));
      try {
        parseEightK({ text: toPlainText(make(n), spent), items: null, filing_date: "2020-01-02" }, spent);
      } catch (error) {
        if (!(error instanceof ParseFailed) || !/^no_/.test(error.reason)) throw error;
      }
      return spent.steps;
    });
    const [few = 0, many = 0] = steps;
    return { share: many / few, perCharacter: many / make(size * 10).length };
  }

  test.each([
    [
      "megabytes without a heading",
      (n: number) => `<p>${"The company said more words. ".repeat(n)}</p>`,
      20_000,
    ],
    ["a million tiny tags", (n: number) => `<p>${"<b>a</b>".repeat(n)}</p>`, 50_000],
    ["a heading 100,000 times", (n: number) => "<p>Item 8.01 Other Events</p><p>News.</p>".repeat(n), 10_000],
    ["the same without text", (n: number) => `<p>x${"<p>Item 8.01 Other Events</p>".repeat(n)}`, 10_000],
    ["the same in one line", (n: number) => `<p>${"Item 8.01 Other Events. ".repeat(n)}`, 10_000],
    ["lists of items in one line", (n: number) => `<p>${"Items 8.01, 7.01 and ".repeat(n)}`, 10_000],
    ["small words after an item", (n: number) => `<p>${"Item 8.01 the of ".repeat(n)}`, 10_000],
    ["blanks in ASCII", (n: number) => `Item 8.01${" ".repeat(n)}\n${"\n ".repeat(n)}x`, 100_000],
    ["signature lines", (n: number) => `<p>${"SIGNATURES<br>".repeat(n)}`, 10_000],
    ["tables never closed", (n: number) => `<p>${"<tr><td>a<td>b".repeat(n)}`, 20_000],
    ["markup characters", (n: number) => `<p>${"<&\"'".repeat(n)}`, 50_000],
  ] as [string, (n: number) => string, number][])(
    "%s: ten times the input is ten times the work",
    (_, make, size) => {
      const { share, perCharacter } = growth(make, size);
      expect(share).toBeGreaterThan(5);
      expect(share).toBeLessThan(11);
      expect(perCharacter).toBeLessThan(60);
    },
  );

  test("tables 26 deep with absurd spans give their item", () => {
    const deep = (inner: string) =>
      `${'<table><tr><td colspan="376967340">'.repeat(26)}${inner}${"</td></tr></table>".repeat(26)}`;
    const html = `<html>${deep("<p>Item 8.01 Other Events</p><p>Inmost.</p>")}<p>SIGNATURES</p></html>`;
    const text = toPlainText(html, budget());
    expect(parseEightK({ text, items: ["8.01"], filing_date: "2020-01-02" }, budget()).items).toMatchObject([
      { content: "Inmost." },
    ]);
  });

  test("a filing out of time or size fails alone", () => {
    let nowMs = 0;
    const passing = { ...fakeClock("2026-01-05T15:00:00Z"), nowMs: () => (nowMs += 50) };
    const spent = new ParseBudget(passing, { msMax: 100 });
    const text = "Item 8.01 Other Events\n\nNews.\n".repeat(1_000);
    expect(() => parseEightK({ text, items: null, filing_date: "2020-01-02" }, spent)).toThrow(
      "longer than 100 ms",
    );
    expect(parseEightK({ text, items: null, filing_date: "2020-01-02" }, budget()).items).toHaveLength(1);
  });
});
