// Finds costs, payments and liabilities that a report files with the opposite sign, by the sums of their
// statement.
import { type Cell, type Chosen, type Column, type Report, SUM_SLACK_UNITS } from "./column.ts";
import { SECTIONS } from "./flows.ts";

/** Interest and other results between operating income and income before tax. */
const NONOPERATING = `+ ?InvestmentIncomeInterest|InvestmentIncomeInterestAndDividend|InvestmentIncomeNet
  + ?InterestAndOtherIncome + ?OtherNonoperatingIncomeExpense|OtherNonoperatingIncome
  - ?OtherNonoperatingExpense + ?GainsLossesOnExtinguishmentOfDebt
  + ?ForeignCurrencyTransactionGainLossBeforeTax
  + ?PublicUtilitiesAllowanceForFundsUsedDuringConstructionAdditions`;
/** Current liabilities beside payables. */
const CURRENT = `+ ?AccruedLiabilitiesCurrent + ?OtherAccruedLiabilitiesCurrent
  + ?EmployeeRelatedLiabilitiesCurrent + ?OtherLiabilitiesCurrent + ?DebtCurrent|ShortTermBorrowings
  + ?LongTermDebtCurrent + ?deferred_revenue + ?TaxesPayableCurrent|AccruedIncomeTaxesCurrent
  + ?OperatingLeaseLiabilityCurrent + ?InterestPayableCurrent + ?DividendsPayableCurrent`;
const INCOME = "net_income_with_noncontrolling|net_income";
const FLOWS = "operating_cash_flow + investing_cash_flow + financing_cash_flow";
/** Results of either sign; one with which a sum closes only when it is reversed is in doubt. */
const RESULTS: readonly string[] = [
  ...["operating_income", "income_before_tax", "net_income", "net_income_with_noncontrolling"],
  ...["operating_cash_flow", "investing_cash_flow", "financing_cash_flow", "net_change_in_cash"],
];
/**
 * Sums of the statements over lines and tags. A question mark stands before a part that may be missing, a bar
 * between names of which the first that the filing has counts.
 */
export const SUMS = [
  "gross_profit = revenue - cost_of_revenue",
  "operating_income = gross_profit - operating_expenses",
  "operating_income = revenue - operating_expenses",
  "operating_income = revenue - costs_and_expenses",
  "operating_income = revenue - cost_of_revenue - operating_expenses",
  "operating_income = gross_profit - ?research_and_development - selling_general_administrative",
  "operating_income = gross_profit - ?research_and_development - ?selling_and_marketing - general_and_administrative",
  "operating_income = revenue - cost_of_revenue - ?research_and_development - selling_general_administrative",
  "income_before_tax = revenue - costs_and_expenses",
  "operating_expenses = ?research_and_development + selling_general_administrative",
  "operating_expenses = ?research_and_development + ?selling_and_marketing + general_and_administrative",
  "operating_expenses = cost_of_revenue + ?research_and_development + selling_general_administrative",
  "selling_general_administrative = selling_and_marketing + general_and_administrative",
  "costs_and_expenses = cost_of_revenue + operating_expenses",
  "costs_and_expenses = cost_of_revenue + ?research_and_development + selling_general_administrative",
  "income_before_tax = operating_income - interest_expense",
  "income_before_tax = operating_income + NonoperatingIncomeExpense",
  `income_before_tax = operating_income - interest_expense ${NONOPERATING}`,
  `income_before_tax = operating_income - interest_expense + equity_method_income ${NONOPERATING}`,
  `NonoperatingIncomeExpense = - interest_expense ${NONOPERATING}`,
  "net_interest_income = InterestAndDividendIncomeOperating - interest_expense",
  `${INCOME} = income_before_tax - income_tax_expense`,
  `${INCOME} = income_before_tax - income_tax_expense + discontinued_operations`,
  `${INCOME} = income_before_tax - income_tax_expense + equity_method_income`,
  `${INCOME} = income_before_tax - income_tax_expense + discontinued_operations + equity_method_income`,
  "total_assets = liabilities_and_equity",
  "liabilities_and_equity = total_liabilities + ?temporary_equity + total_equity",
  "total_assets = total_liabilities + ?temporary_equity + total_equity",
  "total_equity = parent_equity + noncontrolling_interest",
  "total_liabilities = current_liabilities + LiabilitiesNoncurrent",
  `current_liabilities = accounts_payable ${CURRENT}`,
  "deferred_revenue_total = deferred_revenue + deferred_revenue_noncurrent",
  `net_change_in_cash = ${FLOWS}`,
  `net_change_in_cash = ${FLOWS} + exchange_rate_effect`,
];

