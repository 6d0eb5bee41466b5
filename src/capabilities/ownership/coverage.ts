// Makes what is known of a company, or of a day, fit a question: what is missing is indexed and read first.
import { endOfDay, newYorkDate } from "../../market/calendar.ts";
import { addDays } from "../../market/date.ts";
import { isFederalBusinessDay } from "../../market/federal-days.ts";
import type { Clock } from "../../platform/clock.ts";
import { type AsofError, NotFound } from "../../platform/errors.ts";
import { instantMs } from "../../platform/instant-text.ts";
import type { Lake } from "../../platform/lake/lake.ts";
import { coverageOf } from "./covered-span.ts";
import type { Kind } from "./forms.ts";
import type { IndexDays } from "./index-days.ts";
import type { IssuerLists } from "./issuer-lists.ts";
import { isOutage, type OwnershipReader } from "./reader.ts";
import type { OwnershipStore } from "./store.ts";

/** What a question needs. */
export interface Wanted {
  /** The company and those it carries on. */
  readonly ciks: readonly string[];
  readonly kind: Kind;
  /** First filing date. */
  readonly from: string;
  /** Filings of later moments do not matter. */
  readonly untilMs: number;
  /** Read the list again whatever is there, and what could not be read once more. */
  readonly force: boolean;
}

/** How well the index fits, and what was done for it. */
export interface Coverage {
  /** True when nothing was known of the company and the regulator was asked. */
  readonly auto_fetched: boolean;
  /** Filings fetched and read for this question. */
  readonly fetched_count: number;
  readonly data_from: string | null;
  readonly data_to: string | null;
  /** Filings that may matter and are not read. */
  readonly pending_count: number;
  readonly warnings: readonly string[];
}

/** Filings of a day that one request reads; the rest is left to the job. */
const DAY_READ_MS_MAX = 150_000;

export interface KnowledgeDeps {
  readonly store: OwnershipStore;
  readonly lists: IssuerLists;
  readonly days: IndexDays;
  readonly reader: OwnershipReader;
  readonly lake: Lake;
  readonly clock: Clock;
}

const dateOf = (ms: number): string => newYorkDate(Temporal.Instant.fromEpochMilliseconds(ms));

const stale = (error: AsofError) => `The SEC could not be asked: ${error.message} What is stored is served.`;

const filings = (count: number): string => (count === 1 ? "1 filing is" : `${count} filings are`);

/** Large holders' filings that cannot be read stand among the rows of the answer; trades that cannot are nowhere. */
const unreadable = (kind: Kind, count: number): string[] =>
  kind === "insider" && count > 0 ? [`${filings(count)} not readable: the trades are missing.`] : [];

