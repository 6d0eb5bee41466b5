// Makes companyfacts for tests: filings with their figures, in EDGAR's own shape.

/** `[tag, value, start | null, end, unit?]`; tags of other taxonomies as `ifrs-full:Assets`. */
export type MadeFigure = readonly [
  tag: string,
  value: number,
  start: string | null,
  end: string,
  unit?: string,
];

export interface MadeFiling {
  readonly accn: string;
  readonly form: string;
  readonly filed: string;
  readonly figures: readonly MadeFigure[];
  /** EDGAR's own labels, which are unreliable. */
  readonly fy?: number | null;
  readonly fp?: string | null;
}

interface MadeRow {
  start?: string;
  end: string;
  val: number;
  accn: string;
  fy: number | null;
  fp: string | null;
  form: string;
  filed: string;
}
type MadeUnits = Record<string, MadeRow[]>;
export interface MadeCompany {
  cik: number;
  entityName: string;
  facts: Record<string, Record<string, { units: MadeUnits }>>;
}

function unitsOf(facts: MadeCompany["facts"], tag: string): MadeUnits {
  const [taxonomy = "", name = ""] = tag.includes(":") ? tag.split(":") : ["us-gaap", tag];
  facts[taxonomy] ??= {};
  const ofTaxonomy = facts[taxonomy];
  ofTaxonomy[name] ??= { units: {} };
  return ofTaxonomy[name].units;
}

const PER_SHARE = /EarningsPerShare|EarningsLossPerShare$/;
const SHARES = /WeightedAverage|SharesOutstanding$/;
const unitOf = (tag: string) => (PER_SHARE.test(tag) ? "USD/shares" : SHARES.test(tag) ? "shares" : "USD");

/** A company that made these filings. Money is in dollars unless a figure says otherwise. */
export function madeCompany(filings: readonly MadeFiling[]): MadeCompany {
  const facts: MadeCompany["facts"] = {};
  for (const { accn, form, filed, figures, fy = 1901, fp = "Q3" } of filings)
    for (const [tag, val, start, end, unit] of figures) {
      const units = unitsOf(facts, tag);
      const named = unit ?? unitOf(tag);
      units[named] ??= [];
      units[named].push({ ...(start === null ? {} : { start }), end, val, accn, fy, fp, form, filed });
    }
  return { cik: 1234, entityName: "Made Corp", facts };
}

/** An income statement that adds up, for a period, of a company that turns `revenue` into a tenth of it. */
export function madeIncome(
  revenue: number,
  start: string,
  end: string,
  revenueTag = "Revenues",
): MadeFigure[] {
  const net = revenue / 10;
  return [
    [revenueTag, revenue, start, end],
    ["CostOfRevenue", revenue * 0.6, start, end],
    ["GrossProfit", revenue * 0.4, start, end],
    ["OperatingIncomeLoss", revenue / 5, start, end],
    ["NetIncomeLoss", net, start, end],
    ["EarningsPerShareDiluted", net / 100e6, start, end],
    ["WeightedAverageNumberOfDilutedSharesOutstanding", 100e6, start, end],
  ];
}

/** A balance sheet of `assets`, three fifths of them financed by liabilities. */
export const madeBalance = (assets: number, end: string): MadeFigure[] => [
  ["Assets", assets, null, end],
  ["AssetsCurrent", assets / 2, null, end],
  ["LiabilitiesCurrent", assets / 4, null, end],
  ["Liabilities", assets * 0.6, null, end],
  ["StockholdersEquity", assets * 0.4, null, end],
  ["LiabilitiesAndStockholdersEquity", assets, null, end],
];

/** Cash flows of a period. */
export const madeCashFlow = (operating: number, start: string, end: string): MadeFigure[] => [
  ["NetCashProvidedByUsedInOperatingActivities", operating, start, end],
  ["NetCashProvidedByUsedInInvestingActivities", -operating / 2, start, end],
  ["NetCashProvidedByUsedInFinancingActivities", -operating / 4, start, end],
  ["PaymentsToAcquirePropertyPlantAndEquipment", operating / 3, start, end],
];

/** Reports of a calendar year: three quarterly ones and the annual one, with `perQuarter` revenue each. */
export function madeYear(year: number, perQuarter: number): MadeFiling[] {
  const ends = ["03-31", "06-30", "09-30", "12-31"];
  const starts = ["01-01", "04-01", "07-01", "10-01"];
  const filedOn = ["05-01", "08-01", "11-01"];
  const from = `${year}-01-01`;
  const quarters = filedOn.map((filed, i): MadeFiling => {
    const [start, end] = [`${year}-${starts[i]}`, `${year}-${ends[i]}`];
    return {
      accn: `0000001234-${String(year).slice(2)}-00000${i + 1}`,
      form: "10-Q",
      filed: `${year}-${filed}`,
      figures: [
        ...madeIncome(perQuarter, start, end),
        ...(i > 0 ? madeIncome(perQuarter * (i + 1), from, end) : []),
        ...madeCashFlow(perQuarter * 0.3 * (i + 1), from, end),
        ...madeBalance(perQuarter * 4, end),
      ],
    };
  });
  const annual: MadeFiling = {
    accn: `0000001234-${String(year + 1).slice(2)}-000000`,
    form: "10-K",
    filed: `${year + 1}-02-15`,
    figures: [
      ...madeIncome(perQuarter * 4, from, `${year}-12-31`),
      ...madeCashFlow(perQuarter * 1.2, from, `${year}-12-31`),
      ...madeBalance(perQuarter * 4, `${year}-12-31`),
    ],
  };
  return [...quarters, annual];
}

/** The sentences of warnings. */
export const textsOf = (warnings: readonly { readonly detail: string }[]): string[] =>
  warnings.map(({ detail }) => detail);
