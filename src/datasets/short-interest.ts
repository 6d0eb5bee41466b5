// Short interest as FINRA publishes it twice a month.

import { dataset, type Macro } from "../platform/lake/dataset.ts";
import { newestFiles } from "./short-volume.ts";

export const shortInterest = dataset({
  name: "short_interest",
  description:
    "Open short positions on a settlement date, one row a symbol and version of the file; short_interest_as_of(as_of) has the newest.",
  columns: {
    settlement_date: { type: "DATE", description: "Day on which the positions stood." },
    line: { type: "INTEGER", description: "Place in the file, from 1." },
    finra_symbol: {
      type: "VARCHAR",
      description:
        "Symbol as the file spells it, without separators: BRKB, ABRPRD, AACU. Two securities may share a spelling.",
    },
    issue_name: { type: "VARCHAR", nullable: true, description: "Name of the issue, as the file cuts it." },
    market_class: {
      type: "VARCHAR",
      nullable: true,
      description: "Where it is listed: NYSE, NNM, SC, ARCA, OTC, …",
    },
    short_interest: { type: "DOUBLE", unit: "shares", description: "Position." },
    previous_short_interest: {
      type: "DOUBLE",
      nullable: true,
      unit: "shares",
      description: "Position of the settlement date before, as this file has it.",
    },
    change: { type: "DOUBLE", nullable: true, unit: "shares", description: "As reported." },
    change_percent: { type: "DOUBLE", nullable: true, unit: "percent", description: "As reported." },
    avg_daily_volume: {
      type: "DOUBLE",
      nullable: true,
      unit: "shares",
      description: "Average daily volume since the settlement date before.",
    },
    days_to_cover: {
      type: "DOUBLE",
      nullable: true,
      unit: "days",
      description:
        "Position over average volume, 1 at least, as reported; null where nothing traded (the file's 999.99).",
    },
    stock_split: { type: "BOOLEAN", description: "The file marks a split since the settlement date before." },
    revised: { type: "BOOLEAN", description: "The file marks the row as revised." },
    known_at: { type: "TIMESTAMPTZ", description: "When it was fetched." },
    source: { type: "VARCHAR", description: "Who reported it." },
  },
  key: ["settlement_date", "line"],
  partition: { by: "year", column: "settlement_date" },
  sort: ["finra_symbol", "settlement_date", "known_at"],
  fill: "append",
});

export const shortInterestAsOf: Macro = {
  name: "short_interest_as_of",
  kind: "table",
  parameters: ["as_of := NULL"],
  description:
    "Short interest as known by as_of: of each settlement date the newest version of the file, whole.",
  body: () =>
    `SELECT i.* FROM short_interest i JOIN ${newestFiles("as_of")} v
      ON v.facility = 'SHRT' AND i.settlement_date = v.date AND i.known_at = v.known_at`,
};
