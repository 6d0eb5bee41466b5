import { describe, expect, test } from "bun:test";
import { readDirectory } from "./symbol-directory.ts";

const OTHER = [
  "ACT Symbol|Security Name|Exchange|CQS Symbol|ETF|Round Lot Size|Test Issue|NASDAQ Symbol",
  "QUIB|Quibble Holdings Inc. Class A Common Stock|N|QUIB|N|100|N|QUIB",
  "QUIB.B|Quibble Holdings Inc. Class B Common Stock|N|QUIB.B|N|40|N|QUIB.B",
  "QUIB$D|Quibble Holdings Inc. 6.375% Series D Cumulative Preferred Stock|N|QUIBpD|N|100|N|QUIB-D",
  "PIPZ.W|Pipz Mobility Inc. Warrants, each for one share of Common Stock|A|PIPZ.WS|N|100|N|PIPZ+",
  "PIPZ.U|Pipz Mobility Inc. Units, each consisting of one share and one warrant|A|PIPZ.U|N|100|N|PIPZ=",
  "PIPZ.R|Pipz Mobility Inc. Rights|A|PIPZr|N|100|N|PIPZ^",
  "SMPLF|Sample 50 Index ETF|P|SMPLF|Y|100|N|SMPLF",
  "ODDQ|Oddq Inc.|X|ODDQ|N|100|N|ODDQ",
  "ZTST|NYSE TEST ONE|N|ZTST|N|100|Y|ZTST",
  "SPUN.Q|Spun of no known suffix|N|SPUN/TEST|N|100|N|SPUN~",
  "File Creation Time: 0909202617:01||||||",
  "",
].join("\r\n");

const NASDAQ = [
  "Symbol|Security Name|Market Category|Test Issue|Financial Status|Round Lot Size|ETF|NextShares",
  "ZORP|Zorp Dynamics Inc. - Common Stock|Q|N|N|100|N|N",
  "ZORPW|Zorp Dynamics Inc. - Warrant|S|N|D|100|N|N",
  "NXTSH|Sample NextShares|G|N|N|100|N|Y",
  "ZVZZT|NASDAQ TEST STOCK|G|Y|N|100|N|N",
  "File Creation Time: 0909202617:01|||||||",
].join("\n");

describe("otherlisted", () => {
  const read = readDirectory("otherlisted", OTHER);

  test("reads symbols in the tape's spelling, types, exchanges, and unknown exchange codes as they are", () => {
    expect(read.rows.map((row) => [row.symbol, row.security_type, row.exchange, row.is_etf])).toEqual([
      ["QUIB", "common", "NYSE", false],
      ["QUIB.B", "common", "NYSE", false],
      ["QUIB.PRD", "preferred", "NYSE", false],
      ["PIPZ.WS", "warrant", "NYSE American", false],
      ["PIPZ.U", "unit", "NYSE American", false],
      ["PIPZ.RT", "right", "NYSE American", false],
      ["SMPLF", "etf", "NYSE Arca", true],
      ["ODDQ", "common", "X", false],
    ]);
  });

  test("counts test issues and names lines of no known convention", () => {
    expect([read.tests, read.unread, read.created]).toEqual([
      1,
      ["SPUN.Q|Spun of no known suffix|N|SPUN/TEST|N|100|N|SPUN~"],
      "0909202617:01",
    ]);
  });
});

test("nasdaqlisted: one exchange, ETFs marked by a flag", () => {
  const { rows, tests } = readDirectory("nasdaqlisted", NASDAQ);
  expect(rows.map((row) => [row.symbol, row.security_type, row.exchange])).toEqual([
    ["ZORP", "common", "Nasdaq"],
    ["ZORPW", "warrant", "Nasdaq"],
    ["NXTSH", "fund", "Nasdaq"],
  ]);
  expect(tests).toBe(1);
});

describe("rejects an incomplete list", () => {
  const cut = OTHER.slice(0, OTHER.indexOf("PIPZ.U"));
  test.each([
    ["cut off", cut, "cut off"],
    ["an empty file", "", "cut off"],
    ["a page", "<html><body>Sorry</body></html>", "cut off"],
    ["the other file", NASDAQ, 'no column "CQS Symbol"'],
    [
      "without a security",
      `${OTHER.split("\r\n")[0]}\nFile Creation Time: 0909202617:01||||||`,
      "no security",
    ],
    [
      "mostly unreadable",
      [
        OTHER.split("\r\n")[0],
        "QUIB|Quibble|N|QUIB|N|100|N|QUIB",
        ...Array.from({ length: 9 }, (_, i) => `x${i}|y`),
        "File Creation Time: 0909202617:01||||||",
      ].join("\n"),
      "9 lines that cannot be read",
    ],
  ])("%s", (_what, text, description) => {
    expect(() => readDirectory("otherlisted", text)).toThrow(description);
  });
});
