// Updates the index of one company's ownership filings from the regulator's list for that company.
import { mapSettled } from "../../market/bulk.ts";
import { NotFound } from "../../platform/errors.ts";
import { instantText } from "../../platform/instant-text.ts";
import { singleFlight } from "../../platform/upstream/single-flight.ts";
import type { FilingRow } from "../../providers/edgar/index.ts";
import type { IndexedFiling } from "./filing-store.ts";
import { type Kind, kindOf } from "./forms.ts";
import type { IndexDayDeps } from "./index-days.ts";

/** Older pages of a list fetched at the same time. */
const CONCURRENCY = 4;

/**
 * Whether a filing in a company's list is about that company; null when only the filing itself can say. The
 * file number appears only in the holder's list for Forms 3 to 5, and only in the subject's list (005-…) for
 * Schedules 13D and 13G. A bank's list has thousands of schedules that it filed about other companies.
 */
function isSubject(kind: Kind, { file_number }: FilingRow): boolean | null {
  if (kind === "insider") return file_number === null ? true : null;
  return file_number !== null;
}

function indexed(row: FilingRow, kind: Kind): IndexedFiling {
  const { accession_number, form_type, filing_date, public_from, accepted_at, cik } = row;
  const parties = [{ cik, is_subject: isSubject(kind, row) }];
  return { accession_number, form_type, filing_date, public_from, accepted_at, parties };
}

export function issuerLists({ source, filings, covered, clock }: IndexDayDeps) {
  const flights = singleFlight<void>();

  const refresh = async (cik: string, kind: Kind, from: string, signal: AbortSignal): Promise<void> => {
    // Before the request: a filing made while the answer is on its way may be missing from it.
    const listed_at = instantText(clock.nowMs());
    const submissions = await source.submissions(cik, signal);
    if (!submissions)
      throw new NotFound("no_data", `The SEC has no filer with the CIK ${cik}.`, { upstream: "edgar" });
    const older = submissions.older_pages.filter((page) => page.filing_to >= from);
    const pages = await mapSettled(older, (page) => source.olderFilings(cik, page, signal), {
      concurrency: CONCURRENCY,
      signal,
    });
    const rows: FilingRow[] = [...submissions.filings];
    for (const page of pages) {
      if (!page.ok) throw page.error;
      rows.push(...page.value);
    }
    const selected = rows.filter((row) => kindOf(row.form_type) === kind && row.filing_date >= from);
    filings.add(
      selected.map((row) => indexed(row, kind)),
      "list",
    );
    covered.saveList(cik, kind, { covered_from: from, listed_at });
  };

  return {
    /**
     * Indexes every filing of the kind about the company dated from `from` until now. Throws NotFound when
     * there is no such filer, and as the provider documents. A list that was read in part does not count as
     * covered.
     */
    refresh: (cik: string, kind: Kind, from: string, signal: AbortSignal): Promise<void> =>
      flights.run(`${cik} ${kind} ${from}`, signal, (shared) => refresh(cik, kind, from, shared)),
  };
}

export type IssuerLists = ReturnType<typeof issuerLists>;
