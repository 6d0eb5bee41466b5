// The filings set by hand: fixed under every seed, one for each oddity. index.ts lists them for those who
// write tests.
import { LRUCache } from "lru-cache";
import { keyOf } from "../randomness.ts";
import { allNamed, type Filer } from "./filers.ts";
import { accessionOf, datesAt, type Filing, type Layout, type Oddity } from "./filing.ts";

interface Fact {
  readonly symbol: string;
  /** Number within the year, far above the generated ones. */
  readonly sequence: number;
  readonly form?: string;
  readonly items?: string;
  /** With New York's offset, so that the hour that comes twice has one meaning. */
  readonly accepted: string;
  /** Without it the New York date of acceptance. */
  readonly period?: string;
  readonly layout?: Layout;
  readonly exhibits?: readonly string[];
  readonly oddity?: Oddity;
  readonly partner?: string;
}

const RELEASE = ["EX-99.1"];
const AGREEMENT = ["EX-10.1"];

const FACTS: readonly Fact[] = [
  {
    symbol: "ZORP",
    sequence: 900001,
    items: "2.02,9.01",
    accepted: "2025-02-06T16:05:11-05:00",
    exhibits: RELEASE,
  },
  {
    symbol: "ZORP",
    sequence: 900002,
    items: "2.02,7.01,9.01",
    accepted: "2025-05-08T16:10:00-04:00",
    exhibits: ["EX-99.1", "EX-99.2"],
    layout: "combined",
  },
  { symbol: "ZORP", sequence: 900003, items: "8.01", accepted: "2025-06-12T10:00:00-04:00" },
  {
    symbol: "ZORP",
    sequence: 900004,
    items: "8.01,9.01",
    accepted: "2025-06-24T08:15:30-04:00",
    exhibits: RELEASE,
  },
  {
    symbol: "ZORP",
    sequence: 900005,
    items: "7.01,9.01",
    accepted: "2025-09-10T07:00:00-04:00",
    exhibits: RELEASE,
  },
  // On the second of the deadline: dated that day. One second later, on the eve of summer time: dated Monday.
  { symbol: "ZORP", sequence: 900006, items: "8.01", accepted: "2025-03-04T17:30:00-05:00" },
  { symbol: "ZORP", sequence: 900007, items: "8.01", accepted: "2025-03-07T17:30:01-05:00" },
  // Good Friday: the exchange is shut, the regulator is not. Columbus Day: the other way round.
  { symbol: "ZORP", sequence: 900008, items: "8.01", accepted: "2025-04-18T10:00:00-04:00" },
  { symbol: "ZORP", sequence: 900009, items: "8.01", accepted: "2025-10-10T17:45:00-04:00" },
  { symbol: "ZORP", sequence: 900010, items: "8.01", accepted: "2026-12-01T16:05:00-05:00" },
  {
    symbol: "QUIB",
    sequence: 900001,
    items: "5.02,9.01",
    accepted: "2024-11-21T16:45:00-05:00",
    exhibits: AGREEMENT,
    layout: "cells",
  },
  {
    symbol: "QUIB",
    sequence: 900002,
    form: "8-K/A",
    items: "5.02",
    accepted: "2024-12-04T12:00:00-05:00",
    period: "2024-11-21",
  },
  {
    symbol: "QUIB",
    sequence: 900003,
    items: "1.01,2.03,9.01",
    accepted: "2025-01-15T09:20:00-05:00",
    exhibits: AGREEMENT,
    layout: "wrapped",
  },
  {
    symbol: "KRONK",
    sequence: 900001,
    items: "5,7",
    accepted: "2003-03-14T12:00:00-05:00",
    exhibits: ["EX-99"],
    layout: "legacy",
    oddity: "no_acceptance",
  },
  {
    symbol: "KRONK",
    sequence: 900002,
    items: "12,7",
    accepted: "2004-07-22T16:30:00-04:00",
    exhibits: RELEASE,
    layout: "legacy",
  },
  {
    symbol: "KRONK",
    sequence: 900003,
    items: "8.01",
    accepted: "2004-09-15T11:00:00-04:00",
    layout: "ascii",
  },
  {
    symbol: "NEWZQ",
    sequence: 900001,
    items: "5.03,9.01",
    accepted: "2025-05-02T16:20:00-04:00",
    exhibits: ["EX-3.1"],
  },
  {
    symbol: "NEWZQ",
    sequence: 900002,
    items: "7.01,9.01",
    accepted: "2025-05-05T08:00:00-04:00",
    exhibits: RELEASE,
  },
  { symbol: "GLUMP", sequence: 900001, items: "3.01", accepted: "2026-02-20T17:05:00-05:00" },
  { symbol: "GLUMP", sequence: 900002, items: "8.01", accepted: "2026-04-14T16:00:00-04:00" },
  { symbol: "HUSQ", sequence: 900001, items: "1.03", accepted: "2024-09-09T07:30:00-04:00" },
  { symbol: "HUSQ", sequence: 900002, form: "15-12G", accepted: "2024-10-01T10:00:00-04:00", period: "" },
  {
    symbol: "TRELB",
    sequence: 900001,
    form: "8-K12B",
    items: "3.03,5.01,9.01",
    accepted: "2021-04-20T16:00:00-04:00",
    exhibits: ["EX-3.1"],
    partner: "TRELB-OLD",
  },
  {
    symbol: "TRELB-OLD",
    sequence: 900001,
    form: "15-12B",
    accepted: "2021-04-30T09:00:00-04:00",
    period: "",
  },
  {
    symbol: "BLIMQ",
    sequence: 900001,
    items: "7.01,9.01",
    accepted: "2025-04-03T08:00:00-04:00",
    exhibits: RELEASE,
    oddity: "huge_exhibit",
  },
  {
    symbol: "SNARV",
    sequence: 900001,
    items: "8.01",
    accepted: "2025-08-07T16:30:00-04:00",
    layout: "truncated",
  },
  {
    symbol: "SNARV",
    sequence: 900002,
    items: "2.02,9.01",
    accepted: "2025-08-14T16:30:00-04:00",
    exhibits: ["EX-99"],
  },
  {
    symbol: "FROBZ",
    sequence: 900001,
    items: "2.02,9.01",
    accepted: "2024-05-09T16:02:03-04:00",
    exhibits: ["EX-99.01"],
    oddity: "no_acceptance_column",
  },
  {
    symbol: "NURBL",
    sequence: 900001,
    items: "2.02,9.01",
    accepted: "2025-07-30T16:01:00-04:00",
    exhibits: RELEASE,
    layout: "split",
  },
  {
    symbol: "NURBL",
    sequence: 900002,
    items: "1.01,5.02,9.01",
    accepted: "2025-10-21T07:45:00-04:00",
    exhibits: AGREEMENT,
    layout: "prose",
  },
  {
    symbol: "NURBL",
    sequence: 900003,
    items: "4.02",
    accepted: "2025-11-05T16:00:00-05:00",
    layout: "dashes",
  },
  {
    symbol: "NURBL",
    sequence: 900004,
    form: "10-K/A",
    accepted: "2025-12-04T16:31:00-05:00",
    period: "2024-12-31",
  },
  { symbol: "LOOFQ", sequence: 900001, items: "5.03", accepted: "2022-09-15T16:30:00-04:00" },
  {
    symbol: "VROOQ",
    sequence: 900001,
    form: "NT 10-K",
    accepted: "2025-03-31T17:00:00-04:00",
    period: "2024-12-31",
  },
  {
    symbol: "VROOQ",
    sequence: 900002,
    form: "10-K",
    accepted: "2025-05-15T17:25:00-04:00",
    period: "2024-12-31",
  },
  {
    symbol: "VROOQ",
    sequence: 900003,
    form: "10-Q",
    accepted: "2025-06-20T16:45:00-04:00",
    period: "2025-03-31",
  },
  // Sundays and a Saturday about the change of clocks, the hour that comes twice included (its second time).
  { symbol: "YAKQ", sequence: 900001, items: "8.01", accepted: "2025-03-09T03:00:00-04:00" },
  { symbol: "YAKQ", sequence: 900002, items: "8.01", accepted: "2025-10-31T21:00:00-04:00" },
  { symbol: "YAKQ", sequence: 900003, items: "8.01", accepted: "2025-11-02T01:30:00-05:00" },
  { symbol: "YAKQ", sequence: 900004, items: "7.01", accepted: "2026-03-07T21:59:59-05:00" },
  { symbol: "HOOZ", sequence: 900001, items: "8.01", accepted: "2025-12-24T21:59:58-05:00" },
  // Accepted in one year, dated in the next.
  { symbol: "HOOZ", sequence: 900002, items: "8.01", accepted: "2025-12-31T18:00:00-05:00" },
  { symbol: "OOZEL", sequence: 900001, items: "5.07", accepted: "2025-05-20T16:00:00-04:00" },
  {
    symbol: "ZUBB",
    sequence: 900001,
    items: "2.02,9.01",
    accepted: "2025-10-28T16:05:00-04:00",
    exhibits: RELEASE,
    layout: "inline",
  },
  {
    symbol: "TWERB",
    sequence: 900001,
    items: "8.01",
    accepted: "2025-07-01T16:00:00-04:00",
    layout: "nested",
  },
];

