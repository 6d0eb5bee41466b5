// Queries and answers of the insider routes: validation, types and documentation in one place.
import { type Static, Type } from "@sinclair/typebox";
import { INSIDER_DAYS_MAX, INSIDER_FETCH_DAYS } from "../../limits.ts";
import { absenceWarnings } from "../../market/absence.ts";
import { booleanOrNull, listFields, numberOrNull, orNull, textOrNull } from "../../market/answer-fields.ts";
import { coverageFields } from "../../market/coverage.ts";
import {
  asOfField,
  asOfFields,
  countField,
  dateField,
  flag,
  forceRefresh,
  formatField,
  oneOf,
  skipField,
  tickerField,
} from "../../market/params.ts";

const dateOrNull = (description: string) => orNull(Type.String({ format: "date", description }));

const VISIBLE =
  "Answers with what was public at that moment: a date (the end of that day in New York) or an RFC 3339 instant with zone.";
const readAt = asOfFields(`${VISIBLE} Default: now.`);

const TYPES = ["buy", "sell", "award", "exercise", "gift", "tax", "other"] as const;

const limit = countField("Maximum rows.", 1_000, 100);
const offset = skipField("Rows to skip.", 1_000_000);
const buyOnly = (preset: boolean) =>
  Type.Optional(
    flag("Only open-market purchases, code P. Awards (code A) and all other trades are left out.", preset),
  );
const force = Type.Optional({
  ...forceRefresh,
  description: "Reads the company's list at the SEC again, and retries filings that could not be read.",
});
const windowDays = (preset: number) =>
  countField("Trades of this many days up to as_of, by the day of the trade.", INSIDER_DAYS_MAX, preset);

const format = formatField(
  "Shape of the answer; ndjson, csv, parquet and records have one row per trade. The Accept header has the same effect.",
);

export const SymbolPath = Type.Object({ symbol: tickerField() });
export const DatePath = Type.Object({ date: dateField("Filing date.") });

export const TransactionsQuery = Type.Object({
  days: countField("Trades of this many days up to as_of, by the day of the trade.", INSIDER_DAYS_MAX, 365),
  transaction_type: Type.Optional(oneOf(TYPES, "Only trades of this kind.")),
  ...readAt,
  limit,
  offset,
  format,
});

export const SummaryQuery = Type.Object({
  ...readAt,
});

export const Form4Query = Type.Object({
  ...asOfFields(),
  as_of: asOfField(VISIBLE),
  window_days: windowDays(INSIDER_FETCH_DAYS),
  buy_only: buyOnly(false),
  force_refresh: force,
  limit,
  offset,
  format,
});

export const ByDateQuery = Type.Object({
  buy_only: buyOnly(false),
  ...asOfFields(`${VISIBLE} Default: the end of the requested day, so that later amendments change nothing.`),
  limit: countField("Maximum rows.", 10_000, 1_000),
  offset,
  format,
});

export const AggregateQuery = Type.Object({
  window_days: windowDays(90),
  ...readAt,
  buy_only: Type.Optional(
    flag(
      "true: only open-market purchases, code P, in every figure. false: every acquisition whatever its code, including awards and exercises. Disposals never count.",
      true,
    ),
  ),
  force_refresh: force,
});

