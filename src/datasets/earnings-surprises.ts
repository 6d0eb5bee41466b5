// Reported earnings per share against the consensus by quarter, with the time each became known.

import { dataset, type Macro, storedColumns } from "../platform/lake/dataset.ts";

export const earningsSurprises = dataset({
  name: "earnings_surprises",
  description:
    "Reported earnings per share and the analysts' estimate for each quarter. A later change is a new row; earnings_surprises_as_of(as_of) has the newest. Values stay on the share basis of the day they were fetched.",
  columns: {
    symbol: { type: "VARCHAR", description: "Symbol in its canonical spelling." },
    fiscal_quarter_end: {
      type: "DATE",
      description:
        "Last day of the month in which the fiscal quarter ends; the provider names only the month.",
    },
    report_date: { type: "DATE", nullable: true, description: "New York day of the report." },
    eps_actual: { type: "DOUBLE", nullable: true, unit: "USD per share", description: "As reported." },
    eps_estimate: {
      type: "DOUBLE",
      nullable: true,
      unit: "USD per share",
      description: "The analysts' consensus before the report.",
    },
    as_of_date: { type: "DATE", description: "New York day on which the provider first reported this." },
    revision: { type: "INTEGER", description: "1 for the first report of the quarter, then counted up." },
    known_at: { type: "TIMESTAMPTZ", description: "When it was fetched." },
    source: { type: "VARCHAR", description: "The provider that reported it." },
  },
  key: ["symbol", "fiscal_quarter_end", "source"],
  partition: { by: "none" },
  sort: ["symbol", "fiscal_quarter_end", "known_at"],
  fill: "append",
});

export const earningsSurprisesAsOf: Macro = {
  name: "earnings_surprises_as_of",
  kind: "table",
  parameters: ["as_of := NULL"],
  description: "Surprises as known by as_of: the newest row of each (symbol, fiscal_quarter_end, source).",
  columns: storedColumns(earningsSurprises),
  body: () => `SELECT * FROM earnings_surprises WHERE known_at <= known_by(as_of)
    QUALIFY row_number() OVER (PARTITION BY symbol, fiscal_quarter_end, source ORDER BY known_at DESC) = 1`,
};
