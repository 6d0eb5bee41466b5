// Queries and answers of the insider routes: the check, the types and the documentation in one place.
import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { INSIDER_DAYS_MAX, INSIDER_FETCH_DAYS } from "../../limits.ts";
import { listFields } from "../../market/answer-fields.ts";
import {
  asOfField,
  dateField,
  flag,
  forceRefresh,
  formatField,
  oneOf,
  tickerField,
  wholeNumber,
} from "../../market/params.ts";

const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const text = (description: string) => orNull(Type.String({ description }));
const date = (description: string) => orNull(Type.String({ format: "date", description }));
const figure = (description: string) => orNull(Type.Number({ description }));
const perhaps = (description: string) => orNull(Type.Boolean({ description }));

const VISIBLE =
  "Only what anybody could have read at that moment: a date (the end of that day in New York) or an RFC 3339 instant with zone.";
const asOf = { ...asOfField, description: `${VISIBLE} Default: now.` };

const TYPES = ["buy", "sell", "award", "exercise", "gift", "tax", "other"] as const;

const limit = Type.Optional(wholeNumber("Rows at most.", { minimum: 1, maximum: 1_000, default: 100 }));
const offset = Type.Optional(wholeNumber("Rows to skip.", { minimum: 0, maximum: 1_000_000, default: 0 }));
const buyOnly = (preset: boolean) =>
  Type.Optional(
    flag(
      "Only open-market purchases, code P. Awards (code A) and everything else are left out of every figure.",
      preset,
    ),
  );
const force = Type.Optional({
  ...forceRefresh,
  description: "Read the company's list at the SEC again, and once more what could not be read.",
});
const windowDays = (preset: number) =>
  Type.Optional(
    wholeNumber("Trades of so many days up to as_of, by the day of the trade.", {
      minimum: 1,
      maximum: INSIDER_DAYS_MAX,
      default: preset,
    }),
  );

export const SymbolPath = Type.Object({ symbol: tickerField() });
export const TickerPath = Type.Object({ ticker: tickerField() });
export const DatePath = Type.Object({ date: dateField("Filing date.") });

export const TransactionsQuery = Type.Object({
  days: Type.Optional(
    wholeNumber("Trades of so many days up to as_of, by the day of the trade.", {
      minimum: 1,
      maximum: INSIDER_DAYS_MAX,
      default: 365,
    }),
  ),
  transaction_type: Type.Optional(oneOf(TYPES, "Only trades of this kind.")),
  as_of: Type.Optional(asOf),
  limit,
  offset,
});

export const SummaryQuery = Type.Object({ as_of: Type.Optional(asOf) });

export const Form4Query = Type.Object({
  as_of: { ...asOfField, description: VISIBLE },
  window_days: windowDays(INSIDER_FETCH_DAYS),
  buy_only: buyOnly(false),
  force_refresh: force,
  limit,
  offset,
});

export const ByDateQuery = Type.Object({
  buy_only: buyOnly(false),
  as_of: Type.Optional({
    ...asOfField,
    description: `${VISIBLE} Default: the end of the day asked, so that later amendments change nothing.`,
  }),
  limit: Type.Optional(wholeNumber("Rows at most.", { minimum: 1, maximum: 10_000, default: 1_000 })),
  offset,
  format: Type.Optional({
    ...formatField,
    description:
      "Shape of the answer; ndjson, csv and parquet have one row per trade. The Accept header does the same.",
  }),
});

export const AggregateQuery = Type.Object({
  window_days: windowDays(90),
  as_of: Type.Optional(asOf),
  buy_only: Type.Optional(
    flag(
      "true: only open-market purchases, code P, in every figure. false: every acquisition whatever its code, awards and exercises too; disposals never count.",
      true,
    ),
  ),
  force_refresh: force,
});

