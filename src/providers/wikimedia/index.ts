// Wikimedia: what Wikipedia's articles say. Its face.
import type { Upstream, UpstreamHealth } from "../../platform/upstream-policy.ts";
import { askIndexMembers, type IndexMembers, type IndexName } from "./endpoints/index-page.ts";

export { classifyWikimedia } from "./classify.ts";
export type { IndexMembers, IndexName } from "./endpoints/index-page.ts";
export type { Constituent } from "./parse/constituents.ts";
export { METRICS_HOST, WIKIPEDIA_HOST, wikimediaPolicy } from "./policy.ts";

export interface WikimediaNeeds {
  /** Made with `wikimediaPolicy` and `classifyWikimedia`: ONE for the process, requests go one at a time. */
  readonly upstream: Upstream;
}

/** The provider. Each method says what it throws where it is defined. */
export interface Wikimedia {
  indexMembers(index: IndexName, signal?: AbortSignal): Promise<IndexMembers>;
  health(): UpstreamHealth;
}

export function wikimedia({ upstream }: WikimediaNeeds): Wikimedia {
  return {
    indexMembers: (index, signal) => askIndexMembers(upstream, index, signal),
    health: () => upstream.health(),
  };
}
