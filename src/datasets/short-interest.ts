// Short interest as FINRA publishes it twice a month.

import { dataset, type Macro, storedColumns } from "../platform/lake/dataset.ts";
import { newestFiles } from "./short-volume.ts";

export const shortInterest = dataset({
  name: "short_interest",
  description:
    "Open short positions on a settlement date, one row per symbol and version of the file; short_interest_as_of(as_of) has the newest.",
  columns: {
    settlement_date: { type: "DATE", description: "Day of the positions." },
    line: { type: "INTEGER", description: "Position in the file, from 1." },
    finra_symbol: {
      type: "VARCHAR",
      description:
        "Symbol as spelled in the file, without separators: BRKB, ABRPRD, AACU. Two securities may share a spelling.",
    },
    issue_name: {
      type: "VARCHAR",
      nullable: true,
      description: "Name of the issue as in the file, which truncates it.",
    },
    market_class: {
      type: "VARCHAR",
      nullable: true,
      description: "Where it is listed: NYSE, NNM, SC, ARCA, OTC, …",
    },
    short_interest: { type: "DOUBLE", unit: "shares", description: "Open short position." },
    previous_short_interest: {
      type: "DOUBLE",
      nullable: true,
      unit: "shares",
      description: "Position on the previous settlement date, as in this file.",
    },
    change: { type: "DOUBLE", nullable: true, unit: "shares", description: "As reported." },
    change_percent: { type: "DOUBLE", nullable: true, unit: "percent", description: "As reported." },
    avg_daily_volume: {
      type: "DOUBLE",
      nullable: true,
      unit: "shares",
      description: "Average daily volume since the previous settlement date.",
    },
    days_to_cover: {
      type: "DOUBLE",
      nullable: true,
      unit: "days",
      description:
        "Position divided by average daily volume, at least 1, as reported; null where nothing traded (999.99 in the file).",
    },
    stock_split: {
      type: "BOOLEAN",
      description: "Whether the file marks a split since the previous settlement date.",
    },
    revised: { type: "BOOLEAN", description: "Whether the file marks the row as revised." },
    known_at: { type: "TIMESTAMPTZ", description: "When it was fetched." },
    source: { type: "VARCHAR", description: "The provider that reported it." },
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
  description: "Short interest as known by as_of: the newest version of the file of each settlement date.",
  columns: storedColumns(shortInterest),
  body: () =>
    `SELECT i.* FROM short_interest i JOIN ${newestFiles("as_of")} v
      ON v.facility = 'SHRT' AND i.settlement_date = v.date AND i.known_at = v.known_at`,
};
