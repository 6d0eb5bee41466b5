// GET /ownership/13dg/{ticker} and /ownership/13dg/active: large holdings as anybody could have known them.
import { newYorkDate } from "../../market/calendar.ts";
import { addDays } from "../../market/date.ts";
import { parseAsOf } from "../../market/known-at.ts";
import type { Clock } from "../../platform/clock.ts";
import { InvalidRequest } from "../../platform/errors.ts";
import { instantText } from "../../platform/instant-text.ts";
import type { Lake } from "../../platform/lake/lake.ts";
import { indexPageUrl } from "../../providers/edgar/index.ts";
import type { OwnershipKnowledge } from "./coverage.ts";
import type { EventRow } from "./event-rows.ts";
import { scheduleOf } from "./forms.ts";
import type { ActivePositions, ActiveQuery, HolderEvent, HolderEvents, HoldersQuery } from "./schema.ts";
import type { ResolveIssuer, SymbolsOf } from "./sources.ts";
import type { FilingState, OwnershipStore } from "./store.ts";

/** How far back a company's own list is read for holders: who does not change a holding files nothing. */
const HOLDER_DAYS = 3_650;
/** Below it nobody has to report. */
const REPORTABLE_PCT = 5;

export interface HolderDeps {
  readonly resolve: ResolveIssuer;
  readonly symbolsOf: SymbolsOf;
  readonly knowledge: OwnershipKnowledge;
  readonly store: OwnershipStore;
  readonly lake: Lake;
  readonly clock: Clock;
}

/** The moment `as_of` names. The schema has refused what is none. */
function momentOf(text: string): Temporal.Instant {
  const parsed = parseAsOf(text);
  if (parsed.ok) return parsed.at;
  throw new InvalidRequest("bad_request", parsed.detail);
}

/** An instant as answers show it: whole seconds without decimals. */
const shown = (text: string | null): string | null => text?.replace(".000Z", "Z") ?? null;

/** A filing from the rows of its persons. */
function eventOf(rows: readonly EventRow[], ticker: string | null): HolderEvent[] {
  const [first] = rows;
  if (!first) return [];
  const { accession_number, form_type, filing_date, event_date, issuer_name, issuer_cik } = first;
  return [
    {
      ...{ accession_number, form_type, filing_date, accepted_at: shown(first.accepted_at) },
      ...{ event_date, issuer_name, issuer_cik, ticker },
      holder_name: first.holder_name ?? first.person_name,
      holder_cik: first.holder_cik,
      ownership_pct: first.filing_pct,
      shares_owned: first.filing_shares,
      reporting_persons: rows
        .toSorted((a, b) => a.person - b.person)
        .map(({ person_name, person_cik, ownership_pct, shares_owned }) => ({
          ...{ name: person_name, cik: person_cik, ownership_pct, shares_owned },
        })),
      is_amendment: first.is_amendment,
      is_exit: first.is_exit,
      is_activist: first.is_activist,
      activist_reason: first.activist_reason,
      enrichment_status: "succeeded",
      enrichment_error: null,
      filing_url: indexPageUrl({ accession_number, cik: issuer_cik ?? first.holder_cik ?? undefined }),
    },
  ];
}

/** A filing that is not read: what its index tells, and nothing else. */
function unreadEvent(filing: FilingState, issuer_cik: string, ticker: string): HolderEvent {
  const { accession_number, form_type, filing_date } = filing;
  return {
    ...{ accession_number, form_type, filing_date, accepted_at: shown(filing.accepted_at) },
    ...{ event_date: null, issuer_name: null, issuer_cik, ticker, holder_name: null, holder_cik: null },
    ...{ ownership_pct: null, shares_owned: null, reporting_persons: [] },
    is_amendment: form_type.endsWith("/A"),
    is_exit: null,
    is_activist: scheduleOf(form_type) === "13G" ? false : null,
    activist_reason: null,
    enrichment_status: filing.status,
    enrichment_error: filing.error,
    filing_url: indexPageUrl({ accession_number, cik: filing.cik }),
  };
}

interface Dated {
  readonly known_at: string;
  readonly event: HolderEvent;
}

const newestFirst = (a: Dated, b: Dated): number => {
  if (a.known_at !== b.known_at) return a.known_at < b.known_at ? 1 : -1;
  return a.event.accession_number < b.event.accession_number ? 1 : -1;
};

const groups = (rows: readonly EventRow[]) => [...Map.groupBy(rows, (row) => row.accession_number).values()];

