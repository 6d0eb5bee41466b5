// Queries, bodies and answers of the company routes: validation, types and documentation in one place.
import { type Static, Type } from "@sinclair/typebox";
import { BULK_TICKERS_MAX } from "../../limits.ts";
import {
  booleanOrNull,
  bulkAnswer,
  integerOrNull,
  numberOrNull,
  textOrNull,
} from "../../market/answer-fields.ts";
import { forceRefresh, oneOf, tickerArray } from "../../market/params.ts";

const instantOrNull = (description: string) => textOrNull(`${description} RFC 3339 UTC.`);

export const CompanyQuery = Type.Object({ force_refresh: Type.Optional(forceRefresh) });

export const BulkCompanyRequest = Type.Object({
  tickers: tickerArray(BULK_TICKERS_MAX),
  force_refresh: Type.Optional(forceRefresh),
});

const FormerName = Type.Object({
  name: Type.String({ description: "The former name." }),
  from: textOrNull("First day of the name, YYYY-MM-DD; null where the SEC does not report it."),
  to: textOrNull("Last day of the name, YYYY-MM-DD."),
});

const ShareClass = Type.Object({
  ticker: Type.String({ description: "Canonical symbol: BRK.A, JPM.PRC." }),
  exchange: textOrNull("Exchange at the SEC."),
});

export const CompanyInfo = Type.Object({
  ticker: Type.String({ description: "As you sent it." }),
  name: textOrNull(
    "The SEC's name of the company. For a fund, and where the SEC has none, the price provider's.",
  ),
  cik: textOrNull(
    "The SEC's number of the filer, ten digits. For a fund that of its trust, which files for many funds.",
  ),
  sector: textOrNull("The price provider's; never a placeholder."),
  industry: textOrNull("The price provider's; never a placeholder."),
  exchange: textOrNull(
    "The SEC's name of the exchange (Nasdaq, NYSE, CBOE, OTC); where it has none, the price provider's.",
  ),
  country: textOrNull("Country of the head office."),
  market_cap: numberOrNull(
    "Market value as the price provider reports it, at the price of market_cap_as_of, in market_cap_currency.",
  ),
  market_cap_as_of: instantOrNull(
    "Time of the price behind market_cap; null where the provider does not report it.",
  ),
  market_cap_currency: textOrNull(
    "ISO 4217. Pounds where the price is in pence; null for an unknown minor unit.",
  ),
  currency: textOrNull("Currency of the price: ISO 4217, or the provider's minor unit such as GBp."),
  description: textOrNull("What the company does."),
  website: textOrNull("Address of its website."),
  employees: integerOrNull("Full-time employees as the price provider reports them."),
  sic: textOrNull("Standard Industrial Classification code at the SEC."),
  sic_description: textOrNull("Meaning of that code."),
  fiscal_year_end: textOrNull("Last day of the fiscal year, MM-DD."),
  state_of_incorporation: textOrNull("The SEC's code of the state or country, e.g. DE."),
  shares_outstanding: numberOrNull(
    "Shares of this class as the price provider reports them; may lag an issue by weeks. Null with a warning for 90 days after a split, which it may lag too. The statements have the figure as filed.",
  ),
  ipo_date: textOrNull("Null: no source of this service reports it. See first_trade_date."),
  first_trade_date: textOrNull(
    "First day of the price provider's history, YYYY-MM-DD; not the day of listing for companies listed before that history begins.",
  ),
  is_etf: booleanOrNull("Null when the price provider does not say what it is."),
  series_id: textOrNull(
    "For a fund: its series at the SEC, which distinguishes its filings from those of the trust's other funds.",
  ),
  former_names: Type.Array(FormerName, { description: "Former names at the SEC." }),
  share_classes: Type.Array(ShareClass, {
    description: "Other tickers of the same company (for a fund: of the same series).",
  }),
  predecessor_ciks: Type.Array(Type.String(), {
    description:
      "CIKs the company filed under before a re-domiciliation; its earlier filings are under them.",
  }),
  source: oneOf(
    ["cache", "registry", "upstream"],
    "cache: an answer less than 24 hours old; registry: made of stored records; upstream: a source was asked for this answer.",
  ),
  last_updated: instantOrNull("When the newest part of the record was read from a source."),
  regulator_updated_at: instantOrNull("When the SEC's part was read; null: never."),
  profile_updated_at: instantOrNull("When the price provider's part was read; null: never."),
  warnings: Type.Array(Type.String(), { description: "What is missing or old, and why." }),
});
export type CompanyInfo = Static<typeof CompanyInfo>;

export const BulkCompanyResponse = bulkAnswer(CompanyInfo);
export type BulkCompanyResponse = Static<typeof BulkCompanyResponse>;
