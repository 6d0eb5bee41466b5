// Cover pages as other hands lay them out: rows worded otherwise, empty, numbered apart, boxes before and
// behind.
import { describe, expect, test } from "bun:test";
import { type BeneficialSchedule, isUnread } from "../../ownership-records.ts";
import { parseBeneficial } from "./beneficial.ts";

const HEAD = [
  "SCHEDULE 13G",
  "(Amendment No. __2__)*",
  "Gadzook Rockets\nHoldings, Inc.",
  "(Name of Issuer)",
  "Class A Common Stock,\npar value $0.01 per share",
  "(Title of Class of Securities)",
  "123456 10 7",
  "(CUSIP Number)",
];
const ROWS = {
  name: "1. NAMES OF REPORTING PERSONS\nOdo Fund LP",
  group: "2. CHECK THE APPROPRIATE BOX IF A MEMBER OF A GROUP\n(a) [ ] (b) [X]",
  sole: "5. SOLE VOTING POWER\n0",
  shared: "6. SHARED VOTING POWER\n1,000,000",
  shares: "9. AGGREGATE AMOUNT BENEFICIALLY OWNED BY EACH REPORTING PERSON\n1,000,000",
  excludes: "10. CHECK IF THE AGGREGATE AMOUNT IN ROW (9) EXCLUDES CERTAIN SHARES [ ]",
  percent: "11. PERCENT OF CLASS REPRESENTED BY AMOUNT IN ROW (9)\n6.5%",
  type: "12. TYPE OF REPORTING PERSON\nPN",
};
const page = (rows: Partial<typeof ROWS> = {}, rest: readonly string[] = [], head = HEAD) =>
  [...head, ...Object.values({ ...ROWS, ...rows }), "Item 1.", ...rest]
    .map((paragraph) => `<p>${paragraph.replaceAll("\n", "<br>")}</p>`)
    .join("\n");

function parse(source: string, form = "SC 13G"): BeneficialSchedule {
  const read = parseBeneficial(source, form);
  if (isUnread(read)) throw new Error(`${read.failed}: ${read.message}`);
  return read;
}

describe("the first page", () => {
  test("names over two lines, the number of the amendment on a line to write on", () => {
    expect(parse(page())).toMatchObject({
      issuer: { name: "Gadzook Rockets Holdings, Inc." },
      class_title: "Class A Common Stock, par value $0.01 per share",
      cusips: ["123456107"],
      amendment_number: 2,
      shares_owned: 1_000_000,
      ownership_pct: 6.5,
    });
  });

  test("what the form has above a name is no part of it", () => {
    const head = HEAD.with(2, "Washington, D.C. 20549\nTrust Company of Gadzook").with(4, "A Common Stock");
    expect(parse(page({}, [], head))).toMatchObject({
      issuer: { name: "Trust Company of Gadzook" },
      class_title: "A Common Stock",
    });
  });

  test("words with what they name beside them", () => {
    const head = [
      "SCHEDULE 13G",
      "Name of issuer:  Gadzook Rockets Inc",
      "Title of Class of Securities: Common Stock",
      "CUSIP Number:  123456107",
      "Date of Event Which Requires Filing of this Statement: December 31, 2021",
    ];
    const rows = {
      name: "1. NAME OF REPORTING PERSON\nS.S. OR I.R.S. IDENTIFICATION NO. OF ABOVE PERSON\nOdo Group - 13-1234567",
      group:
        "2. CHECK THE APPROPRIATE [LINE] IF A MEMBER OF A GROUP\nA. B. X\n3. SEC USE ONLY\n4. CITIZENSHIP OF PLACE OF ORGANIZATION\nPennsylvania",
    };
    const read = parse(page(rows, [], head));
    expect(read).toMatchObject({
      issuer: { name: "Gadzook Rockets Inc" },
      class_title: "Common Stock",
      cusips: ["123456107"],
      event_date: "2021-12-31",
    });
    expect(read.persons).toMatchObject([
      { name: "Odo Group", citizenship: "Pennsylvania", ownership_pct: 6.5 },
    ]);
  });

  test.each([
    ["[ ] Rule 13d-1(b)  [X] Rule 13d-1(c)  [ ] Rule 13d-1(d)", "Rule 13d-1(c)"],
    ["Rule 13d-1(b) [ ]\nRule 13d-1(c) [ ]\nRule 13d-1(d) [x]", "Rule 13d-1(d)"],
    ["☒\nRule 13d-1(b)\n☐\nRule 13d-1(c)\n☐\nRule 13d-1(d)", "Rule 13d-1(b)"],
  ])("%j is the rule %s", (boxes, rule) => {
    expect(parse(page({}, [], [...HEAD, boxes])).rules).toEqual([rule]);
  });
});

