// Words a filing's revenue and earnings as the books have them, so that release, report and tags agree.
import { dayOf } from "../sessions.ts";
import type { Filing } from "./filing.ts";
import { entriesAsKnown, shareholdersOf } from "./ledger.ts";
import { weightedShares } from "./share-count.ts";

/** Dollars (of RUMBQ euros). */
export interface Figures {
  readonly revenue: number;
  readonly netIncome: number;
  readonly earningsPerShare: number;
}

/** A release never speaks of a quarter that ended so few days ago. */
const CLOSING_DAYS = 5;

/**
 * The quarter a filing speaks of, or the year in an annual report; zeros where nothing has been booked yet.
 */
export function figuresOf(filing: Filing): Figures {
  const { filer, form, period, filingDate, seed, acceptedAt } = filing;
  const isReport = form.startsWith("10-");
  const day = isReport && period ? dayOf(period) : dayOf(filingDate) - CLOSING_DAYS;
  const entries = entriesAsKnown(filer, seed, day, acceptedAt);
  const number = entries.at(-1)?.quarter.number ?? 1;
  const reported = entries.slice(isReport && !form.startsWith("10-Q") ? -number : -1);
  const sum = (line: string) => reported.reduce((total, { flows }) => total + (flows[line] ?? 0), 0);
  const [first, last] = [reported[0]?.quarter, reported.at(-1)?.quarter];
  if (!first || !last) return { revenue: 0, netIncome: 0, earningsPerShare: 0 };
  const owners = shareholdersOf(filer);
  const { basic } = weightedShares(owners, first.start, last.end, dayOf(filingDate));
  const netIncome = sum("netIncome");
  return {
    revenue: sum("revenue"),
    netIncome,
    earningsPerShare: Math.round((netIncome / basic) * 100) / 100 || 0,
  };
}
