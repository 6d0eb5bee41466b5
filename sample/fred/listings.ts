// Every endpoint but observations: series and what they stand under, as FRED lists them.
import {
  CATEGORIES,
  groupOf,
  RELEASES,
  type SampleCategory,
  type SampleRelease,
  type SampleSeries,
  SERIES,
  SOURCES,
} from "./catalogue.ts";
import { vintageDates } from "./observations.ts";
import type { RealTime } from "./real-time.ts";
import { page, Refusal, refuse, wholeOf } from "./reply.ts";
import type { Period } from "./vintages.ts";

type Body = Readonly<Record<string, unknown>>;

export interface Visit {
  readonly query: URLSearchParams;
  readonly time: RealTime;
  readonly today: string;
  periods(series: SampleSeries): readonly Period[];
}

const LIMIT_MAX = 1_000;
const FREQUENCIES = {
  D: "Daily",
  W: "Weekly, Ending Saturday",
  M: "Monthly",
  Q: "Quarterly",
  A: "Annual",
} as const;

const timed = ({ start, end }: RealTime) => ({ realtime_start: start, realtime_end: end });

function seriesRow(visit: Visit, series: SampleSeries) {
  const periods = visit.periods(series);
  const changed = vintageDates(periods).at(-1) ?? series.start;
  return {
    id: series.id,
    ...timed(visit.time),
    title: series.title,
    observation_start: periods[0]?.date ?? series.start,
    observation_end: periods.at(-1)?.date ?? series.start,
    frequency: FREQUENCIES[series.frequency],
    frequency_short: series.frequency,
    units: series.units,
    units_short: series.unitsShort,
    seasonal_adjustment: series.adjusted ? "Seasonally Adjusted" : "Not Seasonally Adjusted",
    seasonal_adjustment_short: series.adjusted ? "SA" : "NSA",
    last_updated: `${changed} 07:31:09-05`,
    popularity: 13,
    group_popularity: 13,
    notes: "A fictional series of the sample market.\n\n",
  };
}

const words = (query: URLSearchParams, name: string) =>
  (query.get(name) ?? "").split(";").filter((word) => word !== "");

/** Series that have all the wanted tags and none of the others. */
function tagged({ query }: Visit, all: readonly SampleSeries[]): SampleSeries[] {
  const wanted = words(query, "tag_names");
  const unwanted = words(query, "exclude_tag_names");
  return all.filter(
    ({ tags }) => wanted.every((tag) => tags.includes(tag)) && !unwanted.some((tag) => tags.includes(tag)),
  );
}

function seriesList(visit: Visit, all: readonly SampleSeries[], orderBy = "series_id"): Body {
  const { facts, rows } = page(visit.query, tagged(visit, all), { orderBy, limitMax: LIMIT_MAX });
  return { ...timed(visit.time), ...facts, seriess: rows.map((series) => seriesRow(visit, series)) };
}

