// Holdings of funds as reported to the regulator: one row per line of each report.
import { dataset, type Macro, storedColumns } from "../platform/lake/dataset.ts";

const words = (description: string) => ({ type: "VARCHAR", nullable: true, description }) as const;
const figure = (description: string, unit: string) =>
  ({ type: "DOUBLE", nullable: true, unit, description }) as const;

export const etfHoldings = dataset({
  name: "etf_holdings",
  description:
    "Schedules of investments of funds (Form NPORT-P) as filed, one row per line of each report read. Only the report of every third month is public, up to 60 days after its date. etf_holdings_as_of(as_of) has the newest report of each fund.",
  columns: {
    series_id: {
      type: "VARCHAR",
      description: "The SEC's series id of the fund: S and nine digits.",
    },
    fund_symbol: { type: "VARCHAR", description: "Canonical ticker of the fund when the report was read." },
    fund_cik: words("CIK of the trust that files, ten digits."),
    fund_name: words("Name of the series, as filed."),
    period_end: { type: "DATE", description: "Date of the holdings." },
    accession_number: {
      type: "VARCHAR",
      description: "The SEC's accession number of the report, with dashes.",
    },
    is_amendment: { type: "BOOLEAN", description: "Whether it corrects an earlier report." },
    line: { type: "INTEGER", description: "Position in the report, from 1." },
    symbol: words(
      "Canonical symbol from the filed ticker, only for common equity in US dollars that is no derivative. Else null, because other tickers have other meanings.",
    ),
    name: words("Issuer or other party, as filed."),
    title: words("Title of the issue, as filed."),
    ticker: words("Ticker as filed."),
    cusip: words("CUSIP as filed; null for zeros and N/A."),
    isin: words("ISIN as filed."),
    lei: words("LEI as filed; null for N/A."),
    balance: figure("Amount held; negative for a short position if filed so.", "units"),
    units: words("Unit of balance: NS shares, PA principal amount, NC contracts, OU other."),
    currency: words("ISO 4217 code of the position's currency."),
    value_usd: figure("Value; negative for a short position if filed so.", "USD"),
    weight_percent: figure(
      "Share of the fund's net assets as filed; the values do not sum to 100.",
      "percentage points",
    ),
    payoff_profile: words("Long or Short; null for positions that are neither."),
    asset_category: words(
      "EC common equity, EP preferred, DBT debt, STIV cash vehicle, DE and others derivatives.",
    ),
    issuer_category: words("CORP, UST, MUN, …"),
    country: words("Country of the issuer, two letters."),
    fair_value_level: { type: "INTEGER", nullable: true, description: "1 to 3, as filed." },
    derivative_kind: words(
      "FWD, FUT, SWP, OPT, SWO, WAR or OTH; null for positions that are not derivatives.",
    ),
    net_assets_usd: figure("Net assets of the fund on period_end, repeated on each line.", "USD"),
    source_sha256: { type: "VARCHAR", description: "SHA-256 of the report as received." },
    known_at: {
      type: "TIMESTAMPTZ",
      description: "When the report became public: its acceptance.",
    },
  },
  key: ["period_end", "accession_number", "line"],
  partition: { by: "year", column: "period_end" },
  sort: ["series_id", "period_end", "accession_number", "line"],
  fill: "first",
  changes: { publicFrom: "known_at", provider: "edgar" },
});

export const etfHoldingsAsOf: Macro = {
  name: "etf_holdings_as_of",
  kind: "table",
  parameters: ["as_of := NULL"],
  description:
    "Holdings of funds that were public by as_of: the report with the latest date of each fund, in its newest amendment.",
  columns: storedColumns(etfHoldings),
  body: () => `SELECT h.* FROM etf_holdings h JOIN (
      SELECT series_id, period_end, accession_number FROM etf_holdings WHERE known_at <= known_by(as_of)
      GROUP BY series_id, period_end, accession_number, known_at
      QUALIFY row_number() OVER (PARTITION BY series_id
        ORDER BY period_end DESC, known_at DESC, accession_number DESC) = 1) n
    ON h.series_id = n.series_id AND h.period_end = n.period_end AND h.accession_number = n.accession_number`,
};
