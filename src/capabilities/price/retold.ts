// Errors about a symbol, in the client's spelling of it.
import { type AsofError, NotFound } from "../../platform/errors.ts";

/** The same error; one about a symbol names it as the client wrote it. */
export function retold(error: AsofError, ticker: string): AsofError {
  return error instanceof NotFound
    ? new NotFound(error.code, error.message, { ...error.facts, ticker })
    : error;
}

/** Passes a failure on, naming the ticker as the client wrote it: work is shared by symbol, whoever asked first. */
export const retell =
  (ticker: string) =>
  (error: unknown): never => {
    throw error instanceof NotFound ? retold(error, ticker) : error;
  };