export const Transaction = Type.Object({
  accession_number: Type.String({ description: "The SEC's number of the filing, dashed." }),
  line: Type.Integer({
    description: "Place in the filing, from 1: with accession_number it names the trade.",
  }),
  form_type: Type.String({ description: "3, 4, 5, or with /A an amendment." }),
  filing_date: Type.String({ format: "date", description: "The SEC's date of filing." }),
  accepted_at: text("When the SEC accepted it, RFC 3339 UTC; null where only the day is known."),
  transaction_date: date("Day of the trade."),
  ticker: text("As you sent it; across companies the main symbol of the issuer today, null without one."),
  issuer_name: Type.String({ description: "The company, as filed." }),
  issuer_cik: Type.String({ description: "Ten digits." }),
  issuer_trading_symbol: text("As the filer wrote it: free text, a hint only."),
  owner_name: Type.String({ description: "The first who reports." }),
  owner_cik: text("Ten digits."),
  owner_relationship: Type.String({
    description:
      'Of the first owner: "director, officer: Chief Executive Officer", "10% owner"; empty where nothing is ticked.',
  }),
  officer_title: text("Of the first owner."),
  is_director: Type.Boolean({ description: "Of any owner who reports the trade; likewise the flags below." }),
  is_officer: Type.Boolean({ description: "An officer of the company." }),
  is_ten_percent_owner: Type.Boolean({ description: "Owns more than 10 percent of a class." }),
  is_ceo: perhaps("Chief executive of the issuer; null where an officer's title is not told."),
  is_cfo: perhaps("Chief financial officer; null where an officer's title is not told."),
  is_c_suite: perhaps("A chief officer or the president; null where an officer's title is not told."),
  security_title: text("As filed."),
  security_type: oneOf(["non_derivative", "derivative"], "Table I or Table II of the form."),
  transaction_code: text(
    "The form's code: P open-market purchase, S sale, A award, M exercise, F tax, G gift, …",
  ),
  transaction_type: oneOf(TYPES, "Kind of trade, by the code alone."),
  acquired_disposed: text("A acquired, D disposed of."),
  shares: figure("Shares of the company, or number of derivatives, as filed: not adjusted for later splits."),
  price_per_share: figure("US dollars as filed; 0 is a reported zero, null where the form tells none."),
  transaction_value: figure(
    "US dollars: shares times price; null where one is missing, and for code P or S at price 0.",
  ),
  shares_owned_after: figure(
    "Shares (or derivatives) held after the trade, as filed: not adjusted for later splits.",
  ),
  purchase_pct_of_holding: figure(
    "Of purchases: percent points (5 is 5 %) by which all purchases of the same pocket in this filing raised what was held before, the same on each of them; null when nothing was held.",
  ),
  ownership_nature: text("D direct, I indirect."),
  nature_of_ownership: text("How indirect, as filed."),
  is_10b5_1: perhaps("Under a Rule 10b5-1 plan; null where the form does not tell."),
  is_amendment: Type.Boolean({ description: "Whether the filing amends an earlier one." }),
  joint_filers: Type.Array(
    Type.Object({ name: Type.String({ description: "As filed." }), cik: text("Ten digits.") }),
    { description: "The other owners who report the same trade." },
  ),
  filing_url: Type.String({ description: "The filing's page at the SEC." }),
});
export type Transaction = Static<typeof Transaction>;

export const Metadata = Type.Object(
  {
    auto_fetched: Type.Boolean({
      description: `Nothing was stored of the company, so ${INSIDER_FETCH_DAYS} days were fetched from the SEC for this answer.`,
    }),
    fetched_count: Type.Integer({ description: "Filings fetched and read for this answer." }),
    data_from: date("First filing date from which nothing is missing."),
    data_to: date("Last filing date up to which nothing is missing; of today only what was filed by now."),
    pending_count: Type.Integer({ description: "Filings of these days that are indexed and not read." }),
  },
  { description: "What was fetched for this answer, and what is stored." },
);
const warnings = Type.Array(Type.String(), { description: "What is missing or may be old, and why." });
const newestFirst = { description: "Newest filing first, within it by line." };
const asked = { as_of: Type.String({ description: "As you sent it, else the moment of the answer." }) };

