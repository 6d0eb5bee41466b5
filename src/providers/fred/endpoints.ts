// What FRED can be asked: its endpoints, the list each answers with, what each needs, and how it knows of time.

export interface FredEndpoint {
  readonly name: string;
  /** Key of the list (of release/tables: the object) in the answer; of series it is `seriess` indeed. */
  readonly collection: string;
  /** Parameters without which FRED refuses. */
  readonly needs: readonly string[];
  /**
   * Which real-time parameters stand for a moment of the past: both ends of the period, its end alone (dates of
   * vintages and releases up to then), or none, since the endpoint knows no time.
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
  ["series/updates", "seriess"],
  ["series/vintagedates", "vintage_dates", "series_id", "end"],
  ["sources", "sources"],
  ["source", "sources", "source_id"],
  ["source/releases", "releases", "source_id"],
  ["tags", "tags"],
  ["related_tags", "tags", "tag_names"],
  ["tags/series", "seriess", "tag_names"],
];

/** All of them; nothing else is ever asked. */
export const FRED_ENDPOINTS: readonly FredEndpoint[] = ROWS.map(
  ([name, collection, needs = "", realTime = "period"]) => ({
    name,
    collection,
    needs: needs.split(" ").filter(Boolean),
    realTime,
  }),
);
