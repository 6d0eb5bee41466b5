// How a capability gets from a ticker to the company that files under it, and back. Who held a ticker changes
// with time.

/**
 * A remark about the holder of a ticker. `detail` begins with the code, for answers whose warnings are
 * sentences.
 */
export interface HolderWarning {
  /** holder_unproven: no record shows who held it. holder_changed: another company holds it today. */
  readonly code: "holder_unproven" | "holder_changed";
  readonly detail: string;
}

/** The company or fund that had a ticker at a moment. All share classes of a company have the same CIK. */
export interface Holder {
  /** Ten digits; for a fund, the CIK of its trust. */
  readonly cik: string;
  /** For a fund whose trust was not read yet, its ticker: the list of funds has no names. */
  readonly name: string;
  /** For a fund: `S` and nine digits, which distinguish its filings from those of the trust's other funds. */
  readonly series_id: string | null;
  /** CIKs the company filed under before a reorganisation. */
  readonly predecessor_ciks: readonly string[];
  /** Whether it has the ticker today. */
  readonly is_listed: boolean;
  /** Whether another company has the ticker today: whatever is stored by symbol may be about that one. */
  readonly is_replaced: boolean;
  /** Warnings about the holder for the answer; empty when the holder is proven and still has the ticker. */
  readonly warnings: readonly HolderWarning[];
}

/**
 * Resolves a ticker in any spelling to its holder at a moment; null: now. Throws NotFound `unknown_ticker`
 * when no company is known to have had it then, NotConfigured or Upstream* when that could not be found out.
 */
export type ResolveHolder<K extends keyof Holder = keyof Holder> = (
  ticker: string,
  at: Temporal.Instant | null,
  signal?: AbortSignal,
) => Promise<Pick<Holder, K>>;

/** The sentences of a holder's warnings. */
export const holderWarnings = ({ warnings }: Pick<Holder, "warnings">): string[] =>
  warnings.map(({ detail }) => detail);

/**
 * The main symbol of each company at a moment (null: now), by CIK. A company whose symbol is not known is
 * absent.
 */
export type SymbolsOf = (
  ciks: readonly string[],
  at: Temporal.Instant | null,
  signal?: AbortSignal,
) => Promise<ReadonlyMap<string, string>>;

/** A company that has a symbol, or had it, by the regulator's lists that were read. */
export interface ListedHolder {
  readonly cik: string;
  readonly name: string | null;
  /** CIKs under which it filed before a reorganisation. */
  readonly predecessor_ciks: readonly string[];
  /** When the lists were first read without it, RFC 3339 UTC; null while it is listed. */
  readonly gone_at: string | null;
}

/** The companies that the lists have or had with a canonical symbol, without a request. Funds are none. */
export type ListedHolders = (symbol: string) => readonly ListedHolder[];
