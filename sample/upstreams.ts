// The providers of the sample market beside the price provider and the regulator.
import { createAlpaca } from "./alpaca/index.ts";
import { createFinra } from "./finra/index.ts";
import { createFred } from "./fred/index.ts";
import { createGdelt } from "./gdelt/index.ts";
import type { Market } from "./market.ts";
import { createNasdaqCalendars } from "./nasdaq/calendars.ts";
import { createNasdaqListings } from "./nasdaq/listings.ts";
import { createNewswires } from "./newswires/index.ts";
import { createWikimedia } from "./wikimedia/index.ts";
import type { SampleUpstream } from "./wire.ts";

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
