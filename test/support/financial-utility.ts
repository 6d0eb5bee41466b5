// A utility with an annual report a year, none of which shows on which statement its depreciation stands.
import { type Figure, FinancialWorld, type Report, recordOf } from "./financial-world.ts";

const CIK = "0009100009";
export const UTILITY = {
  cik: CIK,
  line: "us-gaap_DepreciationAndAmortization",
  total: "us-gaap_NetCashProvidedByUsedInOperatingActivities",
  first: 2010,
  last: 2024,
  /** The annual report of a year. */
  accessionOf: (year: number) => `${CIK}-${String(year + 1).slice(2)}-000001`,
} as const;
const { accessionOf } = UTILITY;

const reportOf = (year: number): Report => ({
  accession: accessionOf(year),
  form: "10-K",
  filed: `${year + 1}-02-20`,
  accepted: `${year + 1}-02-20T21:05:00Z`,
});

/** The depreciation of a year is the number of the year. */
const figuresOf = (year: number): Figure[] => {
  const of = (tag: string, value: number): Figure => [
    tag,
    "USD",
    `${year}-01-01`,
    `${year}-12-31`,
    value,
    accessionOf(year),
  ];
  return [
    of("RegulatedAndUnregulatedOperatingRevenue", 1_000),
    of("OperatingIncomeLoss", 300),
    of("NetIncomeLoss", 200),
    of("DepreciationAndAmortization", year),
    of("NetCashProvidedByUsedInOperatingActivities", 400),
    of("NetCashProvidedByUsedInInvestingActivities", -300),
    of("NetCashProvidedByUsedInFinancingActivities", -50),
  ];
};

/** The world of UTIL, whose statements all show its tag. */
export function utilityWorld(): FinancialWorld {
  const world = new FinancialWorld();
  const years = Array.from({ length: UTILITY.last - UTILITY.first + 1 }, (_, nth) => UTILITY.first + nth);
  world.add("UTIL", {
    cik: CIK,
    reports: years.map(reportOf),
    figures: years.flatMap(figuresOf),
    record: recordOf(CIK, "Utility Co"),
  });
  world.cashFlowElements = async () => [UTILITY.line, UTILITY.total];
  return world;
}
