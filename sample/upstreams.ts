// The providers the sample market speaks for, beside the price provider and the regulator: one line each.
import { createAlpaca } from "./alpaca/index.ts";
import { createFinra } from "./finra/index.ts";
import { createFred } from "./fred/index.ts";
import { createGdelt } from "./gdelt/index.ts";
import type { Market } from "./market.ts";
import { createNasdaqCalendars } from "./nasdaq/calendars.ts";
import { createNasdaqListings } from "./nasdaq/listings.ts";
import { createNewswires } from "./newswires/index.ts";
import { createWikimedia } from "./wikimedia/index.ts";
import type { Reply, SampleRequest } from "./wire.ts";

/** Answers for its hosts; null for requests of others. */
export interface SampleUpstream {
  answer(request: SampleRequest): Reply | null;
}

const UPSTREAMS: readonly ((market: Market) => SampleUpstream)[] = [
  createAlpaca,
  createFinra,
  createFred,
  createGdelt,
  createNasdaqCalendars,
  createNasdaqListings,
  createNewswires,
  createWikimedia,
];

export const createUpstreams = (market: Market): readonly SampleUpstream[] =>
  UPSTREAMS.map((create) => create(market));
