// The SEC's lists of tickers: which company or fund has each one, and had it before.

import { dataset } from "../platform/lake/dataset.ts";

export const companyTickers = dataset({
  name: "company_tickers",
  description:
    "Lines of the SEC's lists of tickers, companies and funds: one row per ticker and holder, and a further one for each change that a reading of the lists found.",
  columns: {
    symbol: { type: "VARCHAR", description: "Symbol in its canonical spelling." },
    cik: {
      type: "VARCHAR",
      description: "The holder's SEC number (CIK), ten digits; for a fund that of its trust.",
    },
    kind: { type: "VARCHAR", description: "company or fund: which list." },
    ticker: { type: "VARCHAR", description: "The SEC's spelling." },
    name: { type: "VARCHAR", nullable: true, description: "Name of the company; null for a fund." },
    exchange: { type: "VARCHAR", nullable: true, description: "Exchange as named by the SEC." },
    series_id: { type: "VARCHAR", nullable: true, description: "For a fund: its series id at the SEC." },
    class_id: { type: "VARCHAR", nullable: true, description: "For a fund: its class id at the SEC." },
    position: {
      type: "INTEGER",
      description: "Position among the tickers of the same holder: the main one is 0.",
    },
    predecessor_ciks: {
      type: "VARCHAR",
      nullable: true,
      description: "CIKs under which the holder filed before, as a JSON list; null for none.",
    },
    first_seen_at: { type: "TIMESTAMPTZ", description: "When the list was first read with this line." },
    gone_at: {
      type: "TIMESTAMPTZ",
      nullable: true,
      description: "When the list was first read without it; null while it is listed.",
    },
    known_at: { type: "TIMESTAMPTZ", description: "When the list was read that added or changed the line." },
  },
  key: ["kind", "symbol", "cik"],
  partition: { by: "none" },
  sort: ["symbol", "cik", "known_at"],
  fill: "append",
  // Read without a moment.
  changes: { countsBefore: true },
});
