// Tickers: one canonical symbol for every spelling, and what a request may send.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { canonical, isTicker, parseTickers, TICKER_PATTERN } from "./ticker.ts";

setDefaultTimeout(1_200_000);

describe("canonical", () => {
  test.each([
    ["AAPL", ["aapl", " AAPL ", "Aapl", "aApL"]],
    ["BRK.B", ["BRK-B", "brk-b", "BRK/B", "brk.b", "BRK.B"]],
    ["BF.A", ["BF-A", "BF/A", "bf.a"]],
    ["ABR.PRD", ["ABR-PD", "abr-pd", "ABR^D", "ABR.PRD", "ABR.PR.D", "ABRpD", "ABR-PRD", "ABR/PRD"]],
    ["F.PRB", ["F-PB", "FpB", "F^B"]],
    ["TFC.PRR", ["TFC-PR", "TFC^R"]],
    ["ETI.P", ["ETI-P", "ETI^", "ETIp", "ETI.P"]],
    ["AAC.WS", ["AAC-WT", "AAC-WS", "AAC.WT", "AAC/WS", "aac/ws"]],
    ["VHAI.WSA", ["VHAI-WTA", "VHAI.WS.A", "VHAI/WS/A", "VHAI.WSA"]],
    ["AAC.U", ["AAC-UN", "AAC-U", "AAC/U", "AAC.UN"]],
    ["IFN.RT", ["IFN-RI", "IFN-RT", "IFN-R", "IFNr", "IFN.RI"]],
    ["WH.WI", ["WH-WI", "WH-W", "WHw", "wh.wi"]],
    ["WWAV.B.WI", ["WWAV.B.W", "WWAV/Bw", "WWAV-B-WI"]],
    ["CBS.WD", ["CBS/WD"]],
    ["MKC-V", ["MKC-V", "MKC/V", "mkc-v"]],
  ])("%s is written %j", (symbol, spellings) => {
    for (const spelling of spellings)
      expect({ spelling, symbol: canonical(spelling) }).toEqual({ spelling, symbol });
  });

  test.each([
    "^GSPC",
    "^IXIC",
    "EURUSD=X",
    "ES=F",
    "GC=F",
    "BTC-USD",
    "XRP-EUR",
    "LBTC33652-USD",
    "VOD.L",
    "TSCO.L",
    "SAP.DE",
    "ALL.AX",
    "D90.F",
    "APC.F",
    "7203.T",
    "ABC.V",
    "MKC.V",
    "XYZ-P.V",
    "EOAN.PR",
    "ALB.PA",
    "BC.CL",
    "HISU-U.TO",
    "BBD-B.TO",
    "0P000071W8.TO",
    "0P0000XTS7",
    "9988.HK",
    "NO0010123060.SG",
    "LONGNAME-B",
  ])("%s is unchanged", (ticker) => {
    expect(canonical(ticker)).toBe(ticker);
    expect(canonical(ticker.toLowerCase())).toBe(ticker);
  });

  test("lower case after an initial capital is not the tape's spelling", () => {
    expect(canonical("Cp")).toBe("CP");
    expect(canonical("Ew")).toBe("EW");
    expect(canonical("brkp")).toBe("BRKP");
  });

  test("is idempotent and never merges a foreign listing with a US class", () => {
    const signs = [..."ABCPRUWFLTV.-/^=pw1"];
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...signs), minLength: 1, maxLength: 15 }), (text) => {
        const symbol = canonical(text);
        expect(canonical(symbol)).toBe(symbol);
        expect(symbol).toBe(symbol.toUpperCase());
        if (/\.[FLTV]$/.test(symbol)) expect(text.toUpperCase()).toBe(symbol);
      }),
      { numRuns: 3000 },
    );
  });
});

describe("isTicker", () => {
  test.each(["A", "BRK/B", "^GSPC", "EURUSD=X", "constructor", "123456789012345"])(
    "%s may be asked",
    (text) => {
      expect(isTicker(text)).toBe(true);
    },
  );
  test.each([
    "",
    "..",
    ".",
    "/",
    "^",
    "-=-",
    "__proto__",
    "A B",
    "A_B",
    "1234567890123456",
    "AAPL\n",
    "ÄPL",
    "A%2F",
    "A\0",
  ])("%j is not a ticker", (text) => {
    expect(isTicker(text)).toBe(false);
  });
  test("is never wider than the contract's pattern", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 20 }), (text) => {
        expect(isTicker(text) && !TICKER_PATTERN.test(text)).toBe(false);
      }),
    );
  });
});

describe("parseTickers", () => {
  test("splits, trims, drops empty ones and keeps the first spelling of a symbol, in order", () => {
    expect(parseTickers(" msft, brk-b ,,BRK.B,AAPL,brk/b,MSFT,")).toEqual({
      tickers: [
        { ticker: "msft", symbol: "MSFT" },
        { ticker: "brk-b", symbol: "BRK.B" },
        { ticker: "AAPL", symbol: "AAPL" },
      ],
      invalid: [],
      respelled: [
        { ticker: "brk-b", other: "BRK.B" },
        { ticker: "brk-b", other: "brk/b" },
        { ticker: "msft", other: "MSFT" },
      ],
    });
  });
  test("accepts a list that contains comma lists", () => {
    expect(parseTickers(["AAPL", "aapl", "KO,PEP", ""]).tickers.map((t) => t.ticker)).toEqual([
      "AAPL",
      "KO",
      "PEP",
    ]);
  });
  test("reports each invalid ticker once and keeps the valid ones", () => {
    expect(parseTickers("AAPL,A B,__proto__,A B,TOOLONGTOBEATICKER")).toEqual({
      tickers: [{ ticker: "AAPL", symbol: "AAPL" }],
      invalid: ["A B", "__proto__", "TOOLONGTOBEATICKER"],
      respelled: [],
    });
  });
  test("names of object properties are ordinary tickers", () => {
    const { tickers, invalid } = parseTickers("constructor,toString,valueOf,CONSTRUCTOR");
    expect(tickers).toEqual([
      { ticker: "constructor", symbol: "CONSTRUCTOR" },
      { ticker: "toString", symbol: "TOSTRING" },
      { ticker: "valueOf", symbol: "VALUEOF" },
    ]);
    expect(invalid).toEqual([]);
    expect(parseTickers(["__proto__"])).toEqual({ tickers: [], invalid: ["__proto__"], respelled: [] });
  });
  test("empty input gives no tickers", () => {
    for (const none of ["", " , ,", [], [""]])
      expect(parseTickers(none)).toEqual({ tickers: [], invalid: [], respelled: [] });
  });
});
