// Conversion to each provider's spelling and back.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import {
  fromAlpaca,
  fromFinra,
  fromNasdaq,
  fromSec,
  fromYahoo,
  toAlpaca,
  toFinra,
  toFinraShortInterest,
  toNasdaq,
  toSec,
  toYahoo,
} from "./spelling.ts";
import { canonical } from "./ticker.ts";

setDefaultTimeout(1_200_000);

// symbol, Yahoo, Alpaca, FINRA daily, FINRA short interest, Nasdaq, SEC
const TABLE: [string, string, string, string, string, string | null, string][] = [
  ["AAPL", "AAPL", "AAPL", "AAPL", "AAPL", "AAPL", "AAPL"],
  ["BRK.B", "BRK-B", "BRK.B", "BRK/B", "BRKB", "BRK/B", "BRK-B"],
  ["ABR.PRD", "ABR-PD", "ABR.PRD", "ABRpD", "ABRPRD", "ABR^D", "ABR-PD"],
  ["ETI.P", "ETI-P", "ETI.PR", "ETIp", "ETIPR", "ETI^", "ETI-P"],
  ["AAC.WS", "AAC-WT", "AAC.WS", "AAC/WS", "AACWS", "AAC/WS", "AAC-WT"],
  ["VHAI.WSA", "VHAI-WTA", "VHAI.WS.A", "VHAI/WS/A", "VHAIWSA", "VHAI/WS/A", "VHAI-WTA"],
  ["AAC.U", "AAC-UN", "AAC.U", "AAC/U", "AACU", "AAC/U", "AAC-UN"],
  ["IFN.RT", "IFN-RI", "IFN.RT", "IFNr", "IFNRT", null, "IFN-R"],
  ["WH.WI", "WH-WI", "WH.WI", "WHw", "WHWI", null, "WH-W"],
  ["MKC-V", "MKC-V", "MKC.V", "MKC/V", "MKCV", "MKC/V", "MKC-V"],
];

describe("spellings", () => {
  test.each(TABLE)("%s", (symbol, yahoo, alpaca, finra, shortInterest, nasdaq, sec) => {
    expect([
      toYahoo(symbol),
      toAlpaca(symbol),
      toFinra(symbol),
      toFinraShortInterest(symbol),
      toNasdaq(symbol),
      toSec(symbol),
    ]).toEqual([yahoo, alpaca, finra, shortInterest, nasdaq, sec]);
    expect([fromYahoo(yahoo), fromAlpaca(alpaca), fromFinra(finra), fromSec(sec)]).toEqual([
      symbol,
      symbol,
      symbol,
      symbol,
    ]);
    if (nasdaq !== null) expect(fromNasdaq(nasdaq)).toBe(symbol);
  });

  test.each([
    "^GSPC",
    "EURUSD=X",
    "ES=F",
    "BTC-USD",
    "VOD.L",
    "SAP.DE",
    "0P000071W8.TO",
    "HISU-U.TO",
    "EOAN.PR",
  ])("only Yahoo has a spelling of %s", (symbol) => {
    expect(toYahoo(symbol)).toBe(symbol);
    expect(fromYahoo(symbol)).toBe(symbol);
    for (const write of [toAlpaca, toFinra, toFinraShortInterest, toNasdaq, toSec])
      expect(write(symbol)).toBeNull();
  });

  test("Yahoo's spelling with a class after a dot is a stub, not the class", () => {
    expect(fromYahoo("BRK.B")).toBeNull();
    expect(fromYahoo("CRD.B")).toBeNull();
  });

  test("the tape's spelling is case-sensitive", () => {
    expect(fromFinra("ABRpD")).toBe("ABR.PRD");
    expect(fromFinra("ABRPD")).toBe("ABRPD");
    expect(fromFinra("TYp")).toBe("TY.P");
    expect(fromFinra("TYP")).toBe("TYP");
    expect(fromFinra("AACr")).toBe("AAC.RT");
    expect(fromFinra("AACR")).toBe("AACR");
    expect(fromFinra("AACw")).toBe("AAC.WI");
    expect(fromFinra("ABRpDw")).toBe("ABR.PRD.WI");
    expect(fromFinra("AAC/WSw")).toBe("AAC.WS.WI");
  });

  test.each([
    "",
    "abr",
    "ABRx",
    "ABR/",
    "ABR/TEST",
    "ABR/WSA",
    "ABR/R",
    "ABRpDD",
    "ABRs",
    "ABRsA",
    "NTEST.A",
    "ABCwr",
    "ABC/A/B",
  ])("%j is not a tape spelling", (text) => {
    expect(fromFinra(text)).toBeNull();
  });

  test("unknown forms of other providers are refused, not guessed", () => {
    expect(fromNasdaq("BRK.B")).toBeNull();
    expect(fromNasdaq("ABR^DD")).toBeNull();
    expect(fromNasdaq("AAC/R")).toBeNull();
    expect(fromAlpaca("BTC/USD")).toBeNull();
    expect(fromAlpaca("brk.b")).toBeNull();
    expect(fromSec("WSG US")).toBeNull();
    expect(fromSec("CIB ")).toBe("CIB");
    expect(fromSec("CBS.A")).toBe("CBS.A");
    expect(fromSec("SBE/U")).toBe("SBE.U");
    expect(fromSec("GGZ-R")).toBe(canonical("GGZ-RI"));
  });
});

