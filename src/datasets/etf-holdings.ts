// What funds hold, as they reported it to the regulator: a row a line of each report.
import { dataset, type Macro } from "../platform/lake/dataset.ts";

const words = (description: string) => ({ type: "VARCHAR", nullable: true, description }) as const;
const figure = (description: string, unit: string) =>
  ({ type: "DOUBLE", nullable: true, unit, description }) as const;

export const etfHoldings = dataset({
  name: "etf_holdings",
  description:
    "Schedules of investments of funds (Form NPORT-P), one row a line of each report that was read, as filed. Only the report of every third month is public, up to 60 days after its day. etf_holdings_as_of(as_of) has of each fund the newest report.",
  columns: {
    series_id: {
      type: "VARCHAR",
      description: "The fund at the SEC: a series of a trust, S and nine digits.",
    },
    fund_symbol: { type: "VARCHAR", description: "Ticker of the fund when the report was read, canonical." },
    fund_cik: words("The trust that files, ten digits."),
    fund_name: words("Name of the series, as filed."),
    period_end: { type: "DATE", description: "The day the holdings are of." },
    accession_number: { type: "VARCHAR", description: "The SEC's number of the report, dashed." },
    is_amendment: { type: "BOOLEAN", description: "Whether it corrects an earlier report." },
    line: { type: "INTEGER", description: "Place in the report, from 1." },
    symbol: words(
      "Canonical symbol: the ticker as filed, of common equity in US dollars that is no derivative; null for all else, whose tickers mean other things.",
    ),
    name: words("Issuer or other party, as filed."),
    title: words("Title of the issue, as filed."),
    ticker: words("Ticker as filed."),
    cusip: words("CUSIP as filed; null for zeros and N/A."),
    isin: words("ISIN as filed."),
    lei: words("LEI as filed; null for N/A."),
    balance: figure("How much is held; negative for a short position where filed so.", "units"),
    units: words("What balance counts: NS shares, PA principal amount, NC contracts, OU other."),
    currency: words("ISO 4217 code the position is held in."),
    value_usd: figure("Value; negative for a short position where filed so.", "USD"),
    weight_percent: figure("Of the fund's net assets, as filed; they do not sum to 100.", "percent points"),
    payoff_profile: words("Long or Short; null for what is neither."),
    asset_category: words(
      "EC common equity, EP preferred, DBT debt, STIV cash vehicle, DE and others derivatives.",
    ),
    issuer_category: words("CORP, UST, MUN, …"),
    country: words("Country of the issuer, two letters."),
    fair_value_level: { type: "INTEGER", nullable: true, description: "1 to 3, as filed." },
    derivative_kind: words("FWD, FUT, SWP, OPT, SWO, WAR or OTH; null for what is no derivative."),
    net_assets_usd: figure("Net assets of the fund on period_end; on each of its lines.", "USD"),
    source_sha256: { type: "VARCHAR", description: "Hash of the report as received." },
    known_at: {
      type: "TIMESTAMPTZ",
      description: "From when anybody could read the report: its acceptance.",
    },
  },
  key: ["period_end", "accession_number", "line"],
  partition: { by: "year", column: "period_end" },
  sort: ["series_id", "period_end", "accession_number", "line"],
  fill: "first",
});

export const etfHoldingsAsOf: Macro = {
  name: "etf_holdings_as_of",
  kind: "table",
  parameters: ["as_of := NULL"],
  description:
    "What funds held as anybody could have read it by as_of: of each fund the report of the latest day, amended ones in their newest form.",
  body: () => `SELECT h.* FROM etf_holdings h JOIN (
      SELECT series_id, period_end, accession_number FROM etf_holdings WHERE known_at <= known_by(as_of)
      GROUP BY series_id, period_end, accession_number, known_at
      QUALIFY row_number() OVER (PARTITION BY series_id
        ORDER BY period_end DESC, known_at DESC, accession_number DESC) = 1) n
    ON h.series_id = n.series_id AND h.period_end = n.period_end AND h.accession_number = n.accession_number`,
};
