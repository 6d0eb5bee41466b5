// Answers GET /filings/events: events of current reports from the store, after parsing the reports that are
// pending.
import type { Static } from "@sinclair/typebox";
import {
  EVENTS_FIRST_PART_S,
  EVENTS_WHOLE_MAX,
  FILING_EVENTS_SLOTS,
  FILING_EVENTS_WAIT_S,
} from "../../limits.ts";
import { absenceOf, absent, explained } from "../../market/absence.ts";
import { pageOf } from "../../market/answer-fields.ts";
import { mapSettled } from "../../market/bulk.ts";
import { addDays } from "../../market/date.ts";
import { asOfInstant, windowDay } from "../../market/known-at.ts";
import type { Services } from "../../market/services.ts";
import { type AsofError, Busy, InvalidRequest } from "../../platform/errors.ts";
import { isReplaying } from "../../platform/reading.ts";
import { createSemaphore, SemaphoreTimeout } from "../../platform/upstream/semaphore.ts";
import { indexPageUrl } from "../../providers/edgar/index.ts";
import type { Background } from "./background-parsing.ts";
import type { EventStore } from "./event-store.ts";
import { CURRENT_REPORTS } from "./forms.ts";
import { asOfText, shownInstant } from "./known-at.ts";
import type { FilingParser } from "./parse-filing.ts";
import type { LakePublisher } from "./publish.ts";
import { checkDates, type RequestedFilers } from "./requested-filer.ts";
import type { EventsAnswer, EventsQuery, FilingEvent } from "./schema.ts";
import type { FilingFilter, FilingsStore } from "./store.ts";
import type { FilingVersions } from "./version-state.ts";

type Query = Static<typeof EventsQuery>;
type Answer = Static<typeof EventsAnswer>;

export const DAYS_DEFAULT = 365;
const LIMIT_DEFAULT = 100;
const NO_EVENT = "No event of these days that was public then matches, or none is on this page.";
/** Filings that one request parses at the same time, and in total. */
const PARSED_AT_ONCE = 4;
const PARSED_PER_REQUEST = 2_000;

export interface EventsDeps extends Pick<Services, "clock"> {
  readonly background: Pick<Background, "add">;
  readonly filers: RequestedFilers;
  readonly store: FilingsStore;
  readonly events: EventStore;
  readonly versions: FilingVersions;
  readonly parser: FilingParser;
  readonly publisher: LakePublisher;
  fillAcceptances(filter: FilingFilter, signal: AbortSignal): Promise<void>;
}

/** The requested filing dates: the two dates, or the days back from `today`, the day of as_of. */
function datesOf(query: Query, today: string): { start: string; end: string } {
  checkDates(query.start_date, query.end_date);
  const { start_date: start, end_date: end = today, days } = query;
  if (start === undefined) return { start: addDays(today, -(days ?? DAYS_DEFAULT)), end: today };
  if (days === undefined) return { start, end };
  throw new InvalidRequest("conflicting_time_selection", "Give days or start_date with end_date, not both.");
}

function eventFields(
  { event, cik, filing_date, report_date, accepted_at }: ReturnType<EventStore["find"]>[number],
  includeContent: boolean,
): Static<typeof FilingEvent> {
  return {
    accession_number: event.accession_number,
    item_number: event.item_number,
    modern_item: event.modern_item,
    event_type: event.event_type,
    event_title: event.event_title,
    filing_date,
    report_date,
    accepted_at: shownInstant(accepted_at),
    content: includeContent ? event.content : null,
    content_source: event.content_source === "EX-99.1" ? "EX-99.1" : "body",
    content_length: event.content_length,
    truncated: event.truncated,
    filing_url: indexPageUrl({ accession_number: event.accession_number, cik: cik ?? undefined }),
  };
}

/**
 * Parses the pending filings of the filter. Of many it parses the newest and leaves the others to the
 * background. Stops at the first outage, which the other filings would meet too.
 */
async function parsePending(
  { store, parser, background, clock }: Pick<EventsDeps, "store" | "parser" | "background" | "clock">,
  filter: FilingFilter,
  signal: AbortSignal,
) {
  const pending = store.find({ ...filter, status: "pending" }, { limit: PARSED_PER_REQUEST, offset: 0 });
  const isWhole = pending.length <= EVENTS_WHOLE_MAX;
  const untilMs = isWhole ? Number.POSITIVE_INFINITY : clock.nowMs() + EVENTS_FIRST_PART_S * 1000;
  let outage: AsofError | null = null;
  let parsed = 0;
  const parseOne = async ({ accession_number }: { accession_number: string }) => {
    if (outage !== null) return;
    if (clock.nowMs() >= untilMs) return background.add([accession_number]);
    const result = await parser.parse(accession_number, false, signal);
    outage ??= result.outage;
    if (!result.skipped && result.outage === null) parsed += 1;
  };
  const outcomes = await mapSettled(pending, parseOne, { concurrency: PARSED_AT_ONCE, signal });
  signal.throwIfAborted();
  for (const outcome of outcomes) if (!outcome.ok) throw outcome.error;
  return { parsed, left: pending.length - parsed, outage: outage as AsofError | null };
}

