// A company by its ticker: from the cache, else the registry, else the regulator and the price provider.
import { COMPANY_CACHE_S } from "../../limits.ts";
import type { CacheHit, Memory } from "../../platform/cache/cache.ts";
import type { Clock } from "../../platform/clock.ts";
import { NotConfigured, NotFound } from "../../platform/errors.ts";
import { instantMs } from "../../platform/instant-text.ts";
import { GAPS_RETRY_S, type ProfilePart, type profileParts } from "./profile.ts";
import type { Publish } from "./publish.ts";
import { type CompanyRecord, hasGaps, keptWarnings, recordOf } from "./record.ts";
import type { RegulatorPart, regulatorParts } from "./regulator.ts";

/** What is remembered of a company. */
export interface Found {
  readonly record: CompanyRecord;
  /** Whether a source was asked for it, or the registry knew all of it. */
  readonly source: "registry" | "upstream";
  readonly warnings: readonly string[];
  readonly good_for_s: number;
}

export interface LookupDeps {
  readonly regulator: ReturnType<typeof regulatorParts>;
  readonly profiles: ReturnType<typeof profileParts>;
  readonly remembered: Memory<Found>;
  readonly clock: Clock;
  readonly publish: Publish;
}

/** An answer made around a fault of a source is made anew after so long. */
const FAULT_RETRY_S = 60;

const known = (symbol: string, { listing, siblings, entity }: RegulatorPart, { stored }: ProfilePart) => ({
  symbol,
  listing,
  siblings,
  entity,
  profile: stored,
});

const since = (read_at: string | undefined) =>
  read_at === undefined ? "not known" : `as they were on ${read_at.slice(0, 10)}`;

function regulatorWarning({ fault: error, listing, entity }: RegulatorPart): string[] {
  if (!error) return [];
  const fields = "CIK, SIC, fiscal year end, state of incorporation, former names and share classes";
  const state = entity || !listing ? since(entity?.read_at) : "known only as far as its list of tickers goes";
  return [`The SEC could not be asked (${error.message}): ${fields} are ${state}.`];
}

function profileWarning({ fault: error, isKnown, stored }: ProfilePart): string[] {
  const fields = "Sector, industry, market value, description, website and employees";
  if (error)
    return [
      `The price provider could not be asked (${error.message}): ${fields} are ${since(stored?.profile.received_at)}.`,
    ];
  if (isKnown) return [];
  return [
    `The price provider no longer knows this ticker, or never did: ${fields} are ${since(stored?.profile.received_at)}.`,
  ];
}

/**
 * A ticker that the SEC's list no longer has may have passed to another company by now: where the price provider
 * knows it, the provider's words are not mixed with those on whoever bore it before.
 */
function unmixed(part: RegulatorPart, profile: ProfilePart): { part: RegulatorPart; warnings: string[] } {
  const gone = part.listing?.gone_at;
  if (!gone || !profile.stored || !profile.isKnown) return { part, warnings: [] };
  const warnings = [
    `The SEC's list of tickers has not had this one since ${gone.slice(0, 10)}, when it was that of CIK ${part.listing?.cik}; the SEC's fields are left empty.`,
  ];
  return { part: { ...part, listing: null, siblings: [], entity: null }, warnings };
}

/** Throws what explains best why there is nothing to serve. */
function refuseNothing(symbol: string, part: RegulatorPart, profile: ProfilePart): void {
  if (part.listing || profile.stored) return;
  if (profile.fault) throw profile.fault;
  if (part.fault && !(part.fault instanceof NotConfigured)) throw part.fault;
  throw new NotFound("unknown_ticker", `No company is known by the ticker ${symbol}.`, {
    ticker: symbol,
    ...(part.fault ? { hint: "The SEC was not asked, since SEC_USER_AGENT is not set." } : {}),
  });
}

function goodForS(part: RegulatorPart, profile: ProfilePart, nowMs: number): number {
  const errors = [part.fault, profile.fault].filter((error) => error !== null);
  if (errors.some((error) => !(error instanceof NotConfigured))) return FAULT_RETRY_S;
  if (errors.length > 0 || (profile.stored && hasGaps(profile.stored.profile))) return GAPS_RETRY_S;
  const reads = [part.entity?.read_at, profile.stored?.profile.received_at].filter((at) => at !== undefined);
  // The oldest part says how long the whole is good; a provider that does not know the ticker was asked just now.
  const usable = profile.isKnown ? reads : reads.slice(0, part.entity ? 1 : 0);
  const oldestMs = Math.min(nowMs, ...usable.map(instantMs));
  return Math.max(1, COMPANY_CACHE_S - (nowMs - oldestMs) / 1000);
}

/**
 * Throws NotFound `unknown_ticker` when the sources that could be asked said so; what a source throws when it
 * cannot be asked and nothing is known from before.
 */
export function companyLookup(deps: LookupDeps) {
  const { regulator, profiles, remembered, clock, publish } = deps;

  const load = async (symbol: string, force: boolean, signal: AbortSignal): Promise<Found> => {
    const [asked, profile] = await Promise.all([
      regulator(symbol, force, signal),
      profiles(symbol, force, signal),
    ]);
    refuseNothing(symbol, asked, profile);
    const { part, warnings } = unmixed(asked, profile);
    const record = recordOf(known(symbol, part, profile));
    const isFetched = part.isFetched || profile.isFetched;
    if (isFetched) await publish(record);
    return {
      record,
      source: isFetched ? "upstream" : "registry",
      warnings: [
        ...warnings,
        ...regulatorWarning(part),
        ...profileWarning(profile),
        ...keptWarnings(profile.stored),
      ],
      good_for_s: goodForS(part, profile, clock.nowMs()),
    };
  };

  return (symbol: string, force: boolean, signal?: AbortSignal): Promise<CacheHit<Found>> =>
    remembered.get(symbol, (shared) => load(symbol, force, shared), { force, signal });
}

export type Lookup = ReturnType<typeof companyLookup>;
