// Decides whether the prices of a symbol are those of the share that a company's statements count.
import { readIssue } from "../../market/issue.ts";
import type { Holder } from "../../market/issuer.ts";
import { canonical } from "../../market/ticker.ts";
import type { CompanyRecord } from "./sources.ts";
import type { PricedSymbol } from "./statements/metric-closes.ts";

const UNKNOWN_CLASSES =
  "No stored list or record says which classes of shares the company had at as_of, and the cover of its newest report of then gives no single count of shares.";

/** Whether a symbol is an ordinary share or a class of one, not a preferred share, warrant, unit or right. */
export function isOrdinary(symbol: string): boolean {
  const issue = readIssue(symbol);
  return issue?.parts.every((part) => /^[A-OQ-TV-Z]$/.test(part)) ?? false;
}

interface Pricing {
  readonly symbol: string;
  readonly company: Pick<CompanyRecord, "share_classes"> | null;
  readonly filer: Pick<Holder, "is_listed" | "is_replaced"> | null;
  /** Null when the request is about today. */
  readonly past: {
    /** Whether the newest report of then says that the company has one class of shares. */
    readonly hasOneClass: boolean;
  } | null;
}

/** The symbol when its prices are those of the share that the statements count, else why they are not. */
export function pricedSymbol({ symbol, company, filer, past }: Pricing): PricedSymbol {
  if (company === null) return { why: "The company's share classes are unknown." };
  if (!isOrdinary(symbol)) return { why: `${symbol} is not an ordinary share.` };
  // Prices are stored by symbol. The answer must not reveal what became of the symbol after as_of.
  if (past !== null && filer?.is_listed !== true)
    return { why: `Stored prices of ${symbol} may not be those of the company that had it at as_of.` };
  if (filer?.is_replaced) return { why: `Prices of ${symbol} may be another company's, which has it today.` };
  if (filer?.is_listed !== true)
    return { why: `The SEC no longer lists ${symbol}, which may belong to another company now.` };
  if (company.share_classes === null) return past?.hasOneClass ? { symbol } : { why: UNKNOWN_CLASSES };
  const others = company.share_classes.map(({ ticker }) => canonical(ticker)).filter(isOrdinary);
  if (others.length === 0) return { symbol };
  return {
    why: `The company has several classes of shares (also ${others.join(", ")}), and its figures per share do not say which one they are about.`,
  };
}
