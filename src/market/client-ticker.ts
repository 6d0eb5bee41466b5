// Errors that name a ticker as the client wrote it. Work is shared by canonical symbol, so the error itself
// names that.
import { NotFound } from "../platform/errors.ts";
import type { TickerRequest } from "./ticker.ts";

/**
 * Replaces the symbol by the client's spelling where it stands alone; the same letters in other words stay.
 */
// For `brk-b`: "BRK.B has no bars" becomes "brk-b has no bars", and BRK.BX stays.
export function inClientSpelling(text: string, { ticker, symbol }: TickerRequest): string {
  if (ticker === symbol) return text;
  const word = new RegExp(`(?<![\\p{L}\\p{N}])${RegExp.escape(symbol)}(?![\\p{L}\\p{N}])`, "gu");
  return text.replace(word, () => ticker);
}

/** A NotFound with the client's spelling in its message and fields; any other error unchanged. */
export function withClientTicker<T>(error: T, request: TickerRequest): T | NotFound {
  if (!(error instanceof NotFound)) return error;
  const { ticker } = request;
  return new NotFound(error.code, inClientSpelling(error.message, request), { ...error.facts, ticker });
}

/** A handler for `.catch()`: throws the error with the client's ticker. */
export const throwWithClientTicker =
  (request: TickerRequest) =>
  (error: unknown): never => {
    throw withClientTicker(error, request);
  };
