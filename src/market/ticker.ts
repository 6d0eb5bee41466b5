// Tickers as clients write them, and the canonical symbol of each.
import { readCqs, readIssue, writeIssue } from "./issue.ts";

/** Texts that a client may send as a ticker. */
export const TICKER_PATTERN = /^[A-Za-z0-9.\-/^=]{1,15}$/;

/**
 * A ticker as the client sent it, which the answer repeats, and its canonical symbol, which is used
 * internally.
 */
export type TickerRequest = { ticker: string; symbol: string };

/**
 * True when `text` may be looked up: it matches the pattern and has a letter or digit. Punctuation alone is
 * not a ticker, and `..` would change the path of a provider's URL.
 */
export function isTicker(text: string): boolean {
  return TICKER_PATTERN.test(text) && /[A-Za-z0-9]/.test(text);
}

/**
 * Mixed case that only the consolidated tape writes: a lower-case `p`, `r` or `w` after capitals (`ABRpD`,
 * `TYp`, `AACw`).
 */
const TAPE_CASE = /^(?:[A-Z]+p[A-Z]|[A-Z]{2,}[prw]|[A-Z]+(?:\/[A-Z]+)+w)/;

/** Most tickers are already canonical. */
const COMMON_STOCK = /^[A-Z]{1,6}$/;

/**
 * The canonical symbol of a ticker in any provider's spelling; idempotent.
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
 * Everything else is only upper-cased: indices `^GSPC`, currencies `EURUSD=X`, futures `ES=F`, crypto
 * `BTC-USD`, foreign listings `VOD.L`, `SAP.DE`, `HISU-U.TO`, fund codes `0P000071W8.TO`. After a dot the
 * letters F, L, T and V and all longer exchange suffixes mean a foreign exchange (`.PR` is Prague, `.PA`
 * Paris); every other single letter is a US class. A US class of those four letters keeps its hyphen: `MKC-V`
 * is McCormick voting, `MKC.V` would be Toronto.
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
 * Parses the tickers of a request from a comma list, a list, or a list of comma lists. Trims them, drops
 * empty ones, and keeps the first spelling of each symbol, in order. `invalid` lists the texts that are not
 * tickers, each once.
 */
export function parseTickers(raw: string | readonly string[]): {
  tickers: TickerRequest[];
  invalid: string[];
  /** Further spellings of a ticker. */
  respelled: { readonly ticker: string; readonly other: string }[];
} {
  // A Map, since `constructor` is a legal ticker.
  const bySymbol = new Map<string, TickerRequest>();
  const invalid = new Set<string>();
  const others = new Map<string, string>();
  for (const list of typeof raw === "string" ? [raw] : raw) {
    for (const item of list.split(",")) {
      const ticker = item.trim();
      if (ticker === "") continue;
      if (!isTicker(ticker)) {
        invalid.add(ticker);
        continue;
      }
      const symbol = canonical(ticker);
      const known = bySymbol.get(symbol);
      if (known === undefined) bySymbol.set(symbol, { ticker, symbol });
      else if (known.ticker !== ticker) others.set(ticker, known.ticker);
    }
  }
  const respelled = [...others].map(([other, ticker]) => ({ ticker, other }));
  return { tickers: [...bySymbol.values()], invalid: [...invalid], respelled };
}
