// The provider that the short-volume capability needs, as types.
import type { Facility, Finra } from "../../providers/finra/index.ts";

export { FACILITIES, type Facility, FIRST_FILE_DATE } from "../../providers/finra/index.ts";

/** Complete files; null if the server has none. */
export type ShortVolumeSource = Pick<Finra, "shortVolume" | "shortInterest">;

/**
 * The consolidated file of all national-market facilities. Routes read it unless a request names a `market`.
 */
export const ALL_FACILITIES: Facility = "CNMS";

/** The file of each `market` of a request. */
export const FACILITY_OF = {
  all: "CNMS",
  Q: "FNSQ",
  B: "FNQC",
  N: "FNYX",
  D: "FNRA",
  O: "FORF",
} as const satisfies Record<string, Facility>;
export type Market = keyof typeof FACILITY_OF;
export const MARKETS = Object.keys(FACILITY_OF) as Market[];