export function ownershipKnowledge({ store, lists, days, reader, lake, clock }: KnowledgeDeps) {
  const coverage = (cik: string, { kind, from, untilMs }: Wanted) => {
    const list = store.list(cik, kind);
    const known = {
      list: list && { covered_from: list.covered_from, listedMs: instantMs(list.listed_at) },
      days: store.days(kind, from, dateOf(untilMs)),
    };
    return coverageOf(known, from, untilMs, clock.nowMs());
  };

  /** Filings whose trades came with a quarterly data set need not be fetched. */
  const passDataSets = async ({ ciks, kind, from }: Wanted, signal: AbortSignal): Promise<void> => {
    if (kind !== "insider" || !store.hasDataSets()) return;
    const rows = await lake.query<{ accession_number: string }>(
      "SELECT DISTINCT accession_number FROM insider_transactions WHERE issuer_cik = ANY($ciks) AND reading = 0 AND filing_date >= $from::DATE",
      { ciks, from },
      { signal },
    );
    store.settleByDataSet(rows.map((row) => row.accession_number));
  };

  const visitAll = async (wanted: Wanted, signal: AbortSignal): Promise<void> => {
    for (const cik of wanted.ciks) {
      if (!wanted.force && coverage(cik, wanted).isWhole) continue;
      await lists.visit(cik, wanted.kind, wanted.from, signal);
    }
    await passDataSets(wanted, signal);
  };

  const filterOf = ({ ciks, kind, from, untilMs }: Wanted) => ({
    ...{ kind, subjects: ciks, from },
    to: dateOf(untilMs),
  });

  /** Whether there is anything to answer with when the regulator cannot be asked. */
  const hasAnything = (wanted: Wanted): boolean =>
    wanted.ciks.some((cik) => store.list(cik, wanted.kind) !== null) ||
    store.count({ ...filterOf(wanted), status: ["succeeded"] }) > 0;

  return {
    /**
     * Throws what asking the regulator throws where nothing is stored, or where it was to be asked by force; else a
     * warning says what may be missing.
     */
    async ofIssuer(wanted: Wanted, signal: AbortSignal): Promise<Coverage> {
      const [cik = ""] = wanted.ciks;
      const before = coverage(cik, wanted);
      const isFirst = store.list(cik, wanted.kind) === null && !before.isWhole;
      const warnings: string[] = [];
      const orStored = (error: AsofError) => {
        if (wanted.force || !hasAnything(wanted)) throw error;
        warnings.push(stale(error));
      };
      if (wanted.force || !wanted.ciks.every((one) => coverage(one, wanted).isWhole)) {
        try {
          await visitAll(wanted, signal);
        } catch (error) {
          if (signal.aborted || !isOutage(error)) throw error;
          orStored(error);
        }
      }
      if (wanted.force) store.reset({ ...filterOf(wanted), status: ["failed"] });
      const pending = store.find({ ...filterOf(wanted), status: ["pending"] });
      const counts = await reader.read(pending, { signal });
      if (counts.outage) orStored(counts.outage);
      const pending_count = store.count({ ...filterOf(wanted), status: ["pending"] });
      if (pending_count > 0) warnings.push(`${filings(pending_count)} of these days not read yet.`);
      warnings.push(...unreadable(wanted.kind, store.count({ ...filterOf(wanted), status: ["failed"] })));
      const { data_from, data_to } = coverage(cik, wanted);
      return {
        auto_fetched: isFirst,
        fetched_count: counts.read,
        data_from,
        data_to,
        pending_count,
        warnings,
      };
    },

    /** Everybody's filings of a kind dated on a day. Throws NotFound `no_data` when its index is not out. */
    async ofDay(
      date: string,
      kind: Kind,
      signal: AbortSignal,
    ): Promise<Pick<Coverage, "pending_count" | "warnings">> {
      days.refuseFuture(date);
      const warnings: string[] = [];
      const ofDay = { kind, from: date, to: date };
      const isIn = () => store.days(kind, date, date).has(date);
      if (!isIn() && isFederalBusinessDay(date)) {
        const taken = await days.take(date, signal);
        if (taken === null && store.count(ofDay) === 0)
          throw new NotFound("no_data", `The SEC's index of ${date} is not out yet.`, {
            hint: "It comes at about 22:15 in New York.",
          });
        if (taken === null) warnings.push(`The SEC's index of ${date} is not out yet: filings are missing.`);
      }
      const pending = store.find({ ...ofDay, status: ["pending"] });
      const untilMs = clock.nowMs() + DAY_READ_MS_MAX;
      const { outage } = await reader.read(pending, { signal, untilMs });
      if (outage) {
        if (store.count({ ...ofDay, status: ["succeeded"] }) === 0) throw outage;
        warnings.push(stale(outage));
      }
      const pending_count = store.count({ ...ofDay, status: ["pending"] });
      if (pending_count > 0) warnings.push(`${filings(pending_count)} of the day not read yet.`);
      warnings.push(...unreadable(kind, store.count({ ...ofDay, status: ["failed"] })));
      return { pending_count, warnings };
    },

    /** The days of which everybody's filings are in, back from `to` without a gap; null when there are none. */
    everybody(
      kind: Kind,
      to: string,
      from = addDays(to, -3_650),
    ): { data_from: string; data_to: string } | null {
      const known = { list: null, days: store.days(kind, from, to) };
      const untilMs = endOfDay(to).epochMilliseconds;
      const { data_from, data_to } = coverageOf(known, from, untilMs, untilMs);
      return data_from === null || data_to === null ? null : { data_from, data_to };
    },
  };
}

export type OwnershipKnowledge = ReturnType<typeof ownershipKnowledge>;
