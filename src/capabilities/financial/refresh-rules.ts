// When a filer's figures must be read again. Pure.
import { instantMs } from "../../platform/instant-text.ts";
import { FACTS_READING } from "../../providers/edgar/index.ts";
import type { FilerState } from "./filer-states.ts";
import type { PeriodicFiling } from "./sources.ts";

/**
 * The regulator publishes figures within minutes of a report; a report without figures is not asked for more
 * often.
 */
// Filed at 16:00 and without figures at 16:05: the first request after 16:15 asks again.
const MISSING_RETRY_MS = 10 * 60_000;
/** A report older than this whose figures are not published never has any: it carries no XBRL. */
// Read three days after a report that the file lacks: nothing asks for its figures again.
const XBRL_DELAY_MS_MAX = 2 * 86_400_000;
/** Time for which "the regulator has no figures" is trusted while nothing new is filed. */
// A fund, which files no figures, is asked for once a day.
const NO_FIGURES_MS = 24 * 60 * 60_000;
/** XBRL begins in 2009: older reports have no figures in it. */
const XBRL_BEGINS = "2009-01-01";

const isNoFiguresExpired = ({ status, read_at }: FilerState, nowMs: number): boolean =>
  status === "none" && nowMs - instantMs(read_at) > NO_FIGURES_MS;

/** Whether the stored figures lack the newest report, and the regulator may have its figures by now. */
function isMissingReport(state: FilerState, newest: PeriodicFiling | undefined, nowMs: number): boolean {
  const readMs = instantMs(state.read_at);
  if (!newest || newest.filing_date < XBRL_BEGINS) return isNoFiguresExpired(state, nowMs);
  if (newest.accession_number === state.newest_accession) return false;
  const knownMs = instantMs(newest.known_at);
  if (readMs - knownMs > XBRL_DELAY_MS_MAX) return isNoFiguresExpired(state, nowMs);
  return readMs < knownMs || nowMs - readMs > MISSING_RETRY_MS;
}

/**
 * Whether an earlier version of the parser read the figures. A filer without figures is retried once a day at
 * most.
 */
const isOutdated = ({ reading, status, read_at }: FilerState, nowMs: number): boolean =>
  reading !== FACTS_READING && (status === "facts" || nowMs - instantMs(read_at) > NO_FIGURES_MS);

/**
 * Whether a filer's file of figures must be read: it never was, an earlier parser read it, or it lacks the
 * `newest` report. Figures read after `asOf` have everything that was known then.
 */
export function isReadDue(
  state: FilerState | null,
  newest: PeriodicFiling | undefined,
  asOf: Temporal.Instant | null,
  nowMs: number,
): boolean {
  if (state === null || isOutdated(state, nowMs)) return true;
  const hasAllOf = asOf !== null && instantMs(state.read_at) > asOf.epochMilliseconds;
  return !hasAllOf && isMissingReport(state, newest, nowMs);
}