/** A part of a sum: its sign, and the names of which the first that the filing has counts. */
interface Part {
  readonly names: readonly string[];
  readonly sign: 1 | -1;
  readonly isOptional: boolean;
}

/** Reads one line of the table as parts that sum to zero. */
function readSum(text: string): readonly Part[] {
  const [total = "", parts = ""] = text.split(" = ");
  const signed = (/^[+-] /.test(parts) ? parts : `+ ${parts}`).match(/[+-] \S+/g) ?? [];
  return [`- ${total}`, ...signed].map((part) => ({
    names: part.slice(2).replace("?", "").split("|"),
    sign: part.startsWith("-") ? -1 : 1,
    isOptional: part[2] === "?",
  }));
}

const STATEMENT_SUMS = SUMS.map(readSum);
const RESULT_SUMS = STATEMENT_SUMS.filter((parts) =>
  parts.some(({ names }) => names.some((name) => RESULTS.includes(name))),
);
/** Payments less receipts: a filer gives them with the sign of their name or with that of the cash. */
const NET = /^(?:PaymentsForProceedsFrom|IncreaseDecreaseIn)/;
/** Each section twice: its net payments as their name says, and as cash. */
const SECTION_SUMS = SECTIONS.flatMap((section) =>
  ([-1, 1] as const).map((netSign): readonly Part[] => [
    { names: section.totals, sign: -1, isOptional: false },
    ...section.in.map((names) => ({ names: names.split("|"), sign: 1, isOptional: true }) as const),
    ...section.out.map((names) => {
      const sign = NET.test(names) ? netSign : -1;
      return { names: names.split("|"), sign, isOptional: true } as const;
    }),
  ]),
);

const isTag = (name: string): boolean => /^[A-Z]/.test(name);
/** Every tag that the sums name. */
export const SIGN_TAGS: readonly string[] = STATEMENT_SUMS.flatMap((parts) =>
  parts.flatMap(({ names }) => names.filter(isTag)),
);

/** Tags beside the lines that are positive by their definition. */
const CHARGE_TAG =
  /^(?:Payments(?!ForProceedsFrom)|Repayments|Depreciation|ShareBasedCompensation$|(?!IncreaseDecrease).*(?:Payable|Borrowings|Debt|Liability|Liabilities)Current$|LiabilitiesNoncurrent$)/;
/** Lines of either sign on the side of the balance sheet whose total is filed as a credit. */
const EQUITIES: readonly string[] = ["total_equity", "parent_equity", "noncontrolling_interest"];
const TOTAL = "liabilities_and_equity";

/** Preferred dividends and rounding lie between income and earnings per share × shares. */
// An income of 100 beside 95 by share is the same; beside 80 it is another.
const [INCOME_SLACK, CENT_SLACK] = [0.1, 0.0051];

/** Of more lines only all are tried together: some of them may fit a sum by chance. */
// Made up: with six negative costs, those of 3 and 4 may fill a gap that one of 7 made.
const PICKED_MAX = 4;

/** Verdict of one sum on the lines in it that may be reversed. */
interface Saying {
  /** All of its lines: they are reversed together or not at all. */
  readonly bound: readonly Cell[];
  /** Lines that must keep their sign, and that must be reversed. */
  readonly kept: readonly Cell[];
  readonly reversed: readonly Cell[];
}

