// How the earnings routes document themselves.
import { EARNINGS_CALENDAR_DAYS_MAX, MULTI_REQUEST_DEADLINE_S } from "../../limits.ts";
import { documented } from "../../platform/route-doc.ts";
import { BulkCalendarResponse, CalendarResponse, MarketResponse, SurpriseResponse } from "./schema.ts";

const tag = "earnings";

const KEPT =
  "Read at most once an hour, and daily for every ticker that was asked for; every change that is seen is kept with its moment, so that `as_of` answers with what was known then.";

export const SURPRISE = documented({
  tag,
  summary: "Reported earnings a share against the analysts' estimate",
  description: `The provider lists four quarters; older ones stay once they are stored. Figures are as the provider had them when they were read: after a split it restates the quarters it lists, and those stored before stay as they were. ${KEPT} 404 only when no provider knows the ticker; one without estimates is an empty list.`,
  answer: SurpriseResponse,
  answerDescription: "Quarters, the newest first, and what they add up to.",
  errors: [404, 429, 502, 504],
  tabular: true,
  cached: true,
});

const PUT_TOGETHER =
  "A row is one report: the market's calendar, the reported figures, and where a provider knows of the company's next report, its word. Where two name different days, one that is confirmed goes first, then the market's calendar; `other_dates` has the rest. Days are New York's.";

export const CALENDAR = documented({
  tag,
  summary: "Past and coming reports of a company",
  description: `${PUT_TOGETHER} ${KEPT}`,
  answer: CalendarResponse,
  answerDescription: "The next report, and all of them, the latest first.",
  errors: ["invalid_date_range", 404, 429, 502, 504],
  tabular: true,
  cached: true,
});

export const BULK = documented({
  tag,
  summary: "Past and coming reports of up to 100 companies",
  description: `One result per ticker, in the order of the request; a failed ticker does not fail the others. Cached for an hour: X-Cache is HIT when no provider was asked for this answer. ${PUT_TOGETHER}`,
  answer: BulkCalendarResponse,
  answerDescription: "A result per ticker, successful or not.",
  errors: ["invalid_date_range", 504],
  deadlineS: MULTI_REQUEST_DEADLINE_S,
  cached: true,
});

export const MARKET = documented({
  tag,
  summary: "Everybody who reports on a day or in a span of days",
  description: `At most ${EARNINGS_CALENDAR_DAYS_MAX} days in one answer. Comes from the provider's calendar of each day; where that cannot be asked, from another's, and \`warnings\` says so. ${KEPT}`,
  answer: MarketResponse,
  answerDescription: "Reports by day, then symbol.",
  errors: ["conflicting_time_selection", "invalid_date_range", 429, 502, 504],
  deadlineS: MULTI_REQUEST_DEADLINE_S,
  tabular: true,
  cached: true,
});