export function holderEvents({ resolve, symbolsOf, knowledge, store, lake, clock }: HolderDeps) {
  const isWanted = (form: HoldersQuery["form"]) => (formType: string) =>
    form === undefined || form === "all" || scheduleOf(formType) === form;

  const ofTicker = async (
    ticker: string,
    query: HoldersQuery,
    signal: AbortSignal,
  ): Promise<HolderEvents> => {
    const { as_of, limit = 100, offset = 0, form, force_refresh: force = false } = query;
    const at = momentOf(as_of);
    const knownBy = instantText(at.epochMilliseconds);
    const untilMs = Math.min(at.epochMilliseconds, clock.nowMs());
    const { cik, predecessor_ciks } = await resolve(ticker, signal);
    const ciks = [cik, ...predecessor_ciks];
    const from = addDays(newYorkDate(Temporal.Instant.fromEpochMilliseconds(untilMs)), -HOLDER_DAYS);
    const coverage = await knowledge.ofIssuer({ ciks, kind: "holder", from, untilMs, force }, signal);
    const rows = await lake.query<EventRow>(
      "SELECT * FROM ownership_as_of($known_by) WHERE issuer_cik = ANY($ciks)",
      { known_by: knownBy, ciks },
      { signal },
    );
    const read = groups(rows).flatMap((own) =>
      eventOf(own, ticker).map((event) => ({ known_at: own[0]?.known_at ?? "", event })),
    );
    const unread = store
      .find({ kind: "holder", subjects: ciks, isCertain: true, status: ["pending", "failed"] })
      .filter(({ known_at }) => known_at <= knownBy)
      .map((filing) => ({
        known_at: filing.known_at,
        event: unreadEvent(filing, ciks.includes(filing.cik) ? filing.cik : cik, ticker),
      }));
    const wanted = [...read, ...unread].filter(({ event }) => isWanted(form)(event.form_type));
    const data = wanted
      .sort(newestFirst)
      .slice(offset, offset + limit)
      .map(({ event }) => event);
    const { warnings, ...metadata } = coverage;
    const total = wanted.length;
    return {
      ...{ ticker, as_of, count: data.length, total, limit, offset },
      has_more: offset + data.length < total,
      ...{ data, metadata, warnings: [...warnings] },
    };
  };

  /** The filings of a page with all their persons, in the page's order. */
  const withPersons = async (accessions: readonly string[], knownBy: string, signal: AbortSignal) => {
    if (accessions.length === 0) return [];
    const rows = await lake.query<EventRow>(
      "SELECT * FROM ownership_as_of($known_by) WHERE accession_number = ANY($accessions)",
      { known_by: knownBy, accessions },
      { signal },
    );
    const byFiling = Map.groupBy(rows, (row) => row.accession_number);
    return accessions.flatMap((accession) => [byFiling.get(accession) ?? []]);
  };

  /** Whether a later filing that waits to be read, or cannot be, is by this holder or may be. */
  const unreadLater = (rows: readonly (readonly EventRow[])[], knownBy: string) => {
    const issuers = rows.flatMap(([first]) => first?.issuer_cik ?? []);
    const unread = store.unreadOf([...new Set(issuers)], knownBy);
    return ({ issuer_cik, holder_cik, known_at }: EventRow): boolean =>
      unread.some(
        (filing) =>
          filing.known_at > known_at &&
          filing.parties.has(issuer_cik ?? "") &&
          // A company's own list does not tell who files on it.
          (filing.parties.has(holder_cik ?? "") || filing.parties.size === 1),
      );
  };

  const active = async (query: ActiveQuery, signal: AbortSignal): Promise<ActivePositions> => {
    const { min_pct = null, limit = 100, offset = 0, form } = query;
    const as_of = query.as_of ?? clock.now().toString({ smallestUnit: "second" });
    const at = momentOf(as_of);
    const knownBy = instantText(at.epochMilliseconds);
    const found = await lake.query<{ accession_number: string }>(
      `SELECT accession_number FROM ownership_positions($known_by)
       WHERE person = 1 AND NOT is_exit AND ($schedule IS NULL OR schedule = $schedule)
         AND CASE WHEN $min_pct IS NULL THEN coalesce(filing_pct, ${REPORTABLE_PCT}) >= ${REPORTABLE_PCT}
           ELSE filing_pct >= greatest($min_pct::DOUBLE, ${REPORTABLE_PCT}) END
       ORDER BY known_at DESC, accession_number DESC`,
      { known_by: knownBy, min_pct, schedule: form === undefined || form === "all" ? null : form },
      { signal },
    );
    const page = found.slice(offset, offset + limit).map((row) => row.accession_number);
    const rows = await withPersons(page, knownBy, signal);
    const symbols = symbolsOf(rows.flatMap(([first]) => first?.issuer_cik ?? []));
    const isUnreadLater = unreadLater(rows, knownBy);
    const data = rows.flatMap((own) =>
      eventOf(own, symbols.get(own[0]?.issuer_cik ?? "") ?? null).map((event) => ({
        ...event,
        newer_unread: own[0] ? isUnreadLater(own[0]) : false,
      })),
    );
    const untilMs = Math.min(at.epochMilliseconds, clock.nowMs());
    const span = knowledge.everybody("holder", newYorkDate(Temporal.Instant.fromEpochMilliseconds(untilMs)));
    const pending_count = store.count({ kind: "holder", status: ["pending"] });
    return {
      ...{ as_of, count: data.length, total: found.length, limit, offset },
      has_more: offset + data.length < found.length,
      data,
      metadata: { data_from: span?.data_from ?? null, data_to: span?.data_to ?? null, pending_count },
      warnings: warningsOf(span, pending_count),
    };
  };

  return { ofTicker, active };
}

function warningsOf(span: { data_from: string } | null, pending: number): string[] {
  const warnings = [
    span === null
      ? "No day of everybody's filings is in yet: only companies that were asked for are here. Run `cli ingest ownership --since`."
      : `Everybody's filings are in since ${span.data_from}: holders who last filed before it are here only for companies that were asked for.`,
  ];
  if (pending > 0) warnings.push(`${pending} of the large holders' filings are not read yet.`);
  return warnings;
}

export type HolderAnswers = ReturnType<typeof holderEvents>;
