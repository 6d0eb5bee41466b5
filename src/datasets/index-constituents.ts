// Who was in an index, as the service has read it since it began to read it.

import { dataset, type Macro } from "../platform/lake/dataset.ts";

export const indexConstituents = dataset({
  name: "index_constituents",
  description:
    "Members of an index: the whole list again whenever something in it had changed. A list begins with its known_at; there is none from before the service first read it. index_members(as_of) has the newest.",
  columns: {
    index_name: { type: "VARCHAR", description: "sp500 or nasdaq100." },
    symbol: { type: "VARCHAR", description: "Symbol in its canonical spelling." },
    company_name: { type: "VARCHAR", description: "Name as the list has it." },
    sector: {
      type: "VARCHAR",
      nullable: true,
      description: "Sector, or ICB industry, in the words of classification.",
    },
    sub_industry: { type: "VARCHAR", nullable: true, description: "Sub-industry, or ICB subsector." },
    headquarters: { type: "VARCHAR", nullable: true, description: "Where the head office is." },
    date_added: { type: "DATE", nullable: true, description: "Since when it is a member, as the list says." },
    cik: { type: "VARCHAR", nullable: true, description: "The SEC's number of the company, ten digits." },
    founded: { type: "VARCHAR", nullable: true, description: "When it was founded, as written." },
    classification: {
      type: "VARCHAR",
      nullable: true,
      description: "Whose words the sectors are: GICS or ICB.",
    },
    source: { type: "VARCHAR", description: "Address of the revision the list was read from." },
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
  description: "Members of each index as known by as_of: the newest whole list read until then.",
  body: () => `SELECT * FROM index_constituents WHERE known_at <= known_by(as_of)
    QUALIFY known_at = max(known_at) OVER (PARTITION BY index_name)`,
};
