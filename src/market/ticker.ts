// Tickers as clients write them, and the one canonical symbol each of them means.
import { readCqs, readIssue, writeIssue } from "./issue.ts";

/** What may be sent as a ticker. */
export const TICKER_PATTERN = /^[A-Za-z0-9.\-/^=]{1,15}$/;

/** A ticker as the client sent it (key of the answer) and its canonical symbol (key of everything inside). */
export type TickerRequest = { ticker: string; symbol: string };

/**
 * True when `text` may be looked up: of the pattern, with a letter or digit in it. Signs alone name nothing, and
 * `..` would climb in a provider's URL path.
 */
export function isTicker(text: string): boolean {
  return TICKER_PATTERN.test(text) && /[A-Za-z0-9]/.test(text);
}

/** Mixed case that can only be the tape's: a lower-case `p`, `r` or `w` behind capitals (`ABRpD`, `TYp`, `AACw`). */
const TAPE_CASE = /^(?:[A-Z]+p[A-Z]|[A-Z]{2,}[prw]|[A-Z]+(?:\/[A-Z]+)+w)/;

/** Most tickers are written as their symbol is. */
const COMMON_STOCK = /^[A-Z]{1,6}$/;

/**
 * The one symbol a ticker means, whichever provider's spelling it comes in; idempotent.
 *
 * | issue            | canonical | also read                                    |
 * |------------------|-----------|----------------------------------------------|
 * | common           | `AAPL`    | `aapl`                                       |
 * | class B          | `BRK.B`   | `BRK-B`, `brk-b`, `BRK/B`                    |
 * | preferred D      | `ABR.PRD` | `ABR-PD`, `ABR^D`, `ABR.PR.D`, `ABRpD`       |
 * | preferred        | `ETI.P`   | `ETI-P`, `ETI^`, `ETIp`                      |
 * | warrant          | `AAC.WS`  | `AAC-WT`, `AAC-WS`, `AAC/WS`, `AAC.WT`       |
 * | warrant series A | `VHAI.WSA`| `VHAI-WTA`, `VHAI.WS.A`, `VHAI/WS/A`         |
 * | unit             | `AAC.U`   | `AAC-UN`, `AAC-U`, `AAC/U`                   |
 * | right            | `IFN.RT`  | `IFN-RI`, `IFN-RT`, `IFN-R`, `IFNr`          |
 * | when issued      | `WH.WI`   | `WH-WI`, `WH-W`, `WHw`; after a class `.B.WI`|
 *
 * Everything else stays itself in upper case: indices `^GSPC`, currencies `EURUSD=X`, futures `ES=F`, crypto
 * `BTC-USD`, foreign listings `VOD.L`, `SAP.DE`, `HISU-U.TO`, fund codes `0P000071W8.TO`. After a dot the letters
 * F, L, T and V and all longer exchange suffixes are foreign (`.PR` is Prague, `.PA` Paris), every other single
 * letter is a US class; a US class of those four letters keeps its hyphen: `MKC-V` is McCormick voting, `MKC.V`
 * would be Toronto's.
 */
export function canonical(ticker: string): string {
  const text = ticker.trim();
  if (COMMON_STOCK.test(text)) return text;
  const tape = TAPE_CASE.test(text) ? readCqs(text) : null;
  if (tape) return writeIssue(tape);
  const upper = text.toUpperCase();
  const issue = readIssue(upper);
  return issue ? writeIssue(issue) : upper;
}

/**
 * Tickers of a request, from a comma list, a list, or a list of comma lists: trimmed, empty ones dropped, those
 * that mean the same symbol kept once in their first spelling, in order. `invalid` holds what is no ticker, each once.
 */
export function parseTickers(raw: string | readonly string[]): {
  tickers: TickerRequest[];
  invalid: string[];
} {
  // A Map, since `constructor` is a legal ticker.
  const bySymbol = new Map<string, TickerRequest>();
  const invalid = new Set<string>();
  for (const list of typeof raw === "string" ? [raw] : raw) {
    for (const item of list.split(",")) {
      const ticker = item.trim();
      if (ticker === "") continue;
      if (!isTicker(ticker)) {
        invalid.add(ticker);
        continue;
      }
      const symbol = canonical(ticker);
      if (!bySymbol.has(symbol)) bySymbol.set(symbol, { ticker, symbol });
    }
  }
  return { tickers: [...bySymbol.values()], invalid: [...invalid] };
}
