// Queries, bodies and answers of the financial routes: validation, types and documentation in one place.
import { type Static, Type } from "@sinclair/typebox";
import { BULK_TICKERS_MAX, QUARTERS_MAX } from "../../limits.ts";
import { bulkAnswer, integerOrNull, numberOrNull, orNull, textOrNull } from "../../market/answer-fields.ts";
import {
  asOfFields,
  flag,
  formatField,
  oneOf,
  spanBody,
  spanQuery,
  tickerArray,
  tickerField,
} from "../../market/params.ts";
import { BalanceRow, CashFlowRow, IncomeRow, Metric } from "./schema-rows.ts";

/** Options other than the ticker and the span. */
const choices = {
  period_type: Type.Optional(
    oneOf(
      ["quarterly", "annual", "all", "ttm"],
      "Kind of periods: quarters (cash flows also for the year to date; the balance sheet of a year's end as that of the fourth quarter), fiscal years, or both. ttm, which is not in all: the twelve months to each end of a quarter or year, and the balance sheet of that day; the newest is first. Flows are the last fiscal year less its part up to the same quarter plus this year's part, else four quarters, reported or derived, as in the newest reports; a line is null, with the warning `trailing_not_derived`, where a period was restated and another was not. Those to the end of a year are the year as reported. Figures per share are null, with the warning `trailing_per_share`, unless four reported quarters are on one share basis; average shares always. What the request has no rows of is said in `warnings`.",
      "all",
    ),
  ),
  include_metrics: Type.Optional(flag("Metrics of each period; false: `metrics` is null.", true)),
  include_derived: Type.Optional(
    flag(
      "Adds what follows exactly from reported figures. Quarters that no report gives are rows with `basis` derived: differences of two figures of one vintage (second quarter = six months - first quarter, fourth = year - nine months); a reported quarter has the lines that it lacks from them. Lines that one report gives in parts stand in its row, which names them in `derived_lines`: selling_general_administrative = selling_and_marketing + general_and_administrative, short_term_debt = short_term_borrowings + long_term_debt_current where no other debt of that term is reported, deferred_revenue_total = deferred_revenue + deferred_revenue_noncurrent, depreciation_amortization = depreciation + amortization or amortization_of_intangible_assets. Only where the statement then closes also operating, investing and financing cash flow = continuing + discontinued, total_equity = parent_equity + noncontrolling_interest, parent_equity = total_equity - noncontrolling_interest. Without this option such a line is null with the warning `derivable`; metrics use it either way. Shares and per-share figures are never derived.",
    ),
  ),
  include_sources: Type.Optional(flag("Adds to each row the tag and the report of each figure, by item.")),
  adjusted: Type.Optional(
    flag(
      "Scales share counts and per-share figures by the splits between their report and today, or between their report and `as_of`, to the same basis as prices: `split_basis` of each row is then that day. A figure is null, with the warning `not_adjusted`, where a split's ratio or day is not known for certain. Metrics do not change. Default: as reported.",
    ),
  ),
  vintage: Type.Optional(
    oneOf(
      ["latest", "first"],
      "Which periodic report that states a period is shown: the newest (with restatements) or the first that presents it as a whole. A period of which reports give only a few figures is the first of them, with the warning `statement_in_part`.",
      "latest",
    ),
  ),
  ...asOfFields(
    "Answers with what was on file at this time: a date (the end of that day in New York) or an RFC 3339 instant with zone. A report counts from the moment the SEC made it public. Default: everything on file.",
  ),
  force_refresh: Type.Optional(
    flag("Reads the figures and the company at their sources again, whatever is stored."),
  ),
};

export const FinancialQuery = Type.Object({
  ...spanQuery,
  ...choices,
  format: formatField(
    "Shape of the answer; ndjson, csv, parquet and records have one row per reported figure with its receipt (tag, accession number, filing date), without metrics and without lines that are null. The Accept header has the same effect.",
  ),
});

const span = {
  ...spanBody,
  quarters: Type.Optional(
    Type.Array(Type.String({ pattern: "^\\d{4}Q[1-4]$" }), {
      minItems: 1,
      maxItems: QUARTERS_MAX,
      description:
        "FISCAL quarters such as 2026Q1: labelled as the company labels its years (`fiscal_year` of the rows). The fourth quarter includes the fiscal year that ends with it. A label that none of the company's rows has means the calendar quarter.",
      examples: [["2026Q1", "2026Q2"]],
    }),
  ),
};

export const FinancialDataRequest = Type.Object({ ticker: tickerField(), ...span, ...choices });

export const BulkFinancialDataRequest = Type.Object({
  tickers: tickerArray(BULK_TICKERS_MAX),
  ...span,
  ...choices,
});

/** The options of a request, from a query or a body. */
export type FinancialOptions = Omit<Static<typeof FinancialDataRequest>, "ticker">;

