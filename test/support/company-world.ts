// A made-up regulator's and price provider's words on a few companies, and the shapes of the answers on them.
import type { SourceEntity, SourceProfile } from "../../src/capabilities/company/sources.ts";
import { emptyWorld, type World } from "./company-app.ts";

export interface Info {
  ticker: string;
  name: string | null;
  cik: string | null;
  sector: string | null;
  market_cap: number | null;
  employees: number | null;
  source: string;
  warnings: string[];
  last_updated: string;
  regulator_updated_at: string | null;
  [field: string]: unknown;
}
export interface Problem {
  status: number;
  code: string;
  detail: string;
  ticker?: string;
  hint?: string;
}
export interface Bulk {
  total_requested: number;
  successful: number;
  failed: number;
  results: {
    ticker: string;
    success: boolean;
    data: Info | null;
    error: string | null;
    error_code: string | null;
  }[];
}

export const CIK = "0009000001";
export const entity = (fields: Partial<SourceEntity> = {}): SourceEntity => ({
  cik: CIK,
  name: "ZQX CORP",
  sic: "7372",
  sic_description: "Services-Prepackaged Software",
  tickers: [
    { ticker: "ZQX", exchange: "Nasdaq" },
    { ticker: "ZQX-B", exchange: "NYSE" },
  ],
  description: null,
  website: null,
  fiscal_year_end: "09-30",
  state_of_incorporation: "DE",
  business_address: { state_or_country: "CA", state_or_country_description: "CA" },
  former_names: [{ name: "Zed Quux Inc", from: "2001-02-03", to: "2011-04-05" }],
  predecessor_ciks: ["0009000007"],
  ...fields,
});
export const profile = (fields: Partial<SourceProfile> = {}): SourceProfile => ({
  name: "Zqx Corporation",
  quote_type: "EQUITY",
  exchange: "NMS",
  exchange_name: "NasdaqGS",
  currency: "USD",
  market_cap: 512_000_000_000,
  market_cap_as_of: "2026-09-04T20:00:00Z",
  sector: "Technology",
  industry: "Software - Application",
  description: "Writes software.",
  website: "https://zqx.example",
  country: "Ireland",
  employees: 41_200,
  shares_outstanding: 2_780_000_000,
  first_trade_date: "1999-01-22",
  received_at: "",
  ...fields,
});

/** A company of two classes, another one, and a trust of two funds. */
export function smallWorld(): World {
  return {
    ...emptyWorld(),
    listed: [
      { cik: CIK, ticker: "ZQX", name: "Zqx Corp", exchange: "Nasdaq" },
      { cik: CIK, ticker: "ZQX-B", name: "Zqx Corp", exchange: "NYSE" },
      { cik: "0009000002", ticker: "ZQD", name: "Zq Delta", exchange: null },
    ],
    funds: [
      { cik: "0009000900", ticker: "ZFND", series_id: "S000000001", class_id: "C000000001" },
      { cik: "0009000900", ticker: "ZFNI", series_id: "S000000001", class_id: "C000000002" },
      { cik: "0009000900", ticker: "ZOTH", series_id: "S000000002", class_id: "C000000003" },
    ],
    entities: { [CIK]: entity() },
    profiles: { ZQX: profile() },
  };
}
