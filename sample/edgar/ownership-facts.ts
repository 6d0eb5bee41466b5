// Forms 3, 4, 5 and Schedules 13D, 13G set by hand: the same under every seed. index.ts lists them for those
// who write tests.
import type { Filer } from "./filers.ts";
import { reporterOf } from "./insider-events.ts";
import { allHolders } from "./insiders.ts";
import type { FormLine, OwnershipFiling, SchedulePerson } from "./ownership-filings.ts";

export interface FilingFact {
  readonly symbol: string;
  readonly sequence: number;
  readonly form: string;
  /** With New York's offset. */
  readonly accepted: string;
  readonly period: string;
  readonly content: (issuer: Filer) => OwnershipFiling;
}

const line = (more: Partial<FormLine> & { after: string }): FormLine => ({
  table: "nonDerivative",
  title: "Common Stock",
  nature: "D",
  ...more,
});
const form =
  (
    positions: readonly number[],
    lines: readonly FormLine[],
    more: Partial<Extract<OwnershipFiling, { kind: "form" }>> = {},
  ) =>
  (issuer: Filer): OwnershipFiling => ({
    kind: "form",
    reporters: positions.map((position) => reporterOf(issuer, position)),
    lines,
    ...more,
  });
/** Titles set by hand replace those of the position. */
const titled =
  (title: string, make: (issuer: Filer) => OwnershipFiling) =>
  (issuer: Filer): OwnershipFiling => {
    const content = make(issuer);
    if (content.kind !== "form") return content;
    return { ...content, reporters: content.reporters.map((one) => ({ ...one, title })) };
  };

const LETTER =
  "The Reporting Persons believe the shares are undervalued. On November 14, 2024 they sent a letter to the Board of Directors of the Issuer, asking for a review of strategic alternatives. The Reporting Persons may change their plans at any time.";
const SETTLED =
  "On January 21, 2025 the Reporting Persons and the Issuer entered into a cooperation agreement, under which one nominee joins the Board.";
const NOMINEES = "The Reporting Persons intend to nominate three directors at the next annual meeting.";

const person = (
  name: string,
  shares: number,
  percent: string,
  type = "PN",
  cik?: number,
): SchedulePerson => ({
  name,
  shares,
  percent,
  type,
  ...(cik === undefined ? {} : { cik }),
});
const GRUMBOLD = 0;
const SPOON = 1;
const POND = 2;
const holder = (index: number): Filer => allHolders()[index] as Filer;
const schedule =
  (
    index: number,
    eventDate: string,
    persons: readonly SchedulePerson[],
    more: Partial<Extract<OwnershipFiling, { kind: "schedule" }>> = {},
  ) =>
  (): OwnershipFiling => ({
    kind: "schedule",
    holder: holder(index),
    persons: persons.map((one, i) => (i === 0 ? { ...one, cik: holder(index).cik } : one)),
    eventDate,
    ...more,
  });
const grumbold = (shares: number, percent: string, odo: number, odoPercent: string): SchedulePerson[] => [
  person("Grumbold Capital LP", shares, percent),
  person("Grumbold Odo", odo, odoPercent, "IN"),
];

