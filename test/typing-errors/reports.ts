// Made-up reports of a company over three years, and typing errors in the newest ones. The errors were
// written down before the rules that should find them were read.
import type { MadeFigure, MadeFiling } from "../support/company-facts.ts";

const ENDS = ["03-31", "06-30", "09-30", "12-31"] as const;
const STARTS = ["01-01", "04-01", "07-01", "10-01"] as const;
const FILED = ["05-06", "08-05", "11-04"] as const;
const SHARES = 100e6;

/** Amounts of a quarter, which grow by a hundredth from one quarter to the next. */
function flowsOf(quarters: number, nth: number) {
  const amount = (base: number) => {
    let total = 0;
    for (let i = 0; i < quarters; i++) total += Math.round(base * (1 + (nth - i) / 100)) * 1_000;
    return total;
  };
  const [revenue, cost, research, administration] = [821_400, 492_800, 61_300, 118_700].map(amount);
  const [interest, tax] = [9_400, 27_600].map(amount);
  const gross = (revenue ?? 0) - (cost ?? 0);
  const expenses = (research ?? 0) + (administration ?? 0);
  const operating = gross - expenses;
  const before = operating - (interest ?? 0);
  const net = before - (tax ?? 0);
  return { revenue, cost, research, administration, interest, tax, gross, expenses, operating, before, net };
}

function incomeOf(quarters: number, nth: number, start: string, end: string): MadeFigure[] {
  const made = flowsOf(quarters, nth);
  const diluted = SHARES * 1.02;
  const rows: readonly (readonly [string, number | undefined])[] = [
    ["Revenues", made.revenue],
    ["CostOfRevenue", made.cost],
    ["GrossProfit", made.gross],
    ["ResearchAndDevelopmentExpense", made.research],
    ["SellingGeneralAndAdministrativeExpense", made.administration],
    ["OperatingExpenses", made.expenses],
    ["OperatingIncomeLoss", made.operating],
    ["InterestExpense", made.interest],
    [
      "IncomeLossFromContinuingOperationsBeforeIncomeTaxesExtraordinaryItemsNoncontrollingInterest",
      made.before,
    ],
    ["IncomeTaxExpenseBenefit", made.tax],
    ["NetIncomeLoss", made.net],
    ["EarningsPerShareBasic", Number((made.net / SHARES).toFixed(2))],
    ["EarningsPerShareDiluted", Number((made.net / diluted).toFixed(2))],
    ["WeightedAverageNumberOfSharesOutstandingBasic", SHARES],
    ["WeightedAverageNumberOfDilutedSharesOutstanding", diluted],
  ];
  return rows.map(([tag, value]) => [tag, value ?? 0, start, end]);
}

/** Cash of the end of a quarter: that of the beginning, and what the year has brought so far. */
const cashOf = (nth: number): number => (310_000 + 4_000 * nth) * 1_000;

function cashFlowOf(quarters: number, nth: number, start: string, end: string): MadeFigure[] {
  const { net } = flowsOf(quarters, nth);
  const depreciation = 38_200_000 * quarters;
  const compensation = 14_100_000 * quarters;
  const operating = net + depreciation + compensation;
  const investing = -52_300_000 * quarters;
  const change = cashOf(nth) - cashOf(nth - quarters);
  const rows: readonly (readonly [string, number])[] = [
    ["DepreciationDepletionAndAmortization", depreciation],
    ["ShareBasedCompensation", compensation],
    ["NetCashProvidedByUsedInOperatingActivities", operating],
    ["PaymentsToAcquirePropertyPlantAndEquipment", 47_300_000 * quarters],
    ["NetCashProvidedByUsedInInvestingActivities", investing],
    ["PaymentsOfDividends", 20_000_000 * quarters],
    ["PaymentsForRepurchaseOfCommonStock", 31_000_000 * quarters],
    ["NetCashProvidedByUsedInFinancingActivities", change - operating - investing],
    ["CashAndCashEquivalentsPeriodIncreaseDecrease", change],
  ];
  return rows.map(([tag, value]) => [tag, value, start, end]);
}

function balanceOf(nth: number, end: string): MadeFigure[] {
  const cash = cashOf(nth);
  const [receivable, inventory, other] = [412_000_000, 198_000_000, 37_000_000];
  const current = cash + receivable + inventory + other;
  const plant = 1_240_000_000 + 9_100_000 * nth;
  const assets = current + plant + 350_000_000;
  const liabilities = 1_131_000_000;
  const rows: readonly (readonly [string, number])[] = [
    ["CashAndCashEquivalentsAtCarryingValue", cash],
    ["AccountsReceivableNetCurrent", receivable],
    ["InventoryNet", inventory],
    ["AssetsCurrent", current],
    ["PropertyPlantAndEquipmentNet", plant],
    ["Goodwill", 350_000_000],
    ["Assets", assets],
    ["AccountsPayableCurrent", 233_000_000],
    ["LiabilitiesCurrent", 471_000_000],
    ["LongTermDebtNoncurrent", 620_000_000],
    ["Liabilities", liabilities],
    ["RetainedEarningsAccumulatedDeficit", assets - liabilities - 405_000_000],
    ["StockholdersEquity", assets - liabilities],
    ["LiabilitiesAndStockholdersEquity", assets],
  ];
  return rows.map(([tag, value]) => [tag, value, null, end]);
}

