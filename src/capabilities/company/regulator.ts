// The regulator's part of a company: the filer behind its ticker, from the registry while it is fresh, else from the regulator.
import { COMPANY_CACHE_S } from "../../limits.ts";
import type { Services } from "../../market/services.ts";
import { AsofError, NotFound } from "../../platform/errors.ts";
import { instantMs } from "../../platform/instant-text.ts";
import type { CompanyRegistry, Listing } from "./registry.ts";
import { REGULATOR } from "./resolve.ts";
import type { StoredAnswer } from "./source-answers.ts";
import type { Regulator, SourceEntity } from "./sources.ts";
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

/** The error when it is one that an answer can do without a source for; rethrows a bug and an aborted request. */
export function expectedError(error: unknown, signal: AbortSignal | undefined): AsofError {
  signal?.throwIfAborted();
  if (error instanceof AsofError) return error;
  throw error;
}

interface RegulatorDeps extends Pick<Services, "clock"> {
  readonly regulator: Regulator;
  readonly lists: TickerLists;
  readonly registry: CompanyRegistry;
}

export function regulatorParts({ regulator, lists, registry, clock }: RegulatorDeps) {
  const isFresh = ({ read_at }: StoredAnswer<unknown>) =>
    clock.nowMs() - instantMs(read_at) < COMPANY_CACHE_S * 1000;

  const fetchEntity = async (cik: string, signal: AbortSignal | undefined) => {
    const answer = await regulator.submissions(cik, signal).catch((error: unknown) => {
      if (error instanceof NotFound) return null;
      throw error;
    });
    if (!answer) return null;
    const stored = { body: storedFields(answer.entity), read_at: answer.received_at };
    registry.saveAnswer(REGULATOR, cik, stored);
    return stored;
  };

  return async (symbol: string, force: boolean, signal?: AbortSignal): Promise<RegulatorPart> => {
    let listing: Listing | null;
    try {
      listing = await lists.find(symbol, force, signal);
    } catch (error) {
      return { ...NOTHING, error: expectedError(error, signal) };
    }
    if (!listing) return NOTHING;
    const found = { listing, siblings: registry.siblings(listing) };
    const stored = registry.storedAnswer<SourceEntity>(REGULATOR, listing.cik);
    if (stored && !force && isFresh(stored))
      return { ...found, entity: stored, isFetched: false, error: null };
    try {
      const entity = await fetchEntity(listing.cik, signal);
      return { ...found, entity, isFetched: true, error: null };
    } catch (error) {
      return { ...found, entity: stored, isFetched: false, error: expectedError(error, signal) };
    }
  };
}

/** The fields of an entity that the registry stores; the provider's record has more. */
function storedFields(entity: SourceEntity): SourceEntity {
  return {
    cik: entity.cik,
    name: entity.name,
    sic: entity.sic,
    sic_description: entity.sic_description,
    tickers: entity.tickers,
    description: entity.description,
    website: entity.website,
    fiscal_year_end: entity.fiscal_year_end,
    state_of_incorporation: entity.state_of_incorporation,
    business_address: entity.business_address,
    former_names: entity.former_names,
    predecessor_ciks: entity.predecessor_ciks,
  };
}
