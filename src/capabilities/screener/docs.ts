// How the screener documents itself.
import {
  SCREENER_COLLECT_PAGES_MAX,
  SCREENER_COLLECT_ROWS_MAX,
  SCREENER_COLLECTED_CACHE_S,
  SCREENER_PAGE_CACHE_S,
} from "../../limits.ts";
import { documented, type RouteDoc } from "../../platform/route-doc.ts";
import { PresetList, ScreenResponse } from "./schema.ts";

const tag = "screener";

const HOW =
  "Filters go to the price provider, and a page of its answer comes back: `total_available` and `total_pages` are from its total of matching rows. " +
  "exclude_types is applied to the page after that (otc before it), so a page may hold fewer rows than page_size; `excluded` says how many fewer. " +
  `A page is remembered for ${SCREENER_PAGE_CACHE_S} seconds. ` +
  "With min_dollar_volume (price times average daily volume of three months) or fifty_two_week_high_distance_max the provider cannot do the work: the whole matching set is collected, " +
  `at most ${SCREENER_COLLECT_PAGES_MAX} pages or ${SCREENER_COLLECT_ROWS_MAX} rows (\`truncated\` says when there were more), filtered, ordered by the rows' own figures and remembered apart for ${SCREENER_COLLECTED_CACHE_S / 60} minutes; ` +
  "totals are then those of the filtered set. With min_dollar_volume, min_avg_volume is not sent to the provider but held against each row. " +
  "Bounds are inclusive, percentages in percent points, and a row of which a figure is unknown passes no filter on it.";

const screen = (summary: string, description: string, errors: NonNullable<RouteDoc["errors"]>) =>
  documented({
    tag,
    summary,
    description,
    answer: ScreenResponse,
    answerDescription: "A page of the rows that pass.",
    errors,
    tabular: true,
    cached: true,
  });

export const SCREEN = screen("Shares that pass filters", HOW, [400, 429, 502, 504]);
export const PRESET = screen(
  "Shares of a preset",
  `The screen that GET /screener/presets lists under this name. ${HOW}`,
  [400, "not_found", 429, 502, 504],
);

export const PRESET_LIST = documented({
  tag,
  summary: "Screens that are ready to use",
  description:
    "Screens that are ready to use, with the filters they stand for: asking for a preset and for its filters is the same.",
  answer: PresetList,
  answerDescription: "The presets.",
});