/** A report of the nth quarter since 2023; the fourth of a year is the year's. */
function reportOf(nth: number): MadeFiling {
  const [year, quarter] = [2023 + Math.floor(nth / 4), nth % 4];
  const end = `${year}-${ENDS[quarter]}`;
  const from = `${year}-01-01`;
  const [before, beforeFrom] = [`${year - 1}-${ENDS[quarter]}`, `${year - 1}-01-01`];
  const isYear = quarter === 3;
  const filed = isYear ? `${year + 1}-02-18` : `${year}-${FILED[quarter]}`;
  const long = quarter + 1;
  const figures = [
    ...incomeOf(long, nth, from, end),
    ...incomeOf(long, nth - 4, beforeFrom, before),
    ...(isYear || quarter === 0 ? [] : incomeOf(1, nth, `${year}-${STARTS[quarter]}`, end)),
    ...(isYear || quarter === 0 ? [] : incomeOf(1, nth - 4, `${year - 1}-${STARTS[quarter]}`, before)),
    ...cashFlowOf(long, nth, from, end),
    ...cashFlowOf(long, nth - 4, beforeFrom, before),
    ...balanceOf(nth, end),
    ...balanceOf(nth - long, `${year - 1}-12-31`),
  ];
  const cover: MadeFigure = ["dei:EntityCommonStockSharesOutstanding", SHARES + 150_000, null, filed];
  const accn = `0000001234-${filed.slice(2, 4)}-0000${String(10 + nth)}`;
  return { accn, form: isYear ? "10-K" : "10-Q", filed, figures: [...figures, cover] };
}

/** Twelve reports without an error: three of quarters and one of the year, each with the year before. */
export const soundReports: readonly MadeFiling[] = Array.from({ length: 12 }, (_, nth) => reportOf(nth));

const YEAR = ["2025-01-01", "2025-12-31"] as const;
const SIX_MONTHS = ["2025-01-01", "2025-06-30"] as const;
const SECOND_QUARTER = ["2025-04-01", "2025-06-30"] as const;
type Span = typeof YEAR | typeof SIX_MONTHS | typeof SECOND_QUARTER;

/** A typing error: what is typed in place of the figures of these tags for one period in one report. */
export interface ReportError {
  readonly name: string;
  readonly report: "10-K" | "10-Q";
  readonly tags: readonly string[];
  readonly span: Span;
  /** The numbers that are typed, in the order of the tags. */
  readonly typed: (values: readonly number[]) => readonly number[];
}

const times =
  (factor: number) =>
  (values: readonly number[]): readonly number[] =>
    values.map((value) => value * factor);
const swapped = (values: readonly number[]): readonly number[] => values.toReversed();
/** The second and the third digit, of different worth, exchanged: 3,412 becomes 3,142. */
const transposed = (values: readonly number[]): readonly number[] =>
  values.map((value) => {
    const text = String(value);
    return Number(`${text[0]}${text[2]}${text[1]}${text.slice(3)}`);
  });
const fixed = (value: number) => (): readonly number[] => [value];

const BEFORE_TAX =
  "IncomeLossFromContinuingOperationsBeforeIncomeTaxesExtraordinaryItemsNoncontrollingInterest";
const OPERATING = "NetCashProvidedByUsedInOperatingActivities";
const FINANCING = "NetCashProvidedByUsedInFinancingActivities";
const SIDE = [
  ...["AccountsPayableCurrent", "LiabilitiesCurrent", "LongTermDebtNoncurrent", "Liabilities"],
  ...["RetainedEarningsAccumulatedDeficit", "StockholdersEquity", "LiabilitiesAndStockholdersEquity"],
];

const inYear = (
  name: string,
  tags: string | readonly string[],
  typed: ReportError["typed"],
): ReportError => ({
  name,
  report: "10-K",
  tags: typeof tags === "string" ? [tags] : tags,
  span: YEAR,
  typed,
});
const inQuarter = (
  name: string,
  tag: string,
  typed: ReportError["typed"],
  span: Span = SECOND_QUARTER,
): ReportError => ({ ...inYear(name, tag, typed), report: "10-Q", span });

