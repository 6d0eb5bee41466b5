// Queries and answers of the fund routes: validation, types and documentation in one place.

import { type Static, Type } from "@sinclair/typebox";
import { ETF_ROWS_MAX } from "../../limits.ts";
import { absenceWarnings } from "../../market/absence.ts";
import { listFields, numberOrNull, orNull, textOrNull } from "../../market/answer-fields.ts";
import {
  asOfFields,
  countField,
  forceRefresh,
  formatField,
  oneOf,
  skipField,
  tickerField,
} from "../../market/params.ts";

const integer = (description: string) => Type.Integer({ description });
const symbolField = textOrNull(
  "Canonical symbol. In reports only for common equity in US dollars with a ticker; null for everything else, whose filed tickers are not exchange tickers.",
);

export const TickerPath = Type.Object({
  ticker: {
    ...tickerField("Ticker of the fund, in any common spelling. Answers echo yours."),
    examples: ["IVV"],
  },
});
export const SymbolPath = Type.Object({
  symbol: tickerField("Ticker of the share, in any common spelling. Answers echo yours."),
});

const offset = skipField("Rows to skip.", 1_000_000);
const limit = (preset: number) => countField("Maximum rows.", ETF_ROWS_MAX, preset);
const format = formatField(
  "Shape of the answer; ndjson, csv, parquet and records have one row per line. The Accept header has the same effect.",
);

export const ProfileQuery = Type.Object({ force_refresh: Type.Optional(forceRefresh) });

export const SectorsQuery = Type.Object({ ...ProfileQuery.properties, format });

export const HoldingsQuery = Type.Object({
  limit: limit(50),
  ...asOfFields(
    "Answers with the newest report that was public at that moment: a date (the end of that day in New York) or an RFC 3339 instant with zone. A report is public from its acceptance at the SEC. A report that is not stored yet is fetched. Default: now.",
  ),
  force_refresh: Type.Optional(forceRefresh),
  format,
});
export type HoldingsRequest = Omit<Static<typeof HoldingsQuery>, "format" | "data_version">;

export const ListQuery = Type.Object({
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: "Part of a ticker or a name, case-insensitive; also a ticker in any spelling.",
      examples: ["dividend"],
    }),
  ),
  issuer: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description:
        "Part of the issuer's name, case-insensitive. Searched in the fund's name and, if its profile is stored, in its issuer.",
      examples: ["Vanguard"],
    }),
  ),
  limit: limit(100),
  offset,
  ...asOfFields(),
  format,
});
export type FundListRequest = Omit<Static<typeof ListQuery>, "format" | "data_version">;

export const ExposureQuery = Type.Object({
  limit: limit(100),
  offset,
  ...asOfFields(),
  format,
});
export type ExposureRequest = Omit<Static<typeof ExposureQuery>, "format">;

const warnings = Type.Array(Type.String(), { description: "What is missing or out of date, and why." });

export const FundProfile = Type.Object({
  ticker: Type.String({ description: "As you sent it." }),
  name: textOrNull("Name of the fund."),
  issuer: textOrNull("Fund family, from the price provider."),
  category: textOrNull("The price provider's category, such as Large Growth."),
  asset_class: orNull(
    oneOf(
      ["equity", "bond", "cash", "other"],
      "The class that makes up more than half of the fund by `positions`; null if none does, or if it is unknown.",
    ),
  ),
  index_tracked: textOrNull("The index it follows. Always null: no provider of this service has it."),
  expense_ratio: numberOrNull("Yearly costs as a fraction of the assets: 0.002 for 0.2 %. Null if unknown."),
  aum: numberOrNull("Assets of the fund, in currency."),
  nav: numberOrNull("Net asset value of a share, in currency."),
  nav_date: textOrNull("Day of nav, YYYY-MM-DD. Always null: the provider does not give it."),
  inception_date: textOrNull("First day of the fund, YYYY-MM-DD."),
  dividend_yield: numberOrNull("Dividends of the last year relative to the price, in percentage points."),
  holdings_count: orNull(
    integer("Lines of the newest stored report to the SEC; null if none is stored: request /holdings first."),
  ),
  holdings_as_of: textOrNull("The day of that report's holdings, YYYY-MM-DD."),
  exchange: textOrNull("Exchange, as the provider names it."),
  currency: textOrNull("ISO 4217 code of nav and aum."),
  positions: orNull(
    Type.Object(
      {
        stock: numberOrNull("Percent of the fund."),
        bond: numberOrNull("Percent of the fund."),
        cash: numberOrNull("Percent of the fund."),
        preferred: numberOrNull("Percent of the fund."),
        convertible: numberOrNull("Percent of the fund."),
        other: numberOrNull("Percent of the fund."),
      },
      { description: "Composition of the fund, from the provider." },
    ),
  ),
  series_id: textOrNull(
    "The fund's series at the SEC, S and nine digits; null if it is not a series of a trust, or if the SEC failed.",
  ),
  source: Type.String({ description: "The source." }),
  known_at: Type.String({ description: "When the provider answered, RFC 3339 UTC." }),
  warnings,
});
export type FundProfile = Static<typeof FundProfile>;