const Company = Type.Object(
  {
    name: textOrNull("The SEC's name of the company."),
    cik: textOrNull("The SEC's number of the filer, ten digits."),
    sector: textOrNull("The price provider's; never a placeholder."),
    industry: textOrNull("The price provider's; never a placeholder."),
    description: textOrNull("What the company does."),
    exchange: textOrNull("Exchange in the SEC's list."),
    country: textOrNull("Country of the head office."),
    market_cap: numberOrNull(
      "Current market value as the price provider reports it, in whole units of market_cap_currency of GET /company/{ticker}; null under as_of, since past values are not available.",
    ),
    website: textOrNull("Address of its website."),
    employees: integerOrNull("Full-time employees; null under as_of."),
    fiscal_year_end: textOrNull("Last day of the fiscal year, MM-DD."),
    sic: textOrNull("Standard Industrial Classification code."),
    sic_description: textOrNull("Meaning of that code."),
  },
  {
    description:
      "The company behind the ticker. With as_of as this service had recorded it by then; the name is otherwise the one that the SEC dates to that day, and what was not recorded is null. Present even when the statements fail; a field is null when its source could not be asked.",
  },
);
export type CompanyBlock = Static<typeof Company>;

const coverage = (description: string) =>
  Type.Object(
    {
      from: textOrNull("End of the first available period."),
      to: textOrNull("End of the last available period."),
      gaps: Type.Array(
        Type.Object({
          after: Type.String({ description: "End of the last period before the gap, YYYY-MM-DD." }),
          before: Type.String({ description: "End of the first period after it, YYYY-MM-DD." }),
        }),
        { description: "Stretches of more than 400 days without any period." },
      ),
      sources: Type.Array(oneOf(["xbrl", "ex27"], "A source of figures."), {
        description: "Sources of its figures: XBRL, or the schedules of 1993 to 2001 (ex27).",
      }),
    },
    { description },
  );

const Warning = Type.Object({
  code: Type.String({
    description:
      "Kind of warning, stable: suspect_scale, revenue_in_doubt, line_has_other_tag, presentation_not_read, presentation_none, presentation_unavailable, no_figures, …",
  }),
  line: textOrNull("The line that it is about; null: no single line."),
  period_end: textOrNull("Last day of the period that it is about, YYYY-MM-DD; null: no single period."),
  accession_number: textOrNull("The report that it is about; null: no single report."),
  detail: Type.String({ description: "The warning as a sentence, as in `warnings`." }),
});

const AMOUNTS =
  "Amounts are whole units of the row's `currency` (never thousands or millions), per-share figures are units of it per share.";

export const FinancialDataResponse = Type.Object({
  ticker: Type.String({ description: "As you sent it." }),
  company: Company,
  period_type: oneOf(["quarterly", "annual", "all", "ttm"], "As requested."),
  start_date: textOrNull(
    "First day of the requested span, with `quarters` of the first of these fiscal quarters; for all history the end of the first period in the answer, null when the answer is empty.",
  ),
  end_date: Type.String({
    description: "Last day of the span, with `quarters` of the last of these fiscal quarters.",
  }),
  currency: textOrNull("Currency of the newest statement, ISO 4217; every row has its own."),
  income_statement: Type.Array(IncomeRow, {
    description: `Newest period first. ${AMOUNTS}`,
  }),
  balance_sheet: Type.Array(BalanceRow, { description: `Newest first. ${AMOUNTS}` }),
  cash_flow: Type.Array(CashFlowRow, {
    description: `Newest period first. Cash flows of the second and third quarter are reported for the year to date: see period_months. ${AMOUNTS}`,
  }),
  metrics: orNull(
    Type.Array(Metric, { description: "Newest period first; null with include_metrics=false." }),
  ),
  coverage: Type.Object(
    {
      income_statement: coverage("Coverage of income statements."),
      balance_sheet: coverage("Coverage of balance sheets."),
      cash_flow: coverage("Coverage of cash flow statements."),
    },
    { description: "The periods available for each statement, whatever span was requested." },
  ),
  vintage: oneOf(["latest", "first"], "As requested."),
  as_of: textOrNull("The requested moment, RFC 3339 UTC; null: now."),
  acceptance_pending: Type.Integer({
    description:
      "Only with as_of above 0: reports that may have been public at that moment, whose headers could not be read for this answer. They are left out; ask again.",
  }),
  data_source: Type.Literal("sec", { description: "All figures are the SEC's." }),
  cached: Type.Boolean({ description: "True when this answer caused no request to the SEC for figures." }),
  last_updated: textOrNull("When the figures were last read at the SEC, RFC 3339 UTC; null: never."),
  warnings: Type.Array(Type.String(), {
    description:
      "What is missing, withheld or outdated, and why: the `detail` of each of `warning_details`, each once.",
  }),
  warning_details: Type.Array(Warning, {
    description:
      "The same warnings as data. With as_of only those about reports that were public then. A figure that a later report mends is not named any more.",
  }),
  errors: Type.Object(
    {
      financials: Type.Optional(
        Type.String({
          description: "Why the figures could not be brought up to date; stored ones are served.",
        }),
      ),
      price: Type.Optional(
        Type.String({
          description:
            "Why the price provider gave no closes for the ratios, or that it took too long; stored closes are used.",
        }),
      ),
    },
    { description: "Empty when nothing failed." },
  ),
});
export type FinancialDataResponse = Static<typeof FinancialDataResponse>;

export const BulkFinancialDataResponse = bulkAnswer(FinancialDataResponse);
export type BulkFinancialDataResponse = Static<typeof BulkFinancialDataResponse>;