export const reportErrors: readonly ReportError[] = [
  inYear("revenue with the other sign", "Revenues", times(-1)),
  inYear("revenue a thousand times too large", "Revenues", times(1_000)),
  inYear("two digits of revenue exchanged", "Revenues", transposed),
  inYear("cost of revenue with the other sign", "CostOfRevenue", times(-1)),
  inYear("cost of revenue ten times too large", "CostOfRevenue", times(10)),
  inYear(
    "gross profit and operating income in each other's line",
    ["GrossProfit", "OperatingIncomeLoss"],
    swapped,
  ),
  inYear("operating income with the other sign", "OperatingIncomeLoss", times(-1)),
  inYear("interest expense with the other sign", "InterestExpense", times(-1)),
  inYear("income tax with the other sign", "IncomeTaxExpenseBenefit", times(-1)),
  inYear("net income with the other sign", "NetIncomeLoss", times(-1)),
  inYear("net income a thousand times too small", "NetIncomeLoss", times(1 / 1_000)),
  inYear("income before and after tax in each other's line", [BEFORE_TAX, "NetIncomeLoss"], swapped),
  inYear("earnings per share in cents", "EarningsPerShareDiluted", times(100)),
  inYear("earnings per share with the other sign", "EarningsPerShareDiluted", times(-1)),
  inYear("average shares in thousands", "WeightedAverageNumberOfDilutedSharesOutstanding", times(1 / 1_000)),
  inYear(
    "average shares and earnings per share in each other's place",
    ["EarningsPerShareDiluted", "WeightedAverageNumberOfDilutedSharesOutstanding"],
    swapped,
  ),
  inYear("research in millions", "ResearchAndDevelopmentExpense", times(1 / 1_000_000)),
  inYear("a whole side of the balance sheet with the other sign", SIDE, times(-1)),
  inYear("total assets a thousand times too large", "Assets", times(1_000)),
  inYear("two digits of total assets exchanged", "Assets", transposed),
  inYear("liabilities and equity in each other's line", ["Liabilities", "StockholdersEquity"], swapped),
  inYear("a digit of equity left out", "StockholdersEquity", times(1 / 10)),
  inYear("current and total assets in each other's line", ["AssetsCurrent", "Assets"], swapped),
  inYear("cash a hundred times too large", "CashAndCashEquivalentsAtCarryingValue", times(100)),
  inYear("inventory ten times too large", "InventoryNet", times(10)),
  inYear("long-term debt with the other sign", "LongTermDebtNoncurrent", times(-1)),
  inYear("shares of the cover in thousands", "dei:EntityCommonStockSharesOutstanding", times(1 / 1_000)),
  inYear("a placeholder as shares of the cover", "dei:EntityCommonStockSharesOutstanding", fixed(100)),
  inYear("operating cash flow with the other sign", OPERATING, times(-1)),
  inYear("operating and financing cash flow in each other's line", [OPERATING, FINANCING], swapped),
  inYear("capital expenditure with the other sign", "PaymentsToAcquirePropertyPlantAndEquipment", times(-1)),
  inYear("the change in cash with the other sign", "CashAndCashEquivalentsPeriodIncreaseDecrease", times(-1)),
  inYear("depreciation a thousand times too large", "DepreciationDepletionAndAmortization", times(1_000)),
  inQuarter("a quarter's revenue that is the six months'", "Revenues", fixed(flowsOf(2, 9).revenue ?? 0)),
  inQuarter(
    "six months' net income that is the quarter's",
    "NetIncomeLoss",
    fixed(flowsOf(1, 9).net),
    SIX_MONTHS,
  ),
  inYear("the year's net income that is last year's", "NetIncomeLoss", fixed(flowsOf(4, 7).net)),
];

/** The reports with one error in the newest report of its kind. */
export function withError({ report, tags, span, typed }: ReportError): readonly MadeFiling[] {
  const nth = report === "10-K" ? 11 : 9;
  return soundReports.slice(0, nth + 1).map((filing, at) => {
    if (at !== nth) return filing;
    const isMeant = ([tag, , start, end]: MadeFigure) =>
      tags.includes(tag) &&
      (tag.startsWith("dei:") || (end === span[1] && (start === null || start === span[0])));
    const values = tags.map((tag) => filing.figures.find((one) => one[0] === tag && isMeant(one))?.[1] ?? 0);
    const made = typed(values);
    const figures = filing.figures.map((one): MadeFigure => {
      if (!isMeant(one)) return one;
      const [tag, , ...rest] = one;
      return [tag, made[tags.indexOf(tag)] ?? 0, ...rest];
    });
    return { ...filing, figures };
  });
}

/** The sound reports up to the one that has the error. */
export const soundUntil = ({ report }: ReportError): readonly MadeFiling[] =>
  soundReports.slice(0, report === "10-K" ? 12 : 10);
