// Compares served statements with the statements as the filers present them: presence, each figure's line,
// and the lines that a label names without doubt.
import { neededReports } from "../../src/capabilities/financial/statements/places.ts";
import { presenter } from "../../src/capabilities/financial/statements/present.ts";
import type { FigureWarning } from "../../src/providers/edgar/index.ts";
import { normalisedOf } from "./financials-recordings.ts";
import {
  type Column,
  monthOf,
  type PresentedFiling,
  type PresentedLine,
  type Quarter,
  type StatementCode,
} from "./fsds.ts";
import { type Renderings, readPresentations } from "./fsds-rendered.ts";

/** The parts of a served row that are compared. */
export interface ServedRow {
  readonly accession_number: string;
  readonly period_end_date: string;
  readonly period_start_date: string | null;
  readonly period_months: number | null;
  readonly fiscal_year: number | null;
  readonly fiscal_period: string | null;
  readonly sources?: Readonly<
    Record<string, { readonly tag: string; readonly taxonomy: string; readonly accession_number: string }>
  >;
}
/** A figure of a row by the name of its line. */
export const fieldOf = (row: ServedRow, item: string): unknown => Reflect.get(row, item);
export interface ServedStatements extends Readonly<Record<StatementCode, readonly ServedRow[]>> {
  readonly warnings: readonly FigureWarning[];
}

/** Whether a warning says that the figure is filed with the other sign. */
export const isSaidReversed = (served: ServedStatements, row: ServedRow, item: string): boolean =>
  served.warnings.some(
    ({ code, line, period_end, accession_number }) =>
      code === "reversed_sign" &&
      line === item &&
      period_end === row.period_end_date &&
      accession_number === row.accession_number,
  );

const ALL_DAYS = { start: null, end: "9999-12-31" };

/** Asks for the first vintage of everything, as a client does, of a regulator that renders statements so. */
export async function servedStatements(
  company: Quarter["companies"][number],
  filings: ReadonlyMap<string, PresentedFiling>,
  renderings: Renderings,
): Promise<ServedStatements> {
  const noPrices = () => Promise.reject(new Error("no prices are asked for"));
  const present = presenter({ closesOf: noPrices, splitsOf: noPrices, fill: noPrices });
  const { facts } = normalisedOf(company);
  const span = { ...ALL_DAYS, period: null, quarters: null, ranges: [ALL_DAYS] };
  const needed = neededReports(facts, { span, asOf: null, include_derived: false });
  const answer = await present(
    facts,
    {
      span,
      presentations: await readPresentations(needed, filings, renderings),
      asOf: null,
      cik: null,
      choices: { vintage: "first", period_type: "all", include_sources: true, include_metrics: false },
      priced: { why: "No prices are asked for." },
      limit: { within: noPrices },
    },
    new AbortController().signal,
  );
  return {
    IS: answer.income_statement,
    BS: answer.balance_sheet,
    CF: answer.cash_flow,
    warnings: answer.warnings,
  };
}

/** A statement of one period as a filing presents it. */
export interface PresentedStatement {
  readonly filing: PresentedFiling;
  readonly code: StatementCode;
  readonly lines: readonly PresentedLine[];
  readonly column: Column;
}

/**
 * A column with fewer of the statement's lines than this share of its fullest column is no statement of its
 * own.
 */
const COLUMN_SHARE_MIN = 0.6;

/** The columns of a filing's statement that are statements of their own. */
export function presentedStatements(filing: PresentedFiling, code: StatementCode): PresentedStatement[] {
  const lines = (filing.statements.get(code) ?? []).filter((line) => !line.isParenthetical);
  const tags = new Set(lines.map(({ tag }) => tag));
  const fitting = filing.columns.filter(({ quarters }) =>
    code === "BS" ? quarters === 0 : quarters >= 1 && quarters <= 4,
  );
  const filled = fitting.map((column) => ({
    column,
    count: [...column.values.keys()].filter((tag) => tags.has(tag)).length,
  }));
  const most = Math.max(0, ...filled.map(({ count }) => count));
  return filled
    .filter(({ count }) => count > 3 && count >= COLUMN_SHARE_MIN * most)
    .map(({ column }) => ({ filing, code, lines, column }));
}

