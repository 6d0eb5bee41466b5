// Lines of the short-interest files.
import { expect, test } from "bun:test";
import { readShortInterestFile } from "./short-interest.ts";

const HEADER =
  "accountingYearMonthNumber|symbolCode|issueName|issuerServicesGroupExchangeCode|marketClassCode|currentShortPositionQuantity|previousShortPositionQuantity|stockSplitFlag|averageDailyVolumeQuantity|daysToCoverQuantity|revisionFlag|changePercent|changePreviousNumber|settlementDate";
const read = (lines: readonly string[]) =>
  readShortInterestFile(`${[HEADER, ...lines].join("\n")}\n`, "2021-07-15", "shrt20210715.csv");

test("a complete line", () => {
  expect(
    read(["20210715|AAICPRB|Arlington Asset|A|NYSE|349|568|S|511|1.00|R|-38.56|-219|2021-07-15"]),
  ).toEqual([
    {
      settlement_date: "2021-07-15",
      finra_symbol: "AAICPRB",
      issue_name: "Arlington Asset",
      market_class: "NYSE",
      short_interest: 349,
      previous_short_interest: 568,
      change: -219,
      change_percent: -38.56,
      avg_daily_volume: 511,
      days_to_cover: 1,
      stock_split: true,
      revised: true,
    },
  ]);
});

test("999.99 days and blanks are unknown, a reported 0 is 0", () => {
  expect(read(["20210715|AAALF|Aareal|S|OTC|363666|||0|999.99||||2021-07-15"])[0]).toMatchObject({
    previous_short_interest: null,
    change: null,
    change_percent: null,
    avg_daily_volume: 0,
    days_to_cover: null,
    stock_split: false,
    revised: false,
  });
});

test("keeps two securities with the same spelling", () => {
  const line = "20210715|BRKB|A|A|NYSE|1|1||1|1.00||0|0|2021-07-15";
  expect(read([line, line.replace("|A|A|", "|B|S|")])).toHaveLength(2);
});

test.each([
  ["a line of another date", ["20210715|A|A|A|NYSE|1|1||1|1.00||0|0|2021-07-30"], "lines of 2021-07-30"],
  ["a short line", ["20210715|A|A|A|NYSE|1|1||1"], "not a valid record"],
  ["a position that is no number", ["20210715|A|A|A|NYSE|x|1||1|1.00||0|0|2021-07-15"], "not a valid record"],
  ["a figure that is no number", ["20210715|A|A|A|NYSE|1|1||1|1.00||x|0|2021-07-15"], "not a valid record"],
  ["no line at all", [], "has no lines"],
])("%s is refused", (_, lines, why) => {
  expect(() => read(lines)).toThrow(why);
});

test("a file that ends within a line is refused", () => {
  const text = `${HEADER}\n20210715|A|A|A|NYSE|1|1||1|1.00||0|0|2021-07-15`;
  expect(() => readShortInterestFile(text, "2021-07-15", "f")).toThrow("truncated");
});
