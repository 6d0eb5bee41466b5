import { expect, test } from "bun:test";
import { isTicker, tickerAt } from "./ticker-path.ts";

test.each([
  ["/ticker/zorp", "ZORP"],
  ["/ticker/brk.b/insiders", "BRK.B"],
  ["/ticker/ABRpD", "ABRpD"],
  ["/ticker/brk%2Fb", "BRK/B"],
  ["/ticker/%3Cb%3E", "<b>"],
  ["/ticker/%E0%A4%A", "%E0%A4%A"],
  ["/ticker", ""],
])("the ticker of %s", (path, ticker) => expect(tickerAt(path)).toBe(ticker));

test.each(["ZORP", "zorp", "BRK.B", "BF-B", "^GSPC", "EURUSD=X", "1234", "A".repeat(15)])(
  "%s can be one",
  (text) => expect(isTicker(text)).toBe(true),
);
test.each(["", " ", "ZORP DYN", "<B>", "A".repeat(16), "%E0", "...", "ÜBER"])("%s cannot", (text) =>
  expect(isTicker(text)).toBe(false),
);
