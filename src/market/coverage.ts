// Coverage: how complete the stored filings are for one request, and what was fetched to answer it.
import { type Static, Type } from "@sinclair/typebox";
import { dateOrNull as date } from "./answer-fields.ts";

/**
 * The `metadata` of an answer made of filings. `autoFetched` describes what `auto_fetched` means on that
 * route.
 */
export const coverageFields = (autoFetched: string) =>
  Type.Object(
    {
      auto_fetched: Type.Boolean({ description: autoFetched }),
      fetched_count: Type.Integer({ description: "Filings fetched and read for this answer." }),
      data_from: date("First filing date from which no filing is missing."),
      data_to: date("Last filing date up to which no filing is missing. Today counts up to now."),
      pending_count: Type.Integer({
        description: "Filings of these days that are indexed but not read yet.",
      }),
    },
    { description: "What was fetched for this answer, and what is stored." },
  );

/** Coverage of one request. `data_from` and `data_to` are null when no day is complete. */
export type Coverage = Readonly<Static<ReturnType<typeof coverageFields>>> & {
  /** Says what may be missing or out of date, and why. */
  readonly warnings: readonly string[];
};

/** Coverage of one day, over all companies. */
export type DayCoverage = Pick<Coverage, "pending_count" | "warnings"> & {
  /** Seconds after which more filings are read; null when none is being read. */
  readonly retry_after_s: number | null;
};

/** Which filings a request is about. */
export interface CoverageRequest {
  /** The company, followed by its predecessors. */
  readonly ciks: readonly string[];
  /** First filing date. */
  readonly from: string;
  /** Only filings that were public by this moment matter. */
  readonly untilMs: number;
  /** Fetch the company's list again even if it is fresh, and retry filings that failed. */
  readonly force: boolean;
}
