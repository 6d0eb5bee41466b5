// GET /ownership/13dg/{ticker} and /ownership/13dg/active: large holdings as they were public at a moment.
import { ownershipEvents } from "../../datasets/ownership-events.ts";
import { absent, explained, ifEmpty } from "../../market/absence.ts";
import { pageOf } from "../../market/answer-fields.ts";
import { newYorkDate } from "../../market/calendar.ts";
import { addDays } from "../../market/date.ts";
import { holderWarnings, type ResolveHolder, type SymbolsOf } from "../../market/issuer.ts";
import { asOfInstant } from "../../market/known-at.ts";
import type { Services } from "../../market/services.ts";
import { InvalidRequest } from "../../platform/errors.ts";
import { instantText, shownInstant } from "../../platform/instant-text.ts";
import { type DaysRead, type Lake, NO_END } from "../../platform/lake/lake.ts";
import { indexPageUrl } from "../../providers/edgar/index.ts";
import type { OwnershipCoverage } from "./coverage.ts";
import type { EventRow } from "./event-rows.ts";
import type { FilingState, FilingStore } from "./filing-store.ts";
import { scheduleOf } from "./forms.ts";
import type { ActivePositions, ActiveQuery, HolderEvent, HolderEvents, HoldersQuery } from "./schema.ts";
import type { OwnershipVersions } from "./version-state.ts";

/**
 * The filings about some companies. The engine takes `= ANY` for a join above everything that it computes,
 * and this for a filter of the scan.
 */
const OF_ISSUERS = `SELECT * FROM ownership_as_of($known_by)
  WHERE issuer_cik BETWEEN list_min($ciks) AND list_max($ciks) AND list_contains($ciks, issuer_cik)`;

/** The files with a filing that was public by a moment. */
const knownDays = (knownBy: string): DaysRead => ({
  datasets: [ownershipEvents],
  column: "filing_date",
  ranges: [{ start: null, end: NO_END }],
  knownBy,
});

/**
 * How far back a company's own list is read for holders: a holder whose position does not change files
 * nothing.
 */
const HOLDER_DAYS = 3_650;
/** Percentage of a class from which a holder must report. */
const REPORTABLE_PCT = 5;

export interface HolderDeps extends Pick<Services, "lake" | "clock"> {
  readonly resolve: ResolveHolder<"cik" | "predecessor_ciks" | "warnings">;
  readonly symbolsOf: SymbolsOf;
  readonly coverage: OwnershipCoverage;
  readonly filings: FilingStore;
  readonly versions: Pick<OwnershipVersions, "read" | "readHolders" | "loadHolders">;
}

/** A filing from the rows of its reporting persons; none without a row. */
function eventOf(rows: readonly EventRow[], ticker: string | null): HolderEvent[] {
  const [first] = rows;
  if (!first) return [];
  const { accession_number, issuer_cik, holder_cik } = first;
  return [
    {
      accession_number,
      form_type: first.form_type,
      filing_date: first.filing_date,
      accepted_at: shownInstant(first.accepted_at),
      event_date: first.event_date,
      issuer_name: first.issuer_name,
      issuer_cik,
      ticker,
      class_title: first.class_title,
      cusip: first.cusips,
      holder_name: first.holder_name ?? first.person_name,
      holder_cik,
      ownership_pct: first.filing_pct,
      shares_owned: first.filing_shares,
      reporting_persons: rows
        .toSorted((a, b) => a.person - b.person)
        .map(({ person_name, person_cik, ownership_pct, shares_owned }) => ({
          name: person_name,
          cik: person_cik,
          ownership_pct,
          shares_owned,
        })),
      is_amendment: first.is_amendment,
      is_exit: first.is_exit,
      is_activist: first.is_activist,
      activist_reason: first.activist_reason,
      enrichment_status: "succeeded",
      enrichment_error: null,
      filing_url: indexPageUrl({ accession_number, cik: issuer_cik ?? holder_cik ?? undefined }),
    },
  ];
}

/** A filing that is not read: only what its index says. */
function unreadEvent(filing: FilingState, issuer_cik: string, ticker: string): HolderEvent {
  const { accession_number, form_type } = filing;
  return {
    accession_number,
    form_type,
    filing_date: filing.filing_date,
    accepted_at: shownInstant(filing.accepted_at),
    event_date: null,
    issuer_name: null,
    issuer_cik,
    ticker,
    class_title: null,
    cusip: null,
    holder_name: null,
    holder_cik: null,
    ownership_pct: null,
    shares_owned: null,
    reporting_persons: [],
    is_amendment: form_type.endsWith("/A"),
    is_exit: null,
    is_activist: scheduleOf(form_type) === "13G" ? false : null,
    activist_reason: null,
    enrichment_status: filing.status,
    enrichment_error: filing.error,
    filing_url: indexPageUrl({ accession_number, cik: filing.cik }),
  };
}

