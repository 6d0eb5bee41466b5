// A made-up regulator for the financial routes: files of figures written by hand, lists of reports, and what
// may fail.
import type {
  CompanyRecord,
  FigureSource,
  FillCloses,
  FinancialDeps,
  PeriodicFiling,
  ReportIndex,
} from "../../src/capabilities/financial/index.ts";
import { NotFound } from "../../src/platform/errors.ts";

export interface Report {
  readonly accession: string;
  readonly form: string;
  readonly filed: string;
  /** RFC 3339; null: the index does not know it to the second. */
  readonly accepted: string | null;
}

/**
 * One figure: tag, unit, period (a start is absent for balance sheets), value, and the report it stands in.
 */
export type Figure = readonly [
  tag: string,
  unit: string,
  start: string | null,
  end: string,
  value: number,
  report: string,
];

export interface Filer {
  readonly cik: string;
  readonly reports: Report[];
  readonly figures: Figure[];
  readonly record: CompanyRecord;
}

export const recordOf = (cik: string, name: string, more: Partial<CompanyRecord> = {}): CompanyRecord => ({
  name,
  cik,
  sector: "Technology",
  industry: "Software",
  description: "Writes software.",
  exchange: "Nasdaq",
  country: "United States",
  market_cap: 1_000_000,
  website: null,
  employees: 12,
  fiscal_year_end: "12-31",
  sic: "7372",
  sic_description: "Services-Prepackaged Software",
  share_classes: [],
  warnings: [],
  ...more,
});

/** companyfacts JSON of a filer. */
export function factsJson({ cik, reports, figures, record }: Filer, listed = reports): string {
  const facts: Record<string, Record<string, { units: Record<string, object[]> }>> = {};
  for (const [name, unit, start, end, val, accession] of figures) {
    const report = listed.find((one) => one.accession === accession);
    if (!report) continue;
    const [taxonomy = "", tag = ""] = name.includes(":") ? name.split(":") : ["us-gaap", name];
    facts[taxonomy] = facts[taxonomy] ?? {};
    const units = facts[taxonomy][tag]?.units ?? {};
    facts[taxonomy][tag] = { units };
    units[unit] = [
      ...(units[unit] ?? []),
      {
        ...(start === null ? {} : { start }),
        end,
        val,
        accn: report.accession,
        fy: 2024,
        fp: "Q1",
        form: report.form,
        filed: report.filed,
      },
    ];
  }
  return JSON.stringify({ cik: Number(cik), entityName: record.name, facts });
}

/** The world by symbol; `fail` is thrown instead of an answer while it is set. */
export class FinancialWorld {
  readonly filers = new Map<string, Filer>();
  /** Files of figures asked for, by CIK, in order. */
  readonly asked: string[] = [];
  companiesAsked = 0;
  failFacts: Error | null = null;
  failIndex: Error | null = null;
  failCompany: Error | null = null;
  failResolve: Error | null = null;
  /** Dates whose closes were asked for, by symbol, in order. */
  readonly closesAsked: (readonly [symbol: string, dates: readonly string[]])[] = [];
  /** The price history; nothing is stored unless a test says so. */
  onFill: FillCloses = async () => null;
  /** Reports the index does not have yet, by accession number. */
  readonly unindexed = new Set<string>();
  /** Reports the file of figures does not have yet. */
  readonly unread = new Set<string>();
  /** Reports whose presented cash-flow statements were asked for, in order. */
  readonly presentationsAsked: string[] = [];
  /** The elements of a report's cash-flow statement as the regulator renders it; null: it renders none. */
  cashFlowElements: (accession: string) => Promise<readonly string[] | null> = async () => null;
  /** The schedule of a report, or several with their types; null: it has none. */
  exhibit: (
    accession: string,
  ) => Promise<string | readonly (readonly [type: string, text: string])[] | null> = async () => null;

  add(symbol: string, filer: Filer): Filer {
    this.filers.set(symbol, filer);
    return filer;
  }
  #filer(cik: string): Filer | undefined {
    return [...this.filers.values()].find((filer) => filer.cik === cik);
  }
  #unknown(ticker: string): never {
    throw new NotFound("unknown_ticker", `No company is known by the ticker ${ticker}.`, { ticker });
  }

  readonly company = async (ticker: string): Promise<CompanyRecord> => {
    this.companiesAsked++;
    if (this.failCompany) throw this.failCompany;
    return this.filers.get(ticker)?.record ?? this.#unknown(ticker);
  };
  readonly resolve = async (ticker: string) => {
    if (this.failResolve) throw this.failResolve;
    const filer = this.filers.get(ticker) ?? this.#unknown(ticker);
    return { cik: filer.cik, is_listed: true, is_replaced: false, warnings: [] };
  };
  /** Returns a company's record at a past moment; today's record unless a test says otherwise. */
  past: (record: CompanyRecord, at: Temporal.Instant) => CompanyRecord = (record) => record;
  readonly companyAt: FinancialDeps["companyAt"] = async (ticker, cik, at) =>
    this.past(this.#filer(cik)?.record ?? this.#unknown(ticker), at);

  readonly fillCloses: FillCloses = (symbol, dates, signal) => {
    this.closesAsked.push([symbol, dates]);
    return this.onFill(symbol, dates, signal);
  };

  readonly source: FigureSource = {
    companyFacts: async (cik) => {
      this.asked.push(cik);
      if (this.failFacts) throw this.failFacts;
      const filer = this.#filer(cik);
      if (!filer || filer.figures.length === 0) return null;
      const listed = filer.reports.filter(({ accession }) => !this.unread.has(accession));
      const bytes = new TextEncoder().encode(factsJson(filer, listed));
      return { bytes, url: `https://data.sec.gov/CIK${cik}.json`, received_at: "2026-09-09T21:00:00Z" };
    },
    cashFlowElements: ({ accession_number }) => {
      this.presentationsAsked.push(accession_number);
      return this.cashFlowElements(accession_number);
    },
    submissionText: async ({ accession_number }) => {
      const exhibit = await this.exhibit(accession_number);
      if (exhibit === null) throw new NotFound("no_data", "There is no such filing.");
      const exhibits = typeof exhibit === "string" ? [["EX-27", exhibit] as const] : exhibit;
      const documents = [["10-K", "A report."] as const, ...exhibits].map(([type, text], i) => ({
        sequence: i + 1,
        type,
        filename: null,
        description: null,
        text,
      }));
      return { documents } as unknown as Awaited<ReturnType<FigureSource["submissionText"]>>;
    },
  };

  readonly filings: ReportIndex = {
    periodic: async (cik) => {
      if (this.failIndex) throw this.failIndex;
      const filer = this.#filer(cik);
      const filings: PeriodicFiling[] = (filer?.reports ?? [])
        .filter(({ form, accession }) => /^10-|^20-F/.test(form) && !this.unindexed.has(accession))
        .map(({ accession, form, filed, accepted }) => ({
          accession_number: accession,
          cik,
          form_type: form,
          filing_date: filed,
          known_at: accepted ?? `${filed}T23:59:59Z`,
          is_xbrl: null,
        }))
        .sort((a, b) => (a.filing_date < b.filing_date ? 1 : -1));
      return { ciks: [cik], filings, warnings: [] };
    },
    acceptanceOf: (accessions) => {
      const known = new Map<string, string>();
      for (const { reports } of this.filers.values())
        for (const { accession, accepted } of reports)
          if (accepted !== null && accessions.includes(accession)) known.set(accession, accepted);
      return known;
    },
  };
}
