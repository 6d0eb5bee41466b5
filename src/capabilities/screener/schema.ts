// Queries, bodies and answers of the screener: the check, the types and the documentation in one place.
import { type Static, Type } from "@sinclair/typebox";
import { SCREENER_PAGE_ROWS, SCREENER_PAGE_ROWS_MAX } from "../../limits.ts";
import {
  forceRefresh,
  formatField,
  nameOf,
  oneOf,
  wholeNumber,
  wordArray,
  wordList,
} from "../../market/params.ts";
import { STOCK_FIELDS } from "../../market/stock-row.ts";
import { EXCHANGES } from "../../market/stock-screen.ts";
import { KINDS, SECTORS, SOURCE_SORTS } from "./sources.ts";

export const SORTS = [...SOURCE_SORTS, "dollar_volume"] as const;

const bound = (description: string, example: number, minimum?: number) =>
  Type.Optional(
    Type.Number({ description, examples: [example], ...(minimum === undefined ? {} : { minimum }) }),
  );
const number = (description: string) => Type.Union([Type.Number({ description }), Type.Null()]);
const text = (description: string) => Type.Union([Type.String({ description }), Type.Null()]);

const EXCHANGE = "Exchanges; all US markets when left out, those over the counter too.";
const EXCLUDE =
  "Kinds of securities to leave out. preferred, warrant and unit are told by the symbol, etf and fund by the provider's type, otc by the exchange, adr by the name or, over the counter, by the fifth letter Y: depositary receipts whose name does not say so stay in.";

/** Filters with plain values; both bounds of a range are inclusive. */
const PLAIN = {
  sector: Type.Optional(nameOf(SECTORS, "Sector, in the price provider's words.")),
  industry: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description:
        "Industry, exactly in the price provider's words, case included: it says no list of them, and one it does not know matches nothing.",
      examples: ["Semiconductors"],
    }),
  ),
  country: Type.Optional(nameOf(["us"], "Where the share is listed. Only us is served.", "us")),
  market_cap_min: bound("Market value, US dollars.", 2_000_000_000, 0),
  market_cap_max: bound("Market value, US dollars.", 10_000_000_000, 0),
  price_min: bound("Price, US dollars.", 5, 0),
  price_max: bound("Price, US dollars.", 100, 0),
  min_avg_volume: bound("Average daily volume of three months, shares.", 500_000, 0),
  min_dollar_volume: bound(
    "Price times the shares traded a day (average of three months), US dollars. Needs the whole matching set, see above; rows of which one is unknown never pass.",
    20_000_000,
    0,
  ),
  volume_min: bound("Shares traded today.", 1_000_000, 0),
  change_percent_min: bound("Change of today, percent points.", 3),
  change_percent_max: bound("Change of today, percent points.", -3),
  pe_min: bound(
    "Price to the earnings of twelve months. A loss counts as a negative ratio: pe_min=0 leaves it out.",
    0,
  ),
  pe_max: bound("Price to the earnings of twelve months.", 25),
  peg_max: bound("Price to earnings to their expected growth of five years.", 1.5),
  dividend_yield_min: bound("Dividends of the year to come against the price, percent points.", 2.5, 0),
  beta_min: bound("Beta of five years.", 0.8),
  beta_max: bound("Beta of five years.", 1.2),
  fifty_two_week_change_min: bound("Price against that of 52 weeks ago, percent points.", 20),
  fifty_two_week_high_distance_max: bound(
    "How far the price may lie below the highest of 52 weeks, percent points. Needs the whole matching set, as min_dollar_volume.",
    5,
    0,
  ),
  eps_growth_min: bound("Growth of the earnings per share of twelve months, percent points.", 15),
  revenue_growth_min: bound("Growth of the quarter's revenue over a year, percent points.", 10),
};

const ORDER = {
  sort_by: Type.Optional(
    oneOf(SORTS, "What the rows are ordered by. dollar_volume only with min_dollar_volume.", "market_cap"),
  ),
  sort_order: Type.Optional(oneOf(["asc", "desc"], "Smallest or largest first.", "desc")),
};