export const TransactionsAnswer = Type.Object({
  symbol: Type.String({ description: "As you sent it." }),
  ...asked,
  ...listFields,
  data: Type.Array(Transaction, newestFirst),
  metadata: Metadata,
  warnings,
});

export const Form4Answer = Type.Object({
  ticker: Type.String({ description: "As you sent it." }),
  ...asked,
  window_days: Type.Integer({ description: "Days up to as_of, as asked." }),
  buy_only: Type.Boolean({ description: "As asked." }),
  ...listFields,
  data: Type.Array(Transaction, newestFirst),
  metadata: Metadata,
  warnings,
});

export const ByDateAnswer = Type.Object({
  date: Type.String({ format: "date", description: "The filing date asked." }),
  ...asked,
  ...listFields,
  data: Type.Array(Transaction, newestFirst),
  pending_count: Type.Integer({ description: "Filings of the day that are indexed and not read." }),
  warnings,
});

const window = (months: number) =>
  Type.Object(
    {
      buy_count: Type.Integer({ description: "Open-market purchases, code P." }),
      sell_count: Type.Integer({ description: "Open-market sales, code S." }),
      buy_shares: Type.Number({
        description: "Shares bought, as filed: never adjusted for splits. Derivatives are not counted.",
      }),
      sell_shares: Type.Number({
        description: "Shares sold, as filed: never adjusted for splits. Derivatives are not counted.",
      }),
      buy_value: figure("US dollars; null when there were purchases and none has a value."),
      sell_value: figure("US dollars; null when there were sales and none has a value."),
      net_value: figure("buy_value minus sell_value; null when one is null."),
      unique_buyers: Type.Integer({ description: "Those who report together count as one." }),
      unique_sellers: Type.Integer({ description: "Those who report together count as one." }),
      without_value: Type.Integer({
        description: "Trades whose price is not told: they are not in the values.",
      }),
    },
    { description: `The last ${months} months.` },
  );

export const SummaryAnswer = Type.Object({
  symbol: Type.String({ description: "As you sent it." }),
  ...asked,
  windows: Type.Object(
    { "3m": window(3), "6m": window(6), "12m": window(12) },
    { description: "By the day of the trade, up to as_of." },
  ),
  metadata: Metadata,
  warnings,
});
export type Window = Static<ReturnType<typeof window>>;

export const AggregateAnswer = Type.Object({
  ticker: Type.String({ description: "As you sent it." }),
  ...asked,
  window_days: Type.Integer({ description: "Days up to as_of, as asked." }),
  buy_only: Type.Boolean({ description: "As asked." }),
  buy_dollar_total: figure("US dollars paid; null when there were trades and none has a value."),
  cluster_size: Type.Integer({ description: "Distinct buyers; those who report together count as one." }),
  csuite_count: Type.Integer({
    description: "Distinct buyers known to be a chief officer or the president.",
  }),
  avg_pct_of_holding: figure(
    "Mean of purchase_pct_of_holding, percent points, once for each filing and pocket; null when none is known.",
  ),
  transaction_count: Type.Integer({ description: "Trades: one line of a filing is one." }),
  without_value: Type.Integer({
    description: "Trades whose price is not told: they are not in buy_dollar_total.",
  }),
  first_date: date("Day of the first trade."),
  last_date: date("Day of the last trade."),
  metadata: Metadata,
  warnings,
});

export type TransactionsQuery = Static<typeof TransactionsQuery>;
export type Form4Query = Static<typeof Form4Query>;
export type ByDateQuery = Static<typeof ByDateQuery>;
export type AggregateQuery = Static<typeof AggregateQuery>;
export type TransactionsAnswer = Static<typeof TransactionsAnswer>;
export type Form4Answer = Static<typeof Form4Answer>;
export type ByDateAnswer = Static<typeof ByDateAnswer>;
export type SummaryAnswer = Static<typeof SummaryAnswer>;
export type AggregateAnswer = Static<typeof AggregateAnswer>;
