// Errors about a symbol, in the client's spelling of it: work is shared by symbol, however each client wrote it.
import { NotFound } from "../platform/errors.ts";
import type { TickerRequest } from "./ticker.ts";

/** The same error; one that says a symbol is unknown or has no data names it as the client wrote it. */
export function withClientTicker<T>(error: T, { ticker, symbol }: TickerRequest): T | NotFound {
  if (!(error instanceof NotFound)) return error;
  const message = error.message.replaceAll(symbol, ticker);
  return new NotFound(error.code, message, { ...error.facts, ticker });
}

/** Handler for a rejected promise: throws the error with the client's ticker. */
export const throwWithClientTicker =
  (request: TickerRequest) =>
  (error: unknown): never => {
    throw withClientTicker(error, request);
  };
