// Large holdings (Schedules 13D and 13G): one row per reporting person of a filing.

import { dataset, type Macro, storedColumns } from "../platform/lake/dataset.ts";

const shares = (description: string) =>
  ({ type: "DOUBLE", nullable: true, unit: "shares", description }) as const;
const percent = (description: string) =>
  ({ type: "DOUBLE", nullable: true, unit: "percentage points", description }) as const;
const words = (description: string) => ({ type: "VARCHAR", nullable: true, description }) as const;

export const ownershipEvents = dataset({
  name: "ownership_events",
  description:
    "One row per reporting person of a Schedule 13D or 13G. The persons of one filing report the same shares, so never add them up; filing_pct and filing_shares are the largest of them. ownership_as_of(as_of) has the public rows, ownership_positions(as_of) the newest of each holder.",
  columns: {
    accession_number: {
      type: "VARCHAR",
      description: "The regulator's accession number of the filing, with dashes.",
    },
    person: { type: "INTEGER", description: "Position of the person in the filing, from 1." },
    reading: { type: "INTEGER", description: "Version of the parser that read it; the highest is used." },
    form_type: { type: "VARCHAR", description: "As filed: SCHEDULE 13D/A, SC 13G." },
    schedule: { type: "VARCHAR", description: "13D or 13G." },
    is_amendment: { type: "BOOLEAN", description: "Whether it amends an earlier filing." },
    amendment_number: { type: "INTEGER", nullable: true, description: "Number of the amendment." },
    previous_accession_number: words("Accession number of the previous filing, where stated."),
    is_structured: {
      type: "BOOLEAN",
      description:
        "Whether it was read from structured data (since 2024-12-18) and not from the text of a page.",
    },
    filing_date: { type: "DATE", description: "Filing date by the regulator." },
    accepted_at: {
      type: "TIMESTAMPTZ",
      nullable: true,
      description: "When the regulator accepted it; null where the time is not known to the second.",
    },
    event_date: { type: "DATE", nullable: true, description: "Day of the event that required the filing." },
    issuer_cik: words("CIK of the issuer, ten digits; null where neither header nor document states it."),
    issuer_name: words("Name of the issuer, as filed."),
    cusips: words("Comma-separated CUSIPs, as filed."),
    class_title: words("Class of the shares, as filed."),
    holder_cik: words("CIK of the first filer, ten digits."),
    holder_name: words("Name of the first filer."),
    holder_keys: {
      type: "VARCHAR",
      description:
        "All persons in the filing, separated by |: cik:… or name:…. Two filings on one issuer that share a person belong to the same holder.",
    },
    person_cik: words("CIK of the reporting person, ten digits; null where not stated."),
    person_name: { type: "VARCHAR", description: "Name of the reporting person." },
    person_types: words("Comma-separated types of the person: IN, PN, IA, …"),
    member_of_group: words("a, or b where a group is disclaimed."),
    ownership_pct: percent("The person's percentage of the class; null when not stated or above 100."),
    shares_owned: shares("Shares beneficially owned by the person."),
    sole_voting: shares("Shares with sole power to vote."),
    shared_voting: shares("Shares with shared power to vote."),
    sole_dispositive: shares("Shares with sole power to dispose."),
    shared_dispositive: shares("Shares with shared power to dispose."),
    filing_pct: percent("The largest ownership_pct of the filing."),
    filing_shares: shares("The largest shares_owned of the filing."),
    is_exit: {
      type: "BOOLEAN",
      description: "Whether it reports zero, or that the holder has fallen to five percent or below.",
    },
    is_activist: {
      type: "BOOLEAN",
      nullable: true,
      description:
        "Whether the holder seeks to influence the company, from Item 4 of a 13D; null where Item 4 was not found.",
    },
    activist_reason: words("The sentence of Item 4 that is_activist is based on."),
    source_sha256: { type: "VARCHAR", description: "SHA-256 of the filing as received." },
    known_at: {
      type: "TIMESTAMPTZ",
      description:
        "When it became public: its acceptance, or 06:00 in New York of its filing date when accepted after hours. Without a known acceptance the end of its filing date.",
    },
  },
  key: ["accession_number", "person", "filing_date", "reading"],
  partition: { by: "year", column: "filing_date" },
  sort: ["accession_number", "person"],
  fill: "append",
  changes: { publicFrom: "known_at", provider: "edgar", reading: "reading", reread: "our_reading" },
});

const AS_OF = ["as_of := NULL"];

export const ownershipAsOf: Macro = {
  name: "ownership_as_of",
  kind: "table",
  parameters: AS_OF,
  description: "Schedules 13D and 13G that were public by as_of, one row per reporting person.",
  // The join is free while no file has a later reading, that is, until the parser version changes.
  columns: storedColumns(ownershipEvents),
  body: () => `SELECT * FROM ownership_events t WHERE t.known_at <= known_by(as_of)
    AND NOT EXISTS (SELECT 1 FROM ownership_events s WHERE s.reading > 1
      AND s.accession_number = t.accession_number AND s.reading > t.reading)`,
};

export const ownershipPositions: Macro = {
  name: "ownership_positions",
  kind: "table",
  parameters: AS_OF,
  description:
    "The newest Schedule 13D or 13G of each issuer and holder known by as_of, exits included, one row per reporting person. Filings on one issuer that share a person belong to the same holder.",
  columns: storedColumns(ownershipEvents),
  body: () => `WITH seen AS (SELECT * FROM ownership_as_of(as_of) WHERE issuer_cik IS NOT NULL),
      places AS (SELECT accession_number, row_number() OVER (
          PARTITION BY issuer_cik, holder_key ORDER BY known_at DESC, accession_number DESC) AS place
        FROM (SELECT issuer_cik, accession_number, known_at, unnest(string_split(holder_keys, '|')) AS holder_key
          FROM seen WHERE person = 1))
    SELECT * FROM seen WHERE accession_number NOT IN (SELECT accession_number FROM places WHERE place > 1)`,
};
