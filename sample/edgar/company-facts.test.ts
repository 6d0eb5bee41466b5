// Tagged figures: they add up, they come with their filing, they are the same each time.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { visit } from "../../test/support/sample-edgar.ts";
import {
  address,
  cikOf,
  days,
  type Facts,
  fileOf,
  flat,
  LATE,
  late,
  rowsOf,
  type Visit,
} from "../../test/support/sample-facts.ts";
import { allNamed } from "./filers.ts";

setDefaultTimeout(1_200_000);

const WITHOUT = ["MURQ", "ZGLDF", "SMPLF", "SERIES-TRUST"];
const TAGGED = [
  ...allNamed().filter(({ symbol }) => !WITHOUT.includes(symbol)),
  { symbol: "ZQAAA", cik: 9_100_000 },
  { symbol: "ZQAAD", cik: 9_100_003 },
];
const REVENUES = [
  "Revenues",
  "RevenueFromContractWithCustomerExcludingAssessedTax",
  "SalesRevenueNet",
  "RegulatedAndUnregulatedOperatingRevenue",
  "RevenuesNetOfInterestExpense",
  "Revenue",
];
const IFRS: Readonly<Record<string, string>> = {
  StockholdersEquity: "Equity",
  LiabilitiesAndStockholdersEquity: "EquityAndLiabilities",
  NetCashProvidedByUsedInOperatingActivities: "CashFlowsFromUsedInOperatingActivities",
  NetCashProvidedByUsedInInvestingActivities: "CashFlowsFromUsedInInvestingActivities",
  NetCashProvidedByUsedInFinancingActivities: "CashFlowsFromUsedInFinancingActivities",
  IncomeLossFromContinuingOperationsBeforeIncomeTaxesExtraordinaryItemsNoncontrollingInterest:
    "ProfitLossBeforeTax",
  IncomeTaxExpenseBenefit: "IncomeTaxExpenseContinuingOperations",
  NetIncomeLoss: "ProfitLoss",
  EarningsPerShareBasic: "BasicEarningsLossPerShare",
  WeightedAverageNumberOfSharesOutstandingBasic: "WeightedAverageShares",
};
const PRETAX = "IncomeLossFromContinuingOperationsBeforeIncomeTaxesExtraordinaryItemsNoncontrollingInterest";

/** The figures of one report, by tag and period. */
function reportsOf(facts: Facts) {
  const money = facts["ifrs-full"] ? "EUR" : "USD";
  const name = (tag: string) => (money === "EUR" ? (IFRS[tag] ?? tag) : tag);
  const all = flat(facts).filter(
    ({ unit, taxonomy }) => !(money === "EUR" && unit === "USD") && taxonomy !== "dei",
  );
  return [...Map.groupBy(all, ({ row }) => row.accn)].map(([accn, figures]) => {
    const values = new Map(figures.map(({ tag, row }) => [`${tag} ${row.start ?? ""} ${row.end}`, row.val]));
    const periods = new Map(
      figures.flatMap(({ row }) => (row.start ? [[`${row.start} ${row.end}`, [row.start, row.end]]] : [])),
    );
    const get = (tag: string, start: string, end: string) => values.get(`${name(tag)} ${start} ${end}`);
    return {
      accn,
      form: figures[0]?.row.form ?? "",
      ends: [...new Set(figures.flatMap(({ row }) => (row.start ? [] : [row.end])))],
      periods: [...periods.values()].map(([start = "", end = ""]) => ({ start, end })),
      at: (tag: string, end: string) => get(tag, "", end),
      over: get,
    };
  });
}

/** Reported wrong on purpose. */
const WRONG = ["0009381728-24-000006", "0009032585-23-000011", "0009033292-25-000011"];

