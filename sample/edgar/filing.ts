// One filing as the sample knows it before any of its text is written.
import { dateOf, dayOf } from "../sessions.ts";
import { filingDay, NEW_YORK, newYorkClock, openingOf } from "./days.ts";
import type { Filer, TrustFund } from "./filers.ts";
import type { OwnershipFiling } from "./ownership-filings.ts";

/** How the body of a current report is laid out; all but `truncated` can be read. */
export type Layout =
  | "paragraphs"
  /** Inline XBRL, with facts in a hidden block before the text. */
  | "inline"
  /** "Item", number and title in cells of their own. */
  | "cells"
  /** The number broken over tags: `<b>Item&nbsp;2</b><b>.02</b>`. */
  | "split"
  /** Heading and text of each item together in one table. */
  | "wrapped"
  /** All items but 9.01 under one heading: "Items 2.02 and 7.01". */
  | "combined"
  /** Paragraphs that speak of other items, of Item 404(a), of signatures. */
  | "prose"
  /** Headings right behind a ruler of dashes. */
  | "dashes"
  /** The item in the innermost of 26 tables, with an absurd colspan. */
  | "nested"
  /** Plain text. */
  | "ascii"
  /** Plain text with the item numbers used before 2004-08-23. */
  | "legacy"
  /** Breaks off on the cover page. */
  | "truncated";

/** Filings before this day have no acceptance time; before the next day their documents have no names. */
export const TIMED_FROM = "2002-06-01";
export const NAMED_FROM = "2001-01-01";

/** The oddities of a filing beside its layout. */
export type Oddity =
  /** No acceptance time in header and index page; midnight in the submissions list. */
  | "no_acceptance"
  /** null in the submissions list, though the header has it. */
  | "no_acceptance_column"
  /** An EX-99.1 of more than 5 MB. */
  | "huge_exhibit";

export interface Filing {
  readonly filer: Filer;
  /** A second filer of the same submission. */
  readonly partner: Filer | null;
  /** With dashes. */
  readonly accession: string;
  readonly form: string;
  /** Item numbers, of current reports only. */
  readonly items: readonly string[];
  /** Epoch seconds. */
  readonly acceptedAt: number;
  /** Epoch seconds from which it can be read: 06:00 of its filing date when that is a later day. */
  readonly publicAt: number;
  readonly filingDate: string;
  /** Period of report, or date of the event; empty where the form has none. */
  readonly period: string;
  readonly layout: Layout;
  /** Types of the documents after the first. */
  readonly exhibits: readonly string[];
  readonly oddity: Oddity | null;
  /** The content of a form or schedule on holdings; null for all other filings. */
  readonly content: OwnershipFiling | null;
  /** Whose holdings it reports; only of the trust's reports. */
  readonly fund?: TrustFund;
  /** The market's: what its figures follow from. */
  readonly seed: number;
  /** The key with which its wording is drawn. */
  readonly key: number;
}

/** Filing date and publication of what is accepted on `day`, `secondsOfDay` after New York's midnight. */
export function datesOf(day: number, secondsOfDay: number, acceptedAt: number, form: string) {
  const dated = filingDay(day, secondsOfDay, form);
  return { filingDate: dateOf(dated), publicAt: dated > day ? openingOf(dated) : acceptedAt };
}

/** Filing date and publication of what is accepted at a moment. */
export function datesAt(acceptedAt: number, form: string) {
  const zoned = Temporal.Instant.fromEpochMilliseconds(acceptedAt * 1000).toZonedDateTimeISO(NEW_YORK);
  const secondsOfDay = zoned.hour * 3600 + zoned.minute * 60 + zoned.second;
  return datesOf(dayOf(zoned.toPlainDate().toString()), secondsOfDay, acceptedAt, form);
}

/** Accession number of a filer's `sequence`th filing in the year of `acceptedAt`. */
export function accessionOf(filer: Filer, year: number, sequence: number): string {
  const prefix = String(filer.prefix).padStart(10, "0");
  return `${prefix}-${String(year % 100).padStart(2, "0")}-${String(sequence).padStart(6, "0")}`;
}

/** The filers of a filing; of a paper on holdings whom it is about, then who reports. */
export function partiesOf({ filer, partner, content }: Filing): readonly Filer[] {
  if (content?.kind === "form") return [filer, ...content.reporters.map((reporter) => reporter.filer)];
  if (content?.kind === "schedule") return [filer, content.holder];
  return partner ? [filer, partner] : [filer];
}

/** Returns the role of a party in a filing, as feed and index page call it. */
export function roleOf({ filer, content }: Filing, party: Filer): string {
  if (!content) return "Filer";
  const isAbout = party === filer;
  return content.kind === "form" ? (isAbout ? "Issuer" : "Reporting") : isAbout ? "Subject" : "Filed by";
}

/** The moment of acceptance as header and index page show it, New York's clock; null where they show none. */
export function shownAcceptance(filing: Filing): string | null {
  return filing.oddity === "no_acceptance" ? null : newYorkClock(filing.acceptedAt).local;
}

/** `20260306`. */
export const compact = (date: string): string => date.replaceAll("-", "");
/** `000090000126000001`. */
export const undashed = (accession: string): string => accession.replaceAll("-", "");
/** The number under which the filing was photographed, once. */
export const filmNumberOf = (filing: Filing): string =>
  `${filing.filingDate.slice(2, 4)}${String(filing.key % 10_000_000).padStart(7, "0")}`;
