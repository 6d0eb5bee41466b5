// What the short-volume capability needs of the outside, in its own words.
import type { Facility, Finra } from "../../providers/finra/index.ts";

export { FACILITIES, type Facility, FIRST_FILE_DATE } from "../../providers/finra/index.ts";

/** Whole files; null where the server has none. */
export type ShortVolumeSource = Pick<Finra, "shortVolume" | "shortInterest">;

/** Where faults go that no caller waits for. */
export interface ShortVolumeLog {
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

/** The file of all national-market facilities together: what every route but the one for a single facility reads. */
export const ALL_FACILITIES: Facility = "CNMS";

/** Which file a `market` of a request means. */
export const FACILITY_OF = {
  all: "CNMS",
  Q: "FNSQ",
  B: "FNQC",
  N: "FNYX",
  D: "FNRA",
  O: "FORF",
} as const satisfies Record<string, Facility>;
export type MarketWord = keyof typeof FACILITY_OF;
export const MARKET_WORDS = Object.keys(FACILITY_OF) as MarketWord[];