const PAPER_FACTS: readonly FilingFact[] = [
  {
    symbol: "JUMBL",
    sequence: 910001,
    form: "4",
    accepted: "2025-03-10T19:45:00-04:00",
    period: "2025-03-07",
    content: titled(
      "President and CEO",
      form([0], [line({ date: "2025-03-07", code: "P", shares: "1000", price: "97.50", after: "51000" })]),
    ),
  },
  {
    symbol: "JUMBL",
    sequence: 910002,
    form: "4",
    accepted: "2025-03-11T16:31:00-04:00",
    period: "2025-03-10",
    content: titled(
      "See Remarks",
      form(
        [1],
        [
          line({ date: "2025-03-10", code: "P", shares: "500", price: "96", after: "8500" }),
          line({ date: "2025-03-10", code: "P", shares: "300", price: "96.5000", after: "8800" }),
        ],
        { remarks: "Officer title: Executive Vice President and Chief Financial Officer" },
      ),
    ),
  },
  {
    symbol: "JUMBL",
    sequence: 910003,
    form: "4",
    accepted: "2025-03-12T21:55:00-04:00",
    period: "2025-03-11",
    content: form(
      [5, 4],
      [
        line({
          date: "2025-03-11",
          code: "P",
          shares: "20000",
          price: "95.00",
          after: "220000",
          nature: "I",
          how: "By Family Partners LP",
        }),
      ],
    ),
  },
  {
    symbol: "JUMBL",
    sequence: 910004,
    form: "4/A",
    accepted: "2025-03-20T16:05:00-04:00",
    period: "2025-03-07",
    content: titled(
      "President and CEO",
      form([0], [line({ date: "2025-03-07", code: "P", shares: "1200", price: "97.50", after: "51200" })], {
        original: "2025-03-10",
      }),
    ),
  },
  {
    symbol: "JUMBL",
    sequence: 910005,
    form: "4",
    accepted: "2025-04-02T17:10:00-04:00",
    period: "2025-04-01",
    content: form([3], [line({ date: "2025-04-01", code: "A", shares: "400", price: "0", after: "400" })]),
  },
  {
    symbol: "JUMBL",
    sequence: 910006,
    form: "3",
    accepted: "2025-05-05T18:20:00-04:00",
    period: "2025-04-28",
    content: titled("CEO, Freight Division", form([2], [])),
  },
  {
    symbol: "JUMBL",
    sequence: 910007,
    form: "4",
    accepted: "2025-06-16T17:45:00-04:00",
    period: "2025-06-13",
    content: titled(
      "President and CEO",
      form(
        [0],
        [
          line({
            date: "2025-06-13",
            code: "S",
            way: "D",
            shares: "1500.0000",
            price: "101.2345",
            after: "49700.0000",
            priceNote: "F1",
          }),
          line({
            date: "2025-06-13",
            code: "S",
            way: "D",
            shares: "500.0000",
            price: "102.1",
            after: "49200.0000",
            priceNote: "F1",
          }),
        ],
        { planned: true, footnotes: ["Weighted average price."] },
      ),
    ),
  },
  {
    symbol: "JUMBL",
    sequence: 910008,
    form: "4",
    accepted: "2025-07-01T16:40:00-04:00",
    period: "2025-06-30",
    content: titled(
      "CEO, Freight Division",
      form([2], [line({ date: "2025-06-30", code: "P", shares: "250", price: "90", after: "250" })], {
        oddity: "zoned",
      }),
    ),
  },
  {
    symbol: "JUMBL",
    sequence: 910009,
    form: "4",
    accepted: "2025-09-30T16:15:00-04:00",
    period: "2025-08-04",
    content: form(
      [3],
      [line({ date: "2025-08-04", code: "P", shares: "100", price: null, priceNote: "F1", after: "500" })],
      { footnotes: ["Bought from another shareholder at prices from $88 to $91."] },
    ),
  },
  {
    symbol: "JUMBL",
    sequence: 910010,
    form: "4",
    accepted: "2025-10-03T16:15:00-04:00",
    period: "2025-10-02",
    content: form([4], [line({ date: "2025-10-02", code: "J", shares: "70", price: "0", after: "1070" })], {
      oddity: "broken",
    }),
  },
  {
    symbol: "JUMBL",
    sequence: 910011,
    form: "4",
    accepted: "2025-10-06T16:15:00-04:00",
    period: "2025-10-03",
    content: form([4], [line({ date: "2025-10-03", code: "P", shares: "30", price: "92", after: "1100" })], {
      oddity: "uncoded",
    }),
  },
  {
    symbol: "JUMBL",
    sequence: 910012,
    form: "5",
    accepted: "2026-02-10T18:05:00-05:00",
    period: "2025-12-31",
    content: form(
      [4],
      [line({ date: "2025-12-19", code: "G", way: "D", shares: "100", price: "0", after: "1000" })],
    ),
  },
  {
    symbol: "ZIGZQ",
    sequence: 910001,
    form: "4",
    accepted: "2001-03-12T12:00:00-05:00",
    period: "2001-02-28",
    content: form(
      [0],
      [line({ date: "2/15/01", code: "P", shares: "1,000", price: "$21.50", after: "14,000" })],
      { oddity: "text" },
    ),
  },
  {
    symbol: "VEXOQ",
    sequence: 910001,
    form: "SC 13G",
    accepted: "2024-02-14T16:20:00-05:00",
    period: "",
    content: schedule(POND, "2023-12-31", [person("Passive Pond Advisors Inc.", 107_204_545, "5.3", "IA")]),
  },
  {
    symbol: "VEXOQ",
    sequence: 910002,
    form: "SC 13D",
    accepted: "2024-11-15T16:30:00-05:00",
    period: "",
    content: schedule(GRUMBOLD, "2024-11-08", grumbold(125_409_091, "6.2", 127_431_818, "6.3"), {
      purpose: LETTER,
    }),
  },
  {
    symbol: "VEXOQ",
    sequence: 910003,
    form: "SCHEDULE 13D/A",
    accepted: "2025-01-22T21:53:00-05:00",
    period: "",
    content: schedule(GRUMBOLD, "2025-01-21", grumbold(159_795_455, "7.9", 169_909_091, "8.4"), {
      purpose: SETTLED,
      amendment: 1,
      previous: "FIRST",
    }),
  },
  {
    symbol: "VEXOQ",
    sequence: 910004,
    form: "SCHEDULE 13G/A",
    accepted: "2025-02-13T09:30:00-05:00",
    period: "",
    content: schedule(POND, "2024-12-31", [person("Passive Pond Advisors Inc.", 84_954_545, "4.2", "IA")], {
      amendment: 1,
      fell: true,
    }),
  },
  {
    symbol: "VEXOQ",
    sequence: 910005,
    form: "SCHEDULE 13D/A",
    accepted: "2025-08-14T17:20:00-04:00",
    period: "",
    content: schedule(GRUMBOLD, "2025-08-12", grumbold(0, "0", 0, "0"), {
      purpose: "Not applicable.",
      amendment: 2,
      fell: true,
    }),
  },
  {
    symbol: "WOMBQ",
    sequence: 910001,
    form: "SCHEDULE 13D",
    accepted: "2025-05-06T16:45:00-04:00",
    period: "",
    content: schedule(SPOON, "2025-05-01", [
      person("Stirring Spoon Partners LLC", 230_322_581, "11.9", "OO"),
      person("Spoon Fund I LP", 230_322_581, "11.9"),
    ]),
  },
  {
    symbol: "WOMBQ",
    sequence: 910002,
    form: "SCHEDULE 13D/A",
    accepted: "2025-06-10T16:45:00-04:00",
    period: "",
    content: schedule(
      SPOON,
      "2025-06-06",
      [
        person("Stirring Spoon Partners LLC", 234_193_548, "121", "OO"),
        person("Spoon Fund I LP", 234_193_548, "12.1"),
      ],
      { amendment: 1 },
    ),
  },
  {
    symbol: "OOZEL",
    sequence: 910001,
    form: "SCHEDULE 13D",
    accepted: "2025-10-03T19:10:00-04:00",
    period: "",
    content: schedule(
      SPOON,
      "2025-09-29",
      [person("Stirring Spoon Partners LLC", 108_000_000, "9.9", "OO")],
      {
        purpose: NOMINEES,
      },
    ),
  },
];

/** Returns the facts set by hand for a company. */
export const filingFactsOf = (issuer: Filer): readonly FilingFact[] =>
  PAPER_FACTS.filter(({ symbol }) => symbol === issuer.symbol);
