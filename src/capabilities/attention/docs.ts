// How the attention routes document themselves.
import { NEWS_ARCHIVE_DEADLINE_S } from "../../limits.ts";
import { documented } from "../../platform/route-doc.ts";
import {
  CollectNewsAnswer,
  CollectViewsAnswer,
  EntityAnswer,
  EventAnswer,
  NEWS_SPAN_TEXT,
} from "./schema.ts";

const tag = "attention";
const admin = { tag, errors: [400, 401, 403, 404, "no_data", 429, 502, 504] as const };
/** Of what takes a span of days. */
const DATES_ERRORS = ["conflicting_time_selection", "invalid_date_range"] as const;

export const EVENT = documented({
  tag,
  summary: "Attention about a day: page views and archived news",
  description:
    "Views of the company's Wikipedia article on the day against the days before, and what the news archive saw. " +
    "Views are counted by days of UTC, while event_date is New York's: the UTC day of that date ends at 20:00 (in winter 19:00) in New York, so that news after the close are partly in the next one. Nothing after event_date is used. " +
    "A company that was never looked for is looked for, and page views that are missing are collected; the news archive is NEVER asked: newsarchive_status says whether its news were collected before. " +
    "Page views are remembered for an hour when complete, else for five minutes. Eight answers are made at once; who waits longer than ten seconds gets 503 slot_busy.",
  answer: EventAnswer,
  answerDescription: "The features, the views and the news.",
  errors: [400, 404, 429, 502, 504, "slot_busy"],
  cached: true,
});

export const ENTITY = documented({
  tag,
  summary: "The encyclopedia article of a company",
  description:
    "As it was found last, or set by hand, with what was considered. Each finding is kept: as_of answers with the one of then. 404 no_data when it was never looked for.",
  answer: EntityAnswer,
  answerDescription: "The article.",
  errors: [404, "no_data"],
});

export const RESOLVE = documented({
  ...admin,
  summary: "Look for a company's article",
  description:
    "By the SEC's number in Wikidata, else by the ticker there, else by search, scored by how alike the names are. “X v. Y” titles and disambiguation pages score 0.05, lists 0.1. An article set by hand stays, unless force.",
  answer: EntityAnswer,
  answerDescription: "The article, with what was considered.",
});

export const COLLECT_VIEWS = documented({
  ...admin,
  summary: "Collect page views of a company's article",
  description: "Of the dates, or of so many days up to yesterday. They begin on 2015-07-01.",
  answer: CollectViewsAnswer,
  answerDescription: "What is known now.",
  errors: [...admin.errors, ...DATES_ERRORS],
});

export const COLLECT_NEWS = documented({
  ...admin,
  summary: "Collect archived news of a company",
  description:
    `Articles in English that name the company, and their share of all news. ${NEWS_SPAN_TEXT} ` +
    "For the scheduler and for few companies: the archive takes one question in ten seconds, and refuses an address for tens of minutes. After a refusal this waits 30, 60 and 120 s; after the next the archive is left alone for half an hour (429 with retry_after), also by a service that is started anew. 409 already_running while the daily run is under way.",
  answer: CollectNewsAnswer,
  answerDescription: "What was found.",
  errors: [...admin.errors, ...DATES_ERRORS, 409],
  deadlineS: NEWS_ARCHIVE_DEADLINE_S,
});

export const OVERRIDE = documented({
  ...admin,
  summary: "Set a company's article by hand",
  description:
    "Stays until it is set anew or looked for with force. 400 when there is no such article, or it is a disambiguation page. What was collected of another article stays under that one's title.",
  answer: EntityAnswer,
  answerDescription: "The article as set.",
});
