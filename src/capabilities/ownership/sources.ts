// What the ownership capability needs of the outside, in its own words.
import type { BeneficialRead, Edgar, FilingRef, OwnershipRead } from "../../providers/edgar/index.ts";

interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
  readonly refresh?: boolean | undefined;
}

/** The part of the regulator's face that ownership is made of. All throw as the provider says. */
export interface OwnershipSource
  extends Pick<Edgar, "submissions" | "olderFilings" | "dailyIndex" | "currentFeed"> {
  /** A Form 3, 4 or 5: one request, or none where its bytes are kept. */
  ownership(ref: FilingRef, options?: ReadOptions): Promise<OwnershipRead>;
  /** A Schedule 13D or 13G, likewise. */
  beneficial(ref: FilingRef, options?: ReadOptions): Promise<BeneficialRead>;
}

/** Who files under a ticker in any spelling. Throws NotFound `unknown_ticker`, NotConfigured or Upstream*. */
export type ResolveIssuer = (
  ticker: string,
  signal?: AbortSignal,
) => Promise<{ readonly cik: string; readonly predecessor_ciks: readonly string[] }>;

/** The main symbol of each company that is listed today, by CIK; a company without one is not in it. */
export type SymbolsOf = (ciks: readonly string[]) => ReadonlyMap<string, string>;

/** Where faults go that no caller waits for. */
export interface OwnershipLog {
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
}