const HoldingView = Type.Object({
  rank: integer("Position by weight, from 1."),
  symbol: symbolField,
  name: textOrNull("Issuer, or counterparty of a contract, as reported."),
  title: textOrNull("Title of the issue, as reported."),
  cusip: textOrNull("CUSIP as reported."),
  isin: textOrNull("ISIN as reported."),
  lei: textOrNull("LEI of the issuer as reported."),
  weight_percent: numberOrNull(
    "Share of net assets in percent points, as reported. Negative for short positions; the sum is not 100.",
  ),
  shares: numberOrNull(
    "Shares held, negative when short; null if the position is not counted in shares, or not reported.",
  ),
  market_value: numberOrNull("Value in US dollars as reported, negative when short."),
  balance: numberOrNull("Amount held, in `units`."),
  units: textOrNull("NS shares, PA principal amount, NC contracts, OU other units."),
  currency: textOrNull("Currency of the position, ISO 4217."),
  payoff_profile: orNull(oneOf(["Long", "Short"], "Null if neither applies.")),
  asset_category: textOrNull(
    "EC common equity, EP preferred, DBT debt, STIV cash vehicle, RA repurchase; D… derivatives.",
  ),
  country: textOrNull("Country of the issuer, two letters."),
  derivative_kind: textOrNull("FWD, FUT, SWP, OPT, SWO, WAR or OTH; null if it is not a derivative."),
});
export type HoldingView = Omit<Static<typeof HoldingView>, "payoff_profile"> & {
  payoff_profile: string | null;
};

export const HoldingsAnswer = Type.Object({
  ticker: Type.String({ description: "As you sent it." }),
  as_of: textOrNull("The day of the holdings, YYYY-MM-DD; with source yahoo the day it answered."),
  source: oneOf(["nport", "yahoo"], "nport: a complete report to the SEC. yahoo: the ten largest holdings."),
  count: integer("Rows in this answer."),
  total: orNull(integer("Holdings in the report; null if unknown.")),
  series_id: textOrNull("The fund's series at the SEC, S and nine digits."),
  fund_name: textOrNull("Name of the fund, as reported."),
  accession_number: textOrNull("Accession number of the report, with dashes."),
  net_assets: numberOrNull("Net assets of the fund on as_of, US dollars."),
  known_at: Type.String({
    description: "When the report became public; with source yahoo when it answered. RFC 3339 UTC.",
  }),
  warnings,
  data: Type.Array(HoldingView, { description: "The heaviest first." }),
});
export type HoldingsResponse = Omit<Static<typeof HoldingsAnswer>, "data"> & { data: HoldingView[] };

export const SectorsAnswer = Type.Object({
  ticker: Type.String({ description: "As you sent it." }),
  as_of: Type.String({
    description:
      "Day on which the provider answered, YYYY-MM-DD. It does not say of which day the weights are.",
  }),
  source: Type.String({ description: "The source." }),
  known_at: Type.String({ description: "When the provider answered, RFC 3339 UTC." }),
  data: Type.Array(
    Type.Object({
      sector: Type.String({ description: "As the price provider names it." }),
      weight_percent: Type.Number({
        description: "Share of the fund's holdings in percent points, as reported.",
      }),
    }),
    { description: "The heaviest first; empty for a fund without shares." },
  ),
});
export type SectorsAnswer = Static<typeof SectorsAnswer>;

export const FundList = Type.Object({
  ...listFields,
  warnings: absenceWarnings,
  data: Type.Array(
    Type.Object({
      ticker: Type.String({ description: "Canonical." }),
      name: Type.String({ description: "As in the exchange's list." }),
      issuer: textOrNull("Fund family; null until its profile is stored (GET /etf/{ticker})."),
      exchange: Type.String({ description: "Where it is listed." }),
      cik: textOrNull(
        "CIK of its filer at the SEC, ten digits; null if the SEC's list does not have the ticker.",
      ),
      first_seen: Type.String({ description: "When it was first seen in a list, RFC 3339 UTC." }),
    }),
    { description: "By ticker." },
  ),
});
export type FundList = Static<typeof FundList>;

const ExposureRow = Type.Object({
  etf: Type.String({ description: "Ticker of the fund." }),
  name: textOrNull("Name of the fund, as reported."),
  weight_percent: numberOrNull(
    "Share of the fund's net assets in percent points, as reported. Lines of the same share are added.",
  ),
  shares: numberOrNull("Shares held, negative when short."),
  market_value: numberOrNull("Value in US dollars."),
  as_of: Type.String({ description: "The day of the holdings, YYYY-MM-DD." }),
  known_at: Type.String({ description: "When the report became public, RFC 3339 UTC." }),
  matched_by: Type.String({
    description:
      "ticker: the line has the ticker. isin or cusip: the line has no ticker, or the ticker without its dot, but an identifier that other reports give to this symbol alone.",
  }),
  accession_number: Type.String({ description: "Accession number of the report, with dashes." }),
  series_id: Type.String({ description: "The fund's series at the SEC." }),
});
export type ExposureRow = Static<typeof ExposureRow>;

export const ExposureAnswer = Type.Object({
  symbol: Type.String({ description: "As you sent it." }),
  funds_stored: integer("Funds with a stored report. Other funds are not searched."),
  ...listFields,
  warnings: absenceWarnings,
  data: Type.Array(ExposureRow, { description: "The heaviest first." }),
});
export type ExposureResponse = Static<typeof ExposureAnswer>;
