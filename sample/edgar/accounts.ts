// One quarter of an ordinary company's books: what it sells and spends, and the balance sheet it ends with.
// Banks and insurers have books of their own kind beside it.
import { bell, uniform } from "../randomness.ts";

/** Money by line, in whole units of the filer's rounding. */
export type Lines = Readonly<Record<string, number>>;

/** The facts from which a quarter is drawn. */
export interface Season {
  /** Of the company: its habits. */
  readonly company: number;
  /** Of the quarter: its luck. */
  readonly luck: number;
  /** Place in the fiscal year, from 1. */
  readonly number: number;
  /** Its length against a fourth of a year. */
  readonly length: number;
  /** The company's worth in dollars, with the growth up to then. */
  readonly worth: number;
  /** Dollars paid to shareholders. */
  readonly dividends: number;
  /** Yearly earnings against worth; of those who lose money negative. */
  readonly earningsYield: number;
  /** Spends on research. */
  readonly researches: boolean;
  /** Rounds as the company's reports do. */
  readonly round: (dollars: number) => number;
}

/** The books of one kind of company. */
export interface Accounts<Balance extends Lines> {
  /** The balance sheet its books begin with. */
  open(season: Season): Balance;
  /** A quarter after `before`: what flows, and the balance sheet at its end. All totals are exact sums. */
  close(before: Balance, season: Season): { readonly flows: Lines; readonly balance: Balance };
}

/** Shares of revenue, the same for years. */
function habitsOf({ company, earningsYield, researches }: Season) {
  const loses = earningsYield < 0;
  const cost = loses ? 0.7 : 0.35 + 0.25 * uniform(company, 1);
  const research = researches ? (loses ? 0.45 : 0.07 + 0.07 * uniform(company, 2)) : 0;
  const selling = loses ? 0.3 : 0.1 + 0.1 * uniform(company, 3);
  const margin = (1 - cost - research - selling) * (loses ? 1 : 0.79);
  return { cost, research, selling, perWorth: Math.abs(earningsYield / margin) };
}

type Held = ReturnType<typeof held>;

/** Adds the totals to what a company owns and owes. */
function held(own: {
  cash: number;
  investments: number;
  receivables: number;
  inventory: number;
  prepaid: number;
  property: number;
  goodwill: number;
  otherAssets: number;
  payables: number;
  accrued: number;
  deferred: number;
  debtCurrent: number;
  debt: number;
  otherLiabilities: number;
  paidIn: number;
}) {
  const currentAssets = own.cash + own.investments + own.receivables + own.inventory + own.prepaid;
  const noncurrentAssets = own.property + own.goodwill + own.otherAssets;
  const currentLiabilities = own.payables + own.accrued + own.deferred + own.debtCurrent;
  const noncurrentLiabilities = own.debt + own.otherLiabilities;
  const assets = currentAssets + noncurrentAssets;
  const liabilities = currentLiabilities + noncurrentLiabilities;
  const equity = assets - liabilities;
  return {
    ...own,
    currentAssets,
    noncurrentAssets,
    assets,
    currentLiabilities,
    noncurrentLiabilities,
    liabilities,
    retained: equity - own.paidIn,
    equity,
    liabilitiesAndEquity: assets,
  };
}

function revenueOf(season: Season): number {
  const { company, luck, number, length, worth, round } = season;
  const time = 1 + 0.12 * (uniform(company, 10 + number) - 0.5);
  const { perWorth } = habitsOf(season);
  return round(((worth * perWorth) / 4) * length * time * (1 + 0.03 * bell(luck, 0)));
}

function income(before: Held, season: Season) {
  const { luck, round } = season;
  const habits = habitsOf(season);
  const revenue = revenueOf(season);
  const cost = round(revenue * (habits.cost + 0.01 * bell(luck, 1)));
  const research = round(revenue * habits.research);
  const selling = round(revenue * (habits.selling + 0.005 * bell(luck, 2)));
  const operatingExpenses = research + selling;
  const gross = revenue - cost;
  const operatingIncome = gross - operatingExpenses;
  const interestIncome = round((before.cash + before.investments) * 0.006);
  const interestExpense = round((before.debt + before.debtCurrent) * 0.01);
  const otherIncome = interestIncome - interestExpense;
  const pretax = operatingIncome + otherIncome;
  const tax = pretax > 0 ? round(pretax * (0.19 + 0.04 * uniform(luck, 3))) : 0;
  return {
    revenue,
    // Revenue from customers alone: the rest is rent and the like.
    contractRevenue: revenue - round(revenue * 0.01),
    cost,
    gross,
    research,
    selling,
    operatingExpenses,
    operatingIncome,
    interestIncome,
    interestExpense,
    otherIncome,
    pretax,
    tax,
    netIncome: pretax - tax,
  };
}