describe("a person", () => {
  test.each([
    [
      "NAME OF REPORTING PERSON; S.S. OR I.R.S. IDENTIFICATION NO. OF ABOVE PERSON\nOdo Fund LP",
      "Odo Fund LP",
    ],
    ["NAME AND I.R.S. IDENTIFICATION NO. OF REPORTING PERSON\nOdo Fund LP", "Odo Fund LP"],
    ["Name of Reporting Person: Odo Fund LP\nI.R.S. Identification No.: 12-3456789", "Odo Fund LP"],
    ["NAMES OF REPORTING PERSONS\n7even Oaks plc", "7even Oaks plc"],
    ["NAMES OF REPORTING PERSONS\n1907 Asset Management L.P.", "1907 Asset Management L.P."],
    ["NAMES OF REPORTING PERSONS\n(1) Odo Fund LP 12-3456789", "Odo Fund LP"],
    [
      "NAMES OF REPORTING PERSONS I.R.S. IDENTIFICATION NOS. OF ABOVE PERSONS (ENTITIES ONLY) Odo Fund LP",
      "Odo Fund LP",
    ],
    [
      "NAME OF REPORTING PERSON\nS.S. OR I.R.S. IDENTIFICATION NO. OF ABOVE PERSON\n\nOdo Fund LP",
      "Odo Fund LP",
    ],
  ])("%j", (row, name) => {
    expect(parse(page({ name: `1. ${row}` })).persons).toMatchObject([{ name, shares_owned: 1_000_000 }]);
  });

  test.each<[string, "a" | "b" | null]>([
    ["[X] (a)\n[ ] (b)", "a"],
    ["[ ] (a)\n[X] (b)", "b"],
    ["(a) [X]\n(b) [ ]", "a"],
    ["(a) ☐ (b) ☒", "b"],
    ["(a) o\n(b) o", null],
    ["(See Instructions)\n(a)  (b) x", "b"],
  ])("boxes %j", (boxes, expected) => {
    const group = `2. CHECK THE APPROPRIATE BOX IF A MEMBER OF A GROUP\n${boxes}`;
    expect(parse(page({ group })).persons[0]?.member_of_group).toBe(expected);
  });

  test("rows with numbers in place of their words", () => {
    const text = `SCHEDULE 13G

Amendment No. 3

Cusip #123456107
[x] Rule 13d-1(b)
[ ] Rule 13d-1(c)

Cusip #123456107
Item 1:  Reporting Person - Gadzook Corp. - (Tax ID:  12-3456789)
Item 2:  (a)  [ ]
         (b)  [ ]
Item 4:  Delaware
Item 5:  1,234,567
Item 6:  0
Item 7:  21,234,567
Item 8:  0
Item 9:  21,234,567
Item 10: [ ]
Item 11: 8.123%
Item 12: HC

Item 1(a).  Name of Issuer:

Item 4.  Ownership
`;
    expect(parse(text)).toMatchObject({
      amendment_number: 3,
      cusips: ["123456107"],
      rules: ["Rule 13d-1(b)"],
      persons: [
        {
          name: "Gadzook Corp.",
          citizenship: "Delaware",
          member_of_group: null,
          sole_voting: 1_234_567,
          shared_voting: 0,
          sole_dispositive: 21_234_567,
          shares_owned: 21_234_567,
          ownership_pct: 8.123,
          types: ["HC"],
        },
      ],
    });
  });

  test("every row on one line", () => {
    const text = Object.values(ROWS).join(" ").replaceAll("\n", " ");
    expect(parse(`SCHEDULE 13G\n\n${text}\n\nItem 1.`).persons).toMatchObject([
      {
        name: "Odo Fund LP",
        sole_voting: 0,
        shared_voting: 1_000_000,
        shares_owned: 1_000_000,
        ownership_pct: 6.5,
      },
    ]);
  });

  test("the x of a word is no tick", () => {
    const group = "2. CHECK THE APPROPRIATE BOX IF A MEMBER OF A GROUP\n(a) [ ] box (b) [ ] Exhibit";
    expect(parse(page({ group })).persons[0]?.member_of_group).toBeNull();
  });
});

