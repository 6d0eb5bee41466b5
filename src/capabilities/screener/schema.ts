// Queries, bodies and answers of the screener: validation, types and documentation in one place.
import { type Static, Type } from "@sinclair/typebox";
import { SCREENER_PAGE_ROWS, SCREENER_PAGE_ROWS_MAX } from "../../limits.ts";
import { absenceWarnings } from "../../market/absence.ts";
import { numberOrNull, textOrNull } from "../../market/answer-fields.ts";
import {
  countField,
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

const EXCHANGE = "Exchanges. Default: all US markets, including over the counter.";
const EXCLUDE =
  "Kinds of securities to exclude. preferred, warrant and unit are recognized by the symbol, etf and fund by the provider's type, otc by the exchange, adr by the name or, over the counter, by the fifth letter Y; a depositary receipt without such a name is not excluded.";

/** Filters with plain values; both bounds of a range are inclusive. */
const PLAIN = {
  sector: Type.Optional(nameOf(SECTORS, "Sector, as the price provider names it.")),
  industry: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description:
        "Industry, exactly as the price provider names it, including case. The provider publishes no list of them, and an unknown industry matches nothing.",
      examples: ["Semiconductors"],
    }),
  ),
  country: Type.Optional(nameOf(["us"], "Country of the listing. Only us is supported.", "us")),
  market_cap_min: bound("Market capitalization, US dollars.", 2_000_000_000, 0),
  market_cap_max: bound("Market capitalization, US dollars.", 10_000_000_000, 0),
  price_min: bound("Price, US dollars.", 5, 0),
  price_max: bound("Price, US dollars.", 100, 0),
  min_avg_volume: bound("Average daily volume of three months, shares.", 500_000, 0),
  min_dollar_volume: bound(
    "Price times shares traded per day (three-month average), US dollars. Requires the whole matching set, see above; a row with an unknown price or volume never passes.",
    20_000_000,
    0,
  ),
  volume_min: bound("Shares traded today.", 1_000_000, 0),
  change_percent_min: bound("Today's change, percent.", 3),
  change_percent_max: bound("Today's change, percent.", -3),
  pe_min: bound(
    "Price to the earnings of twelve months. A loss gives a negative ratio, so pe_min=0 excludes it.",
    0,
  ),
  pe_max: bound("Price to the earnings of twelve months.", 25),
  peg_max: bound("Price-earnings ratio divided by the expected earnings growth of five years.", 1.5),
  dividend_yield_min: bound("Dividends expected over the coming year, percent of the price.", 2.5, 0),
  beta_min: bound("Beta of five years.", 0.8),
  beta_max: bound("Beta of five years.", 1.2),
  fifty_two_week_change_min: bound("Price change over 52 weeks, percent.", 20),
  fifty_two_week_high_distance_max: bound(
    "How far the price may be below the 52-week high, percent. Requires the whole matching set, like min_dollar_volume.",
    5,
    0,
  ),
  eps_growth_min: bound("Growth of the twelve-month earnings per share, percent.", 15),
  revenue_growth_min: bound("Growth of quarterly revenue over one year, percent.", 10),
};

const ORDER = {
  sort_by: Type.Optional(
    oneOf(SORTS, "Figure to order by. dollar_volume requires min_dollar_volume.", "market_cap"),
  ),
  sort_order: Type.Optional(oneOf(["asc", "desc"], "asc: smallest first; desc: largest first.", "desc")),
};

const PAGE = {
  page: Type.Optional(wholeNumber("Page number, from 1.", { minimum: 1, default: 1 })),
  page_size: countField("Rows per page.", SCREENER_PAGE_ROWS_MAX, SCREENER_PAGE_ROWS),
  force_refresh: Type.Optional(forceRefresh),
};

const format = formatField();

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
  exclude_types: Type.Optional(wordList(KINDS, `Replaces the preset's own exclude_types. ${EXCLUDE}`)),
  min_dollar_volume: PLAIN.min_dollar_volume,
  ...PAGE,
  format,
});

const words = <const T extends string>(values: readonly T[], description: string) =>
  Type.Optional(Type.Array(Type.Unsafe<T>(Type.String({ enum: [...values] })), { description }));

/** The filters that an answer applied. */
export const FiltersShown = Type.Object(
  {
    exchange: words(EXCHANGES, "Exchanges; all US markets when absent."),
    ...PLAIN,
    exclude_types: words(KINDS, "Excluded kinds of securities."),
  },
  { description: "The applied filters; an absent filter does not apply." },
);

export const Preset = Type.Object({
  name: Type.String({ description: "Name of the preset." }),
  description: Type.String({ description: "What the preset finds." }),
  filters: FiltersShown,
  sort_by: oneOf(SORTS, "Figure that the rows are ordered by."),
  sort_order: oneOf(["asc", "desc"], "asc: smallest first; desc: largest first."),
});
export const PresetList = Type.Array(Preset, { description: "All presets." });

export const ScreenRow = Type.Object({
  ...STOCK_FIELDS,
  dollar_volume: numberOrNull(
    "Price times shares traded per day (avg_volume_3m), in currency; null when either is unknown.",
  ),
  beta: numberOrNull("Always null: the provider filters by beta but does not include it in its lists."),
  dividend_yield: numberOrNull(
    "Dividends expected over the coming year, percent of the price; null when the provider has none.",
  ),
  sector: textOrNull("The sector of the filter, else null: the provider's lists do not include it."),
  industry: textOrNull("The industry of the filter, else null."),
});
export type ScreenRow = Static<typeof ScreenRow>;

export const ScreenResponse = Type.Object({
  count: Type.Integer({ description: "Rows in data." }),
  page: Type.Integer({ description: "Page number, from 1." }),
  page_size: Type.Integer({ description: "Maximum number of rows per page." }),
  total_available: Type.Integer({
    description:
      "Rows that match at the source, before exclude_types; with min_dollar_volume those of the filtered set.",
  }),
  total_pages: Type.Integer({ description: "Number of pages of page_size rows in total_available." }),
  excluded: Type.Integer({
    description:
      "Rows that our own filters excluded: of this page, or of the whole set when it was collected.",
  }),
  truncated: Type.Boolean({
    description: "Whether the matching set was larger than what is collected; further rows were not checked.",
  }),
  filters: FiltersShown,
  sort_by: oneOf(SORTS, "Figure that the rows are ordered by."),
  sort_order: oneOf(["asc", "desc"], "asc: smallest first; desc: largest first."),
  as_of: Type.String({ description: "When the rows were read, RFC 3339 UTC." }),
  source: Type.String({ description: "Provider that applied the filters." }),
  cached: Type.Boolean({ description: "Whether the answer comes from the cache." }),
  warnings: absenceWarnings,
  data: Type.Array(ScreenRow, {
    description: "In order. rank is the place among all matching rows, so exclude_types may leave gaps.",
  }),
});
export type ScreenResponse = Static<typeof ScreenResponse>;
