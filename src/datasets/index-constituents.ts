// Constituents of indexes, as read by the service since it first read the lists.

import { dataset, type Macro, storedColumns } from "../platform/lake/dataset.ts";

export const indexConstituents = dataset({
  name: "index_constituents",
  description:
    "Members of an index: the whole list is stored again when it changed. A list is valid from its known_at; there is none from before the service first read it. index_members(as_of) has the newest.",
  columns: {
    index_name: { type: "VARCHAR", description: "sp500 or nasdaq100." },
    symbol: { type: "VARCHAR", description: "Symbol in its canonical spelling." },
    company_name: { type: "VARCHAR", description: "Name in the list." },
    sector: {
      type: "VARCHAR",
      nullable: true,
      description: "Sector, or ICB industry, as named by `classification`.",
    },
    sub_industry: { type: "VARCHAR", nullable: true, description: "Sub-industry, or ICB subsector." },
    headquarters: { type: "VARCHAR", nullable: true, description: "Where the head office is." },
    date_added: {
      type: "DATE",
      nullable: true,
      description: "Day on which it became a member, according to the list.",
    },
    cik: { type: "VARCHAR", nullable: true, description: "The company's SEC number (CIK), ten digits." },
    founded: { type: "VARCHAR", nullable: true, description: "When it was founded, as written in the list." },
    classification: {
      type: "VARCHAR",
      nullable: true,
      description: "Classification of the sectors: GICS or ICB.",
    },
    source: { type: "VARCHAR", description: "URL of the page revision the list was read from." },
    known_at: { type: "TIMESTAMPTZ", description: "When the list was read." },
  },
  key: ["index_name", "symbol"],
  partition: { by: "none" },
  sort: ["index_name", "known_at", "symbol"],
  fill: "append",
});

export const indexMembers: Macro = {
  name: "index_members",
  kind: "table",
  parameters: ["as_of := NULL"],
  description: "Members of each index as known by as_of: the newest list read by then.",
  columns: storedColumns(indexConstituents),
  body: () => `SELECT * FROM index_constituents WHERE known_at <= known_by(as_of)
    QUALIFY known_at = max(known_at) OVER (PARTITION BY index_name)`,
};