describe("every report adds up", () => {
  for (const { symbol, cik } of TAGGED)
    test(`${symbol}`, () => {
      const { facts } = fileOf(late, cik);
      const reports = reportsOf(facts).filter(
        ({ accn, form }) => !WRONG.includes(accn) && form !== "DEF 14A",
      );
      expect(reports.length).toBeGreaterThan(5);
      for (const { at, over, ends, periods } of reports) {
        for (const end of ends) {
          const assets = at("Assets", end);
          if (assets === undefined) continue;
          expect((at("Liabilities", end) ?? 0) + (at("StockholdersEquity", end) ?? 0)).toBe(assets);
          expect(at("LiabilitiesAndStockholdersEquity", end)).toBe(assets);
          const current = at("AssetsCurrent", end);
          if (current !== undefined)
            expect(
              current +
                ["PropertyPlantAndEquipmentNet", "Goodwill", "OtherAssetsNoncurrent"].reduce(
                  (sum, tag) => sum + (at(tag, end) ?? 0),
                  0,
                ),
            ).toBe(assets);
        }
        for (const { start, end } of periods) {
          const [pretax, tax, net] = [PRETAX, "IncomeTaxExpenseBenefit", "NetIncomeLoss"].map((tag) =>
            over(tag, start, end),
          );
          if (pretax !== undefined) expect(pretax - (tax ?? 0)).toBe(net ?? Number.NaN);
          const gross = over("GrossProfit", start, end);
          const revenue = REVENUES.map((tag) => over(tag, start, end)).find((v) => v !== undefined) ?? 0;
          const cost = ["CostOfRevenue", "CostOfGoodsAndServicesSold", "CostOfGoodsSold", "CostOfSales"]
            .map((tag) => over(tag, start, end))
            .find((v) => v !== undefined);
          if (gross !== undefined && cost !== undefined) expect(revenue - cost).toBe(gross);
          const shares = over("WeightedAverageNumberOfSharesOutstandingBasic", start, end);
          if (shares !== undefined && net !== undefined)
            expect(over("EarningsPerShareBasic", start, end)).toBe(
              Math.round((net / shares) * 100) / 100 || 0,
            );
          const flows = ["Operating", "Investing", "Financing"].map((kind) =>
            over(`NetCashProvidedByUsedIn${kind}Activities`, start, end),
          );
          if (flows[0] === undefined) continue;
          const restricted = "CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalents";
          const cash = facts["ifrs-full"] ? "CashAndCashEquivalents" : restricted;
          const before = new Date(Date.parse(start) - 86_400_000).toISOString().slice(0, 10);
          const opening = at(cash, before);
          const change = flows.reduce<number>((sum, flow) => sum + (flow ?? Number.NaN), 0);
          const named = [
            "CashAndCashEquivalentsPeriodIncreaseDecrease",
            `${restricted}PeriodIncreaseDecreaseIncludingExchangeRateEffect`,
            "IncreaseDecreaseInCashAndCashEquivalents",
          ].map((tag) => over(tag, start, end));
          expect(named).toContain(change);
          if (opening !== undefined) expect((at(cash, end) ?? Number.NaN) - opening).toBe(change);
        }
      }
    });

  test("quarters add to the year to date, and in notes up to 2020 four of them to the year", () => {
    let years = 0;
    for (const { cik } of TAGGED)
      for (const { over, periods, accn } of reportsOf(fileOf(late, cik).facts)) {
        if (WRONG.includes(accn)) continue;
        for (const { start, end } of periods) {
          const parts = periods.filter(
            (one) => one.start >= start && one.end <= end && days(one.start, one.end) < 120,
          );
          const covered = parts.reduce((sum, one) => sum + days(one.start, one.end), 0);
          if (parts.length < 2 || covered !== days(start, end)) continue;
          years += Number(parts.length === 4);
          const sum = parts.reduce(
            (total, one) => total + (over("NetIncomeLoss", one.start, one.end) ?? 0),
            0,
          );
          expect(sum).toBe(over("NetIncomeLoss", start, end) ?? Number.NaN);
        }
      }
    expect(years).toBeGreaterThan(300);
  });

  test("three quarters make nine months, no report gives the fourth; cash flow is reported year to date only", () => {
    const cik = cikOf("ZORP");
    const net = rowsOf(late, cik, "NetIncomeLoss");
    const quarters = ["01-01 03-31", "04-01 06-30", "07-01 09-30"].map((quarter) => {
      const [from, to] = quarter.split(" ");
      return net.find((row) => row.start === `2025-${from}` && row.end === `2025-${to}`)?.val ?? 0;
    });
    const nine = net.find((row) => row.start === "2025-01-01" && row.end === "2025-09-30")?.val;
    expect(quarters.reduce((sum, value) => sum + value, 0)).toBe(nine ?? 0);
    expect(net.filter((row) => row.start === "2025-10-01")).toEqual([]);
    const operating = rowsOf(late, cik, "NetCashProvidedByUsedInOperatingActivities");
    expect(operating.filter((row) => row.start === "2025-04-01")).toEqual([]);
    expect([...new Set(operating.filter((row) => row.start === "2025-01-01").map((row) => row.end))]).toEqual(
      ["2025-03-31", "2025-06-30", "2025-09-30", "2025-12-31"],
    );
  });
});

