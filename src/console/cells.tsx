// Cells that several tables share.
import type { DataCell } from "./data-table.tsx";
import { bytes, count, knownFrom } from "./format.ts";
import { linkTo, tickerLink } from "./links.ts";

interface Filed {
  readonly accession_number: string;
  readonly accepted_at: string | null;
  readonly filing_date: string;
}

/** A link to the page of a filing; `ticker` is a party of it. */
export const filingLink = (accession: string, ticker: string): string =>
  linkTo(`/filing/${encodeURIComponent(accession)}`, ticker === "" ? {} : { ticker });

/** When a filing became public, to the minute where its acceptance is known; leads to the filing. */
export function filedCell(filing: Filed, ticker: string): DataCell {
  const text = knownFrom(filing);
  // Without an acceptance it counts as known from the end of its day.
  const by = Date.parse(filing.accepted_at ?? `${filing.filing_date}T23:59:59-05:00`);
  return { text, shown: <a href={filingLink(filing.accession_number, ticker)}>{text}</a>, by };
}

export const tickerCell = (ticker: string | null): DataCell =>
  ticker === null || ticker === ""
    ? null
    : { text: ticker, shown: <a href={tickerLink(ticker)}>{ticker}</a> };

/**
 * `shown`, the rounded text of a number. One that rounds to zero keeps a digit, because 0 means a reported
 * zero.
 */
const orDigit = (value: number, digits: number, shown: string): string =>
  value !== 0 && Math.abs(value) <= 0.5 * 10 ** -digits
    ? value.toLocaleString("en-US", { maximumSignificantDigits: 1 })
    : shown;

/** A number in its text, sorted by its value; none where it is unknown. */
const sortedBy = (value: number | null | undefined, textOf: (known: number) => string): DataCell =>
  value === null || value === undefined ? null : { text: textOf(value), by: value };

/** A whole or broken number with grouped digits, at most `digits` after the point. */
export const number = (value: number | null | undefined, digits = 4): DataCell =>
  sortedBy(value, (known) =>
    orDigit(known, digits, known.toLocaleString("en-US", { maximumFractionDigits: digits })),
  );

/** A value as it was filed, with grouped digits: it is not rounded. */
export const asFiled = (value: number | null | undefined): DataCell => number(value, 20);

export const whole = (value: number | null | undefined): DataCell =>
  sortedBy(value, (known) => orDigit(known, 0, count(Math.round(known))));

export const size = (value: number | null | undefined): DataCell => sortedBy(value, bytes);

/** A percentage; the value counts in percent. */
export const percent = (value: number | null | undefined, digits = 2): DataCell =>
  sortedBy(value, (known) => `${orDigit(known, digits, known.toFixed(digits))} %`);

/** A link to another site; text alone where the address is not one of the web. */
export function outsideCell(url: string | null, text: string): DataCell {
  if (url === null || !/^https?:\/\//i.test(url)) return text;
  return {
    text,
    shown: (
      <a href={url} rel="noreferrer" target="_blank">
        {text}
      </a>
    ),
  };
}
