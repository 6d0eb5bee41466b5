// Lines, trailers, columns and symbols of the daily files.
import { expect, test } from "bun:test";
import { readShortVolume, readShortVolumeFile } from "./short-volume.ts";
import { isTestSymbol } from "./test-symbols.ts";

const HEADER = "Date|Symbol|ShortVolume|ShortExemptVolume|TotalVolume|Market";
const file = (lines: readonly string[], trailer: string | null = String(lines.length), end = "\r\n") =>
  [HEADER, ...lines, ...(trailer === null ? [] : [trailer])].join(end) + end;
const read = (text: string) => readShortVolumeFile(text, "2026-09-04", "CNMSshvol20260904.txt");
const AAPL = "20260904|AAPL|7632509.075240|27953|14537792.715407|B,Q,N";

test("six columns with fractions", () => {
  expect(read(file([AAPL, "20260904|BRK/B|268632.653992|2672|1249876.120945|B,Q,N"]))).toEqual({
    lines: [
      {
        date: "2026-09-04",
        symbol: "AAPL",
        short_volume: 7632509.07524,
        short_exempt_volume: 27953,
        total_volume: 14537792.715407,
        market: "B,Q,N",
      },
      {
        date: "2026-09-04",
        symbol: "BRK.B",
        short_volume: 268632.653992,
        short_exempt_volume: 2672,
        total_volume: 1249876.120945,
        market: "B,Q,N",
      },
    ],
    test_lines: 0,
    trailer: 2,
  });
});

test("five columns: what is not reported is null, not 0", () => {
  const text = "Date|Symbol|ShortVolume|TotalVolume|Market\n20110225|IBM|100|250|Q\n1\n";
  expect(readShortVolumeFile(text, "2011-02-25", "f").lines).toEqual([
    {
      date: "2011-02-25",
      symbol: "IBM",
      short_volume: 100,
      short_exempt_volume: null,
      total_volume: 250,
      market: "Q",
    },
  ]);
});

test("finds columns by name, in any order and with white space in their names", () => {
  const text =
    "Symbol|Date|Total Volume|Short Volume|Short Exempt Volume|Market Center\nAA|20260904|9|4|1|N\n";
  expect(readShortVolume(text, "f")).toMatchObject({
    lines: [{ symbol: "AA", total_volume: 9, short_volume: 4, short_exempt_volume: 1, market: "N" }],
    trailer: null,
  });
});

test("trims the fields", () => {
  const [line] = read(file([" 20260904 | BRK/B | 1 | 0 | 2 | B,Q,N "])).lines;
  expect(line).toMatchObject({ date: "2026-09-04", symbol: "BRK.B", short_volume: 1, market: "B,Q,N" });
});

test("parses a number exactly as Number does", () => {
  const texts = ["0", "0.000001", "0.1", "00012", " 12.5 ", "999999999999999", "1234567.123456"];
  texts.push("9007199254740993", "123456789012345.5", "12345678901234567890.123456", "0.3000000000000000444");
  for (let n = 1; n < 2_000; n++) texts.push(((n * 7_919_777) / 1e6).toFixed(n % 7));
  const lines = texts.map((text, i) => `20260904|A${i}|${text}|0|${text}|Q`);
  const found = read(file(lines)).lines.map(({ short_volume }) => short_volume);
  expect(found).toEqual(texts.map(Number));
});

test.each([".5", "5.", "1.2.3", "-1", "+1", "1 2", "0x1", "", "Infinity", "١"])("%p is no volume", (text) => {
  expect(() => read(file([`20260904|AA|${text}|0|2|Q`]))).toThrow("not a valid record");
});

test("lower-case suffixes are other securities than upper-case letters", () => {
  const symbols = ["ABRpD", "ABRPD", "TYp", "TYP", "AAC/WS", "AACr", "AACR", "AACw", "AACW", "ABRpDw"];
  const lines = symbols.map((symbol) => `20260904|${symbol}|1|0|2|Q`);
  const found = read(file(lines)).lines.map(({ symbol }) => symbol);
  expect(found).toEqual([
    "ABR.PRD",
    "ABRPD",
    "TY.P",
    "TYP",
    "AAC.WS",
    "AAC.RT",
    "AACR",
    "AAC.WI",
    "AACW",
    "ABR.PRD.WI",
  ]);
  expect(new Set(found).size).toBe(symbols.length);
});

test("an unreadable spelling stays as it is", () => {
  expect(read(file(["20260904|ABR/R|1|0|2|Q"])).lines[0]?.symbol).toBe("ABR/R");
});

test("test symbols count for the trailer and are left out", () => {
  const tests = ["NTEST.A", "ZBZX", "ZTEST", "ZVZZT", "ZXZZT", "ZZT"].map((s) => `20260904|${s}|1|0|2|Q`);
  expect(read(file([AAPL, ...tests]))).toMatchObject({
    lines: [{ symbol: "AAPL" }, { symbol: "ZZT" }],
    test_lines: 5,
    trailer: 7,
  });
  for (const real of ["ZTS", "ZVZ", "TEST", "ZBZ", "LTEST", "ZVZZ"]) expect(isTestSymbol(real)).toBe(false);
});

test("a day without data has a header and the count 0", () => {
  expect(read(file([])).lines).toEqual([]);
});

test.each([
  ["no trailer", file([AAPL], null), "no count"],
  ["a trailer that counts more", file([AAPL], "2"), "1 of 2 records"],
  ["a trailer that counts fewer", file([AAPL, AAPL.replace("AAPL", "AA")], "1"), "2 of 1 records"],
  ["cut within a line", file([AAPL, "20260904|BRK/B|2686"], null), "not a valid record"],
  ["another day", file([AAPL.replace("20260904", "20260903")]), "lines of 2026-09-03"],
  ["a symbol twice", file([AAPL, AAPL]), "twice"],
  ["a negative volume", file(["20260904|AA|-1|0|2|Q"]), "not a valid record"],
  ["a volume that is no number", file(["20260904|AA|n/a|0|2|Q"]), "not a valid record"],
  ["a number in another writing", file(["20260904|AA|1e5|0|2|Q"]), "not a valid record"],
  ["no such day", file(["20260931|AA|1|0|2|Q"]), "not a valid record"],
  ["no symbol", file(["20260904||1|0|2|Q"]), "not a valid record"],
  ["no header", `${AAPL}\n1\n`, "no column date"],
  ["nothing", "", "no column date"],
])("%s is refused whole", (_, text, why) => {
  expect(() => read(text)).toThrow(why);
});
