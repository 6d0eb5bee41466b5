// The symbols that insiders write for a company.
import { expect, test } from "bun:test";
import { formSymbolPattern, namesSymbol, symbolsOfForm } from "./form-symbol.ts";

test("symbols in all the ways filers write them", () => {
  expect(symbolsOfForm("exwd")).toEqual(["EXWD"]);
  expect(symbolsOfForm("NYSE: BRK.A, BRK/B")).toEqual(["BRK.A", "BRK.B"]);
  expect(symbolsOfForm("GOOG, GOOGL")).toEqual(["GOOG", "GOOGL"]);
  expect(symbolsOfForm("ABC (NASDAQ)")).toEqual(["ABC"]);
});

test("placeholders and sentences name nothing", () => {
  for (const text of ["NONE", "N/A", "na", "", "the issuer has no symbol at the present time"])
    expect([text, symbolsOfForm(text)]).toEqual([text, []]);
});

test("classes of one root have one issuer; other roots that begin alike do not", () => {
  expect(namesSymbol("BRKB", "BRK.B")).toBe(true);
  expect(namesSymbol("BRK.A", "BRK.B")).toBe(true);
  expect(namesSymbol("BRK", "BRK.B")).toBe(true);
  expect(namesSymbol("BRKX", "BRK.B")).toBe(false);
  expect(namesSymbol("AA", "A")).toBe(false);
});

test("the pattern finds whole words only", () => {
  const finds = (symbol: string, text: string) => new RegExp(formSymbolPattern(symbol)).test(text);
  expect([finds("A", "NYSE:A"), finds("A", "AA"), finds("BRK.B", "BRKB"), finds("BRK.B", "BRK/A")]).toEqual([
    true,
    false,
    true,
    true,
  ]);
});
