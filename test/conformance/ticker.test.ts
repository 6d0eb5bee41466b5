// Symbols against recorded lists: the regulator's of all tickers, Nasdaq's screener, an index's history.
import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  fromNasdaq,
  fromSec,
  fromYahoo,
  toFinra,
  toNasdaq,
  toSec,
  toYahoo,
} from "../../src/market/spelling.ts";
import { canonical } from "../../src/market/ticker.ts";

setDefaultTimeout(1_200_000);

const recordings = process.env.CONFORMANCE_DIR ?? join(import.meta.dir, "../../../shared/real");
const secList = join(recordings, "edgar/tickers/company_tickers.json");
const screeners = ["amex", "nasdaq"].map((name) =>
  join(recordings, `nasdaq/screener-rows-${name}-2026-08-22.json`),
);

if (!existsSync(secList) || !screeners.every(existsSync)) {
  test("skipped: no recordings", () => {
    expect([secList, ...screeners].every(existsSync)).toBe(false);
  });
} else {
  test("the regulator's tickers: each is read, no two are one symbol, each is written back", async () => {
    const list: Record<string, { ticker: string }> = await Bun.file(secList).json();
    const tickers = [...new Set(Object.values(list).map((row) => row.ticker))];
    expect(tickers.length).toBeGreaterThan(9000);
    const symbols = tickers.map(fromSec);
    expect(tickers.filter((_, i) => symbols[i] === null)).toEqual([]);
    expect(new Set(symbols).size).toBe(tickers.length);
    expect(tickers.map(canonical)).toEqual(symbols.map(String));
    // The list spells two rights otherwise than the rest.
    const changed = tickers.filter((ticker, i) => toSec(symbols[i] ?? "") !== ticker);
    expect(changed.sort()).toEqual(["CELG-RI", "IFN-RT"]);
    expect(symbols.map((symbol) => fromYahoo(toYahoo(symbol ?? "")))).toEqual(symbols);
    expect(new Set(symbols.map((symbol) => toFinra(symbol ?? ""))).size).toBe(tickers.length);
  });

  test("the screener's symbols: each is read and written back", async () => {
    for (const file of screeners) {
      const rows: { symbol: string }[] = await Bun.file(file).json();
      expect(rows.length).toBeGreaterThan(200);
      for (const { symbol } of rows) expect(toNasdaq(fromNasdaq(symbol) ?? "")).toBe(symbol.trim());
    }
  });
}
