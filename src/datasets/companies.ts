// Companies, funds and their tickers, as they became known.

import { dataset, type Macro, storedColumns } from "../platform/lake/dataset.ts";

export const companies = dataset({
  name: "companies",
  description:
    "Known data about the company or fund behind a symbol, a new row for each change; companies_at(as_of) has the newest.",
  columns: {
    symbol: { type: "VARCHAR", description: "Symbol in its canonical spelling." },
    cik: {
      type: "VARCHAR",
      nullable: true,
      description: "The filer's SEC number (CIK), ten digits; for a fund that of its trust.",
    },
    name: { type: "VARCHAR", nullable: true, description: "Name of the company or fund." },
    sector: { type: "VARCHAR", nullable: true, description: "Sector according to the price provider." },
    industry: { type: "VARCHAR", nullable: true, description: "Industry according to the price provider." },
    exchange: {
      type: "VARCHAR",
      nullable: true,
      description: "Exchange as named by the SEC, otherwise by the price provider.",
    },
    country: { type: "VARCHAR", nullable: true, description: "Country of the head office." },
    market_cap: {
      type: "DOUBLE",
      nullable: true,
      positive: true,
      unit: "market_cap_currency",
      description: "Market value as reported by the price provider.",
    },
    market_cap_as_of: {
      type: "TIMESTAMPTZ",
      nullable: true,
      description: "Time of the price used in market_cap.",
    },
    market_cap_currency: { type: "VARCHAR", nullable: true, description: "ISO 4217 code of market_cap." },
    currency: { type: "VARCHAR", nullable: true, description: "Currency of the price, GBp for pence." },
    description: { type: "VARCHAR", nullable: true, description: "What the company does." },
    website: { type: "VARCHAR", nullable: true, description: "Address of its website." },
    employees: { type: "BIGINT", nullable: true, positive: true, description: "Full-time employees." },
    sic: {
      type: "VARCHAR",
      nullable: true,
      description: "Standard Industrial Classification code assigned by the SEC.",
    },
    sic_description: { type: "VARCHAR", nullable: true, description: "Meaning of that code." },
    fiscal_year_end: { type: "VARCHAR", nullable: true, description: "Last day of the fiscal year, MM-DD." },
    state_of_incorporation: {
      type: "VARCHAR",
      nullable: true,
      description: "The SEC's code for the state or country.",
    },
    shares_outstanding: {
      type: "BIGINT",
      nullable: true,
      positive: true,
      unit: "shares",
      description: "Shares of this class as reported by the price provider.",
    },
    first_trade_date: {
      type: "DATE",
      nullable: true,
      description: "First day of the price provider's history.",
    },
    is_etf: { type: "BOOLEAN", nullable: true, description: "Whether it is an exchange-traded fund." },
    series_id: { type: "VARCHAR", nullable: true, description: "For a fund: its series id at the SEC." },
    former_names: {
      type: "VARCHAR",
      nullable: true,
      description: "Former names as a JSON list of {name, from, to}.",
    },
    share_classes: {
      type: "VARCHAR",
      nullable: true,
      description: "Other symbols of the same company as a JSON list.",
    },
    predecessor_ciks: {
      type: "VARCHAR",
      nullable: true,
      description: "CIKs of its predecessors as a JSON list.",
    },
    known_at: { type: "TIMESTAMPTZ", description: "When the newest part of the row was read." },
  },
  key: ["symbol"],
  partition: { by: "none" },
  sort: ["symbol", "known_at"],
  fill: "append",
});

export const companiesAt: Macro = {
  name: "companies_at",
  kind: "table",
  parameters: ["as_of := NULL"],
  description: "Companies as known by as_of: the newest row of each symbol.",
  columns: storedColumns(companies),
  body: () => `SELECT * FROM companies WHERE known_at <= known_by(as_of)
    QUALIFY row_number() OVER (PARTITION BY symbol ORDER BY known_at DESC) = 1`,
};
