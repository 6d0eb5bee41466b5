// Hand-made companies for the financial routes, whose every figure a test can name.
import { type Figure, type Filer, FinancialWorld, type Report, recordOf } from "./financial-world.ts";

export const REPORTS = {
  fy2023: "0009100001-24-000001",
  q1: "0009100001-24-000002",
  q2: "0009100001-24-000003",
  q3: "0009100001-24-000004",
  fy2024: "0009100001-25-000001",
  q1next: "0009100001-25-000002",
  proxy: "0009100001-25-000003",
} as const;

const report = (accession: string, form: string, filed: string, accepted: string | null): Report => ({
  accession,
  form,
  filed,
  accepted,
});

/** Revenue, net income, diluted earnings per share of a period. */
const income = (
  start: string,
  end: string,
  [revenue, profit, eps]: readonly [number, number, number],
  accession: string,
): Figure[] => [
  ["Revenues", "USD", start, end, revenue, accession],
  ["CostOfRevenue", "USD", start, end, revenue / 2, accession],
  ["GrossProfit", "USD", start, end, revenue / 2, accession],
  ["NetIncomeLoss", "USD", start, end, profit, accession],
  ["EarningsPerShareDiluted", "USD/shares", start, end, eps, accession],
];

const balance = (
  end: string,
  [assets, liabilities]: readonly [number, number],
  accession: string,
): Figure[] => [
  ["Assets", "USD", null, end, assets, accession],
  ["Liabilities", "USD", null, end, liabilities, accession],
  ["StockholdersEquity", "USD", null, end, assets - liabilities, accession],
  ["LiabilitiesAndStockholdersEquity", "USD", null, end, assets, accession],
];

const cash = (
  start: string,
  end: string,
  [operating, capital]: readonly [number, number],
  accession: string,
) =>
  [
    ["NetCashProvidedByUsedInOperatingActivities", "USD", start, end, operating, accession],
    ["PaymentsToAcquirePropertyPlantAndEquipment", "USD", start, end, capital, accession],
    ["NetCashProvidedByUsedInInvestingActivities", "USD", start, end, -capital, accession],
    ["NetCashProvidedByUsedInFinancingActivities", "USD", start, end, capital - operating, accession],
  ] satisfies Figure[];

/** A company whose 10-K of 2024 restates the year 2023; its newest report is not known to the second. */
export function acme(cik = "0009100001"): Filer {
  const { fy2023, q1, q2, q3, fy2024, q1next, proxy } = REPORTS;
  return {
    cik,
    record: recordOf(cik, "Acme Imaginary Corp"),
    reports: [
      report(fy2023, "10-K", "2024-02-15", "2024-02-15T21:05:10Z"),
      report(q1, "10-Q", "2024-05-02", "2024-05-02T12:00:00Z"),
      report(q2, "10-Q", "2024-08-01", "2024-08-01T20:30:00Z"),
      report(q3, "10-Q", "2024-10-31", "2024-10-31T20:31:00Z"),
      report(fy2024, "10-K", "2025-02-13", "2025-02-13T21:06:00Z"),
      report(q1next, "10-Q", "2025-05-01", null),
      report(proxy, "DEF 14A", "2025-05-20", "2025-05-20T20:00:00Z"),
    ],
    figures: [
      ...income("2023-01-01", "2023-12-31", [4_000_000, 400_000, 4], fy2023),
      ...balance("2023-12-31", [9_000_000, 5_000_000], fy2023),
      ...cash("2023-01-01", "2023-12-31", [700_000, 200_000], fy2023),
      ...income("2024-01-01", "2024-03-31", [1_000_000, 100_000, 1], q1),
      ...balance("2024-03-31", [9_100_000, 5_000_000], q1),
      ...cash("2024-01-01", "2024-03-31", [150_000, 40_000], q1),
      ...income("2024-04-01", "2024-06-30", [1_100_000, 110_000, 1.1], q2),
      ...balance("2024-06-30", [9_200_000, 5_000_000], q2),
      ...cash("2024-01-01", "2024-06-30", [330_000, 90_000], q2),
      ...income("2024-07-01", "2024-09-30", [1_200_000, 120_000, 1.2], q3),
      ...balance("2024-09-30", [9_300_000, 5_000_000], q3),
      ...cash("2024-01-01", "2024-09-30", [520_000, 150_000], q3),
      // The nine months too, as every third-quarter report has them.
      ...income("2024-01-01", "2024-09-30", [3_300_000, 330_000, 3.3], q3),
      ...income("2024-01-01", "2024-12-31", [5_000_000, 500_000, 5], fy2024),
      ...income("2023-01-01", "2023-12-31", [3_900_000, 390_000, 3.9], fy2024),
      ...balance("2024-12-31", [9_500_000, 5_100_000], fy2024),
      ...cash("2024-01-01", "2024-12-31", [800_000, 250_000], fy2024),
      ...income("2025-01-01", "2025-03-31", [1_300_000, 130_000, 1.3], q1next),
      ...income("2024-01-01", "2024-03-31", [1_000_000, 100_000, 1], q1next),
      ...balance("2025-03-31", [9_600_000, 5_100_000], q1next),
      ...cash("2025-01-01", "2025-03-31", [170_000, 45_000], q1next),
      // A thousand times too small, in a proxy statement: never a figure of the statements.
      ["NetIncomeLoss", "USD", "2024-01-01", "2024-12-31", 500, proxy],
    ],
  };
}

/** Acme, a company without figures, a bank that files nothing yet, and two classes of one company. */
export function financialWorld(): FinancialWorld {
  const world = new FinancialWorld();
  world.add("ACME", acme());
  world.add("NONE", {
    cik: "0009100002",
    record: recordOf("0009100002", "Nothing Filed"),
    reports: [],
    figures: [],
  });
  const twin = acme("0009100003");
  for (const [symbol, other] of [
    ["TWIN.A", "TWIN.B"],
    ["TWIN.B", "TWIN.A"],
  ] as const)
    world.add(symbol, {
      ...twin,
      record: recordOf(twin.cik, "Twin Classes", {
        share_classes: [{ ticker: other }, { ticker: "TWIN.PRA" }],
      }),
    });
  return world;
}
