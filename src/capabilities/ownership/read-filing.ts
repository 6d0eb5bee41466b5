// Reads one ownership filing: its bytes from the regulator or the vault, and what is to be kept of it.
import { InvalidRequest, NotFound } from "../../platform/errors.ts";
import {
  type BeneficialRead,
  decodeFiling,
  isUnread,
  type OwnershipRead,
  ParseFailed,
  readHeader,
} from "../../providers/edgar/index.ts";
import { type EventRow, eventRows } from "./event-rows.ts";
import type { OwnershipSource } from "./sources.ts";
import type { FilingState, ReadState } from "./store.ts";
import { momentsOf, READING, type TradeRow, tradeRows } from "./trade-rows.ts";

/** What reading a filing came to; the rows are not stored yet. */
export interface ReadFiling {
  readonly state: ReadState;
  readonly trades: readonly TradeRow[];
  readonly events: readonly EventRow[];
  /** Who is a party, where its header tells more than the index did. */
  readonly parties: readonly { readonly cik: string; readonly is_subject: boolean }[];
}

/** An index names filings some moments before they can be fetched. */
const ATTEMPTS_MAX = 3;
/** Where nothing else could be had it may not be the filing's fault: some ten hours of trying. */
const ATTEMPTS_ALONE_MAX = 20;

const NOTHING = { trades: [], events: [], parties: [] } as const;

/** Not to be had though an index names it: to be tried again, a few times. */
export function notHad(filing: FilingState, error: Error, isAlone = false): ReadFiling {
  const { accession_number, accepted_at, known_at, reading, rows } = filing;
  const attempts = filing.attempts + 1;
  const isOver = error instanceof InvalidRequest || attempts >= (isAlone ? ATTEMPTS_ALONE_MAX : ATTEMPTS_MAX);
  const status = isOver ? ("failed" as const) : ("pending" as const);
  const state = { accession_number, status, attempts, error: error.message, reading, rows };
  return { ...NOTHING, state: { ...state, accepted_at, known_at } };
}

function readInsider(filing: FilingState, answer: OwnershipRead): ReadFiling {
  const { accession_number, attempts, reading } = filing;
  const shared = { accession_number, attempts, ...momentsOf(answer) };
  if (isUnread(answer.read))
    return {
      ...NOTHING,
      state: { ...shared, status: "failed", error: answer.read.message, reading, rows: null },
    };
  const trades = tradeRows(answer.read, { reading: READING, sha256: answer.sha256 });
  const state = {
    ...shared,
    status: "succeeded" as const,
    error: null,
    reading: READING,
    rows: trades.length,
  };
  return { ...NOTHING, state, trades };
}

/** Of a schedule that cannot be read its header still says who files it on whom. */
function partiesOf({ bytes }: BeneficialRead): ReadFiling["parties"] {
  const { parties } = readHeader(decodeFiling(bytes));
  return parties.flatMap(({ cik, role }) =>
    cik === null ? [] : [{ cik, is_subject: role === "subject_company" }],
  );
}

function readHolder(filing: FilingState, answer: BeneficialRead): ReadFiling {
  const { accession_number, attempts, reading } = filing;
  const shared = { accession_number, attempts, ...momentsOf(answer) };
  if (isUnread(answer.read))
    return {
      ...NOTHING,
      parties: partiesOf(answer),
      state: { ...shared, status: "failed", error: answer.read.message, reading, rows: null },
    };
  const events = eventRows(answer.read, answer.sha256, READING);
  const state = {
    ...shared,
    status: "succeeded" as const,
    error: null,
    reading: READING,
    rows: events.length,
  };
  return { ...NOTHING, state, events };
}

/**
 * Fetches and reads a filing. What it says, or that it cannot be read, is an answer; that it could not be had is
 * thrown as the provider says (NotConfigured, Upstream*, Busy), and leaves it as it was.
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
    // A web page in place of a submission has no documents; one that has begun is a submission.
    const isItsOwn = error instanceof ParseFailed && error.reason !== "no_documents";
    if (isItsOwn || error instanceof NotFound || error instanceof InvalidRequest)
      return notHad(filing, error);
    throw error;
  }
}
