// Errors that name a ticker as the client wrote it. Work is shared by canonical symbol, so the error itself names that.
import { NotFound } from "../platform/errors.ts";
import type { TickerRequest } from "./ticker.ts";

/** A NotFound with the client's spelling in its message and fields; any other error unchanged. */
export function withClientTicker<T>(error: T, { ticker, symbol }: TickerRequest): T | NotFound {
  if (!(error instanceof NotFound)) return error;
  const message = error.message.replaceAll(symbol, ticker);
  return new NotFound(error.code, message, { ...error.facts, ticker });
}

/** A handler for `.catch()`: throws the error with the client's ticker. */
export const throwWithClientTicker =
  (request: TickerRequest) =>
  (error: unknown): never => {
    throw withClientTicker(error, request);
  };
