// FINRA: daily short-sale volume and twice-monthly short interest, as files on its public server.
import type { Upstream, UpstreamHealth } from "../../platform/upstream/policy.ts";
import { askShortInterest, askShortVolume } from "./endpoints/files.ts";
import type { Facility, ShortInterestFile, ShortVolumeFile } from "./records.ts";

export { classifyFinra, isGzip } from "./classify.ts";
export { fileText } from "./parse/file-text.ts";
export { readShortInterest } from "./parse/short-interest.ts";
export { readShortVolume } from "./parse/short-volume.ts";
export { finraPolicy } from "./policy.ts";
export * from "./records.ts";

/**
 * The provider. Null means that the server has no such file: not published yet, a holiday, or removed; the
 * answer does not distinguish these. Throws UpstreamFailed (also for a truncated file), UpstreamRateLimited,
 * UpstreamTimeout.
 */
export interface Finra {
  /** Short volume of a trade date; `plainOnly` does not try the gzip file. */
  shortVolume(
    facility: Facility,
    date: string,
    how: { plainOnly: boolean; signal?: AbortSignal | undefined },
  ): Promise<ShortVolumeFile | null>;
  /** Short interest of a settlement date. */
  shortInterest(date: string, signal?: AbortSignal): Promise<ShortInterestFile | null>;
  health(): UpstreamHealth;
}

export function finra(upstream: Upstream): Finra {
  return {
    shortVolume: (facility, date, how) => askShortVolume(upstream, facility, date, how),
    shortInterest: (date, signal) => askShortInterest(upstream, date, signal),
    health: () => upstream.health(),
  };
}