type Parsed = Awaited<ReturnType<typeof parsePending>>;
const NOTHING_PARSED: Parsed = { parsed: 0, left: 0, outage: null };

/** Returns warnings about filings of the filter whose events are missing. */
function missingWarnings(store: FilingsStore, known: FilingFilter, { left, outage }: Parsed): string[] {
  const failed = store.count({ ...known, status: "failed" });
  // An outage names what it left, in a sentence of its own.
  const pending = outage === null ? store.count({ ...known, status: "pending" }) : 0;
  const notRead = isReplaying()
    ? "were not read in this data version."
    : "are not read yet. They are read in the background: ask again later.";
  return [
    ...(outage === null
      ? []
      : [absent(absenceOf(outage), `${left} filings of these days are not read yet: ${outage.message}`)]),
    ...(pending === 0 ? [] : [absent("not_read", `${pending} filings of these days ${notRead}`)]),
    ...(failed === 0
      ? []
      : [absent("not_read", `${failed} filings of these days could not be read; their events are missing.`)]),
  ];
}

/** Answers one request, without the limit on concurrent requests. */
function eventsAnswer(deps: EventsDeps) {
  const { filers, store, events, versions, publisher, clock } = deps;

  return async function readEvents(ticker: string, query: Query, signal: AbortSignal): Promise<Answer> {
    const { limit = LIMIT_DEFAULT, offset = 0, include_content = true, force_refresh: force = false } = query;
    const asOf = asOfInstant(query.as_of);
    const dates = datesOf(query, windowDay(asOf, clock.now()));
    const filer = await filers.find({ ticker }, asOf, signal);
    if (!filer) throw new Error("events are requested by ticker");
    const indexed = await filers.indexed(filer, { ...dates, asOf, force, forms: CURRENT_REPORTS }, signal);
    const reports = { ciks: indexed.ciks, forms: CURRENT_REPORTS, ...dates };
    if (force) await deps.fillAcceptances(reports, signal);
    const known = { ...reports, asOf: asOfText(asOf) };
    const reading = isReplaying() ? NOTHING_PARSED : await parsePending(deps, known, signal);
    if (!isReplaying()) publisher.soon();
    await versions.loadReports(indexed.ciks, signal);
    const { item, event_type } = query;
    const filter = { ciks: indexed.ciks, ...dates, item, event_type, asOf: asOfText(asOf) };
    return versions.read("events", indexed.ciks, () => {
      const total = events.count(filter);
      // An empty answer would say that nothing happened, although nothing could be read.
      if (reading.outage !== null && total === 0) throw reading.outage;
      const found = events.find(filter, { limit, offset });
      return {
        ticker: filer.ticker ?? "",
        ...pageOf(found.length, total, { limit, offset }),
        parsed_now: reading.parsed,
        acceptance_pending: indexed.acceptance_pending ?? 0,
        data: found.map((event) => eventFields(event, include_content)),
        warnings: explained(
          found,
          [...indexed.warnings, ...missingWarnings(store, known, reading)],
          NO_EVENT,
        ),
      };
    });
  };
}

export function filingEvents(deps: EventsDeps) {
  const answer = eventsAnswer(deps);
  const slots = createSemaphore(
    { slots: FILING_EVENTS_SLOTS, waitMsMax: FILING_EVENTS_WAIT_S * 1000 },
    deps.clock,
  );

  /** Throws Busy `slot_busy` when no slot becomes free in time. */
  return async function answerEvents(ticker: string, query: Query, signal: AbortSignal): Promise<Answer> {
    try {
      return await slots.run(signal, () => answer(ticker.trim(), query, signal));
    } catch (error) {
      if (!(error instanceof SemaphoreTimeout)) throw error;
      throw new Busy(
        "slot_busy",
        `${FILING_EVENTS_SLOTS} requests for filing events are in progress, and none finished within ${FILING_EVENTS_WAIT_S} s.`,
        { retryAfterS: FILING_EVENTS_WAIT_S },
      );
    }
  };
}
