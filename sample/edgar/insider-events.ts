// Draws the events of insiders, year after year: awards, taxes withheld, plan sales, clusters of purchases,
// gifts, and the forms they file on them, late ones and amendments included. Holdings go on from form to form
// and through splits.
import { LRUCache } from "lru-cache";
import { exchangeCalendar } from "../../src/market/calendar.ts";
import type { Listing } from "../listing.ts";
import { printedOn } from "../prices.ts";
import { keyOf, uniform } from "../randomness.ts";
import { dateOf, dayOf } from "../sessions.ts";
import { businessDayFrom } from "./days.ts";
import type { Filer } from "./filers.ts";
import { POSITIONS, personOf, REMARKED_TITLE, titleOf } from "./insiders.ts";
import { BOX_FROM, type FormFiling, type FormLine, type Reporter } from "./ownership-filings.ts";
import { commonOf, sharesOn, splitRatio } from "./share-count.ts";

/** A form before it has a number: accepted on `day`, so many seconds after New York's midnight. */
export interface FormDraft {
  readonly form: string;
  readonly period: string;
  readonly day: number;
  readonly time: number;
  readonly content: FormFiling;
}

const HOUR_S = 3600;
/** Insiders' forms are data from this year on. */
export const FIRST_YEAR = 2004;
const LATE_DAYS = 25;
/** The position of the family's fund, which holds more than a tenth of the company. */
export const FAMILY = 5;
/** Its insiders file what is set by hand (ownership-facts.ts), and nothing by chance. */
const BY_HAND = "JUMBL";
const calendar = exchangeCalendar();

/** Shares of each position, and the day as of which they are counted. */
interface Holdings {
  readonly shares: readonly number[];
  readonly day: number;
}

interface Year {
  readonly forms: readonly FormDraft[];
  readonly after: Holdings;
}

/** The first session on or after a day. */
function sessionFrom(day: number): number {
  let found = day;
  while (!calendar.isSession(dateOf(found))) found++;
  return found;
}

export function reporterOf(issuer: Filer, position: number): Reporter {
  const chair = POSITIONS[position];
  if (!chair) throw new RangeError(`no position ${position}`);
  const { director, officer, tenPercent } = chair;
  return { filer: personOf(issuer, position), director, officer, tenPercent, title: titleOf(issuer, chair) };
}

/** One company's year in the making. */
class YearOf {
  readonly forms: FormDraft[] = [];
  readonly key: number;
  readonly #shares: number[];
  #day: number;
  #draws = 100;

  constructor(
    readonly seed: number,
    readonly issuer: Filer,
    readonly listing: Listing,
    readonly year: number,
    before: Holdings,
  ) {
    this.key = keyOf(seed, `insiders ${issuer.cik} ${year}`);
    this.#shares = [...before.shares];
    this.#day = before.day;
  }

