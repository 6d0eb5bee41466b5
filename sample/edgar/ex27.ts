// The financial data schedule (exhibit 27) that reports carried up to the year 2000: a table of a few tagged
// lines, year to date. Article 5 is that of companies at large, article 7 that of insurers.
import { dateOf, dayOf } from "../sessions.ts";
import type { Filer } from "./filers.ts";
import type { Filing } from "./filing.ts";
import { entriesAsKnown, kindOf, type LedgerEntry, shareholdersOf } from "./ledger.ts";
import { weightedShares } from "./share-count.ts";

/** The filer whose report for this year restates the year before with other revenue and costs. */
const RESTATED = { symbol: "ZIGZQ", period: "1998-12-31", part: 0.02 };
/** The report that leaves its multiplier out, though its figures are as round as those of the others. */
const UNSCALED = { symbol: "ZIGZQ", period: "1998-06-30" };
/** Before this day the first of the two earnings a share was called primary. */
const BASIC_FROM = "1997-12-15";

const MILLION = 1_000_000;
const LABEL_WIDTH = 32;
const LINE_WIDTH = 50;
const MONTHS = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
/** The names of a year to date, by quarters; a year has two names. */
const PERIODS = ["3-MOS", "6-MOS", "9-MOS"];

/** True for the annual report with two schedules. */
export function isRestatedYear(filer: Filer, period: string): boolean {
  return filer.symbol === RESTATED.symbol && period === RESTATED.period;
}

/** `SEP-30-2000`. */
const dated = (date: string) =>
  `${MONTHS[Number(date.slice(5, 7)) - 1]}-${date.slice(8)}-${date.slice(0, 4)}`;

type Cell = readonly [tag: string, value: string];

/** Millions, negative ones in parentheses. */
function money(dollars: number): string {
  const text = Math.abs(Math.round(dollars / MILLION)).toLocaleString("en-US");
  return dollars < 0 ? `(${text})` : text;
}
const perShare = (dollars: number) =>
  dollars < 0 ? `(${Math.abs(dollars).toFixed(2)})` : dollars.toFixed(2);

/** Lines of the books of a year to date: what flowed, and what stands at its end. */
interface Reported {
  readonly flow: (line: string) => number;
  readonly held: (line: string) => number;
}

function companyCells({ flow, held }: Reported, shift: number): Cell[] {
  const cost = flow("cost") + shift;
  const spent = flow("research") + flow("selling");
  return [
    ["CASH", money(held("cash"))],
    ["SECURITIES", money(held("investments"))],
    ["RECEIVABLES", money(held("receivables"))],
    ["ALLOWANCES", "0"],
    ["INVENTORY", money(held("inventory"))],
    ["CURRENT-ASSETS", money(held("currentAssets"))],
    ["PP&E", money(held("property"))],
    ["DEPRECIATION", "0"],
    ["TOTAL-ASSETS", money(held("assets"))],
    ["CURRENT-LIABILITIES", money(held("currentLiabilities"))],
    ["BONDS", money(held("debt"))],
    ["PREFERRED-MANDATORY", "0"],
    ["PREFERRED", "0"],
    ["COMMON", money(held("paidIn"))],
    ["OTHER-SE", money(held("retained"))],
    ["TOTAL-LIABILITY-AND-EQUITY", money(held("liabilitiesAndEquity"))],
    ["SALES", money(flow("revenue") + shift)],
    ["TOTAL-REVENUES", money(flow("revenue") + shift)],
    ["CGS", money(cost)],
    ["TOTAL-COSTS", money(cost)],
    ["OTHER-EXPENSES", money(spent - flow("interestIncome"))],
    ["LOSS-PROVISION", "0"],
    ["INTEREST-EXPENSE", money(flow("interestExpense"))],
  ];
}

