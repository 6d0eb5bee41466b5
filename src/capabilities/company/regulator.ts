// The regulator's part of a company: the filer behind its ticker, from the registry while it is fresh, else
// from the regulator.
import { AsofError } from "../../platform/errors.ts";
import type { Filers } from "./filers.ts";
import type { CompanyRegistry, Listing } from "./registry.ts";
import type { StoredAnswer } from "./source-answers.ts";
import type { SourceEntity } from "./sources.ts";
import type { TickerLists } from "./ticker-lists.ts";

/** `listing` and `error` both null: the regulator knows no such ticker. */
export interface RegulatorPart {
  readonly listing: Listing | null;
  readonly siblings: readonly Listing[];
  readonly entity: StoredAnswer<SourceEntity> | null;
  /** Whether the regulator was asked for this answer. */
  readonly isFetched: boolean;
  /** Why it could not be asked; the other fields are then from the registry. */
  readonly error: AsofError | null;
}

const NOTHING: RegulatorPart = { listing: null, siblings: [], entity: null, isFetched: false, error: null };

/**
 * The error when it is one that an answer can do without a source for; rethrows a bug and an aborted request.
 */
export function expectedError(error: unknown, signal: AbortSignal | undefined): AsofError {
  signal?.throwIfAborted();
  if (error instanceof AsofError) return error;
  throw error;
}

interface RegulatorDeps {
  readonly lists: TickerLists;
  readonly registry: CompanyRegistry;
  readonly filers: Filers;
}

export function regulatorParts({ lists, registry, filers }: RegulatorDeps) {
  return async (symbol: string, force: boolean, signal?: AbortSignal): Promise<RegulatorPart> => {
    let listing: Listing | null;
    try {
      listing = await lists.find(symbol, force, signal);
    } catch (error) {
      return { ...NOTHING, error: expectedError(error, signal) };
    }
    if (!listing) return NOTHING;
    const found = { listing, siblings: registry.siblings(listing) };
    const stored = filers.stored(listing.cik);
    if (stored && !force && filers.isFresh(stored))
      return { ...found, entity: stored, isFetched: false, error: null };
    try {
      const entity = await filers.fetch(listing.cik, signal);
      return { ...found, entity, isFetched: true, error: null };
    } catch (error) {
      return { ...found, entity: stored, isFetched: false, error: expectedError(error, signal) };
    }
  };
}
