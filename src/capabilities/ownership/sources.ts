// The sources that the ownership capability needs, as types.
import type { BeneficialRead, Edgar, FilingRef, OwnershipRead } from "../../providers/edgar/index.ts";

interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
  readonly refresh?: boolean | undefined;
}

/** The part of the regulator's interface that ownership uses. All calls throw as the provider documents. */
export interface OwnershipSource
  extends Pick<Edgar, "submissions" | "olderFilings" | "dailyIndex" | "currentFeed"> {
  /** A Form 3, 4 or 5. Takes one request, or none if its bytes are stored. */
  ownership(ref: FilingRef, options?: ReadOptions): Promise<OwnershipRead>;
  /** A Schedule 13D or 13G, likewise. */
  beneficial(ref: FilingRef, options?: ReadOptions): Promise<BeneficialRead>;
}
