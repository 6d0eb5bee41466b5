// Queries and answers of the fund routes: the check, the types and the documentation in one place.
import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { ETF_ROWS_MAX } from "../../limits.ts";
import {
  asOfField,
  forceRefresh,
  formatField,
  oneOf,
  tickerField,
  wholeNumber,
} from "../../market/params.ts";

const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const text = (description: string) => orNull(Type.String({ description }));
const number = (description: string) => orNull(Type.Number({ description }));
const whole = (description: string) => Type.Integer({ description });
const symbolField = text(
  "Canonical symbol. Of reports only of common equity in US dollars with a ticker; null for all else, whose filed tickers mean other things.",
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

const offset = Type.Optional(wholeNumber("Rows to skip.", { minimum: 0, maximum: 1_000_000, default: 0 }));
const limit = (preset: number) =>
  Type.Optional(wholeNumber("Rows at most.", { minimum: 1, maximum: ETF_ROWS_MAX, default: preset }));
const format = Type.Optional({
  ...formatField,
  description:
    "Shape of the answer; ndjson, csv and parquet have one row a line. The Accept header does the same.",
});

export const ProfileQuery = Type.Object({ force_refresh: Type.Optional(forceRefresh) });

export const HoldingsQuery = Type.Object({
  limit: limit(50),
  as_of: Type.Optional({
    ...asOfField,
    description:
      "The newest report that anybody could read at that moment: a date (the end of that day in New York) or an RFC 3339 instant with zone. A report counts from its acceptance at the SEC; one that is not stored yet is fetched. Default: now.",
  }),
  force_refresh: Type.Optional(forceRefresh),
  format,
});
export type HoldingsAsk = Omit<Static<typeof HoldingsQuery>, "format">;

export const ListQuery = Type.Object({
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: "Part of a ticker or a name, whatever the case; also a ticker in any spelling.",
      examples: ["dividend"],
    }),
  ),
  issuer: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description:
        "Part of the issuer's name, whatever the case: looked for in the fund's name and, where its profile was read, in its issuer.",
      examples: ["Vanguard"],
    }),
  ),
  limit: limit(100),
  offset,
  as_of: Type.Optional(asOfField),
  format,
});
export type FundListAsk = Omit<Static<typeof ListQuery>, "format">;

export const ExposureQuery = Type.Object({
  limit: limit(100),
  offset,
  as_of: Type.Optional(asOfField),
  format,
});
export type ExposureAsk = Omit<Static<typeof ExposureQuery>, "format">;

const warnings = Type.Array(Type.String(), { description: "What is missing or old, and why." });

export const FundProfile = Type.Object({
  ticker: Type.String({ description: "As you sent it." }),
  name: text("Name of the fund."),
  issuer: text("Family of the fund, as the price provider has it."),
  category: text("The price provider's category, such as Large Growth."),
  asset_class: orNull(
    oneOf(
      ["equity", "bond", "cash", "other"],
      "What more than half of the fund is by `positions`; null where no kind is, or nobody says.",
    ),
  ),
  index_tracked: text("Index it follows: no provider of this service tells it, so null."),
  expense_ratio: number("Costs a year as a fraction of the assets: 0.002 for 0.2 %. Null where not told."),
  aum: number("Assets of the fund, in currency."),
  nav: number("Net asset value of a share, in currency."),
  nav_date: text("Day of nav, YYYY-MM-DD: the provider does not say it, so null."),
  inception_date: text("First day of the fund, YYYY-MM-DD."),
  dividend_yield: number("Dividends of the last year against the price, in percent points."),
  holdings_count: orNull(
    whole("Lines of the newest stored report to the SEC; null where none was read: ask for /holdings first."),
  ),
  holdings_as_of: text("The day that report is of, YYYY-MM-DD."),
  exchange: text("Exchange, in the provider's words."),
  currency: text("ISO 4217 code of nav and aum."),
  positions: orNull(
    Type.Object(
      {
        stock: number("Percent points of the fund."),
        bond: number("Percent points of the fund."),
        cash: number("Percent points of the fund."),
        preferred: number("Percent points of the fund."),
        convertible: number("Percent points of the fund."),
        other: number("Percent points of the fund."),
      },
      { description: "What the fund is made of, as the provider has it." },
    ),
  ),
  series_id: text(
    "The fund at the SEC, S and nine digits; null where it is no series of a trust, or the SEC could not be asked.",
  ),
  source: Type.String({ description: "Who said so." }),
  known_at: Type.String({ description: "When the provider was asked, RFC 3339 UTC." }),
  warnings,
});
export type FundProfile = Static<typeof FundProfile>;