export const Transaction = Type.Object({
  accession_number: Type.String({ description: "The SEC's number of the filing, with dashes." }),
  line: Type.Integer({
    description: "Position in the filing, from 1. With accession_number it identifies the trade.",
  }),
  form_type: Type.String({ description: "3, 4, 5, or with /A an amendment." }),
  filing_date: Type.String({ format: "date", description: "The SEC's filing date." }),
  accepted_at: textOrNull("When the SEC accepted it, RFC 3339 UTC; null if only the day is known."),
  transaction_date: dateOrNull("Day of the trade; null where the day on the form cannot be."),
  ticker: textOrNull(
    "As you sent it; in answers about all companies, the issuer's main symbol today, or null without one.",
  ),
  issuer_name: Type.String({ description: "The company, as filed." }),
  issuer_cik: Type.String({ description: "Ten digits." }),
  issuer_trading_symbol: textOrNull("As the filer wrote it: free text, only a hint."),
  owner_name: Type.String({ description: "The first reporting owner." }),
  owner_cik: textOrNull("Ten digits."),
  owner_relationship: Type.String({
    description:
      'Of the first owner: "director, officer: Chief Executive Officer", "10% owner"; empty if no box is ticked.',
  }),
  officer_title: textOrNull("Of the first owner."),
  is_director: Type.Boolean({
    description:
      "Whether any owner who reports the trade is a director. The flags below also cover all owners.",
  }),
  is_officer: Type.Boolean({ description: "An officer of the company." }),
  is_ten_percent_owner: Type.Boolean({ description: "Owns more than 10 percent of a class." }),
  is_ceo: booleanOrNull("Chief executive of the issuer; null if an officer's title is missing."),
  is_cfo: booleanOrNull("Chief financial officer; null if an officer's title is missing."),
  is_c_suite: booleanOrNull("A chief officer or the president; null if an officer's title is missing."),
  security_title: textOrNull("As filed."),
  security_type: oneOf(["non_derivative", "derivative"], "Table I or Table II of the form."),
  transaction_code: textOrNull(
    "The form's code: P open-market purchase, S sale, A award, M exercise, F tax, G gift, …",
  ),
  transaction_type: oneOf(TYPES, "Kind of trade, by the code alone."),
  acquired_disposed: textOrNull("A acquired, D disposed of."),
  shares: numberOrNull(
    "Shares of the company, or number of derivatives, as filed: not adjusted for later splits.",
  ),
  price_per_share: numberOrNull(
    "US dollars as filed; 0 is a reported zero, null if the form gives no price.",
  ),
  transaction_value: numberOrNull(
    "US dollars: shares times price; null where one is missing, and for code P or S at price 0.",
  ),
  shares_owned_after: numberOrNull(
    "Shares (or derivatives) held after the trade, as filed: not adjusted for later splits.",
  ),
  purchase_pct_of_holding: numberOrNull(
    "For purchases: percentage points (5 is 5 %) by which all purchases in the same holding bucket of this filing raised the shares held before. All of them have the same value; null if nothing was held.",
  ),
  ownership_nature: textOrNull("D direct, I indirect."),
  nature_of_ownership: textOrNull("How indirect, as filed."),
  is_10b5_1: booleanOrNull("Under a Rule 10b5-1 plan; null if the form does not say."),
  is_amendment: Type.Boolean({ description: "Whether the filing amends an earlier one." }),
  joint_filers: Type.Array(
    Type.Object({ name: Type.String({ description: "As filed." }), cik: textOrNull("Ten digits.") }),
    {
      description:
        "The other owners who report the trade, also on forms of their own that were public by then.",
    },
  ),
  filing_url: Type.String({ description: "The filing's page at the SEC." }),
  filed_transaction_date: dateOrNull(
    "The day as filed, where it cannot be: after the filing, or of another year than the form. The trade counts on its filing date.",
  ),
  price_in_doubt: orNull(
    oneOf(
      ["total", "cents", "exchanged", "per_ads", "unexplained"],
      "The price is three times or more from every close within five sessions that was known then, as traded on the day. The total, cents, the number or the price of a depositary share stands in its place, and it is null; unexplained: it is as filed. null: no doubt, or no close.",
    ),
  ),
  filed_price: numberOrNull("US dollars as filed, where price_in_doubt makes price_per_share null."),
});
export type Transaction = Static<typeof Transaction>;