function filingOf(seed: number, fact: Fact, filer: Filer, partner: Filer | null): Filing {
  const acceptedAt = Temporal.Instant.from(fact.accepted).epochMilliseconds / 1000;
  return {
    filer,
    partner,
    accession: accessionOf(filer, Number(fact.accepted.slice(0, 4)), fact.sequence),
    form: fact.form ?? "8-K",
    items: fact.items?.split(",") ?? [],
    acceptedAt,
    ...datesAt(acceptedAt, fact.form ?? "8-K"),
    period: fact.period ?? fact.accepted.slice(0, 10),
    layout: fact.layout ?? "paragraphs",
    exhibits: fact.exhibits ?? [],
    oddity: fact.oddity ?? null,
    content: null,
    seed,
    key: keyOf(0, `${fact.symbol} ${fact.accepted}`),
  };
}

function bySymbolOf(seed: number): Map<string, Filing[]> {
  const filers = new Map(allNamed().map((named) => [named.symbol, named]));
  const bySymbol = new Map<string, Filing[]>();
  for (const fact of FACTS) {
    const first = filers.get(fact.symbol);
    if (!first) throw new Error(`No company ${fact.symbol} in the sample market`);
    const filing = filingOf(seed, fact, first, filers.get(fact.partner ?? "") ?? null);
    for (const symbol of [fact.symbol, fact.partner])
      if (symbol) bySymbol.set(symbol, [...(bySymbol.get(symbol) ?? []), filing]);
  }
  return bySymbol;
}

/** A process has one market, or in tests a handful. */
const bySeed = new LRUCache<number, Map<string, Filing[]>>({ max: 8 });

/** The filings set by hand in which a filer takes part: but for their figures the same under every seed. */
export function factsOf(seed: number, filer: Filer): readonly Filing[] {
  const bySymbol = bySeed.get(seed) ?? bySymbolOf(seed);
  bySeed.set(seed, bySymbol);
  return bySymbol.get(filer.symbol) ?? [];
}
