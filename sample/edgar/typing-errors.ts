// Errors that stand in single filings, as real ones do: wrong by a thousand, or a figure under another
// period.
import { dateOf, dayOf } from "../sessions.ts";
import type { Figure } from "./concepts.ts";
import type { Filing } from "./filing.ts";
import { entriesAsKnown } from "./ledger.ts";

const THOUSAND = 1000;

/** Filings whose figures are wrong by a thousand: which filer, which report, which figures. */
const SCALED: readonly { symbol: string; form: string; period: string; unit: string }[] = [
  { symbol: "JUMBL", form: "10-Q", period: "2024-03-31", unit: "USD" },
  { symbol: "OBBLQ", form: "10-K", period: "2023-06-30", unit: "shares" },
];

/** A half year that is reported with the figure of its second quarter. */
const MISPLACED = {
  symbol: "XYLOQ",
  period: "2025-06-30",
  tag: "NetIncomeLoss",
  start: "2024-01-01",
  end: "2024-06-30",
  from: "2024-04-01",
};

/** The filer whose proxies tell its net income too; that of one year is wrong by a thousand. */
const PROXY = { symbol: "KLUNQ", since: "2023-01-01", wrongYear: "2025" };

/** The figures of a filing as they were really sent. */
export function typo(filing: Filing, figures: readonly Figure[]): Figure[] {
  const { filer, form, period } = filing;
  const scaled = SCALED.find(
    (one) => one.symbol === filer.symbol && one.form === form && one.period === period,
  );
  const { symbol, tag, start, end, from } = MISPLACED;
  const misplaced = filer.symbol === symbol && period === MISPLACED.period;
  const other = misplaced
    ? figures.find((one) => one.tag === tag && one.start === from && one.end === end)
    : undefined;
  return figures.map((one) => {
    if (scaled && one.unit === scaled.unit && one.taxonomy === "us-gaap")
      return { ...one, val: Math.round(one.val / THOUSAND) };
    return other && one.tag === tag && one.start === start && one.end === end
      ? { ...one, val: other.val }
      : one;
  });
}

/**
 * Returns a proxy statement's figures of earlier years: net income of the last two, for the table of pay
 * against performance.
 */
export function proxyFacts(filing: Filing): Figure[] {
  const { filer, seed, filingDate, acceptedAt } = filing;
  if (filer.symbol !== PROXY.symbol || filingDate < PROXY.since) return [];
  // The year's report may not be out yet when the proxy is written: the books are closed all the same.
  const entries = entriesAsKnown(filer, seed, dayOf(filingDate) - 60, acceptedAt);
  const ends = entries.flatMap(({ quarter }, i) => (quarter.closes === "year" ? [i] : [])).slice(-2);
  const wrong = filingDate.startsWith(PROXY.wrongYear);
  return ends.map((last) => {
    const year = entries.slice(last - 3, last + 1);
    const profit = year.reduce((total, { flows }) => total + (flows.netIncome ?? 0), 0);
    return {
      taxonomy: "us-gaap",
      tag: "NetIncomeLoss",
      unit: "USD",
      start: dateOf(year[0]?.quarter.start ?? 0),
      end: dateOf(year.at(-1)?.quarter.end ?? 0),
      val: wrong ? Math.round(profit / THOUSAND) : profit,
    };
  });
}