function insurerCells({ flow, held }: Reported): Cell[] {
  return [
    ["DEBT-HELD-FOR-SALE", money(held("investments"))],
    ["DEBT-CARRYING-VALUE", "0"],
    ["DEBT-MARKET-VALUE", "0"],
    ["EQUITIES", "0"],
    ["MORTGAGE", "0"],
    ["REAL-ESTATE", "0"],
    ["TOTAL-INVEST", money(held("investments"))],
    ["CASH", money(held("cash"))],
    ["RECOVER-REINSURE", "0"],
    ["DEFERRED-ACQUISITION", money(held("acquisitionCosts"))],
    ["TOTAL-ASSETS", money(held("assets"))],
    ["POLICY-LOSSES", money(held("claimsReserve"))],
    ["UNEARNED-PREMIUMS", money(held("unearnedPremiums"))],
    ["POLICY-OTHER", "0"],
    ["POLICY-HOLDER-FUNDS", "0"],
    ["NOTES-PAYABLE", money(held("debt"))],
    ["PREFERRED-MANDATORY", "0"],
    ["PREFERRED", "0"],
    ["COMMON", money(held("paidIn"))],
    ["OTHER-SE", money(held("retained"))],
    ["TOTAL-LIABILITY-AND-EQUITY", money(held("liabilitiesAndEquity"))],
    ["PREMIUMS", money(flow("premiums"))],
    ["INVESTMENT-INCOME", money(flow("investmentIncome"))],
    ["INVESTMENT-GAINS", money(flow("investmentGains"))],
    ["OTHER-INCOME", "0"],
    ["BENEFITS", money(flow("claims"))],
    ["UNDERWRITING-AMORTIZATION", "0"],
    ["UNDERWRITING-OTHER", money(flow("underwritingExpense") + flow("interestExpense"))],
  ];
}

/** Returns the last cells of both articles. */
function profitCells({ flow }: Reported, first: string, basic: number, diluted: number): Cell[] {
  const each = (count: number) => perShare(Math.round((flow("netIncome") / count) * 100) / 100);
  return [
    ["INCOME-PRETAX", money(flow("pretax"))],
    ["INCOME-TAX", money(flow("tax"))],
    ["INCOME-CONTINUING", money(flow("netIncome"))],
    ["DISCONTINUED", "0"],
    ["EXTRAORDINARY", "0"],
    ["CHANGES", "0"],
    ["NET-INCOME", money(flow("netIncome"))],
    [first, each(basic)],
    ["EPS-DILUTED", each(diluted)],
  ];
}

function reportedBy(entries: readonly LedgerEntry[]): Reported {
  const last = entries.at(-1);
  return {
    flow: (line) => entries.reduce((sum, { flows }) => sum + (flows[line] ?? 0), 0),
    held: (line) => last?.balance[line] ?? 0,
  };
}

const row = ([tag, value]: Cell) => {
  const label = `<${tag}>`.padEnd(LABEL_WIDTH);
  return `${label}${value.padStart(LINE_WIDTH - label.length)}`;
};

/** The schedule of a report; `place` 1: its second one, of the year before as reported now. */
export function scheduleOf(filing: Filing, place: number): string {
  const { filer, seed, acceptedAt } = filing;
  const end = dayOf(filing.period);
  const all = entriesAsKnown(filer, seed, end, acceptedAt);
  const until = place === 0 ? all : all.slice(0, -4);
  const count = until.at(-1)?.quarter.number ?? 1;
  const year = until.slice(-count);
  const [first, last] = [year[0]?.quarter, year.at(-1)?.quarter];
  if (!first || !last) return "";
  const period = dateOf(last.end);
  // Both filers' years end with a month, so that its year is that of the day some days before.
  const fiscalYear = dateOf(first.yearStart + 360).slice(0, 4);
  const { fiscalYearEnd } = filer;
  const closing = `${fiscalYear}-${fiscalYearEnd.slice(0, 2)}-${fiscalYearEnd.slice(2)}`;
  const { basic, diluted } = weightedShares(
    shareholdersOf(filer),
    first.start,
    last.end,
    dayOf(filing.filingDate),
  );
  const lines = reportedBy(year);
  const isInsurer = kindOf(filer) === "insurer";
  const shift = place === 0 ? 0 : Math.round((lines.flow("revenue") * RESTATED.part) / MILLION) * MILLION;
  const unscaled = filer.symbol === UNSCALED.symbol && period === UNSCALED.period;
  const head: Cell[] = [
    ["PERIOD-TYPE", PERIODS[count - 1] ?? (Number(period.slice(0, 4)) % 2 === 0 ? "YEAR" : "12-MOS")],
    ["FISCAL-YEAR-END", dated(closing)],
    ["PERIOD-END", dated(period)],
  ];
  const eps = period < BASIC_FROM ? "EPS-PRIMARY" : "EPS-BASIC";
  const cells = [
    ...head,
    ...(isInsurer ? insurerCells(lines) : companyCells(lines, shift)),
    ...profitCells(lines, eps, basic, diluted),
  ];
  const scale = unscaled ? "" : "<MULTIPLIER> 1,000,000\n";
  const again = place === 0 ? "" : "<RESTATED>\n";
  return `\n<TABLE> <S> <C>\n\n<PAGE>\n<ARTICLE> ${isInsurer ? 7 : 5}\n${again}${scale}\n<S>                             <C>\n${cells.map(row).join("\n")}\n\n\n</TABLE>\n`;
}