function tagList(visit: Visit, all: readonly SampleSeries[], without: readonly string[] = []): Body {
  const counts = new Map<string, number>();
  for (const { tags } of all)
    for (const tag of tags) if (!without.includes(tag)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  const group = visit.query.get("tag_group_id");
  const tags = [...counts]
    .map(([name, count]) => ({
      name,
      group_id: groupOf(name),
      notes: "",
      created: "2012-02-27 10:18:19-06",
      popularity: 50,
      series_count: count,
    }))
    .filter(({ group_id }) => group === null || group_id === group)
    .sort((a, b) => b.series_count - a.series_count || (a.name < b.name ? -1 : 1));
  const listing = { orderBy: "series_count", limitMax: LIMIT_MAX, descending: true };
  const { facts, rows } = page(visit.query, tags, listing);
  return { ...timed(visit.time), ...facts, tags: rows };
}

/** Tags of the series that have the asked ones, without these. */
const relatedTags = (visit: Visit, all: readonly SampleSeries[]): Body =>
  tagList(visit, tagged(visit, all), words(visit.query, "tag_names"));

const releaseRow = (visit: Visit, { id, name, press }: SampleRelease) => ({
  id,
  ...timed(visit.time),
  name,
  press_release: press,
  link: `https://releases.example/${id}`,
});

const sourceRow = (visit: Visit, source: (typeof SOURCES)[number]) => ({
  id: source.id,
  ...timed(visit.time),
  name: source.name,
  link: source.link,
});

function needed<T extends { readonly id: number }>(visit: Visit, what: string, all: readonly T[]): T {
  const name = `${what}_id`;
  if (visit.query.get(name) === null) refuse(`Variable ${name} is not set.`);
  const id = wholeOf(visit.query, name, 0, 2_147_483_647);
  const found = all.find((each) => each.id === id);
  if (!found) throw new Refusal(`Bad Request.  The ${what} does not exist.`);
  return found;
}

export function neededSeries(query: URLSearchParams): SampleSeries {
  const id = query.get("series_id") ?? refuse("Variable series_id is not set.");
  return SERIES.find((series) => series.id === id.toUpperCase()) ?? refuse("The series does not exist.");
}

const category = (visit: Visit): SampleCategory => {
  const id = wholeOf(visit.query, "category_id", 0, 2_147_483_647);
  return CATEGORIES.find((each) => each.id === id) ?? refuse("The category does not exist.");
};

const inCategory = (visit: Visit) => {
  const { id } = category(visit);
  return SERIES.filter((series) => series.category === id);
};
const inRelease = (visit: Visit) => {
  const { id } = needed(visit, "release", RELEASES);
  return SERIES.filter(({ release }) => release === id);
};

function found(visit: Visit, name: string): SampleSeries[] {
  const text = visit.query.get(name) ?? refuse(`Variable ${name} is not set.`);
  if (visit.query.get("search_type") === "series_id") {
    const pattern = new RegExp(`^${text.replace(/[^\w*]/g, "").replaceAll("*", ".*")}$`, "i");
    return SERIES.filter(({ id }) => pattern.test(id));
  }
  const wanted = text.toLowerCase().split(/\s+/);
  return SERIES.filter(({ id, title }) =>
    wanted.every((word) => `${id} ${title}`.toLowerCase().includes(word)),
  );
}

function dates(visit: Visit, releases: readonly SampleRelease[]): Body {
  const all = releases.flatMap(({ id, name }) =>
    [...new Set(SERIES.filter((s) => s.release === id).flatMap((s) => vintageDates(visit.periods(s))))].map(
      (date) => ({ release_id: id, release_name: name, date }),
    ),
  );
  const { start, end } = visit.time;
  const within = all.filter(({ date }) => date >= start && date <= end);
  within.sort((a, b) => (a.date < b.date ? 1 : -1));
  const { facts, rows } = page(visit.query, within, {
    orderBy: "release_date",
    limitMax: LIMIT_MAX,
    descending: true,
  });
  return { ...timed(visit.time), ...facts, release_dates: rows };
}

function tables(visit: Visit): Body {
  const { id, name } = needed(visit, "release", RELEASES);
  const elements = inRelease(visit).map((series, i) => ({
    element_id: id * 100 + i,
    release_id: id,
    series_id: series.id,
    parent_id: 0,
    line: String(i + 1),
    type: "series",
    name: series.title,
    level: "0",
    children: [],
  }));
  return {
    name,
    release_id: String(id),
    elements: Object.fromEntries(elements.map((e) => [e.element_id, e])),
  };
}

function listOf<T>(visit: Visit, key: string, orderBy: string, all: readonly T[]): Body {
  const { facts, rows } = page(visit.query, all, { orderBy, limitMax: LIMIT_MAX });
  return { ...timed(visit.time), ...facts, [key]: rows };
}

/** The answer of each endpoint; observations and vintage dates are answered elsewhere. */
export const LISTINGS: Readonly<Record<string, (visit: Visit) => Body>> = {
  category: (visit) => ({ categories: [category(visit)] }),
  "category/children": (visit) => {
    const { id } = category(visit);
    return { categories: CATEGORIES.filter((c) => c.parent_id === id && c.id !== 0) };
  },
  "category/related": (visit) => ({ categories: category(visit).id === 9 ? CATEGORIES.slice(2, 3) : [] }),
  "category/series": (visit) => seriesList(visit, inCategory(visit)),
  "category/tags": (visit) => tagList(visit, inCategory(visit)),
  "category/related_tags": (visit) => relatedTags(visit, inCategory(visit)),
  releases: (visit) =>
    listOf(
      visit,
      "releases",
      "release_id",
      RELEASES.map((release) => releaseRow(visit, release)),
    ),
  "releases/dates": (visit) => dates(visit, RELEASES),
  release: (visit) => ({
    ...timed(visit.time),
    releases: [releaseRow(visit, needed(visit, "release", RELEASES))],
  }),
  "release/dates": (visit) => dates(visit, [needed(visit, "release", RELEASES)]),
  "release/series": (visit) => seriesList(visit, inRelease(visit)),
  "release/sources": (visit) => {
    const { source } = needed(visit, "release", RELEASES);
    return {
      ...timed(visit.time),
      sources: SOURCES.filter(({ id }) => id === source).map((s) => sourceRow(visit, s)),
    };
  },
  "release/tags": (visit) => tagList(visit, inRelease(visit)),
  "release/related_tags": (visit) => relatedTags(visit, inRelease(visit)),
  "release/tables": tables,
  series: (visit) => ({ ...timed(visit.time), seriess: [seriesRow(visit, neededSeries(visit.query))] }),
  "series/categories": (visit) => {
    const series = neededSeries(visit.query);
    return { categories: CATEGORIES.filter(({ id }) => id === series.category) };
  },
  "series/release": (visit) => {
    const series = neededSeries(visit.query);
    const own = RELEASES.filter(({ id }) => id === series.release);
    return { ...timed(visit.time), releases: own.map((release) => releaseRow(visit, release)) };
  },
  "series/search": (visit) => seriesList(visit, found(visit, "search_text"), "search_rank"),
  "series/search/tags": (visit) => tagList(visit, found(visit, "series_search_text")),
  "series/search/related_tags": (visit) => relatedTags(visit, found(visit, "series_search_text")),
  "series/tags": (visit) => tagList(visit, [neededSeries(visit.query)]),
  "series/updates": (visit) => ({
    filter_variable: "geography",
    filter_value: visit.query.get("filter_value") ?? "all",
    ...seriesList(visit, SERIES, "last_updated"),
  }),
  sources: (visit) =>
    listOf(
      visit,
      "sources",
      "source_id",
      SOURCES.map((source) => sourceRow(visit, source)),
    ),
  source: (visit) => ({
    ...timed(visit.time),
    sources: [sourceRow(visit, needed(visit, "source", SOURCES))],
  }),
  "source/releases": (visit) => {
    const { id } = needed(visit, "source", SOURCES);
    const own = RELEASES.filter(({ source }) => source === id);
    return listOf(
      visit,
      "releases",
      "release_id",
      own.map((release) => releaseRow(visit, release)),
    );
  },
  tags: (visit) => tagList(visit, SERIES),
  related_tags: (visit) => relatedTags(visit, SERIES),
  "tags/series": (visit) => seriesList(visit, SERIES),
};
