// Large holdings (Schedules 13D and 13G): a row a reporting person of a filing.

import { dataset, type Macro } from "../platform/lake/dataset.ts";

const shares = (description: string) =>
  ({ type: "DOUBLE", nullable: true, unit: "shares", description }) as const;
const percent = (description: string) =>
  ({ type: "DOUBLE", nullable: true, unit: "percent points", description }) as const;
const words = (description: string) => ({ type: "VARCHAR", nullable: true, description }) as const;

export const ownershipEvents = dataset({
  name: "ownership_events",
  description:
    "One row per reporting person of a Schedule 13D or 13G. Persons of one filing count the same shares: never add them up; filing_pct and filing_shares are the largest of them. ownership_as_of(as_of) has what was known, ownership_positions(as_of) the newest of each holder.",
  columns: {
    accession_number: { type: "VARCHAR", description: "The regulator's number of the filing, dashed." },
    person: { type: "INTEGER", description: "Place of the person in the filing, from 1." },
    reading: { type: "INTEGER", description: "By the so-manieth way of reading; the highest counts." },
    form_type: { type: "VARCHAR", description: "As filed: SCHEDULE 13D/A, SC 13G." },
    schedule: { type: "VARCHAR", description: "13D or 13G." },
    is_amendment: { type: "BOOLEAN", description: "Whether it amends an earlier filing." },
    amendment_number: { type: "INTEGER", nullable: true, description: "The so-manieth amendment." },
    previous_accession_number: words("The filing this one follows, where it says."),
    is_structured: {
      type: "BOOLEAN",
      description: "Read from data (since 2024-12-18), not from the words of a page.",
    },
    filing_date: { type: "DATE", description: "The regulator's date of filing." },
    accepted_at: {
      type: "TIMESTAMPTZ",
      nullable: true,
      description: "When the regulator accepted it; null where that is not known to the second.",
    },
    event_date: { type: "DATE", nullable: true, description: "Day of the event that made it due." },
    issuer_cik: words("Whose shares, ten digits; null where neither header nor document tells."),
    issuer_name: words("Its name, as filed."),
    cusips: words("CUSIPs by comma, as filed."),
    class_title: words("Class of the shares, as filed."),
    holder_cik: words("The first who files, ten digits."),
    holder_name: words("The first who files."),
    holder_keys: {
      type: "VARCHAR",
      description:
        "Everybody in the filing by |: cik:… or name:…; two filings on one issuer that share one are of one holder.",
    },
    person_cik: words("The reporting person, ten digits; null where not told."),
    person_name: { type: "VARCHAR", description: "The reporting person." },
    person_types: words("Kind of person by comma: IN, PN, IA, …"),
    member_of_group: words("a, or b where a group is disclaimed."),
    ownership_pct: percent("The person's share of the class; null when not told or above 100."),
    shares_owned: shares("Shares the person owns beneficially."),
    sole_voting: shares("With sole power to vote."),
    shared_voting: shares("With shared power to vote."),
    sole_dispositive: shares("With sole power to sell."),
    shared_dispositive: shares("With shared power to sell."),
    filing_pct: percent("The largest ownership_pct of the filing."),
    filing_shares: shares("The largest shares_owned of the filing."),
    is_exit: {
      type: "BOOLEAN",
      description: "Reports zero, or that the holder has fallen to five percent or below.",
    },
    is_activist: {
      type: "BOOLEAN",
      nullable: true,
      description:
        "By Item 4 of a 13D: whether the holder acts on the company; null where Item 4 was not found.",
    },
    activist_reason: words("The sentence of Item 4 that decided."),
    source_sha256: { type: "VARCHAR", description: "Hash of the filing as received." },
    known_at: {
      type: "TIMESTAMPTZ",
      description:
        "From when anybody could read it: its acceptance, or the opening of its filing date when accepted after hours; without a known acceptance the end of its filing date in New York.",
    },
  },
  key: ["accession_number", "person", "filing_date", "reading"],
  partition: { by: "year", column: "filing_date" },
  sort: ["accession_number", "person"],
  fill: "append",
});

const AS_OF = ["as_of := NULL"];

export const ownershipAsOf: Macro = {
  name: "ownership_as_of",
  kind: "table",
  parameters: AS_OF,
  description: "Schedules 13D and 13G as anybody could have read them by as_of, a row a reporting person.",
  // No file holds a later reading until the way of reading changes: such a join costs nothing.
  body: () => `SELECT * FROM ownership_events t WHERE t.known_at <= known_by(as_of)
    AND NOT EXISTS (SELECT 1 FROM ownership_events s WHERE s.reading > 1
      AND s.accession_number = t.accession_number AND s.reading > t.reading)`,
};

export const ownershipPositions: Macro = {
  name: "ownership_positions",
  kind: "table",
  parameters: AS_OF,
  description:
    "Of each issuer and holder the newest Schedule 13D or 13G known by as_of, exits among them, a row a reporting person. Filings on one issuer that share a person are of one holder.",
  body: () => `WITH seen AS (SELECT * FROM ownership_as_of(as_of) WHERE issuer_cik IS NOT NULL),
      places AS (SELECT accession_number, row_number() OVER (
          PARTITION BY issuer_cik, holder_key ORDER BY known_at DESC, accession_number DESC) AS place
        FROM (SELECT issuer_cik, accession_number, known_at, unnest(string_split(holder_keys, '|')) AS holder_key
          FROM seen WHERE person = 1))
    SELECT * FROM seen WHERE accession_number NOT IN (SELECT accession_number FROM places WHERE place > 1)`,
};
