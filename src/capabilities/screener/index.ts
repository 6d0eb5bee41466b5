// The screener: US shares filtered by their current figures. The capability with its routes and their
// documentation.
import { Elysia } from "elysia";
import {
  SCREENER_COLLECT_PAGES_MAX,
  SCREENER_COLLECT_ROWS_MAX,
  SCREENER_COLLECTED_CACHE_S,
  SCREENER_PAGE_CACHE_S,
} from "../../limits.ts";
import { FormatQuery } from "../../market/params.ts";
import { documented, type RouteDoc } from "../../platform/route-doc.ts";
import { type ScreenerAnswers, screenerAnswers } from "./answers.ts";
import { PresetList, PresetPath, PresetQuery, ScreenQuery, ScreenRequest, ScreenResponse } from "./schema.ts";
import { type ScreenDeps, screens } from "./screen.ts";

const tag = "screener";

const HOW =
  "The filters are sent to the price provider, and the answer is one page of its result: `total_available` and `total_pages` come from its total of matching rows. " +
  "exclude_types is applied to the page afterwards (otc before), so a page may hold fewer rows than page_size; `excluded` has the number of missing rows. " +
  `A page is cached for ${SCREENER_PAGE_CACHE_S} seconds. ` +
  "The provider cannot filter by min_dollar_volume (price times average daily volume of three months) or fifty_two_week_high_distance_max. With one of them the whole matching set is collected, " +
  `at most ${SCREENER_COLLECT_PAGES_MAX} pages or ${SCREENER_COLLECT_ROWS_MAX} rows (\`truncated\` is true when there were more), filtered, ordered by the rows' own figures and cached separately for ${SCREENER_COLLECTED_CACHE_S / 60} minutes; ` +
  "totals are then those of the filtered set. With min_dollar_volume, min_avg_volume is not sent to the provider but compared with each row. " +
  "Bounds are inclusive, percentages are in percent, and a row with an unknown figure does not pass a filter on that figure.";

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

const SCREEN = screen("Shares that pass filters", HOW, [400, 429, 502, 504]);
const PRESET = screen(
  "Shares of a preset",
  `The screen that GET /screener/presets lists under this name. ${HOW}`,
  [400, "not_found", 429, 502, 504],
);

const PRESET_LIST = documented({
  tag,
  summary: "Predefined screens",
  description:
    "Predefined screens with the filters they apply: a preset and a screen with the same filters give the same answer.",
  answer: PresetList,
  rows: null,
  answerDescription: "The presets.",
});

/** The routes below /screener. */
const screenerRoutes = (answers: ScreenerAnswers) =>
  new Elysia({ name: "screener", prefix: "/screener" })
    .get("/screen", ({ query, request }) => answers.screen(query, request.signal), {
      query: ScreenQuery,
      detail: SCREEN,
    })
    .post("/screen", ({ body, request }) => answers.screen(body, request.signal), {
      body: ScreenRequest,
      query: FormatQuery,
      detail: SCREEN,
    })
    .get("/presets", () => answers.presets(), { query: FormatQuery, detail: PRESET_LIST })
    .get(
      "/preset/:name",
      ({ params, query, request }) => answers.preset(params.name, query, request.signal),
      { params: PresetPath, query: PresetQuery, detail: PRESET },
    );

/** Builds the capability: its routes. */
export function screener(deps: ScreenDeps) {
  return { routes: screenerRoutes(screenerAnswers(screens(deps))) };
}
