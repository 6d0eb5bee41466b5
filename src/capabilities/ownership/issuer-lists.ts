// Brings the index of one company's ownership filings up to date from its own list at the regulator's.
import { mapSettled } from "../../market/bulk.ts";
import type { Clock } from "../../platform/clock.ts";
import { NotFound } from "../../platform/errors.ts";
import { instantText } from "../../platform/instant-text.ts";
import { singleFlight } from "../../platform/upstream/single-flight.ts";
import type { FilingRow } from "../../providers/edgar/index.ts";
import { type Kind, kindOf } from "./forms.ts";
import type { OwnershipSource } from "./sources.ts";
import type { IndexedFiling, OwnershipStore } from "./store.ts";

const PAGES_AT_ONCE = 4;

/**
 * Whether a filing in a company's list is about it. The number of a holder's file stands in the holder's list alone for
 * Forms 3 to 5, and in the subject's alone (005-…) for Schedules 13D and 13G: a bank's list has thousands it filed on
 * others. A form that may be either is read and judged by what it says.
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

export interface IssuerListDeps {
  readonly source: OwnershipSource;
  readonly store: OwnershipStore;
  readonly clock: Clock;
}

export function issuerLists({ source, store, clock }: IssuerListDeps) {
  const flights = singleFlight<void>();

  const visit = async (cik: string, kind: Kind, from: string, signal: AbortSignal): Promise<void> => {
    // Before asking: what is filed while the answer is under way may not be in it.
    const listed_at = instantText(clock.nowMs());
    const submissions = await source.submissions(cik, signal);
    if (!submissions)
      throw new NotFound("no_data", `The SEC knows no filer with the CIK ${cik}.`, { upstream: "edgar" });
    const older = submissions.older_pages.filter((page) => page.filing_to >= from);
    const pages = await mapSettled(older, (page) => source.olderFilings(cik, page, signal), {
      concurrency: PAGES_AT_ONCE,
      signal,
    });
    const rows: FilingRow[] = [...submissions.filings];
    for (const page of pages) {
      if (!page.ok) throw page.error;
      rows.push(...page.value);
    }
    const wanted = rows.filter((row) => kindOf(row.form_type) === kind && row.filing_date >= from);
    store.add(
      wanted.map((row) => indexed(row, kind)),
      "list",
    );
    store.saveList(cik, kind, { covered_from: from, listed_at });
  };

  return {
    /**
     * Makes the index hold every filing of the kind about the company dated from `from` until now. Throws NotFound when
     * there is no such filer, and what asking throws; nothing of half a list is noted as covered.
     */
    visit: (cik: string, kind: Kind, from: string, signal: AbortSignal): Promise<void> =>
      flights.run(`${cik} ${kind} ${from}`, signal, (shared) => visit(cik, kind, from, shared)),
  };
}

export type IssuerLists = ReturnType<typeof issuerLists>;