/** The figures of one filing for one period, by line. */
class Statement {
  readonly #byLine = new Map<string, Chosen>();
  readonly kept = new Set<Cell>();
  readonly reversed = new Set<Cell>();
  constructor(
    readonly column: Column,
    readonly figures: readonly Chosen[],
  ) {
    for (const figure of figures) this.#byLine.set(figure.spec.line, figure);
  }

  /** Decides about each line that may be reversed, by all sums together. */
  solve(): void {
    if (!this.figures.some((figure) => this.#isFree(figure.cell, figure.spec.line))) return;
    const sayings = [...STATEMENT_SUMS, ...SECTION_SUMS].flatMap((parts) => this.#saying(parts) ?? []);
    for (const { kept } of sayings) for (const cell of kept) this.kept.add(cell);
    const isOpen = (cell: Cell) => !this.kept.has(cell);
    const contradicted = sayings.filter(({ reversed }) => !reversed.every(isOpen));
    for (const saying of sayings)
      if (!contradicted.includes(saying)) for (const cell of saying.reversed) this.reversed.add(cell);
    // A sum over reversed lines alone may bind further ones to them.
    for (let count = -1; count !== this.reversed.size; ) {
      count = this.reversed.size;
      for (const { bound } of sayings)
        if (bound.some((cell) => this.reversed.has(cell)) && bound.every(isOpen))
          for (const cell of bound) this.reversed.add(cell);
    }
    for (const { reversed } of contradicted) for (const cell of reversed) this.kept.delete(cell);
    this.#reverseSide();
  }

  /**
   * The results with which the sums close only when they are reversed. Made up: gross profit of 90 less
   * expenses of 50 beside an operating income of -40; where -40 less interest of 5 is the -45 before tax, one
   * sum stands against the other and none is in doubt.
   */
  contradicted(): readonly Chosen[] {
    const slack = SUM_SLACK_UNITS * this.column.filing.rounding;
    const isOff = new Map<string, boolean>(this.#isIncomeByShare() ? [["net_income", false]] : []);
    for (const parts of RESULT_SUMS) {
      const terms = this.#termsOf(parts);
      if (!terms) continue;
      const amounts = terms.map(({ name, cell, sign }) => ({
        name,
        amount: (this.reversed.has(cell) ? -sign : sign) * cell.value,
      }));
      const off = amounts.reduce((sum, { amount }) => sum + amount, 0);
      const results = amounts.filter(
        ({ name, amount }) => RESULTS.includes(name) && Math.abs(amount) > slack,
      );
      const closing = results.filter(({ amount }) => Math.abs(off - 2 * amount) <= slack);
      if (Math.abs(off) <= slack) for (const { name } of results) isOff.set(name, false);
      else if (closing.length === 1) for (const { name } of closing) isOff.set(name, isOff.get(name) ?? true);
    }
    return this.figures.filter(({ spec }) => isOff.get(spec.line));
  }

  #cellOf(name: string): Cell | undefined {
    const cell = isTag(name) ? this.column.tags.get(name)?.in(this.column) : this.#byLine.get(name)?.cell;
    return cell && !Number.isNaN(cell.value) ? cell : undefined;
  }

  /** Whether the sums may decide that a figure has the opposite sign. */
  #isFree({ value }: Cell, name: string): boolean {
    // Made up: 60 before tax of 12 and 48 after it, typed in each other's line beside 4.8 a share of 10: the
    // sum says nothing about the tax.
    if (name === "income_tax_expense") return value !== 0 && this.#isIncomeByShare() !== false;
    if (EQUITIES.includes(name)) return (this.#cellOf(TOTAL)?.value ?? 0) < 0;
    return value < 0 && (this.#byLine.get(name)?.spec.isCharge ?? CHARGE_TAG.test(name));
  }

  /** Whether net income is that of earnings per share; null where they are not given. */
  #isIncomeByShare(): boolean | null {
    const income = this.#cellOf("net_income")?.value;
    for (const kind of ["diluted", "basic"]) {
      const each = this.#cellOf(`eps_${kind}`)?.value;
      const count = this.#cellOf(`weighted_average_shares_${kind}`)?.value;
      if (income === undefined || each === undefined || count === undefined) continue;
      return Math.abs(income - each * count) <= INCOME_SLACK * Math.abs(income) + CENT_SLACK * count;
    }
    return null;
  }

  /** The parts of a sum that the filing has; null where it lacks one that is needed. */
  #termsOf(parts: readonly Part[]) {
    const terms: { readonly name: string; readonly cell: Cell; readonly sign: 1 | -1 }[] = [];
    for (const { names, sign, isOptional } of parts) {
      const name = names.find((one) => this.#cellOf(one) !== undefined);
      const cell = name && this.#cellOf(name);
      if (cell && name) terms.push({ name, cell, sign });
      else if (!isOptional) return null;
    }
    return terms;
  }

  /** Returns the verdict of a sum; null where it lacks a part, or has no line to decide about. */
  #saying(parts: readonly Part[]): Saying | null {
    const slack = SUM_SLACK_UNITS * this.column.filing.rounding;
    let off = 0;
    const free: { readonly cell: Cell; readonly shift: number }[] = [];
    const terms = this.#termsOf(parts);
    if (!terms) return null;
    for (const { name, cell, sign } of terms) {
      off += sign * cell.value;
      const shift = -2 * sign * cell.value;
      if (this.#isFree(cell, name) && Math.abs(shift) > slack) free.push({ cell, shift });
    }
    if (free.length === 0) return null;
    const closes = (some: typeof free) =>
      Math.abs(some.reduce((sum, { shift }) => sum + shift, off)) <= slack;
    const picked = free.length > PICKED_MAX ? [[], free] : subsets(free);
    const closing = picked.filter(closes);
    const cells = (some: typeof free) => some.map(({ cell }) => cell);
    const [first, second] = closing;
    if (closing.length === 2 && first?.length === 0 && second?.length === free.length)
      return { bound: cells(free), kept: [], reversed: [] };
    if (!first || closing.length > 1) return null;
    const rest = free.filter((one) => !first.includes(one));
    return { bound: [], kept: cells(rest), reversed: cells(first) };
  }

  /**
   * Reverses the rest of a side of the balance sheet that is filed as credits, as its total and a part of it
   * are. Made up: liabilities and equity of -900, liabilities of -600 and payables of -50; assets are 900.
   */
  #reverseSide(): void {
    const isReversed = (name: string) => this.reversed.has(this.#cellOf(name) as Cell);
    if (!isReversed(TOTAL)) return;
    const side = this.figures.filter(({ spec }) => spec.isCharge || isOfEquity(spec.line));
    const charges = side.filter(({ spec, value }) => spec.isCharge && value !== 0);
    const isWhole = charges.length > 1 && charges.every(({ value }) => value < 0);
    if (!isWhole && !["total_liabilities", "total_equity"].some(isReversed)) return;
    for (const { spec, cell, value } of side)
      if (!this.kept.has(cell) && (spec.isCharge ? value < 0 : isWhole)) this.reversed.add(cell);
  }
}

const isOfEquity = (line: string): boolean => line === "retained_earnings" || EQUITIES.includes(line);

/** Every way to take some of the items, none first and all last. */
function subsets<T>(items: readonly T[]): T[][] {
  const [first, ...rest] = items;
  if (first === undefined) return [[]];
  const others = subsets(rest);
  return [...others, ...others.map((one) => [first, ...one])];
}

/**
 * Reverses figures of a report that is filed with the opposite sign: those for which the sums of their
 * statement close only so. A negative cost, payment or liability that no sum explains is marked unproven.
 */
export function settleSigns({ figures }: Report): void {
  for (const [column, own] of Map.groupBy(figures, ({ cell }) => cell.column)) {
    const statement = new Statement(column, own);
    statement.solve();
    for (const figure of statement.contradicted()) figure.isContradicted = true;
    for (const figure of own)
      if (statement.reversed.has(figure.cell)) figure.reverse();
      else if (figure.spec.isCharge && figure.value < 0)
        figure.isSignUnproven = !statement.kept.has(figure.cell);
  }
}
