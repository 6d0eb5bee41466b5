// How the ownership routes document themselves.
import { MULTI_REQUEST_DEADLINE_S } from "../../limits.ts";
import { documented } from "../../platform/route-doc.ts";
import { ActivePositions, HolderEvents } from "./schema.ts";

const tag = "ownership";

const VISIBLE =
  "A filing is visible from its acceptance, from 06:00 of its filing date when it was accepted after hours for the next business day, and from the end of its filing date where its acceptance is not known. " +
  "Percentages above 100 are discarded. One row per filing: its persons count the same shares, so their figures are never added up. ";

export const HOLDERS = documented({
  tag,
  summary: "Schedules 13D and 13G about a company",
  description: `${VISIBLE}Ten years back. What is not stored is fetched from the SEC first (\`metadata\`); where it cannot be asked, what is stored is served and \`warnings\` says so. Needs SEC_USER_AGENT (503 not_configured).`,
  answer: HolderEvents,
  answerDescription: "The filings, newest first.",
  errors: [404, "no_data", 429, 502, 504, "not_configured"],
  deadlineS: MULTI_REQUEST_DEADLINE_S,
});

export const ACTIVE = documented({
  tag,
  summary: "Positions of large holders that are held now",
  description: `${VISIBLE}Of each company and holder the newest filing; filings that share a person are of one holder. Left out where that one reports less than 5 percent or an exit. From what is stored: the daily job takes everybody's filings in, \`metadata\` says since when. No upstream call.`,
  answer: ActivePositions,
  answerDescription: "The positions, newest filing first.",
  errors: [],
});