const PAGE = {
  page: Type.Optional(wholeNumber("Page, from 1.", { minimum: 1, default: 1 })),
  page_size: Type.Optional(
    wholeNumber("Rows of a page.", {
      minimum: 1,
      maximum: SCREENER_PAGE_ROWS_MAX,
      default: SCREENER_PAGE_ROWS,
    }),
  ),
  force_refresh: Type.Optional(forceRefresh),
};

const format = Type.Optional(formatField);

export const ScreenQuery = Type.Object({
  exchange: Type.Optional(wordList(EXCHANGES, EXCHANGE)),
  ...PLAIN,
  exclude_types: Type.Optional(wordList(KINDS, EXCLUDE)),
  ...ORDER,
  ...PAGE,
  format,
});

export const ScreenRequest = Type.Object({
  exchange: Type.Optional(wordArray(EXCHANGES, EXCHANGE)),
  ...PLAIN,
  exclude_types: Type.Optional(wordArray(KINDS, EXCLUDE)),
  ...ORDER,
  ...PAGE,
});

export const PresetPath = Type.Object({
  name: Type.String({
    maxLength: 100,
    description: "Name of a preset; GET /screener/presets lists them.",
    examples: ["day_gainers"],
  }),
});

export const PresetQuery = Type.Object({
  exclude_types: Type.Optional(wordList(KINDS, `In place of the preset's own. ${EXCLUDE}`)),
  min_dollar_volume: PLAIN.min_dollar_volume,
  ...PAGE,
  format,
});

const words = (values: readonly string[], description: string) =>
  Type.Optional(Type.Array(Type.String({ enum: [...values] }), { description }));

/** The filters of an answer: those that were applied. */
export const FiltersShown = Type.Object(
  {
    exchange: words(EXCHANGES, "Exchanges; all US markets without it."),
    ...PLAIN,
    exclude_types: words(KINDS, "Kinds of securities that are left out."),
  },
  { description: "The filters that apply; what is left out filters nothing." },
);

export const Preset = Type.Object({
  name: Type.String({ description: "Name to ask for it by." }),
  description: Type.String({ description: "What it finds." }),
  filters: FiltersShown,
  sort_by: oneOf(SORTS, "What it is ordered by."),
  sort_order: oneOf(["asc", "desc"], "Smallest or largest first."),
});
export const PresetList = Type.Array(Preset, { description: "The presets there are." });

export const ScreenRow = Type.Object({
  ...STOCK_FIELDS,
  dollar_volume: number(
    "Price times shares traded a day (avg_volume_3m), in currency; null when one of them is unknown.",
  ),
  beta: number("Null: the provider filters by it and does not tell it in its lists."),
  dividend_yield: number(
    "Dividends of the year to come against the price, in percent points; null when the provider does not say.",
  ),
  sector: text("The sector that was filtered by; otherwise null, since the provider's lists do not tell it."),
  industry: text("The industry that was filtered by; otherwise null."),
});
export type ScreenRow = Static<typeof ScreenRow>;

export const ScreenResponse = Type.Object({
  count: Type.Integer({ description: "Rows in data." }),
  page: Type.Integer({ description: "This page, from 1." }),
  page_size: Type.Integer({ description: "Rows of a page at most." }),
  total_available: Type.Integer({
    description:
      "Rows that match at the source, before exclude_types; with min_dollar_volume those of the filtered set.",
  }),
  total_pages: Type.Integer({ description: "total_available in pages of page_size." }),
  excluded: Type.Integer({
    description: "Rows of this page (of the whole set where it was collected) that our own filters left out.",
  }),
  truncated: Type.Boolean({
    description:
      "Whether the matching set was larger than what is collected: rows beyond were not looked at.",
  }),
  filters: FiltersShown,
  sort_by: oneOf(SORTS, "What the rows are ordered by."),
  sort_order: oneOf(["asc", "desc"], "Smallest or largest first."),
  as_of: Type.String({ description: "When the rows were read, RFC 3339 UTC." }),
  source: Type.String({ description: "Who screened." }),
  cached: Type.Boolean({ description: "True when the source was not asked for this answer." }),
  data: Type.Array(ScreenRow, {
    description: "In order. rank is the place among all that match, so exclude_types may leave gaps.",
  }),
});
export type ScreenResponse = Static<typeof ScreenResponse>;
