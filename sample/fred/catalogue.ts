// The fictional series, and the releases, sources, categories and tags they stand under.

export type Frequency = "D" | "W" | "M" | "Q" | "A";

/**
 * When a figure comes out and is revised: days after the end of its period, and how far it is off by then.
 */
export interface Revision {
  readonly days: number;
  /** Share of the value by which it is still off. */
  readonly off: number;
}

export interface SampleSeries {
  readonly id: string;
  readonly title: string;
  readonly frequency: Frequency;
  readonly units: string;
  readonly unitsShort: string;
  readonly adjusted: boolean;
  /** First day of the first period, and of the last one where the series has ended. */
  readonly start: string;
  readonly end?: string;
  readonly level: number;
  /** Growth of a period, and how far the line wanders, both as shares of the level. */
  readonly growth: number;
  readonly swing: number;
  readonly decimals: number;
  readonly revisions: readonly Revision[];
  readonly release: number;
  readonly category: number;
  readonly tags: readonly string[];
}

const DAYS_AFTER = (days: number): readonly Revision[] => [{ days, off: 0 }];

/** Three estimates, then the annual revision. */
const ESTIMATES: readonly Revision[] = [
  { days: 30, off: 0.004 },
  { days: 60, off: 0.002 },
  { days: 90, off: 0.001 },
  { days: 400, off: 0 },
];

export const SERIES: readonly SampleSeries[] = [
  {
    id: "FICGDP",
    title: "Real Gross Domestic Product of the Sample Market",
    frequency: "Q",
    units: "Billions of Chained 2017 Dollars",
    unitsShort: "Bil. of Chn. 2017 $",
    adjusted: true,
    start: "2000-01-01",
    level: 12_000,
    growth: 0.006,
    swing: 0.004,
    decimals: 3,
    revisions: ESTIMATES,
    release: 53,
    category: 106,
    tags: ["quarterly", "gdp", "sa", "bsa"],
  },
  {
    id: "FICGDPA",
    title: "Gross Domestic Product of the Sample Market",
    frequency: "A",
    units: "Billions of Dollars",
    unitsShort: "Bil. of $",
    adjusted: false,
    start: "1985-01-01",
    level: 4_000,
    growth: 0.045,
    swing: 0.01,
    decimals: 1,
    revisions: ESTIMATES,
    release: 53,
    category: 106,
    tags: ["annual", "gdp", "nsa", "bsa"],
  },
  {
    id: "FICCPI",
    title: "Consumer Price Index of the Sample Market",
    frequency: "M",
    units: "Index 1982-1984=100",
    unitsShort: "Index 1982-1984=100",
    adjusted: true,
    start: "1995-01-01",
    level: 150,
    growth: 0.0021,
    swing: 0.001,
    decimals: 3,
    revisions: [
      { days: 12, off: 0.0003 },
      { days: 420, off: 0 },
    ],
    release: 10,
    category: 9,
    tags: ["monthly", "cpi", "price", "sa", "slo"],
  },
  {
    id: "FICUNRATE",
    title: "Unemployment Rate of the Sample Market",
    frequency: "M",
    units: "Percent",
    unitsShort: "%",
    adjusted: true,
    start: "1995-01-01",
    level: 5,
    growth: 0,
    swing: 0.04,
    decimals: 1,
    revisions: DAYS_AFTER(5),
    release: 50,
    category: 12,
    tags: ["monthly", "labor", "rate", "sa", "slo"],
  },
  {
    id: "FICPAYEMS",
    title: "Employees of the Sample Market, Total Nonfarm",
    frequency: "M",
    units: "Thousands of Persons",
    unitsShort: "Thous. of Persons",
    adjusted: true,
    start: "1995-01-01",
    level: 115_000,
    growth: 0.0009,
    swing: 0.002,
    decimals: 0,
    revisions: [
      { days: 5, off: 0.0006 },
      { days: 35, off: 0.0003 },
      { days: 65, off: 0 },
    ],
    release: 50,
    category: 12,
    tags: ["monthly", "labor", "employment", "sa", "slo"],
  },
  {
    id: "FICCLAIMS",
    title: "Initial Claims in the Sample Market",
    frequency: "W",
    units: "Number",
    unitsShort: "Number",
    adjusted: true,
    start: "2010-01-02",
    level: 250_000,
    growth: 0,
    swing: 0.02,
    decimals: 0,
    revisions: [
      { days: 5, off: 0.006 },
      { days: 12, off: 0 },
    ],
    release: 180,
    category: 12,
    tags: ["weekly", "labor", "claims", "sa", "slo"],
  },
  {
    id: "FICRATE10",
    title: "Yield on Sample Securities at 10-Year Maturity",
    frequency: "D",
    units: "Percent",
    unitsShort: "%",
    adjusted: false,
    start: "2010-01-04",
    level: 3,
    growth: 0,
    swing: 0.03,
    decimals: 2,
    revisions: DAYS_AFTER(1),
    release: 18,
    category: 22,
    tags: ["daily", "rate", "10-year", "nsa", "big"],
  },
  {
    id: "FICOLDX",
    title: "Steam Engines of the Sample Market (DISCONTINUED)",
    frequency: "M",
    units: "Number",
    unitsShort: "Number",
    adjusted: false,
    start: "1995-01-01",
    end: "2019-12-01",
    level: 900,
    growth: -0.002,
    swing: 0.02,
    decimals: 0,
    revisions: DAYS_AFTER(20),
    release: 10,
    category: 9,
    tags: ["monthly", "discontinued", "nsa", "slo"],
  },
];

export interface SampleRelease {
  readonly id: number;
  readonly name: string;
  readonly press: boolean;
  readonly source: number;
}

export const RELEASES: readonly SampleRelease[] = [
  { id: 10, name: "Consumer Price Index", press: true, source: 2 },
  { id: 18, name: "Selected Interest Rates", press: false, source: 3 },
  { id: 50, name: "Employment Situation", press: true, source: 2 },
  { id: 53, name: "Gross Domestic Product", press: true, source: 1 },
  { id: 180, name: "Weekly Claims Report", press: true, source: 2 },
];

export const SOURCES = [
  { id: 1, name: "Bureau of Sample Analysis", link: "https://bsa.example/" },
  { id: 2, name: "Sample Labor Office", link: "https://slo.example/" },
  { id: 3, name: "Board of Imaginary Governors", link: "https://big.example/" },
] as const;

export interface SampleCategory {
  readonly id: number;
  readonly name: string;
  readonly parent_id: number;
}

export const CATEGORIES: readonly SampleCategory[] = [
  { id: 0, name: "Categories", parent_id: 0 },
  { id: 9, name: "Prices", parent_id: 0 },
  { id: 12, name: "Labor", parent_id: 0 },
  { id: 22, name: "Interest Rates", parent_id: 0 },
  { id: 32, name: "National Accounts", parent_id: 0 },
  { id: 106, name: "Product & Income", parent_id: 32 },
];

const GROUPS: Readonly<Record<string, string>> = {
  daily: "freq",
  weekly: "freq",
  monthly: "freq",
  quarterly: "freq",
  annual: "freq",
  sa: "seas",
  nsa: "seas",
  bsa: "src",
  slo: "src",
  big: "src",
};

export const groupOf = (tag: string): string => GROUPS[tag] ?? "gen";