/** Ends are rounded to a month's end in the data sets, and may be the month before in the other source. */
const isColumnOf = ({ column: { month, quarters } }: PresentedStatement, row: ServedRow): boolean =>
  monthOf(row.period_end_date) === month && (row.period_months ?? 0) === 3 * quarters;

export const servedRow = (statement: PresentedStatement, served: ServedStatements): ServedRow | undefined =>
  served[statement.code].find((row) => isColumnOf(statement, row));

/** A label names a line without doubt: the words a reader would look for, whatever the tag. */
export const LABELS: Readonly<Record<StatementCode, Readonly<Record<string, RegExp>>>> = {
  BS: {
    total_assets: /^total assets$/i,
    current_assets: /^total current assets$/i,
    cash_and_equivalents:
      /^cash(?:,? (?:and|&) (?:temporary )?(?:cash )?(?:equivalents|investments|due from banks|temporary cash investments|short-term investments))?$/i,
    short_term_investments: /^(?:short-term investments|marketable securities, current)$/i,
    accounts_receivable:
      /^(?:(?:trade )?accounts receivable(?:, net)?|receivables(?:, net)?|trade receivables(?:, net)?)\b(?!, other)(?!.*(?:related|securiti|affiliate|unbilled))/i,
    inventory: /^(?:total )?inventor(?:y|ies)(?:, net)?$/i,
    property_plant_equipment:
      /^(?:(?:total )?property, plant,? and equipment(?:, net| - net)?|(?:total )?property and equipment(?:, net| - net)|net property,? plant,? and equipment|net property and equipment)$/i,
    goodwill: /^goodwill(?:, net)?$/i,
    total_liabilities: /^total liabilities$/i,
    current_liabilities: /^total current liabilities$/i,
    accounts_payable: /^(?:trade )?(?:accounts payable|payables)(?:, trade)?$/i,
    short_term_debt:
      /^(?:short-term debt|total short-term debt|notes payable and current (?:portion|maturities) of long-term debt|short-term debt and current .*)$/i,
    long_term_debt:
      /^long-term debt(?:, net|, noncurrent|, less current (?:portion|maturities)|, excluding current .*)?$/i,
    deferred_revenue: /^(?:deferred|unearned) revenues?(?:, current)?$/i,
    total_equity:
      /^total (?:equity|(?:stock|share)(?:holders|owners)['’]? ?equity|(?:stock|share)(?:holders|owners)['’]? (?:equity|\(deficit\)|equity \(deficit\)))$/i,
    retained_earnings:
      /^(?:retained earnings(?: \(accumulated deficit\))?|accumulated deficit|reinvested earnings)$/i,
    noncontrolling_interest: /^non-?controlling interests?$/i,
    liabilities_and_equity: /^total liabilities(?: and|,) .*(?:equity|capital|deficit\)?)$/i,
    deposits: /^total deposits$/i,
  },
  IS: {
    revenue: /^(?:total )?(?:net )?(?:revenues?|sales|net sales|operating revenues?)(?:, net|, total)?$/i,
    cost_of_revenue:
      /^(?:total )?cost of (?:revenues?|sales|goods sold|products sold|net revenues?)(?:, total)?$/i,
    gross_profit: /^gross (?:profit|margin)$/i,
    research_and_development: /^research(?:,| and) development(?: and engineering| expenses?)?$/i,
    selling_general_administrative: /^selling, general(?:,| and|,? &) administrative(?: expenses?)?$/i,
    operating_income:
      /^(?:total )?(?:operating (?:income|profit|earnings)|income from operations|operating income \(loss\)|earnings from operations)$/i,
    operating_expenses: /^total operating expenses$/i,
    costs_and_expenses: /^total costs and expenses$/i,
    interest_expense: /^(?:total )?interest expense$/i,
    income_before_tax:
      /^(?:income|earnings|loss|income \(loss\)|\(loss\) income)(?: from continuing operations)? before (?:provision for |benefit from )?income tax(?:es)?$/i,
    income_tax_expense:
      /^(?:total )?(?:provision for |benefit from |provision for \(benefit from\) |\(benefit from\) provision for )?income tax(?:es)?(?: expense| provision| \(benefit\)| expense \(benefit\))?$/i,
    net_income:
      /^net (?:income|earnings|loss|income \(loss\)|\(loss\) income)(?: \(loss\))? attributable to (?!.*(?:non-?controlling|minority|common|preferred|participating)).*$/i,
    eps_basic:
      /^(?:net (?:income|earnings)|earnings|basic earnings) per (?:common )?share(?:,| -)? ?basic$|^basic earnings per (?:common )?share$/i,
    eps_diluted:
      /^(?:net (?:income|earnings)|earnings|diluted earnings) per (?:common )?share(?:,| -)? ?diluted$|^diluted earnings per (?:common )?share$/i,
    noninterest_income: /^total non-?interest income$/i,
    noninterest_expense: /^total non-?interest expenses?$/i,
    net_interest_income: /^net interest income$/i,
  },
  CF: {
    operating_cash_flow:
      /^(?:total )?(?:net )?cash (?:flows? )?(?:provided by|from|provided by \(used (?:in|for)\)|\(used in\) provided by|used in|used for|\(used in\)\/provided by|provided from)(?: |\/)?.*operating activities$/i,
    investing_cash_flow:
      /^(?:total )?(?:net )?cash (?:flows? )?(?:provided by|from|used in|used for|\(used|provided).*investing activities$/i,
    financing_cash_flow:
      /^(?:total )?(?:net )?cash (?:flows? )?(?:provided by|from|used in|used for|\(used|provided).*financing activities$/i,
    exchange_rate_effect:
      /^(?:effect|impact) of (?:foreign )?(?:currency )?exchange rates?(?: changes)? on cash.*$/i,
    net_change_in_cash:
      /^(?:net )?(?:increase|decrease|change|\(decrease\)|increase \(decrease\)|\(decrease\) increase).* in cash(?!.*(?:collateral|activities|operations|due to)).*$/i,
    capital_expenditure:
      /^(?:capital expenditures|purchases? of property(?:, plant)?,? and equipment|additions to property(?:, plant)?,? and equipment|expenditures for property.*equipment)$/i,
    depreciation_amortization: /^depreciation(?:,| and) .*amortization(?: expense)?$/i,
    stock_based_compensation: /^(?:stock|share|equity)-based compensation(?: expense)?$/i,
  },
};

const PER_SHARE_MAX = 10_000;

/**
 * Returns the figure that a label of the statement names; null when no line or several different ones fit.
 */
export function labelledFigure(
  { lines, column, code }: PresentedStatement,
  item: string,
  labels: typeof LABELS = LABELS,
): { readonly tag: string; readonly value: number } | null {
  const pattern = labels[code][item];
  if (!pattern) return null;
  const isOnlyComprehensive = lines.every(({ isComprehensive }) => isComprehensive);
  const found = new Map<string, number>();
  for (const { tag, label, isComprehensive } of lines) {
    const value = column.values.get(tag);
    if (value === undefined || (isComprehensive && !isOnlyComprehensive)) continue;
    // A line below the heading "earnings per share" may bear it although it counts shares.
    if (item.startsWith("eps_") && Math.abs(value) > PER_SHARE_MAX) continue;
    if (pattern.test(label.trim())) found.set(tag, value);
  }
  const [only] = found;
  return found.size === 1 && only ? { tag: only[0], value: only[1] } : null;
}
