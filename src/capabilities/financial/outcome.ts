// The outcome of work of which an expected failure is a part of the answer.
import { AsofError } from "../../platform/errors.ts";

export type Outcome<T> =
  | { readonly value: T; readonly error: null }
  | { readonly value: null; readonly error: AsofError };

/**
 * The value or the AsofError of a promise; throws any other error, what an earlier version cannot answer, and
 * the reason of an aborted request.
 */
export async function attempt<T>(work: Promise<T>, signal: AbortSignal): Promise<Outcome<T>> {
  try {
    return { value: await work, error: null };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof AsofError) || error.code === "not_replayable") throw error;
    return { value: null, error };
  }
}