describe("rows", () => {
  test("an empty row does not say the number of the next one", () => {
    const rows = {
      sole: "5\n\nSOLE VOTING POWER",
      shared: "6\n\nSHARED VOTING POWER",
      shares: "9\n\nAGGREGATE AMOUNT BENEFICIALLY OWNED BY EACH REPORTING PERSON",
      excludes: "10\n\nCHECK IF THE AGGREGATE AMOUNT IN ROW (9) EXCLUDES CERTAIN SHARES",
    };
    const apart = (text: string) => text.replaceAll("<br><br>", "</p><p>");
    expect(parse(apart(page(rows))).persons).toMatchObject([
      { sole_voting: null, shared_voting: null, shares_owned: null, ownership_pct: 6.5 },
    ]);
    const percent = "11\n\nPERCENT OF CLASS REPRESENTED BY AMOUNT IN ROW (9)";
    const type = "12\n\nTYPE OF REPORTING PERSON\nPN";
    expect(parse(apart(page({ percent, type }))).persons).toMatchObject([
      { shares_owned: 1_000_000, ownership_pct: null },
    ]);
  });

  test.each([
    ["[1] 1,000,000", 1_000_000],
    ["Common Stock, $.01 par value: 1,000,000", 1_000_000],
    ["1,000,000 shares of Class A; 50 shares of Class B", 1_000_000],
    ["Directly 0; indirectly 1,000,000", null],
    ["Class A: 1,000,000\nClass B: 50", null],
    ["Approximately 1.2 million shares", null],
    ["$1,000,000 principal amount of notes", null],
    ["Less than 5%", null],
    ["1.000.000", null],
    ["1 000 000", null],
    ["0 (of 20,000,000 shares outstanding)", 0],
    ["*", null],
  ])("%j shares are %p", (value, expected) => {
    const shares = `9. AGGREGATE AMOUNT OWNED BY EACH REPORTING PERSON\n${value}`;
    expect(parse(page({ shares })).shares_owned).toBe(expected);
  });

  test.each([
    ["AMOUNT IN ROW\n12.5%", 12.5],
    ["AMOUNT IN ROW 9 12.5%", 12.5],
    ["AMOUNT IN ROW NO. 9\n6.5", 6.5],
    ["ROW 9\n6.5%", 6.5],
    ["AMOUNT IN ROW (9)\n(1) 6.5", 6.5],
    ["AMOUNT IN ROW (9)\n6.5 percent", 6.5],
    ["AMOUNT IN ROW (9)\n(based on 20,000,000 shares) 5", 5],
    ["AMOUNT IN ROW (9)\nClass A: 6.5%; Class B: 2%", null],
    ["AMOUNT IN ROW (9)\n6,5%", null],
  ])("%j is %p percent", (value, expected) => {
    const percent = `11. PERCENT OF CLASS REPRESENTED BY ${value}`;
    expect(parse(page({ percent })).ownership_pct).toBe(expected);
  });
});

describe("the body", () => {
  const FELL =
    "Item 5. If this statement is being filed to report the fact that as of the date hereof the reporting person has ceased to be the beneficial owner of more than five percent of the class of securities, check the following box";
  test.each([
    ["☐.", false],
    ["☒.", true],
    [": ☒", true],
  ])("a box %s", (box, expected) => {
    const percent = ROWS.percent.replace("6.5", "4.5");
    expect(parse(page({ percent }, [`${FELL} ${box}`])).is_exit).toBe(expected);
  });

  const LETTER = "Odo Fund delivered a letter to the board of directors demanding a sale of the company.";
  const PURPOSE = "Held for investment.";
  test.each([
    [
      "a reference to Item 4 is not Item 4",
      [
        "Item 4. Purpose of Transaction",
        LETTER,
        "Item 6. Contracts",
        "Item 4 of this Schedule is incorporated.",
      ],
      LETTER,
    ],
    ["an item left out", ["Item 4 – Purpose of Transaction", PURPOSE, "Item 6. Contracts", LETTER], PURPOSE],
    [
      "no heading but the amendment's words",
      [`Item 4 of the Schedule 13D is hereby amended by adding: ${LETTER}`, "Item 5. Interest", PURPOSE],
      `of the Schedule 13D is hereby amended by adding: ${LETTER}`,
    ],
    [
      "numbers alone on their lines",
      ["Item 4\nPurpose of Transaction", PURPOSE, "Item 5\nInterest in Securities", LETTER],
      PURPOSE,
    ],
  ])("Item 4: %s", (_, rest, expected) => {
    const read = parse(page({}, rest), "SC 13D");
    expect(read.purpose).toBe(expected);
    expect(read.is_activist).toBe(expected.includes(LETTER));
  });
});