describe("when", () => {
  test("a report's figures are there from the second on which the report is, and never go away", () => {
    for (const [symbol, accession, from] of [
      ["VROOQ", "0009389659-25-900002", "2025-05-15T21:25:00Z"],
      ["VROOQ", "0009389659-25-900003", "2025-06-20T20:45:00Z"],
      ["NURBL", "0009309552-25-900004", "2025-12-04T21:31:00Z"],
    ] as const) {
      const cik = cikOf(symbol);
      const at = visit(Temporal.Instant.from(from).subtract({ seconds: 1 }).toString());
      const before = flat(fileOf(at, cik).facts);
      expect(before.some(({ row }) => row.accn === accession)).toBe(false);
      at.clock.set(from);
      const after = flat(fileOf(at, cik).facts);
      expect(after.some(({ row }) => row.accn === accession)).toBe(true);
      const text = ({ row: { frame: _, ...row }, ...one }: (typeof after)[number]) =>
        JSON.stringify([one, row]);
      const kept = new Set(after.map(text));
      expect(before.filter((one) => !kept.has(text(one)))).toEqual([]);
    }
  });

  test("the reports in the figures are those in the list: same numbers, forms, dates; tagged in the list, too", () => {
    for (const symbol of ["ZORP", "KRONK", "GIBBL", "LOOFQ", "RUMBQ", "TRELB-OLD", "ZIGZQ"]) {
      const cik = cikOf(symbol);
      const list = JSON.parse(late.text(`data.sec.gov/submissions/CIK${String(cik).padStart(10, "0")}.json`));
      const pages = list.filings.files.map(({ name }: { name: string }) =>
        JSON.parse(late.text(`data.sec.gov/submissions/${name}`)),
      );
      const listed = [list.filings.recent, ...pages].flatMap((page) =>
        page.form.flatMap((form: string, i: number) =>
          page.isXBRL[i] === 1 && /^(10-|20-F)/.test(form)
            ? [[page.accessionNumber[i], form, page.filingDate[i]].join(" ")]
            : [],
        ),
      );
      const seen = new Set(
        flat(fileOf(late, cik).facts).map(({ row }) => [row.accn, row.form, row.filed].join(" ")),
      );
      expect([...seen].sort()).toEqual(listed.toSorted());
      expect(listed.length).toBeGreaterThan(10);
    }
  });

  test("there are no figures of a filer without tags, without a tagged report yet, of an agent or of an unknown number", () => {
    const ciks = [...WITHOUT.map(cikOf), 9309552, 9100099, 1];
    expect(ciks.map((cik) => late.ask(address(cik)).status)).toEqual(ciks.map(() => 404));
    expect(visit("2015-01-06T12:00:00Z").ask(address(cikOf("ZORP"))).status).toBe(404);
    expect(visit("2010-04-01T12:00:00Z").ask(address(cikOf("KRONK"))).status).toBe(404);
    expect(late.ask(address(1)).body).toContain("<Key>api/xbrl/companyfacts/CIK0000000001.json</Key>");
    expect(late.ask("data.sec.gov/api/xbrl/companyfacts/CIK9079327.json").status).toBe(404);
  });

  test("the same bytes whatever was asked before; another seed, other figures under the same numbers by hand", () => {
    const other = visit(LATE, { symbols: 80 });
    other.text(address(cikOf("GIBBL")));
    visit("2019-01-01T00:00:00Z").text(address(cikOf("NURBL")));
    for (const symbol of ["NURBL", "ZORP"])
      expect(other.text(address(cikOf(symbol)))).toBe(late.text(address(cikOf(symbol))));
    const strange = visit(LATE, { seed: 2 });
    const year = (at: Visit) =>
      rowsOf(at, cikOf("NURBL"), "NetIncomeLoss").find(
        ({ form, start }) => form === "10-K/A" && start === "2024-01-01",
      );
    expect(year(strange)?.accn).toBe("0009309552-25-900004");
    expect(year(strange)?.val).not.toBe(year(late)?.val);
  });

  test("words and tags tell the same figures", () => {
    const list = late.submissions(cikOf("ZORP")).filings.recent;
    const i = list.filingDate.findIndex((date, n) => date < "2025-12" && list.form[n] === "10-Q");
    const accession = list.accessionNumber[i] ?? "";
    const page = late.folder(cikOf("ZORP"), accession, list.primaryDocument[i] ?? "").body;
    const rows = rowsOf(late, cikOf("ZORP"), "NetIncomeLoss").filter((row) => row.accn === accession);
    const quarter = rows.find((row) => row.end === "2025-09-30" && row.start === "2025-07-01")?.val ?? 0;
    expect(page).toContain(`<td>${(quarter / 1000).toLocaleString("en-US")}</td>`);
    const release = list.accessionNumber.findIndex(
      (_, n) =>
        list.items[n] === "2.02,9.01" &&
        (list.filingDate[n] ?? "") > "2025-10-01" &&
        (list.filingDate[n] ?? "") < "2025-11",
    );
    const name = (list.primaryDocument[release] ?? "").replace(".htm", "xex991.htm");
    const text = late.folder(cikOf("ZORP"), list.accessionNumber[release] ?? "", name).body;
    expect(text).toContain(`$${(quarter / 1e6).toFixed(1)} million`);
  });
});
