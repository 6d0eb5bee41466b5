// Looks up a company by its ticker: in the cache, then in the registry, then at the regulator and the price
// provider.
import { COMPANY_CACHE_S } from "../../limits.ts";
import { newYorkDate } from "../../market/calendar.ts";
import type { Services } from "../../market/services.ts";
import { unsureSplit } from "../../market/share-count.ts";
import type { Cache, CacheHit } from "../../platform/cache/cache.ts";
import { NotConfigured, NotFound } from "../../platform/errors.ts";
import { instantMs } from "../../platform/instant-text.ts";
import { GAPS_RETRY_S, type ProfilePart, type profileParts } from "./profile.ts";
import type { Publish } from "./publish.ts";
import { type CompanyRecord, carriedWarnings, hasGaps, recordOf } from "./record.ts";
import type { RegulatorPart, regulatorParts } from "./regulator.ts";

/** The cache's entry for a company. */
export interface LookupResult {
  readonly record: CompanyRecord;
  /** upstream: at least one source was asked. registry: everything was stored already. */
  readonly source: "registry" | "upstream";
  readonly warnings: readonly string[];
  /** Seconds for which the cache may serve it. */
  readonly good_for_s: number;
}

export interface LookupDeps extends Pick<Services, "clock" | "lake"> {
  readonly regulator: ReturnType<typeof regulatorParts>;
  readonly profiles: ReturnType<typeof profileParts>;
  readonly cache: Cache<LookupResult>;
  readonly publish: Publish;
}

/** Seconds for which an answer that lacks a failed source is cached. */
// Without the SEC's part since an outage at 10:00:00, a company is read again from 10:01:00 on.
const ERROR_RETRY_S = 60;

const recordInput = (
  symbol: string,
  { listing, siblings, entity }: RegulatorPart,
  { stored }: ProfilePart,
) => ({
  symbol,
  listing,
  siblings,
  entity,
  profile: stored,
});

const asOfRead = (read_at: string | undefined) =>
  read_at === undefined ? "not known" : `as they were on ${read_at.slice(0, 10)}`;

function regulatorWarning({ error, listing, entity }: RegulatorPart): string[] {
  if (!error) return [];
  const fields = "CIK, SIC, fiscal year end, state of incorporation, former names and share classes";
  const state = entity || !listing ? asOfRead(entity?.read_at) : "only those of its list of tickers";
  return [`The SEC could not be asked (${error.message}): ${fields} are ${state}.`];
}

function profileWarning({ error, isKnown, stored }: ProfilePart): string[] {
  const fields = "Sector, industry, market value, description, website and employees";
  if (error)
    return [
      `The price provider could not be asked (${error.message}): ${fields} are ${asOfRead(stored?.profile.received_at)}.`,
    ];
  if (isKnown) return [];
  return [
    `The price provider no longer knows this ticker, or never did: ${fields} are ${asOfRead(stored?.profile.received_at)}.`,
  ];
}

/**
 * Drops the SEC's part when its list no longer has the ticker but the price provider knows it: the ticker may
 * have passed to another company, and the fields of two companies must not be mixed.
 */
// Made up: the SEC's list lost ZQX on 3 May and the provider quotes it: its profile is served, with a CIK of
// null.
function withoutStaleListing(
  part: RegulatorPart,
  profile: ProfilePart,
): { part: RegulatorPart; warnings: string[] } {
  const gone = part.listing?.gone_at;
  if (!gone || !profile.stored || !profile.isKnown) return { part, warnings: [] };
  const warnings = [
    `The SEC's list of tickers has not had this one since ${gone.slice(0, 10)}, when it belonged to CIK ${part.listing?.cik}; the SEC's fields are null.`,
  ];
  return { part: { ...part, listing: null, siblings: [], entity: null }, warnings };
}

/** The split that the price provider's count of shares may be without. */
async function countInDoubt(symbol: string, { stored }: ProfilePart, lake: LookupDeps["lake"]) {
  if (!stored?.profile.shares_outstanding) return undefined;
  const splits = await lake.query<{ ex_date: string }>(
    "SELECT ex_date FROM actions(NULL) WHERE symbol = $symbol AND kind = 'split' ORDER BY ex_date",
    { symbol },
  );
  return unsureSplit(splits, newYorkDate(Temporal.Instant.from(stored.profile.received_at)));
}

/** Throws when neither part has anything to serve: the outage of a source if there was one, else NotFound. */
function throwIfUnknown(symbol: string, part: RegulatorPart, profile: ProfilePart): void {
  if (part.listing || profile.stored) return;
  if (profile.error) throw profile.error;
  if (part.error && !(part.error instanceof NotConfigured)) throw part.error;
  throw new NotFound("unknown_ticker", `No company is known by the ticker ${symbol}.`, {
    ticker: symbol,
    ...(part.error ? { hint: "The SEC was not asked, since SEC_USER_AGENT is not set." } : {}),
  });
}

function goodForS(part: RegulatorPart, profile: ProfilePart, nowMs: number): number {
  const errors = [part.error, profile.error].filter((error) => error !== null);
  if (errors.some((error) => !(error instanceof NotConfigured))) return ERROR_RETRY_S;
  if (errors.length > 0 || (profile.stored && hasGaps(profile.stored.profile))) return GAPS_RETRY_S;
  const reads = [part.entity?.read_at, profile.stored?.profile.received_at].filter((at) => at !== undefined);
  // The oldest part decides. A provider that does not know the ticker has just said so: its old profile does
  // not count.
  const usable = profile.isKnown ? reads : reads.slice(0, part.entity ? 1 : 0);
  const oldestMs = Math.min(nowMs, ...usable.map(instantMs));
  return Math.max(1, COMPANY_CACHE_S - (nowMs - oldestMs) / 1000);
}

/**
 * Throws NotFound `unknown_ticker` when every source that could be asked says so. When a source cannot be
 * asked and nothing is stored, throws that source's error.
 */
export function companyLookup(deps: LookupDeps) {
  const { regulator, profiles, cache, clock, lake, publish } = deps;

  const load = async (symbol: string, force: boolean, signal: AbortSignal): Promise<LookupResult> => {
    const [found, profile] = await Promise.all([
      regulator(symbol, force, signal),
      profiles(symbol, force, signal),
    ]);
    throwIfUnknown(symbol, found, profile);
    const { part, warnings } = withoutStaleListing(found, profile);
    const known = recordOf(recordInput(symbol, part, profile));
    const split = await countInDoubt(symbol, profile, lake);
    const record = split === undefined ? known : { ...known, shares_outstanding: null };
    const isFetched = part.isFetched || profile.isFetched;
    if (isFetched) await publish(record);
    return {
      record,
      source: isFetched ? "upstream" : "registry",
      warnings: [
        ...warnings,
        ...regulatorWarning(part),
        ...profileWarning(profile),
        ...carriedWarnings(profile.stored),
        ...(split === undefined
          ? []
          : [
              `shares_outstanding is null: the price provider's count may not follow the split of ${split} yet.`,
            ]),
      ],
      good_for_s: goodForS(part, profile, clock.nowMs()),
    };
  };

  return (symbol: string, force: boolean, signal?: AbortSignal): Promise<CacheHit<LookupResult>> =>
    cache.get(symbol, (shared) => load(symbol, force, shared), { force, signal });
}

export type Lookup = ReturnType<typeof companyLookup>;
