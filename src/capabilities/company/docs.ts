// How the company routes document themselves.
import { MULTI_REQUEST_DEADLINE_S } from "../../limits.ts";
import { documented } from "../../platform/route-doc.ts";
import { BulkCompanyResponse, CompanyInfo } from "./schema.ts";

const tag = "company";

const LOOKUP =
  "Looked up in the cache (24 hours), then in the registry of what is stored, then at the SEC and the price provider. " +
  'Every figure is as reported or null; placeholders such as "N/A" count as no value and are asked for again. ' +
  "When one source cannot be asked, the other's fields and what is stored are served, and `warnings` says so.";

const EXAMPLE = {
  ticker: "ZORP",
  name: "Zorp Dynamics Inc.",
  cik: "0009012345",
  sector: "Technology",
  industry: "Software - Application",
  exchange: "Nasdaq",
  country: "United States",
  market_cap: 512_000_000_000,
  market_cap_as_of: "2026-09-04T20:00:00Z",
  market_cap_currency: "USD",
  currency: "USD",
  description: "Zorp Dynamics makes software for imaginary machines.",
  website: "https://zorp.example",
  employees: 41_200,
  sic: "7372",
  sic_description: "Services-Prepackaged Software",
  fiscal_year_end: "12-31",
  state_of_incorporation: "DE",
  shares_outstanding: 2_780_000_000,
  ipo_date: null,
  first_trade_date: "2015-01-05",
  is_etf: false,
  series_id: null,
  former_names: [],
  share_classes: [{ ticker: "ZORP.PRA", exchange: "NYSE" }],
  predecessor_ciks: [],
  source: "upstream",
  last_updated: "2026-09-04T20:15:03.120Z",
  regulator_updated_at: "2026-09-04T20:15:02Z",
  profile_updated_at: "2026-09-04T20:15:03.120Z",
  warnings: [],
};

export const COMPANY = documented({
  tag,
  summary: "Company behind a ticker",
  description: `${LOOKUP} 404 only when the sources said that there is no such ticker, never because one failed.`,
  answer: CompanyInfo,
  answerSays: "The company or fund.",
  example: EXAMPLE,
  errors: [404, 429, 502, 504],
  cached: true,
});

export const BULK = documented({
  tag,
  summary: "Companies behind up to 100 tickers",
  description: `One result per ticker, in the order of the request; a failed ticker does not fail the others. Cold tickers take about a quarter of a second each. ${LOOKUP}`,
  answer: BulkCompanyResponse,
  answerSays: "A result per ticker, successful or not.",
  errors: [400, 504],
  deadlineS: MULTI_REQUEST_DEADLINE_S,
});
