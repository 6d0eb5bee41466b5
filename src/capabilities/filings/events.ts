// Events of current reports: read from the store, and parsed first where they are not.
import type { Static } from "@sinclair/typebox";
import { FILING_EVENTS_SLOTS, FILING_EVENTS_WAIT_S } from "../../limits.ts";
import { mapSettled } from "../../market/bulk.ts";
import { newYorkDate } from "../../market/calendar.ts";
import { addDays } from "../../market/date.ts";
import type { Clock } from "../../platform/clock.ts";
import { type AsofError, Busy, InvalidRequest } from "../../platform/errors.ts";
import { SemaphoreTimeout, createSemaphore } from "../../platform/upstream/semaphore.ts";
import { indexPageUrl } from "../../providers/edgar/index.ts";
import type { EventStore } from "./event-store.ts";
import { CURRENT_REPORTS } from "./forms.ts";
import { asOfText, shownInstant } from "./known-at.ts";
import type { FilingParser } from "./parse-filing.ts";
import type { LakePublisher } from "./publish.ts";
import { asOfInstant, checkDates, type Subjects } from "./requested-filer.ts";
import type { EventsAnswer, EventsQuery } from "./schema.ts";
import type { FilingFilter, FilingsStore } from "./store.ts";

export const DAYS_DEFAULT = 365;
const LIMIT_DEFAULT = 100;
/** Filings one request parses at once, and at most. */
const PARSED_AT_ONCE = 4;
const PARSED_A_REQUEST = 2_000;

export interface EventsDeps {
  readonly subjects: Subjects;
  readonly store: FilingsStore;
  readonly events: EventStore;
  readonly parser: FilingParser;
  readonly publisher: LakePublisher;
  readonly clock: Clock;
  fillAcceptances(filter: FilingFilter, signal: AbortSignal): Promise<void>;
}

/** The filing dates asked for: the two dates, or so many days back from today. */
function datesOf(query: Static<typeof EventsQuery>, today: string): { start: string; end: string } {
  checkDates(query.start_date, query.end_date);
  const { start_date: start, end_date: end, days } = query;
  if (start === undefined || end === undefined)
    return { start: addDays(today, -(days ?? DAYS_DEFAULT)), end: today };
  if (days === undefined) return { start, end };
  throw new InvalidRequest("conflicting_time_selection", "Give days or start_date with end_date, not both.");
}

export function filingEvents(deps: EventsDeps) {
  const { subjects, store, events, parser, publisher, clock } = deps;
  const places = createSemaphore({ slots: FILING_EVENTS_SLOTS, waitMsMax: FILING_EVENTS_WAIT_S * 1000 }, clock);

  /** Parses what is pending; stops at the first outage, for the rest would meet the same. */
  const parsePending = async (filter: FilingFilter, signal: AbortSignal) => {
    const pending = store.find({ ...filter, status: "pending" }, { limit: PARSED_A_REQUEST, offset: 0 });
    let outage: AsofError | null = null;
    let parsed = 0;
    const outcomes = await mapSettled(
      pending,
      async ({ accession_number }) => {
        if (outage !== null) return;
        const result = await parser.parse(accession_number, false, signal);
        outage ??= result.outage;
        if (!result.skipped && result.outage === null) parsed += 1;
      },
      { concurrency: PARSED_AT_ONCE, signal },
    );
    signal.throwIfAborted();
    for (const outcome of outcomes) if (!outcome.ok) throw outcome.error;
    return { parsed, left: pending.length - parsed, outage: outage as AsofError | null };
  };

  const answer = async (ticker: string, query: Static<typeof EventsQuery>, signal: AbortSignal) => {
    const { limit = LIMIT_DEFAULT, offset = 0, include_content = true, force_refresh: force = false } = query;
    const dates = datesOf(query, newYorkDate(clock.now()));
    const asOf = asOfInstant(query.as_of);
    const subject = await subjects.find({ ticker }, signal);
    if (!subject) throw new Error("events are asked by ticker");
    const indexed = await subjects.indexed(subject, { ...dates, asOf, force }, signal);
    const reports = { ciks: indexed.ciks, forms: CURRENT_REPORTS, ...dates };
    if (force) await deps.fillAcceptances(reports, signal);
    const { parsed, left, outage } = await parsePending({ ...reports, asOf: asOfText(asOf) }, signal);
    publisher.soon();
    const { item, event_type } = query;
    const filter = { ciks: indexed.ciks, ...dates, item, event_type, asOf: asOfText(asOf) };
    const total = events.count(filter);
    // Nothing to show because nothing could be read is not the same as nothing having happened.
    if (outage !== null && total === 0) throw outage;
    const failed = store.count({ ...reports, asOf: asOfText(asOf), status: "failed" });
    const found = events.find(filter, { limit, offset });
    const warnings = [
      ...indexed.warnings,
      ...(outage === null ? [] : [`${left} filings of these days are not read yet: ${outage.message}`]),
      ...(failed === 0
        ? []
        : [`${failed} filings of these days could not be read; their events are missing.`]),
    ];
    return { subject, total, found, parsed, warnings, limit, offset, include_content };
  };

  const shown = (from: Awaited<ReturnType<typeof answer>>): Static<typeof EventsAnswer> => {
    const { found, total, limit, offset, include_content } = from;
    return {
      ticker: from.subject.ticker ?? "",
      count: found.length,
      total,
      limit,
      offset,
      has_more: offset + found.length < total,
      parsed_now: from.parsed,
      data: found.map(({ event, cik, filing_date, report_date, accepted_at }) => ({
        accession_number: event.accession_number,
        item_number: event.item_number,
        modern_item: event.modern_item,
        event_type: event.event_type,
        event_title: event.event_title,
        filing_date,
        report_date,
        accepted_at: shownInstant(accepted_at),
        content: include_content ? event.content : null,
        content_source: event.content_source === "EX-99.1" ? "EX-99.1" : "body",
        content_length: event.content_length,
        truncated: event.truncated,
        filing_url: indexPageUrl({ accession_number: event.accession_number, cik: cik ?? undefined }),
      })),
      warnings: from.warnings,
    };
  };

  /** Throws Busy `slot_busy` when no place came free in time. */
  return async (ticker: string, query: Static<typeof EventsQuery>, signal: AbortSignal) => {
    try {
      return await places.run(signal, async () => shown(await answer(ticker.trim(), query, signal)));
    } catch (error) {
      if (!(error instanceof SemaphoreTimeout)) throw error;
      throw new Busy(
        "slot_busy",
        `${FILING_EVENTS_SLOTS} requests for filing events are under way, and none ended within ${FILING_EVENTS_WAIT_S} s.`,
        { retryAfterS: FILING_EVENTS_WAIT_S },
      );
    }
  };
}