const HoldingView = Type.Object({
  rank: whole("By weight, from 1."),
  symbol: symbolField,
  name: text("Issuer, or other party of a contract, as reported."),
  title: text("Title of the issue, as reported."),
  cusip: text("CUSIP as reported."),
  isin: text("ISIN as reported."),
  lei: text("LEI of the issuer as reported."),
  weight_percent: number(
    "Of net assets in percent points, as reported: negative for short positions, and all together not 100.",
  ),
  shares: number("Shares held, negative when short; null for what is counted otherwise, or not told."),
  market_value: number("Value in US dollars as reported, negative when short."),
  balance: number("How much is held, in `units`."),
  units: text("NS shares, PA principal amount, NC contracts, OU other units."),
  currency: text("ISO 4217 code the position is held in."),
  payoff_profile: orNull(oneOf(["Long", "Short"], "Null for what is neither.")),
  asset_category: text(
    "EC common equity, EP preferred, DBT debt, STIV cash vehicle, RA repurchase; D… derivatives.",
  ),
  country: text("Country of the issuer, two letters."),
  derivative_kind: text("FWD, FUT, SWP, OPT, SWO, WAR or OTH; null for what is no derivative."),
});
export type HoldingView = Omit<Static<typeof HoldingView>, "payoff_profile"> & {
  payoff_profile: string | null;
};

export const HoldingsAnswer = Type.Object({
  ticker: Type.String({ description: "As you sent it." }),
  as_of: text("The day the holdings are of; from yahoo the day it was asked, YYYY-MM-DD."),
  source: oneOf(["nport", "yahoo"], "nport: a report to the SEC, whole. yahoo: the ten largest."),
  count: whole("Rows in this answer."),
  total: orNull(whole("Holdings in the report; null where not known.")),
  series_id: text("The fund at the SEC, S and nine digits."),
  fund_name: text("Name of the fund, as reported."),
  accession_number: text("The report, dashed."),
  net_assets: number("Net assets of the fund on as_of, US dollars."),
  known_at: Type.String({
    description: "From when anybody could read the report; from yahoo when it was asked. RFC 3339 UTC.",
  }),
  warnings,
  data: Type.Array(HoldingView, { description: "The heaviest first." }),
});
export type HoldingsResponse = Omit<Static<typeof HoldingsAnswer>, "data"> & { data: HoldingView[] };

export const SectorsAnswer = Type.Object({
  ticker: Type.String({ description: "As you sent it." }),
  as_of: Type.String({
    description:
      "Day on which the provider was asked, YYYY-MM-DD; it does not say of which day the weights are.",
  }),
  source: Type.String({ description: "Who said so." }),
  known_at: Type.String({ description: "When the provider was asked, RFC 3339 UTC." }),
  data: Type.Array(
    Type.Object({
      sector: Type.String({ description: "In the price provider's words." }),
      weight_percent: Type.Number({ description: "Of the fund's shares, percent points, as reported." }),
    }),
    { description: "The heaviest first; empty for a fund without shares." },
  ),
});
export type SectorsAnswer = Static<typeof SectorsAnswer>;

const envelope = {
  count: whole("Rows in this answer."),
  total: whole("Rows that match."),
  limit: whole("Rows asked for at most."),
  offset: whole("Rows skipped."),
  has_more: Type.Boolean({ description: "Whether rows follow." }),
};

export const FundList = Type.Object({
  ...envelope,
  data: Type.Array(
    Type.Object({
      ticker: Type.String({ description: "Canonical." }),
      name: Type.String({ description: "As the exchange's list has it." }),
      issuer: text("Family of the fund; null until its profile was read (GET /etf/{ticker})."),
      exchange: Type.String({ description: "Where it is listed." }),
      cik: text("Who files for it at the SEC, ten digits; null where its list has no such ticker."),
      first_seen: Type.String({ description: "When a list was first read with it, RFC 3339 UTC." }),
    }),
    { description: "By ticker." },
  ),
});
export type FundList = Static<typeof FundList>;

const ExposureRow = Type.Object({
  etf: Type.String({ description: "Ticker of the fund." }),
  name: text("Name of the fund, as reported."),
  weight_percent: number(
    "Of the fund's net assets in percent points, as reported; lines of one share are added.",
  ),
  shares: number("Shares held, negative when short."),
  market_value: number("Value in US dollars."),
  as_of: Type.String({ description: "The day the holdings are of, YYYY-MM-DD." }),
  known_at: Type.String({ description: "From when anybody could read the report, RFC 3339 UTC." }),
  matched_by: Type.String({
    description:
      "ticker: the report names it. isin or cusip: the line has no ticker, or it without its dot, but a number that other reports give to this symbol alone.",
  }),
  accession_number: Type.String({ description: "The report, dashed." }),
  series_id: Type.String({ description: "The fund at the SEC." }),
});
export type ExposureRow = Static<typeof ExposureRow>;

export const ExposureAnswer = Type.Object({
  symbol: Type.String({ description: "As you sent it." }),
  funds_stored: whole("Funds of which a report is stored: no other is looked at."),
  ...envelope,
  data: Type.Array(ExposureRow, { description: "The heaviest first." }),
});
export type ExposureResponse = Static<typeof ExposureAnswer>;