/** Balances that follow the business of a quarter. */
function working(revenue: number, cost: number, expenses: number, round: Season["round"], luck: number) {
  return {
    receivables: round(revenue * (0.5 + 0.02 * bell(luck, 5))),
    inventory: round(cost * (0.45 + 0.02 * bell(luck, 6))),
    prepaid: round(revenue * 0.08),
    payables: round(cost * (0.42 + 0.02 * bell(luck, 7))),
    accrued: round(expenses * 0.5),
    deferred: round(revenue * 0.12),
  };
}

/** Computes the cash flow of operations: profit, and what moves between profit and cash. */
function operations(before: Held, season: Season) {
  const { luck, round } = season;
  const earned = income(before, season);
  const { revenue, cost, operatingExpenses, netIncome } = earned;
  const now = working(revenue, cost, operatingExpenses, round, luck);
  const up = (line: keyof typeof now) => now[line] - before[line];
  const moved = {
    depreciation: round(before.property * 0.03),
    stockCompensation: round(revenue * 0.02),
    receivablesUp: up("receivables"),
    inventoryUp: up("inventory"),
    prepaidUp: up("prepaid"),
    payablesUp: up("payables"),
    accruedUp: up("accrued"),
    deferredUp: up("deferred"),
  };
  const operatingCash =
    netIncome +
    moved.depreciation +
    moved.stockCompensation -
    moved.receivablesUp -
    moved.inventoryUp -
    moved.prepaidUp +
    moved.payablesUp +
    moved.accruedUp +
    moved.deferredUp;
  return { now, flows: { ...earned, ...moved, operatingCash } };
}

/** Computes the cash flow of investing. */
function investing(before: Held, revenue: number, { luck, round }: Season) {
  const capex = round(revenue * (0.04 + 0.01 * uniform(luck, 8)));
  const wanted = round(revenue * 0.3);
  const turned = round(revenue * 0.1);
  const investmentsBought = turned + Math.max(0, wanted - before.investments);
  const investmentsSold = turned + Math.max(0, before.investments - wanted);
  return {
    capex,
    investmentsBought,
    investmentsSold,
    investingCash: investmentsSold - investmentsBought - capex,
  };
}

/**
 * Computes the cash flow between the company and its owners and lenders: new shares where cash would run low.
 */
function financing(before: Held, spare: number, cashBefore: number, least: number, season: Season) {
  const { number, round } = season;
  const dividends = round(season.dividends);
  const buybacks = Math.max(0, round((spare - dividends) * 0.6));
  const debts = before.debt + before.debtCurrent;
  const debtIssued = number === 2 ? round(debts * 0.1) : 0;
  const debtRepaid = number === 4 ? Math.min(before.debtCurrent, round(debts * 0.09)) : 0;
  const raised = debtIssued - debtRepaid - dividends - buybacks;
  const stockIssued = Math.max(0, least - (cashBefore + raised));
  return {
    debtIssued,
    debtRepaid,
    stockIssued,
    dividends,
    buybacks,
    financingCash: raised + stockIssued,
  };
}

function close(before: Held, season: Season) {
  const { round } = season;
  const { now, flows: operated } = operations(before, season);
  const { revenue, operatingCash } = operated;
  const invested = investing(before, revenue, season);
  const cashBefore = before.cash + operatingCash + invested.investingCash;
  const spare = operatingCash - invested.capex;
  const financed = financing(before, spare, cashBefore, round(revenue * 0.25), season);
  const cash = cashBefore + financed.financingCash;
  const debts = before.debt + before.debtCurrent + financed.debtIssued - financed.debtRepaid;
  const debtCurrent = round(debts * 0.1);
  const balance = held({
    ...now,
    cash,
    investments: before.investments + invested.investmentsBought - invested.investmentsSold,
    property: before.property + invested.capex - operated.depreciation,
    goodwill: before.goodwill,
    otherAssets: before.otherAssets,
    debtCurrent,
    debt: debts - debtCurrent,
    otherLiabilities: before.otherLiabilities,
    paidIn: before.paidIn + operated.stockCompensation + financed.stockIssued,
  });
  return { flows: { ...operated, ...invested, ...financed, cashUp: cash - before.cash }, balance };
}

/** Makers and sellers of things. */
export const ordinaryAccounts: Accounts<Held> = {
  open(season) {
    const { worth, round, luck } = season;
    const revenue = revenueOf(season);
    const habits = habitsOf(season);
    const expenses = revenue * (habits.research + habits.selling);
    return held({
      ...working(revenue, revenue * habits.cost, expenses, round, luck),
      cash: round(revenue * 0.6),
      investments: round(revenue * 0.3),
      property: round(revenue * 1.3),
      goodwill: round(worth * 0.04),
      otherAssets: round(worth * 0.02),
      debtCurrent: round(worth * 0.006),
      debt: round(worth * 0.054),
      otherLiabilities: round(worth * 0.015),
      paidIn: round(worth * 0.03),
    });
  },
  close,
};