interface DatedEvent {
  readonly known_at: string;
  readonly event: HolderEvent;
}

const newestFirst = (a: DatedEvent, b: DatedEvent): number => {
  if (a.known_at !== b.known_at) return a.known_at < b.known_at ? 1 : -1;
  return a.event.accession_number < b.event.accession_number ? 1 : -1;
};

const byFiling = (rows: readonly EventRow[]) => Map.groupBy(rows, (row) => row.accession_number);

const hasForm = (form: HoldersQuery["form"], formType: string) =>
  form === undefined || form === "all" || scheduleOf(formType) === form;

const dateOf = (ms: number) => newYorkDate(Temporal.Instant.fromEpochMilliseconds(ms));

/** GET /ownership/13dg/{ticker}. */
function tickerAnswers({ resolve, coverage, filings, versions, lake, clock }: HolderDeps) {
  /** Filings about companies that were public by a moment and are not read. */
  const unreadOf = (ciks: readonly string[], knownBy: string, ticker: string): DatedEvent[] => {
    const [own = ""] = ciks;
    return filings
      .find({ kind: "holder", subjects: ciks, isCertain: true, status: ["pending", "failed"] })
      .filter(({ known_at }) => known_at <= knownBy)
      .map((filing) => ({
        known_at: filing.known_at,
        event: unreadEvent(filing, ciks.includes(filing.cik) ? filing.cik : own, ticker),
      }));
  };

  return async (ticker: string, query: HoldersQuery, signal: AbortSignal): Promise<HolderEvents> => {
    const { as_of, limit = 100, offset = 0, form, force_refresh: force = false } = query;
    const at = asOfInstant(as_of);
    const knownBy = instantText(at.epochMilliseconds);
    const untilMs = Math.min(at.epochMilliseconds, clock.nowMs());
    const { cik, predecessor_ciks, ...holder } = await resolve(ticker, at, signal);
    const ciks = [cik, ...predecessor_ciks];
    const from = addDays(dateOf(untilMs), -HOLDER_DAYS);
    const { warnings, ...metadata } = await coverage.ensureIssuer(
      { ciks, kind: "holder", from, untilMs, force },
      signal,
    );
    const rows = await lake.query<EventRow>(
      OF_ISSUERS,
      { known_by: knownBy, ciks },
      { signal, days: knownDays(knownBy) },
    );
    const read = [...byFiling(rows).values()].flatMap((own) =>
      eventOf(own, ticker).map((event) => ({ known_at: own[0]?.known_at ?? "", event })),
    );
    const unread = await versions.read(ciks, () => unreadOf(ciks, knownBy, ticker));
    const matching = [...read, ...unread]
      .filter(({ event }) => hasForm(form, event.form_type))
      .sort(newestFirst);
    const data = matching.slice(offset, offset + limit).map(({ event }) => event);
    return {
      ticker,
      as_of,
      ...pageOf(data.length, matching.length, { limit, offset }),
      data,
      metadata,
      warnings: explained(
        data,
        [...holderWarnings(holder), ...warnings],
        "No filing of a large holder that was public then is on this page.",
      ),
    };
  };
}

/** Accession numbers of the positions held at a moment, newest filing first. */
async function findActive(lake: Lake, query: ActiveQuery, knownBy: string, signal: AbortSignal) {
  const { min_pct = null, form, activist = "only" } = query;
  const rows = await lake.query<{ accession_number: string }>(
    `SELECT accession_number FROM ownership_positions($known_by)
     WHERE person = 1 AND NOT is_exit AND ($everyone OR (schedule = '13D' AND is_activist)) AND ($schedule IS NULL OR schedule = $schedule)
       AND CASE WHEN $min_pct IS NULL THEN coalesce(filing_pct, ${REPORTABLE_PCT}) >= ${REPORTABLE_PCT}
         ELSE filing_pct >= greatest($min_pct::DOUBLE, ${REPORTABLE_PCT}) END
     ORDER BY known_at DESC, accession_number DESC`,
    {
      known_by: knownBy,
      min_pct,
      everyone: activist === "all",
      schedule: form === undefined || form === "all" ? null : form,
    },
    { signal },
  );
  return rows.map((row) => row.accession_number);
}

