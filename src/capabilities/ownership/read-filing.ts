// Reads one ownership filing: fetches its bytes from the regulator or the vault and makes its rows.
import { InvalidRequest, NotFound } from "../../platform/errors.ts";
import {
  type Acceptance,
  type BeneficialRead,
  decodeFiling,
  isUnread,
  type OwnershipRead,
  ParseFailed,
  readHeader,
} from "../../providers/edgar/index.ts";
import { type EventRow, eventRows } from "./event-rows.ts";
import type { FilingState, ReadState } from "./filing-store.ts";
import type { OwnershipSource } from "./sources.ts";
import { momentsOf, READING, type TradeRow, tradeRows } from "./trade-rows.ts";

/** The result of reading a filing. The rows are not stored yet. */
export interface ReadFiling {
  readonly state: ReadState;
  readonly trades: readonly TradeRow[];
  readonly events: readonly EventRow[];
  /** The parties, where the filing's header says more than the index did. */
  readonly parties: readonly { readonly cik: string; readonly is_subject: boolean }[];
}

/** Attempts to fetch a filing: an index lists filings shortly before they can be fetched. */
const ATTEMPTS_MAX = 3;
/**
 * Attempts when no other filing could be fetched either, so that the cause is not certain: some ten hours.
 */
// Beside filings that can be fetched, the third failure of one is final; while none can be, its twentieth is.
const ATTEMPTS_UNCERTAIN_MAX = 20;

const NO_ROWS = { trades: [], events: [], parties: [] } as const;

/**
 * The state of a filing that an index lists but that could not be fetched: pending for a few more attempts,
 * then failed. `isUncertain`: no other filing could be fetched either.
 */
export function fetchFailed(filing: FilingState, error: Error, isUncertain = false): ReadFiling {
  const { accession_number, accepted_at, known_at, reading, rows } = filing;
  const attempts = filing.attempts + 1;
  const attemptsMax = isUncertain ? ATTEMPTS_UNCERTAIN_MAX : ATTEMPTS_MAX;
  const isOver = error instanceof InvalidRequest || attempts >= attemptsMax;
  const status = isOver ? "failed" : "pending";
  return {
    ...NO_ROWS,
    state: {
      accession_number,
      status,
      attempts,
      error: error.message,
      reading,
      rows,
      accepted_at,
      known_at,
    },
  };
}

const unreadableState = (filing: FilingState, answer: Acceptance, error: string): ReadState => ({
  accession_number: filing.accession_number,
  attempts: filing.attempts,
  ...momentsOf(answer),
  status: "failed",
  error,
  reading: filing.reading,
  rows: null,
});

const readState = (filing: FilingState, answer: Acceptance, rows: number): ReadState => ({
  accession_number: filing.accession_number,
  attempts: filing.attempts,
  ...momentsOf(answer),
  status: "succeeded",
  error: null,
  reading: READING,
  rows,
});

function readInsider(filing: FilingState, answer: OwnershipRead): ReadFiling {
  if (isUnread(answer.read))
    return { ...NO_ROWS, state: unreadableState(filing, answer, answer.read.message) };
  const trades = tradeRows(answer.read, { reading: READING, sha256: answer.sha256 });
  return { ...NO_ROWS, state: readState(filing, answer, trades.length), trades };
}

/** The parties in the header, which can be read even if the schedule itself cannot. */
function partiesOf({ bytes }: BeneficialRead): ReadFiling["parties"] {
  const { parties } = readHeader(decodeFiling(bytes));
  return parties.flatMap(({ cik, role }) =>
    cik === null ? [] : [{ cik, is_subject: role === "subject_company" }],
  );
}

function readHolder(filing: FilingState, answer: BeneficialRead): ReadFiling {
  if (isUnread(answer.read))
    return {
      ...NO_ROWS,
      state: unreadableState(filing, answer, answer.read.message),
      parties: partiesOf(answer),
    };
  const events = eventRows(answer.read, answer.sha256, READING);
  return { ...NO_ROWS, state: readState(filing, answer, events.length), events };
}

/**
 * Fetches and reads a filing. A filing that cannot be read is a result. A failure to fetch it is thrown as
 * the provider documents (NotConfigured, Upstream*, Busy) and leaves the filing as it was.
 */
export async function readFiling(
  source: OwnershipSource,
  filing: FilingState,
  signal: AbortSignal,
): Promise<ReadFiling> {
  const ref = { accession_number: filing.accession_number, cik: filing.cik };
  try {
    if (filing.kind === "insider") return readInsider(filing, await source.ownership(ref, { signal }));
    return readHolder(filing, await source.beneficial(ref, { signal }));
  } catch (error) {
    // A web page instead of a submission has no documents at all: that is an outage, not a broken filing.
    const isBrokenFiling = error instanceof ParseFailed && error.reason !== "no_documents";
    if (isBrokenFiling || error instanceof NotFound || error instanceof InvalidRequest)
      return fetchFailed(filing, error);
    throw error;
  }
}