const Metadata = Type.Composite(
  [
    coverageFields(
      `No filing of the company was stored, so those of the window, at least of ${INSIDER_FETCH_DAYS} days, were fetched from the SEC for this answer.`,
    ),
    Type.Object({
      closes_checked: Type.Integer({
        description: "Trades whose price was compared with a close known then. No answer waits for closes.",
      }),
    }),
  ],
  { description: "What was fetched for this answer, what is stored, and how many prices were checked." },
);
const warnings = Type.Array(Type.String(), {
  description: "What is missing or may be out of date, and why.",
});
const newestFirst = { description: "Newest filing first, by line within a filing." };
const asOfEcho = { as_of: Type.String({ description: "As you sent it, else the moment of the answer." }) };

export const TransactionsAnswer = Type.Object({
  symbol: Type.String({ description: "As you sent it." }),
  ...asOfEcho,
  ...listFields,
  data: Type.Array(Transaction, newestFirst),
  metadata: Metadata,
  warnings: absenceWarnings,
});

export const Form4Answer = Type.Object({
  ticker: Type.String({ description: "As you sent it." }),
  ...asOfEcho,
  window_days: Type.Integer({ description: "Days up to as_of, as requested." }),
  buy_only: Type.Boolean({ description: "As requested." }),
  ...listFields,
  data: Type.Array(Transaction, newestFirst),
  metadata: Metadata,
  warnings: absenceWarnings,
});

export const ByDateAnswer = Type.Object({
  date: Type.String({ format: "date", description: "The requested filing date." }),
  ...asOfEcho,
  ...listFields,
  data: Type.Array(Transaction, newestFirst),
  pending_count: Type.Integer({ description: "Filings of the day that are indexed but not read yet." }),
  warnings: absenceWarnings,
});

const derivatives = (trades: string) =>
  Type.Integer({
    description: `${trades} of derivatives (Table II). They are in no other figure, because their prices are not those of a share.`,
  });

const window = (months: number) =>
  Type.Object(
    {
      buy_count: Type.Integer({ description: "Open-market purchases, code P." }),
      sell_count: Type.Integer({ description: "Open-market sales, code S." }),
      buy_shares: Type.Number({ description: "Shares bought, as filed: never adjusted for splits." }),
      sell_shares: Type.Number({ description: "Shares sold, as filed: never adjusted for splits." }),
      buy_value: numberOrNull("US dollars; null when there were purchases and none has a value."),
      sell_value: numberOrNull("US dollars; null when there were sales and none has a value."),
      net_value: numberOrNull("buy_value minus sell_value; null when one is null."),
      unique_buyers: Type.Integer({ description: "Owners who report together count as one." }),
      unique_sellers: Type.Integer({ description: "Owners who report together count as one." }),
      without_value: Type.Integer({
        description: "Trades without a price: they are not in the values.",
      }),
      derivative_count: derivatives("Purchases and sales"),
    },
    { description: `The last ${months} months.` },
  );

export const SummaryAnswer = Type.Object({
  symbol: Type.String({ description: "As you sent it." }),
  ...asOfEcho,
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
  ...asOfEcho,
  window_days: Type.Integer({ description: "Days up to as_of, as requested." }),
  buy_only: Type.Boolean({ description: "As requested." }),
  buy_dollar_total: numberOrNull("US dollars paid; null when there were trades and none has a value."),
  cluster_size: Type.Integer({ description: "Distinct buyers; owners who report together count as one." }),
  csuite_count: Type.Integer({
    description: "Distinct buyers known to be a chief officer or the president.",
  }),
  avg_pct_of_holding: numberOrNull(
    "Mean of purchase_pct_of_holding, percentage points, counted once per filing and holding bucket; null if none is known.",
  ),
  transaction_count: Type.Integer({ description: "Trades: each line of a filing is one." }),
  without_value: Type.Integer({
    description: "Trades without a price: they are not in buy_dollar_total.",
  }),
  derivative_count: derivatives("Such trades"),
  first_date: dateOrNull("Day of the first trade."),
  last_date: dateOrNull("Day of the last trade."),
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