/** The rows of filings, all reporting persons of each, in the order of `accessions`. */
async function holderRows(lake: Lake, accessions: readonly string[], knownBy: string, signal: AbortSignal) {
  if (accessions.length === 0) return [];
  const rows = await lake.query<EventRow>(
    "SELECT * FROM ownership_as_of($known_by) WHERE list_contains($accessions, accession_number)",
    { known_by: knownBy, accessions },
    { signal },
  );
  const found = byFiling(rows);
  return accessions.map((accession) => found.get(accession) ?? []);
}

/** GET /ownership/13dg/active. */
function activePositions({ symbolsOf, coverage, filings, versions, lake, clock }: HolderDeps) {
  /** Finds out whether a later filing that is not read, or cannot be, is or may be from the same holder. */
  // Made up: an unread 13G of June names B: a position of A from May still counts, one of B may be out of
  // date.
  const laterUnread = (rows: readonly (readonly EventRow[])[], knownBy: string) => {
    const issuers = rows.flatMap(([first]) => first?.issuer_cik ?? []);
    const unread = filings.unreadWith([...new Set(issuers)], knownBy);
    return ({ issuer_cik, holder_cik, known_at }: EventRow): boolean =>
      unread.some(
        (filing) =>
          filing.known_at > known_at &&
          filing.parties.has(issuer_cik ?? "") &&
          // With the company as its only known party, the filing may come from any holder.
          (filing.parties.has(holder_cik ?? "") || filing.parties.size === 1),
      );
  };

  return async (query: ActiveQuery, signal: AbortSignal): Promise<ActivePositions> => {
    const { limit = 100, offset = 0 } = query;
    if (query.form === "13G" && query.activist !== "all")
      throw new InvalidRequest("bad_request", "Schedules 13G are of passive holders.", {
        hint: "Give activist=all to list them.",
      });
    const as_of = query.as_of ?? clock.now().toString({ smallestUnit: "second" });
    const at = asOfInstant(as_of);
    const knownBy = instantText(at.epochMilliseconds);
    const found = await findActive(lake, query, knownBy, signal);
    const rows = await holderRows(lake, found.slice(offset, offset + limit), knownBy, signal);
    const ciks = rows.flatMap(([first]) => first?.issuer_cik ?? []);
    const symbols = await symbolsOf(ciks, query.as_of === undefined ? null : at, signal);
    await versions.loadHolders();
    const { isUnreadLater, span, pending_count } = await versions.readHolders(() => ({
      isUnreadLater: laterUnread(rows, knownBy),
      span: coverage.completeDays("holder", dateOf(Math.min(at.epochMilliseconds, clock.nowMs()))),
      pending_count: filings.count({ kind: "holder", status: ["pending"] }),
    }));
    const data = rows.flatMap((own) =>
      eventOf(own, symbols.get(own[0]?.issuer_cik ?? "") ?? null).map((event) => ({
        ...event,
        newer_unread: own[0] ? isUnreadLater(own[0]) : false,
      })),
    );
    return {
      as_of,
      ...pageOf(data.length, found.length, { limit, offset }),
      data,
      metadata: { data_from: span?.data_from ?? null, data_to: span?.data_to ?? null, pending_count },
      warnings: [
        ...activeWarnings(span, pending_count, query.activist ?? "only"),
        ...(span === null
          ? []
          : ifEmpty(
              data,
              "nothing_there",
              "No position in the stored filings matches, or the page lies behind the last one.",
            )),
      ],
    };
  };
}

function activeWarnings(
  span: { data_from: string; data_to: string } | null,
  pending: number,
  activist: ActiveQuery["activist"],
): string[] {
  const warnings = [
    activist === "all"
      ? "Holders of less than 5 percent of a class file no schedule and are not listed."
      : "Only activist positions: passive holders, and Schedules 13D whose intention could not be read, are left out; activist=all lists them. Holders of less than 5 percent file no schedule.",
    span === null
      ? absent(
          "not_read",
          "No day is indexed for all companies yet: the list has only companies that were requested before. Run `cli ingest ownership --since`.",
        )
      : `Filings of all companies are complete from ${span.data_from} to ${span.data_to}: a position whose newest filing lies outside of these days appears, and is current, only for companies that were requested before.`,
  ];
  if (pending > 0)
    warnings.push(absent("not_read", `${pending} of the large holders' filings are not read yet.`));
  return warnings;
}

export const holderEvents = (deps: HolderDeps) => ({
  ofTicker: tickerAnswers(deps),
  active: activePositions(deps),
});

export type HolderAnswers = ReturnType<typeof holderEvents>;
