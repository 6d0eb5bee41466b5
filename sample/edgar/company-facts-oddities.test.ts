// Tagged figures of the companies that are odd on purpose: the facts company-facts.ts promises.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { visit } from "../../test/support/sample-edgar.ts";
import {
  cikOf,
  days,
  figuresOf,
  fileOf,
  flat,
  late,
  rowsOf,
  type Visit,
} from "../../test/support/sample-facts.ts";

setDefaultTimeout(1_200_000);

const PRETAX = "IncomeLossFromContinuingOperationsBeforeIncomeTaxesExtraordinaryItemsNoncontrollingInterest";

describe("companies that are odd on purpose", () => {
  test("ZORP: after its 4:1 split, later reports give per-share figures as a fourth, shares fourfold, profit unchanged", () => {
    const of = (tag: string, unit: string) =>
      figuresOf(rowsOf(late, cikOf("ZORP"), tag, unit), "2025-04-01", "2025-06-30");
    expect(of("EarningsPerShareDiluted", "USD/shares")).toEqual([
      ["10-Q", 4.52],
      ["10-Q", 1.13],
    ]);
    expect(of("WeightedAverageNumberOfDilutedSharesOutstanding", "shares")).toEqual([
      ["10-Q", 3_622_738_000],
      ["10-Q", 14_490_952_000],
    ]);
    expect(of("NetIncomeLoss", "USD")).toEqual([
      ["10-Q", 16_363_000_000],
      ["10-Q", 16_363_000_000],
    ]);
  });

  test("NURBL: the 10-K/A and later reports restate 2024, the balance sheet included", () => {
    const revenue = rowsOf(late, cikOf("NURBL"), "RevenueFromContractWithCustomerExcludingAssessedTax");
    expect(figuresOf(revenue, "2024-01-01", "2024-12-31")).toEqual([
      ["10-K", 50_481_000_000],
      ["10-K/A", 49_693_000_000],
      ["10-K", 49_693_000_000],
    ]);
    const equity = rowsOf(late, cikOf("NURBL"), "StockholdersEquity").filter(
      ({ end }) => end === "2024-12-31",
    );
    expect([...new Set(equity.map(({ val }) => val))]).toEqual([55_305_000_000, 54_675_000_000]);
  });

  test("GIBBL is a bank, MUMBQ an insurer: lines of their own, none of a maker's", () => {
    const tags = (symbol: string) => Object.keys(fileOf(late, cikOf(symbol)).facts["us-gaap"] ?? {});
    for (const symbol of ["GIBBL", "MUMBQ"])
      for (const tag of [
        "CostOfRevenue",
        "GrossProfit",
        "AssetsCurrent",
        "OperatingIncomeLoss",
        "InventoryNet",
      ])
        expect(tags(symbol)).not.toContain(tag);
    const year = (symbol: string, tag: string, end: string) =>
      rowsOf(late, cikOf(symbol), tag).find((row) => row.end === end && days(row.start ?? end, end) > 360)
        ?.val ?? 0;
    const bank = (tag: string) => year("GIBBL", tag, "2025-12-31");
    expect(bank("RevenuesNetOfInterestExpense")).toBe(72_835_000_000);
    expect(bank("InterestIncomeExpenseNet") + bank("NoninterestIncome")).toBe(72_835_000_000);
    expect(bank("InterestAndDividendIncomeOperating") - bank("InterestExpense")).toBe(
      bank("InterestIncomeExpenseNet"),
    );
    const insurer = (tag: string) => year("MUMBQ", tag, "2025-09-30");
    expect([insurer("PremiumsEarnedNet"), insurer("Revenues")]).toEqual([64_164_000_000, 75_411_000_000]);
    expect(insurer("Revenues") - insurer("BenefitsLossesAndExpenses")).toBe(insurer(PRETAX));
  });

  test("RUMBQ: IFRS in euros, one report a year, a few figures once more in dollars, no labels", () => {
    const { facts } = fileOf(late, cikOf("RUMBQ"));
    expect(Object.keys(facts)).toEqual(["dei", "ifrs-full"]);
    expect([...new Set(flat(facts).map(({ row }) => `${row.form} ${row.fp}`))]).toEqual(["20-F FY"]);
    const of = (unit: string) =>
      rowsOf(late, cikOf("RUMBQ"), "Revenue", unit, "ifrs-full").find(({ end }) => end === "2025-12-31");
    expect([of("EUR")?.val, of("USD")?.val]).toEqual([66_580_000_000, 73_238_000_000]);
    expect(facts["ifrs-full"]?.Assets?.label).toBeNull();
    const forms = new Set(late.submissions(cikOf("RUMBQ")).filings.recent.form);
    expect([...forms].sort()).toEqual(["20-F", "6-K"]);
  });

  test("LOOFQ: a transition period of six months between years to June and years to December", () => {
    const rows = rowsOf(late, cikOf("LOOFQ"), "NetIncomeLoss").filter(({ form }) => form === "10-KT");
    expect(rows.map(({ start, end, val, fy, fp }) => [start, end, val, fy, fp])).toEqual([
      ["2020-07-01", "2021-06-30", 5_235_000_000, 2022, "FY"],
      ["2021-07-01", "2021-12-31", 2_767_000_000, 2022, "FY"],
      ["2021-07-01", "2022-06-30", 5_485_000_000, 2022, "FY"],
      ["2022-07-01", "2022-12-31", 2_967_000_000, 2022, "FY"],
    ]);
    const yearEnd = (at: Visit) =>
      JSON.parse(at.text("data.sec.gov/submissions/CIK0009089545.json")).fiscalYearEnd;
    expect([yearEnd(visit("2022-06-01T12:00:00Z")), yearEnd(late)]).toEqual(["0630", "1231"]);
  });

  test("ZUBB gives up Revenues, NIXOQ a tag of capital spending; SQUEQ has its own; CRUMQ reports two", () => {
    const ends = (symbol: string, tag: string) =>
      rowsOf(late, cikOf(symbol), tag)
        .map(({ end }) => end)
        .sort();
    const contract = "RevenueFromContractWithCustomerExcludingAssessedTax";
    expect(ends("ZUBB", "Revenues").at(-1)).toBe("2018-06-30");
    expect(ends("ZUBB", contract).at(-1)).toBe("2026-06-30");
    expect(ends("NIXOQ", "PaymentsToAcquirePropertyPlantAndEquipment").at(-1)).toBe("2020-03-31");
    expect(ends("NIXOQ", "PaymentsToAcquireProductiveAssets").at(-1)).toBe("2026-06-30");
    expect(ends("SQUEQ", "Revenues")).toEqual([]);
    const year = (tag: string) => figuresOf(rowsOf(late, cikOf("CRUMQ"), tag), "2024-10-01", "2025-09-30");
    expect([year("Revenues"), year(contract)]).toEqual([
      [["10-K", 4_048_000_000]],
      [["10-K", 4_007_000_000]],
    ]);
  });

  test("SQUEQ gives depreciation under one tag in both statements, and in the cash flows of 2024 under its own", () => {
    const cik = cikOf("SQUEQ");
    const years = rowsOf(late, cik, "DepreciationAndAmortization").filter(({ form }) => form === "10-K");
    const tagOf = (end: string) => {
      const accession = years.find((row) => row.end === end)?.accn ?? "";
      const rendered = (name: string) => late.folder(cik, accession, name).body;
      expect(rendered("FilingSummary.xml")).toContain("<HtmlFileName>R4.htm</HtmlFileName>");
      const found = ["R3.htm", "R4.htm"].map((name) =>
        /defref_([\w-]*depreciation\w*)/i.exec(String(rendered(name)))?.slice(1),
      );
      return found.flat();
    };
    expect(tagOf("2025-09-30")).toEqual(Array(2).fill("us-gaap_DepreciationAndAmortization"));
    expect(tagOf("2024-09-30")).toEqual([
      "us-gaap_DepreciationAndAmortization",
      "squeq_DepreciationOfPlantAndRegulatoryAssets",
    ]);
    expect(late.folder(cik, years[0]?.accn ?? "", "R9.htm").status).toBe(404);
  });

  test("errors by a thousand, and a quarter in the place of its half year", () => {
    const assets = rowsOf(late, cikOf("JUMBL"), "Assets").filter(({ end }) => end === "2023-12-31");
    expect(assets.map(({ form, val }) => [form, val])).toEqual([
      ["10-K", 54_857_000_000],
      ["10-Q", 54_857_000],
      ["10-Q", 54_857_000_000],
      ["10-Q", 54_857_000_000],
      ["10-K", 54_857_000_000],
    ]);
    const shares = "WeightedAverageNumberOfDilutedSharesOutstanding";
    expect(figuresOf(rowsOf(late, cikOf("OBBLQ"), shares, "shares"), "2022-07-01", "2023-06-30")).toEqual([
      ["10-K", 572_000],
      ["10-K", 572_000_000],
      ["10-K", 572_000_000],
    ]);
    const profit = rowsOf(late, cikOf("KLUNQ"), "NetIncomeLoss");
    expect(figuresOf(profit, "2023-10-01", "2024-09-30")).toEqual([
      ["10-K", 2_333_000_000],
      ["DEF 14A", 2_333_000],
      ["10-K", 2_333_000_000],
      ["DEF 14A", 2_333_000_000],
    ]);
    expect(
      profit.filter(({ form }) => form === "DEF 14A").every(({ fy, fp }) => fy === null && fp === null),
    ).toBe(true);
    const half = rowsOf(late, cikOf("XYLOQ"), "NetIncomeLoss");
    expect(figuresOf(half, "2024-01-01", "2024-06-30")).toEqual([
      ["10-Q", 471_380_000],
      ["10-Q", 217_936_000],
    ]);
    expect(figuresOf(half, "2024-04-01", "2024-06-30")).toEqual([
      ["10-Q", 217_936_000],
      ["10-Q", 217_936_000],
    ]);
  });

  test("HOOZ: years of 52 and 53 weeks, called after the year before; PUDGQ: quarters of 16 and 12 weeks", () => {
    const years = rowsOf(late, cikOf("HOOZ"), "NetIncomeLoss").filter(
      ({ start, end }) => days(start ?? end, end) > 350,
    );
    const weeks = new Map(years.map(({ start, end }) => [end, days(start ?? end, end) / 7]));
    expect([weeks.get("2023-01-28"), weeks.get("2024-02-03"), weeks.get("2025-02-01")]).toEqual([52, 53, 52]);
    expect(years.filter(({ end }) => end === "2024-02-03").map(({ fy }) => fy)).toEqual([2023, 2024, 2025]);
    const quarters = rowsOf(late, cikOf("PUDGQ"), "NetIncomeLoss").filter(
      ({ start, end, frame }) => end > "2025" && frame && days(start ?? end, end) < 130,
    );
    expect(quarters.slice(0, 3).map(({ start, end }) => days(start ?? end, end))).toEqual([112, 84, 84]);
  });

  test("VROOQ: the year's report after the next quarter has ended; TRELB goes on with its predecessor's books", () => {
    const late10k = rowsOf(late, cikOf("VROOQ"), "NetIncomeLoss").find(
      ({ accn, end }) => accn === "0009389659-25-900002" && end === "2024-12-31",
    );
    expect([late10k?.filed, late10k?.val]).toEqual(["2025-05-15", -1_523_585_000]);
    const [old, young] = ["TRELB-OLD", "TRELB"].map((symbol) =>
      figuresOf(rowsOf(late, cikOf(symbol), "NetIncomeLoss"), "2020-01-01", "2020-12-31"),
    );
    expect(old).toEqual([["10-K", 6_960_000_000]]);
    expect(young).toEqual([
      ["10-K", 6_960_000_000],
      ["10-K", 6_960_000_000],
    ]);
  });

  test("QUIB has two classes and so no count on the cover; others have one, some days before they file", () => {
    expect(fileOf(late, cikOf("QUIB")).facts.dei?.EntityCommonStockSharesOutstanding).toBeUndefined();
    const covers = rowsOf(late, cikOf("ZORP"), "EntityCommonStockSharesOutstanding", "shares", "dei");
    expect(covers.slice(-2).map(({ end, val, filed }) => [end, val, filed])).toEqual([
      ["2026-04-21", 3_546_464_000, "2026-04-27"],
      ["2026-07-21", 14_150_381_000, "2026-07-27"],
    ]);
  });
});
