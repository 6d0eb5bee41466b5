// The encyclopedia article of each company, found by the service or set by an admin.

import { dataset, type Macro, storedColumns } from "../platform/lake/dataset.ts";

export const encycEntities = dataset({
  name: "encyc_entities",
  description:
    "The English Wikipedia article of each company: a new row each time it was searched or set by hand. encyc_entities_as_of(as_of) has the newest row of each symbol.",
  columns: {
    symbol: { type: "VARCHAR", description: "Symbol in its canonical spelling." },
    encyc_title: {
      type: "VARCHAR",
      nullable: true,
      description:
        "Title of the article after redirects; null where no article with a sufficient score was found.",
    },
    page_id: { type: "BIGINT", nullable: true, description: "Page id of the article." },
    wikidata_id: { type: "VARCHAR", nullable: true, description: "Its item in Wikidata, such as Q95." },
    description: { type: "VARCHAR", nullable: true, description: "The article's own short description." },
    confidence: {
      type: "DOUBLE",
      nullable: true,
      unit: "0 to 1",
      description: "Score of the article; 1 where it was set by hand, null where none was found.",
    },
    resolution_method: {
      type: "VARCHAR",
      description: "How it was found: cik, ticker, search or manual; none where it was not found.",
    },
    is_manual_override: { type: "BOOLEAN", description: "Whether it was set by hand." },
    note: { type: "VARCHAR", nullable: true, description: "The reason given when it was set by hand." },
    company_name: { type: "VARCHAR", nullable: true, description: "The company's name at that time." },
    cik: { type: "VARCHAR", nullable: true, description: "The company's SEC number (CIK), ten digits." },
    candidates: { type: "VARCHAR", description: "The articles considered, as JSON: title, score, reason." },
    known_at: { type: "TIMESTAMPTZ", description: "When it was found or set." },
  },
  key: ["symbol"],
  partition: { by: "none" },
  sort: ["symbol", "known_at"],
  fill: "append",
});

export const encycEntitiesAsOf: Macro = {
  name: "encyc_entities_as_of",
  kind: "table",
  parameters: ["as_of := NULL"],
  description: "The article assigned to each symbol as known by as_of.",
  columns: storedColumns(encycEntities),
  body: () => `SELECT * FROM encyc_entities WHERE known_at <= known_by(as_of)
    QUALIFY row_number() OVER (PARTITION BY symbol ORDER BY known_at DESC) = 1`,
};