const letters = (min: number, max: number) =>
  fc.string({ unit: fc.constantFrom(..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"), minLength: min, maxLength: max });
const part = fc.oneof(
  fc.constantFrom("", "-P", "-WT", "-UN", "-RI", "-WI", "-WD", "-CL", "-CV"),
  letters(1, 1).map((c) => `-${c}`),
  letters(1, 1).map((c) => `-P${c}`),
  letters(1, 1).map((c) => `-WT${c}`),
);
const condition = fc.constantFrom("", "-WI", "-WD", "-CL", "-CV");
const symbols = fc
  .tuple(letters(1, 6), part, condition)
  .map(([root, first, then]) => canonical(`${root}${first}${first === "" ? "" : then}`));

describe("round trips", () => {
  const pairs = [
    ["yahoo", toYahoo, fromYahoo],
    ["alpaca", toAlpaca, fromAlpaca],
    ["finra", toFinra, fromFinra],
    ["nasdaq", toNasdaq, fromNasdaq],
    ["sec", toSec, fromSec],
  ] as const;
  test.each(pairs)("%s round-trips", (_, write, read) => {
    let written = 0;
    fc.assert(
      fc.property(symbols, (symbol) => {
        const spelling = write(symbol);
        if (spelling === null) return;
        written++;
        expect(read(spelling)).toBe(symbol);
      }),
      { numRuns: 2000 },
    );
    expect(written).toBeGreaterThan(250);
  });

  test("a client may send any of these, except Alpaca's dots that read as an exchange", () => {
    fc.assert(
      fc.property(symbols, (symbol) => {
        for (const write of [toYahoo, toFinra, toNasdaq, toSec]) {
          const spelling = write(symbol);
          // `Ap` is much more likely a capitalised AP than the preferred of A.
          if (spelling === null || /^[A-Z][prw](?![A-Z])/.test(spelling)) continue;
          expect({ spelling, symbol: canonical(spelling) }).toEqual({ spelling, symbol });
        }
      }),
      { numRuns: 2000 },
    );
  });

  test("every US symbol has its own tape spelling", () => {
    fc.assert(
      fc.property(symbols, symbols, (a, b) => {
        expect(toFinra(a)).not.toBeNull();
        expect(toFinra(a) === toFinra(b)).toBe(a === b);
        expect(toYahoo(a) === toYahoo(b)).toBe(a === b);
      }),
      { numRuns: 2000 },
    );
  });
});
