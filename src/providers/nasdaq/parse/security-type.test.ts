import { describe, expect, test } from "bun:test";
import { securityTypeOf } from "./security-type.ts";

describe("the type by name and symbol", () => {
  test.each([
    ["ZORP", "Zorp Dynamics Inc. - Common Stock", "common"],
    ["QUIB.B", "Quibble Holdings Inc. Class B Common Stock", "common"],
    ["UNT", "Unit Corporation Common Stock", "common"],
    ["PFBK", "Preferred Bank - Common Stock", "common"],
    ["EPDQ", "Sample Partners L.P. Common Units representing Limited Partner Interests", "common"],
    ["MARQ", "Sample Petroleum Trust Units of Beneficial Interest", "common"],
    ["PLAIN", "Plain Inc.", "common"],
    ["BAYA", "Sample plc American Depositary Shares, each representing ten Ordinary Shares", "adr"],
    ["BAYB", "Sample A/S ADS", "adr"],
    ["WRNT", "Sample Corp. Warrants, each exercisable for one share of Common Stock", "warrant"],
    ["SQFT", "Sample Trust Inc. Series A Common Stock Purchase Warrants", "warrant"],
    ["AACIU", "Sample Corp. - Units, each consisting of one ordinary share and one-half warrant", "unit"],
    ["AACIR", "Sample Corp. II Right", "right"],
    ["HBAN", "Sample Bancshares Depositary Shares Each Representing 1/40th of Preferred Stock", "preferred"],
    ["FCNC", "Sample BancShares Inc. Depositary Shares", "preferred"],
    ["CHSC", "Sample Inc Class B Cumulative Redeemable Preferred Stock Series 4", "preferred"],
    ["HOVN", "Sample Enterprises Inc Dep Shr Srs A Pfd", "preferred"],
    ["TMUS", "Sample US Inc. 5.500% Senior Notes due June 2070", "note"],
    ["QQQX", "Sample Overwrite Fund Shares of Beneficial Interest", "fund"],
  ] as const)("%s: %s", (symbol, name, type) => {
    expect(securityTypeOf(symbol, name, false)).toBe(type);
  });

  test.each([
    ["ABR.PRD", "preferred"],
    ["ETI.P", "preferred"],
    ["AAC.WS", "warrant"],
    ["VHAI.WSA", "warrant"],
    ["AAC.U", "unit"],
    ["IFN.RT", "right"],
    ["BRK.B", "common"],
  ] as const)("the suffix of %s counts before any name", (symbol, type) => {
    expect(securityTypeOf(symbol, "Sample Inc. Common Stock", false)).toBe(type);
  });

  test("the list's own flag for an ETF takes precedence", () => {
    expect(securityTypeOf("PFFQ", "Sample Preferred Stock ETF", true)).toBe("etf");
  });
});
