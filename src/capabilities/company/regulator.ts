// The regulator's part of a company: who files under its ticker, from the registry or asked anew.
import { COMPANY_CACHE_S } from "../../limits.ts";
import type { Clock } from "../../platform/clock.ts";
import { AsofError, NotFound } from "../../platform/errors.ts";
import { instantMs } from "../../platform/instant-text.ts";
import type { CompanyRegistry, Held, Listing } from "./registry.ts";
import { REGULATOR } from "./resolve.ts";
import type { Regulator, SourceEntity } from "./sources.ts";
import type { TickerLists } from "./ticker-lists.ts";

/** `listing` null without a fault: the regulator knows no such ticker. */
export interface RegulatorPart {
  readonly listing: Listing | null;
  readonly siblings: readonly Listing[];
  readonly entity: Held<SourceEntity> | null;
  /** Asked for this answer. */
  readonly isFetched: boolean;
  /** Why it could not be asked; what is there is from before then. */
  readonly fault: AsofError | null;
}

const NOTHING: RegulatorPart = { listing: null, siblings: [], entity: null, isFetched: false, fault: null };

/** What may be answered around; anything else is a fault of ours. */
export function foreseen(error: unknown, signal: AbortSignal | undefined): AsofError {
  signal?.throwIfAborted();
  if (error instanceof AsofError) return error;
  throw error;
}

interface RegulatorDeps {
  readonly regulator: Regulator;
  readonly lists: TickerLists;
  readonly registry: CompanyRegistry;
  readonly clock: Clock;
}

export function regulatorParts({ regulator, lists, registry, clock }: RegulatorDeps) {
  const isFresh = ({ read_at }: Held<unknown>) => clock.nowMs() - instantMs(read_at) < COMPANY_CACHE_S * 1000;

  const fetchEntity = async (cik: string, signal: AbortSignal | undefined) => {
    const answer = await regulator.submissions(cik, signal).catch((error: unknown) => {
      if (error instanceof NotFound) return null;
      throw error;
    });
    if (!answer) return null;
    const held = { body: entityFacts(answer.entity), read_at: answer.received_at };
    registry.saveFacts(REGULATOR, cik, held);
    return held;
  };

  return async (symbol: string, force: boolean, signal?: AbortSignal): Promise<RegulatorPart> => {
    let listing: Listing | null;
    try {
      listing = await lists.find(symbol, force, signal);
    } catch (error) {
      return { ...NOTHING, fault: foreseen(error, signal) };
    }
    if (!listing) return NOTHING;
    const found = { listing, siblings: registry.siblings(listing) };
    const held = registry.facts<SourceEntity>(REGULATOR, listing.cik);
    if (held && !force && isFresh(held)) return { ...found, entity: held, isFetched: false, fault: null };
    try {
      const entity = await fetchEntity(listing.cik, signal);
      return { ...found, entity, isFetched: true, fault: null };
    } catch (error) {
      return { ...found, entity: held, isFetched: false, fault: foreseen(error, signal) };
    }
  };
}

/** The fields that are kept of an entity; the provider's record has more. */
function entityFacts(entity: SourceEntity): SourceEntity {
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
