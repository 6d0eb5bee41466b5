// Queries, bodies and answers of the company routes: the check, the types and the documentation in one place.
import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { BULK_TICKERS_MAX } from "../../limits.ts";
import { bulkAnswer } from "../../market/answer-fields.ts";
import { forceRefresh, oneOf, tickerArray, tickerField } from "../../market/params.ts";

const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const text = (description: string) => orNull(Type.String({ description }));
const instant = (description: string) => text(`${description} RFC 3339 UTC.`);

export const TickerPath = Type.Object({ ticker: tickerField() });

export const CompanyQuery = Type.Object({ force_refresh: Type.Optional(forceRefresh) });

export const BulkCompanyRequest = Type.Object({
  tickers: tickerArray(BULK_TICKERS_MAX),
  force_refresh: Type.Optional(forceRefresh),
});

const FormerName = Type.Object({
  name: Type.String({ description: "The name it had." }),
  from: text("First day of the name, YYYY-MM-DD; null where the SEC does not say."),
  to: text("Last day of the name, YYYY-MM-DD."),
});

const ShareClass = Type.Object({
  ticker: Type.String({ description: "Canonical symbol: BRK.A, JPM.PRC." }),
  exchange: text("As the SEC has it."),
});

export const CompanyInfo = Type.Object({
  ticker: Type.String({ description: "As you sent it." }),
  name: text("As the SEC has it; of a fund, and where the SEC has none, as the price provider has it."),
  cik: text(
    "The SEC's number of who files, ten digits. Of a fund that of its trust, which files for many funds.",
  ),
  sector: text("As the price provider has it; never a placeholder."),
  industry: text("As the price provider has it; never a placeholder."),
  exchange: text(
    "As the SEC lists it (Nasdaq, NYSE, CBOE, OTC); where it lists none, as the price provider names it.",
  ),
  country: text("Country of the head office."),
  market_cap: orNull(
    Type.Number({
      description:
        "Market value as the price provider reports it, at the price of market_cap_as_of, in market_cap_currency.",
    }),
  ),
  market_cap_as_of: instant(
    "Time of the price that market_cap is made with; null where the provider does not say.",
  ),
  market_cap_currency: text("ISO 4217. Pounds where the price is in pence; null for a minor unit not known."),
  currency: text("Of the price: ISO 4217, or the provider's minor unit such as GBp."),
  description: text("What the company does."),
  website: text("Address of its website."),
  employees: orNull(Type.Integer({ description: "Full-time employees as the price provider reports them." })),
  sic: text("Standard Industrial Classification code, as the SEC has it."),
  sic_description: text("What that code stands for."),
  fiscal_year_end: text("Last day of the fiscal year, MM-DD."),
  state_of_incorporation: text("The SEC's code of the state or country, e.g. DE."),
  shares_outstanding: orNull(
    Type.Number({
      description:
        "Shares of this class as the price provider reports them; may lag a split or an issue by weeks. The statements have the figure as filed.",
    }),
  ),
  ipo_date: text("Null: no source of this service reports it. See first_trade_date."),
  first_trade_date: text(
    "First day of the price provider's history, YYYY-MM-DD; for companies listed before its records begin, not that of the listing.",
  ),
  is_etf: orNull(Type.Boolean({ description: "Null when the price provider does not say what it is." })),
  series_id: text(
    "Of a fund: its series at the SEC, which tells its filings from those of the trust's other funds.",
  ),
  former_names: Type.Array(FormerName, { description: "As the SEC has them." }),
  share_classes: Type.Array(ShareClass, {
    description: "Other tickers of the same company (of a fund: series).",
  }),
  predecessor_ciks: Type.Array(Type.String(), {
    description: "CIKs the company carries on after a re-domiciliation: earlier filings are under them.",
  }),
  source: oneOf(
    ["cache", "registry", "upstream"],
    "cache: an answer less than 24 hours old; registry: put together from what was stored; upstream: a source was asked for this answer.",
  ),
  last_updated: instant("When the newest part of it was read from a source."),
  regulator_updated_at: instant("When the SEC's part was read; null when it never was."),
  profile_updated_at: instant("When the price provider's part was read; null when it never was."),
  warnings: Type.Array(Type.String(), { description: "What is missing or old, and why." }),
});
export type CompanyInfo = Static<typeof CompanyInfo>;

export const BulkCompanyResponse = bulkAnswer(CompanyInfo);
export type BulkCompanyResponse = Static<typeof BulkCompanyResponse>;
