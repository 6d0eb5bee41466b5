// Queries, bodies and answers of the financial routes: the check, the types and the documentation in one place.
import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { BULK_TICKERS_MAX, QUARTERS_MAX } from "../../limits.ts";
import { bulkAnswer } from "../../market/answer-fields.ts";
import {
  asOfField,
  flag,
  oneOf,
  spanBody,
  spanQuery,
  tickerArray,
  tickerField,
} from "../../market/params.ts";
import { BalanceRow, CashFlowRow, IncomeRow, Metric } from "./schema-rows.ts";

const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const text = (description: string) => orNull(Type.String({ description }));

export const TickerPath = Type.Object({ ticker: tickerField() });

/** What a client may say beside the ticker and the span of time. */
const choices = {
  period_type: Type.Optional(
    oneOf(
      ["quarterly", "annual", "all"],
      "Which periods: quarters (and the year to date of cash flows), fiscal years, or both.",
      "all",
    ),
  ),
  include_metrics: Type.Optional(flag("Metrics of each period; false: `metrics` is null.", true)),
  include_derived: Type.Optional(
    flag(
      "Adds rows with `basis` derived: exact differences of two reported figures of one vintage (second quarter = six months - first quarter, fourth = year - nine months). Never of shares or figures per share.",
    ),
  ),
  include_sources: Type.Optional(
    flag("Adds to each row, by item, the tag and the report each figure was read from."),
  ),
  vintage: Type.Optional(
    oneOf(
      ["latest", "first"],
      "Of the periodic reports that state a period, the newest (with its restatements) or the first.",
      "latest",
    ),
  ),
  as_of: Type.Optional({
    ...asOfField,
    description:
      "Answer with what was on file then: a date (the end of that day in New York) or an RFC 3339 instant with zone. A report counts from the moment the SEC made it public. Default: everything on file.",
  }),
  force_refresh: Type.Optional(
    flag("Read the figures at the SEC again, and ask again who the company is, whatever is stored."),
  ),
};

export const FinancialQuery = Type.Object({ ...spanQuery, ...choices });

const span = {
  ...spanBody,
  quarters: Type.Optional(
    Type.Array(Type.String({ pattern: "^\\d{4}Q[1-4]$" }), {
      minItems: 1,
      maxItems: QUARTERS_MAX,
      description:
        "FISCAL quarters such as 2026Q1: the year is the calendar year in which the company's fiscal year ends. The fourth quarter brings the fiscal year that ends with it. A label none of the company's rows bears is read as the calendar quarter.",
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

/** What the routes take, whichever way it came. */
export type FinancialOptions = Omit<Static<typeof FinancialDataRequest>, "ticker">;

const Company = Type.Object(
  {
    name: text("As the SEC has it."),
    cik: text("The SEC's number of who files, ten digits."),
    sector: text("As the price provider has it; never a placeholder."),
    industry: text("As the price provider has it; never a placeholder."),
    description: text("What the company does."),
    exchange: text("As the SEC lists it."),
    country: text("Country of the head office."),
    market_cap: orNull(
      Type.Number({
        description:
          "As the price provider reports it, of now, whole units of the currency GET /company/{ticker} names as market_cap_currency; null under as_of, since the past cannot be asked.",
      }),
    ),
    website: text("Address of its website."),
    employees: orNull(Type.Integer({ description: "Full-time employees." })),
    fiscal_year_end: text("Last day of the fiscal year, MM-DD."),
    sic: text("Standard Industrial Classification code."),
    sic_description: text("What that code stands for."),
  },
  {
    description:
      "Who is behind the ticker, as known now (also under as_of). Kept whatever fails of the statements; fields are null when their source could not be asked.",
  },
);
export type CompanyBlock = Static<typeof Company>;

const coverage = (description: string) =>
  Type.Object(
    {
      from: text("End of the first period there is."),
      to: text("End of the last period there is."),
      gaps: Type.Array(
        Type.Object({
          after: Type.String({ description: "End of the last period before the gap, YYYY-MM-DD." }),
          before: Type.String({ description: "End of the first period after it, YYYY-MM-DD." }),
        }),
        { description: "Stretches of more than 400 days in between of which there is nothing." },
      ),
      sources: Type.Array(oneOf(["xbrl", "ex27"], "A source of its figures."), {
        description: "Where its figures come from: XBRL, or the schedules of 1993 to 2001 (ex27).",
      }),
    },
    { description },
  );

const AMOUNTS =
  "Amounts are whole units of the row's `currency` (never thousands or millions), figures per share units of it a share.";

export const FinancialDataResponse = Type.Object({
  ticker: Type.String({ description: "As you sent it." }),
  company: Company,
  period_type: oneOf(["quarterly", "annual", "all"], "As asked for."),
  start_date: text(
    "First day of the span asked for; of all history the end of the first period in the answer, null when it is empty.",
  ),
  end_date: Type.String({ description: "Last day of the span." }),
  currency: text("What the newest statement is reported in, ISO 4217; every row has its own."),
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
      income_statement: coverage("Of income statements."),
      balance_sheet: coverage("Of balance sheets."),
      cash_flow: coverage("Of cash flow statements."),
    },
    { description: "From when to when there is anything of each statement, whatever span was asked for." },
  ),
  vintage: oneOf(["latest", "first"], "As asked for."),
  as_of: text("The moment asked for, RFC 3339 UTC; null: now."),
  data_source: Type.Literal("sec", { description: "All figures are the SEC's." }),
  cached: Type.Boolean({ description: "True when the SEC was not asked for figures for this answer." }),
  last_updated: text("When the figures were last read at the SEC, RFC 3339 UTC; null: never."),
  warnings: Type.Array(Type.String(), { description: "What is missing, withheld or old, and why." }),
  errors: Type.Object(
    {
      financials: Type.Optional(
        Type.String({ description: "Why the SEC gave no figures; what is stored is served." }),
      ),
      price: Type.Optional(Type.String({ description: "Why stored prices could not be read." })),
    },
    { description: "Empty when all is well." },
  ),
});
export type FinancialDataResponse = Static<typeof FinancialDataResponse>;

export const BulkFinancialDataResponse = bulkAnswer(FinancialDataResponse);
export type BulkFinancialDataResponse = Static<typeof BulkFinancialDataResponse>;
