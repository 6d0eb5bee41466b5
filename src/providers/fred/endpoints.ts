// FRED's endpoints: the list each answers with, its required parameters, and how it handles real time.

export interface FredEndpoint {
  readonly name: string;
  /**
   * Key of the list in the answer (of the object, for release/tables). FRED really spells that of series
   * `seriess`.
   */
  readonly collection: string;
  /** Required parameters. */
  readonly needs: readonly string[];
  /**
   * The real-time parameters that select a past moment: both ends of the period, only its end (for the dates
   * of vintages and releases up to then), or none where the endpoint has no real time.
   */
  readonly realTime: "period" | "end" | "none";
}

type Row = readonly [name: string, collection: string, needs?: string, realTime?: FredEndpoint["realTime"]];

const ROWS: readonly Row[] = [
  ["category", "categories", "", "none"],
  ["category/children", "categories"],
  ["category/related", "categories"],
  ["category/series", "seriess"],
  ["category/tags", "tags"],
  ["category/related_tags", "tags", "tag_names"],
  ["releases", "releases"],
  ["releases/dates", "release_dates", "", "end"],
  ["release", "releases", "release_id"],
  ["release/dates", "release_dates", "release_id", "end"],
  ["release/series", "seriess", "release_id"],
  ["release/sources", "sources", "release_id"],
  ["release/tags", "tags", "release_id"],
  ["release/related_tags", "tags", "release_id tag_names"],
  ["release/tables", "elements", "release_id", "none"],
  ["series", "seriess", "series_id"],
  ["series/categories", "categories", "series_id"],
  ["series/observations", "observations", "series_id"],
  ["series/release", "releases", "series_id"],
  ["series/search", "seriess", "search_text"],
  ["series/search/tags", "tags", "series_search_text"],
  ["series/search/related_tags", "tags", "series_search_text tag_names"],
  ["series/tags", "tags", "series_id"],
  // Its rows and their order are today's updates.
  ["series/updates", "seriess", "", "none"],
  ["series/vintagedates", "vintage_dates", "series_id", "end"],
  ["sources", "sources"],
  ["source", "sources", "source_id"],
  ["source/releases", "releases", "source_id"],
  ["tags", "tags"],
  ["related_tags", "tags", "tag_names"],
  ["tags/series", "seriess", "tag_names"],
];

/** All endpoints that may be requested. */
export const FRED_ENDPOINTS: readonly FredEndpoint[] = ROWS.map(
  ([name, collection, needs = "", realTime = "period"]) => ({
    name,
    collection,
    needs: needs.split(" ").filter(Boolean),
    realTime,
  }),
);
