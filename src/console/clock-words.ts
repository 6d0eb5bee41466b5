// Where the clock of a page stands, in words.
import { lastDay } from "./as-of.ts";
import { minute } from "./format.ts";

export const DAY = /^\d{4}-\d{2}-\d{2}$/;
/** An instant has its zone, which the service requires. */
const INSTANT = /^\d{4}-\d{2}-\d{2}T.*(?:Z|[+-]\d{2}:?\d{2})$/i;

/** Whether a text that has the form of a day is one: there is no 30 February. */
const isDay = (text: string): boolean => {
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 10) === text;
};

/** Since when something was known: a day counts to its end in New York. Null where the text is no moment. */
function momentWords(text: string): string | null {
  if (DAY.test(text)) return isDay(text) ? `known at the end of ${text}` : null;
  return INSTANT.test(text) && !Number.isNaN(Date.parse(text)) ? `known on ${minute(text)}` : null;
}

const LAST_DAY = "9999-12-31";

/**
 * `as_of` and `data_version` as an address gives them; `today` is the service's day, after which a moment
 * means now.
 */
export function clockWords(
  { as_of, data_version }: { readonly as_of: string | null; readonly data_version: string | null },
  today: string,
  isOfNow: boolean,
): string {
  const moment = as_of === null ? "" : momentWords(as_of);
  if (moment === null) return `“${as_of}” is no day and no instant with its zone: nothing is shown as of it.`;
  const isAhead = as_of !== null && lastDay(as_of, LAST_DAY) > today;
  const version = data_version === null ? "" : `stored in version ${data_version}`;
  const words = [isAhead ? "" : moment, version].filter((each) => each !== "").join(" and ");
  if (words === "") return "";
  return isOfNow
    ? `This page shows the service as it is now. Pages of companies and of the market show what was ${words}.`
    : `Everything is shown as it was ${words}.`;
}