  get after(): Holdings {
    return { shares: this.#shares, day: this.#day };
  }

  /** A number in [0, 1), the next one. */
  draw(): number {
    return uniform(this.key, this.#draws++);
  }

  held = (position: number): number => this.#shares[position] ?? 0;

  /** Carries the holdings over the splits up to `day`. */
  moveTo(day: number): void {
    const ratio = splitRatio(this.issuer, this.#day, day);
    if (ratio !== 1)
      for (const [i, held] of this.#shares.entries()) this.#shares[i] = Math.floor(held * ratio);
    this.#day = Math.max(this.#day, day);
  }

  move(position: number, signed: number): number {
    this.#shares[position] = this.held(position) + signed;
    return this.held(position);
  }

  /** A price within the day's range, in cents. */
  priceOn(day: number): string {
    const { low, high } = printedOn(this.listing, this.seed, day);
    const cents = Math.round(100 * (low + (high - low) * this.draw()));
    return (
      Math.min(Math.max(cents, Math.ceil(low * 100)), Math.max(1, Math.floor(high * 100))) / 100
    ).toFixed(2);
  }

  file(form: string, day: number, lag: number, content: Omit<FormFiling, "kind">): FormDraft {
    const late = this.draw();
    const [from, to] = late < 0.6 ? [16.1, 17.5] : [17.5, 21.9];
    const time = Math.floor((from + (to - from) * this.draw()) * HOUR_S);
    const remarks = content.reporters.some(({ title }) => title === "See Remarks")
      ? { remarks: `Title: ${REMARKED_TITLE}` }
      : {};
    const draft = {
      form,
      period: dateOf(day),
      day: businessDayFrom(day + lag),
      time,
      content: { kind: "form" as const, ...remarks, ...content },
    };
    this.forms.push(draft);
    return draft;
  }
}

const common = (more: Omit<FormLine, "table" | "title" | "nature"> & Partial<FormLine>): FormLine => ({
  table: "nonDerivative",
  title: "Common Stock",
  nature: "D",
  ...more,
});

/** Restricted stock for the officers, each February. */
function awards(y: YearOf, positions: readonly number[]): void {
  const day = sessionFrom(dayOf(`${y.year}-02-16`) + Math.floor(y.draw() * 8));
  y.moveTo(day);
  for (const position of positions) {
    const shares = 100 * (5 + Math.floor(y.draw() * 60));
    const after = String(y.move(position, shares));
    y.file("4", day, 1 + Math.floor(y.draw() * 2), {
      reporters: [reporterOf(y.issuer, position)],
      lines: [
        common({ date: dateOf(day), code: "A", shares: String(shares), price: "0", after, titleNote: "F1" }),
      ],
      footnotes: ["Restricted stock units, each a right to one share."],
    });
  }
}

/** Units vest in May: exercised without a price, part of them withheld for tax. */
function vesting(y: YearOf): void {
  const day = sessionFrom(dayOf(`${y.year}-05-16`));
  y.moveTo(day);
  const shares = 100 * (2 + Math.floor(y.draw() * 20));
  const withheld = Math.floor(shares * 0.42);
  const date = dateOf(day);
  const exercised = y.move(1, shares);
  const left = y.move(1, -withheld);
  const price = y.priceOn(day);
  y.file("4", day, 2, {
    reporters: [reporterOf(y.issuer, 1)],
    lines: [
      common({
        date,
        code: "M",
        shares: String(shares),
        price: null,
        priceNote: "F1",
        after: String(exercised),
      }),
      common({ date, code: "F", way: "D", shares: String(withheld), price, after: String(left) }),
      common({
        table: "derivative",
        title: "Restricted Stock Units",
        date,
        code: "M",
        way: "D",
        shares: String(shares),
        price: "0",
        after: "0",
      }),
    ],
    footnotes: ["Each unit converts into one share."],
  });
}

/** The chief executive sells in three lots under a plan. */
function planSale(y: YearOf, monthDay: string): void {
  const day = sessionFrom(dayOf(`${y.year}-${monthDay}`) + Math.floor(y.draw() * 5));
  y.moveTo(day);
  const lot = Math.floor((y.held(0) * 0.01) / 10) * 10;
  if (lot < 10) return;
  const boxed = dateOf(day) >= BOX_FROM;
  const lines = [1, 2, 3].map(() => {
    const price = y.priceOn(day);
    const after = String(y.move(0, -lot));
    return common({
      date: dateOf(day),
      code: "S",
      way: "D",
      shares: String(lot),
      price,
      after,
      priceNote: "F1",
      titleNote: "F2",
    });
  });
  y.file("4", day, 2, {
    reporters: [reporterOf(y.issuer, 0)],
    lines,
    planned: boxed,
    footnotes: [
      "The price is a weighted average of several trades.",
      "Sold pursuant to a Rule 10b5-1 trading plan.",
    ],
  });
}

/** Several insiders buy within a week; one form is corrected later, one may come late. */
function cluster(y: YearOf, positions: readonly number[]): void {
  const first = dayOf(`${y.year}-03-01`) + Math.floor(y.draw() * 270);
  for (const [i, position] of positions.entries()) {
    const day = sessionFrom(first + 2 * i);
    y.moveTo(day);
    const price = y.priceOn(day);
    const shares = Math.max(10, Math.round((20_000 + 300_000 * y.draw()) / Number(price) / 10) * 10);
    // The director reports purchases of the family's fund with it: one trade of two.
    const isJoint = position === FAMILY;
    const reporters = isJoint
      ? [reporterOf(y.issuer, FAMILY), reporterOf(y.issuer, 4)]
      : [reporterOf(y.issuer, position)];
    const how = isJoint ? { nature: "I" as const, how: "By Family Partners LP" } : {};
    const before = y.held(position);
    const line = common({
      date: dateOf(day),
      code: "P",
      shares: String(shares),
      price,
      after: String(y.move(position, shares)),
      ...how,
    });
    const isLate = y.draw() < 0.12;
    const original = y.file("4", day, isLate ? LATE_DAYS : 1 + Math.floor(y.draw() * 2), {
      reporters,
      lines: [line],
    });
    if (y.draw() >= 0.15) continue;
    const right = shares + 10;
    y.move(position, 10);
    y.file("4/A", day, original.day - day + 6, {
      reporters,
      original: dateOf(original.day),
      lines: [{ ...line, shares: String(right), after: String(before + right) }],
    });
  }
}

/** A gift at Christmas, reported on a Form 5 in February. */
function gift(y: YearOf): void {
  const day = sessionFrom(dayOf(`${y.year}-12-18`));
  y.moveTo(day);
  const shares = Math.floor((y.held(3) * 0.05) / 10) * 10;
  if (shares < 10) return;
  const after = String(y.move(3, -shares));
  // Filed in the same year, so that a year's forms are all of its own.
  y.file("5", day, 5, {
    reporters: [reporterOf(y.issuer, 3)],
    lines: [common({ date: dateOf(day), code: "G", way: "D", shares: String(shares), price: "0", after })],
  });
}

/** The head of the division arrives: a statement of what is held, without a trade. */
function arrival(y: YearOf): void {
  const day = sessionFrom(dayOf(`${y.year}-06-03`));
  y.moveTo(day);
  y.file("3", day, 6, {
    reporters: [reporterOf(y.issuer, 2)],
    lines: [common({ after: String(y.held(2)) })],
  });
}

function makeYear(
  seed: number,
  issuer: Filer,
  listing: Listing,
  year: number,
  plain: boolean,
  before: Holdings,
): Year {
  const y = new YearOf(seed, issuer, listing, year, before);
  const chance = (n: number) => uniform(y.key, n);
  awards(y, plain ? [0] : [0, 1]);
  if (!plain) {
    if (chance(0) < 0.5) planSale(y, "04-20");
    vesting(y);
    if (year === Number(issuer.since.slice(0, 4)) + 1) arrival(y);
    if (chance(1) < 0.4) planSale(y, "08-20");
  }
  if (chance(2) < (plain ? 0.25 : 0.45)) cluster(y, plain ? [0, 3] : [0, 1, 3, 5]);
  if (!plain && chance(3) < 0.4) gift(y);
  return { forms: y.forms, after: y.after };
}

/**
 * At the start the first of the directors holds nothing, and the family's fund more than a tenth of the
 * company.
 */
function firstHoldings(issuer: Filer, year: number): Holdings {
  const key = keyOf(0, `holdings ${issuer.cik}`);
  const day = dayOf(`${year}-01-01`);
  const shares = POSITIONS.map(({ position }) => {
    const part = uniform(key, position);
    if (position === FAMILY) return Math.round(sharesOn(issuer, day, day) * (0.12 + 0.04 * part));
    return position === 3 ? 0 : Math.round(4_000 * (1 + 20 * part));
  });
  return { shares, day };
}

const years = new LRUCache<string, Year>({ max: 100_000 });

function yearOf(seed: number, issuer: Filer, listing: Listing, year: number, plain: boolean): Year {
  const name = `${seed} ${issuer.cik} ${year}`;
  const known = years.get(name);
  if (known) return known;
  const first = Math.max(FIRST_YEAR, Number(issuer.since.slice(0, 4)));
  const before =
    year <= first ? firstHoldings(issuer, first) : yearOf(seed, issuer, listing, year - 1, plain).after;
  const made = makeYear(seed, issuer, listing, year, plain, before);
  years.set(name, made);
  return made;
}

/**
 * Shares of a position at the start of a year, as counted on that day, of companies whose insiders file by
 * chance.
 */
export function heldAtStart(seed: number, issuer: Filer, position: number, year: number): number {
  const listing = commonOf(issuer)[0];
  const first = Math.max(FIRST_YEAR, Number(issuer.since.slice(0, 4)));
  if (!listing || year < first) return 0;
  const { shares, day } =
    year === first ? firstHoldings(issuer, first) : yearOf(seed, issuer, listing, year - 1, false).after;
  return Math.floor((shares[position] ?? 0) * splitRatio(issuer, day, dayOf(`${year}-01-01`)));
}

/**
 * Returns the forms that the insiders of a company file on the trades of a year, in no order; none for a
 * company without shares.
 */
export function formsOf(seed: number, issuer: Filer, year: number, plain: boolean): readonly FormDraft[] {
  const listing = commonOf(issuer)[0];
  const files = (issuer.habit === "reports" || issuer.habit === "notes") && issuer.symbol !== BY_HAND;
  if (!listing || !files || year < Math.max(FIRST_YEAR, Number(issuer.since.slice(0, 4)))) return [];
  return yearOf(seed, issuer, listing, year, plain).forms;
}
