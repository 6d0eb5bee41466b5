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
    "One row per reporting person of a Schedule 13D or 13G. The persons of one filing report the same shares, so never add them up; filing_pct and filing_shares are the largest of them. ownership_as_of(as_of) has the public rows, ownership_positions(as_of) the newest of each holder and class.",
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

/** A title of a class without its par value and case. */
// `Class A Common Stock, $0.01 par value` and `CLASS A COMMON STOCK, no par value` are CLASS A COMMON STOCK.
const TITLE = `nullif(trim(regexp_replace(regexp_replace(upper(class_title),
    '\\$\\s*[0-9.]+|[0-9]*\\.[0-9]+|\\b(NO|PAR|NOMINAL|VALUE|PER|SHARE|WITHOUT)\\b', ' ', 'g'), '[^A-Z0-9]+', ' ', 'g')), '')`;
/** The classes by CUSIP, to its eighth character: the ninth is a check digit. A null where none is. */
// `90100A101, 90100B10` are 90100A10 and 90100B10; `000000000` is none.
const CUSIPS = `coalesce(nullif(list_filter(list_transform(regexp_extract_all(upper(cusips), '[0-9A-Z]{6}[- ]?[0-9A-Z]{2}'),
    lambda cusip: regexp_replace(cusip, '[- ]', '')), lambda cusip: cusip <> '00000000'), []), [NULL])`;

export const ownershipPositions: Macro = {
  name: "ownership_positions",
  kind: "table",
  parameters: AS_OF,
  description:
    "The newest Schedule 13D or 13G of each issuer, holder and class known by as_of, exits included, one row per reporting person. Filings on one issuer that share a person belong to the same holder. A class is its CUSIP; without one, its title without par value and case; without both, the only class of the holder. A CUSIP that follows another of the same title is the same class.",
  columns: storedColumns(ownershipEvents),
  // Made up: CUSIP 90100A101 until 2023 and 90100A200 from 2024, both of Common Stock, are one class. Filed
  // on one day, they are two.
  body: () => `WITH seen AS (SELECT * FROM ownership_as_of(as_of) WHERE issuer_cik IS NOT NULL),
      keyed AS (SELECT accession_number, issuer_cik, filing_date, known_at, cusips, class_title,
          unnest(string_split(holder_keys, '|')) AS holder_key FROM seen WHERE person = 1),
      mixed AS (SELECT issuer_cik, holder_key FROM keyed GROUP BY ALL
        HAVING count(*) > 1 AND (min(cusips) <> max(cusips) OR count(cusips) < count(*))),
      filed AS (SELECT *, ${TITLE} AS title, unnest(${CUSIPS}) AS cusip FROM keyed SEMI JOIN mixed USING (issuer_cik, holder_key)),
      spells AS (SELECT issuer_cik, holder_key, cusip, coalesce(arg_max(title, known_at), '') AS title,
          min(filing_date) AS opened, max(filing_date) AS closed
        FROM filed WHERE cusip IS NOT NULL GROUP BY issuer_cik, holder_key, cusip),
      classes AS (SELECT *, title || sum(starts) OVER before AS class FROM (
          SELECT *, coalesce(max(closed) OVER (before ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) >= opened, true)::INT AS starts
          FROM spells WINDOW before AS (PARTITION BY issuer_cik, holder_key, title ORDER BY opened, cusip))
        WINDOW before AS (PARTITION BY issuer_cik, holder_key, title ORDER BY opened, cusip)),
      titled AS (SELECT issuer_cik, holder_key, title, max(class) AS class FROM classes GROUP BY ALL),
      classed AS (SELECT f.*, coalesce(c.class, t.class, f.title) AS class FROM filed f
        LEFT JOIN classes c USING (issuer_cik, holder_key, cusip)
        LEFT JOIN titled t ON t.issuer_cik = f.issuer_cik AND t.holder_key = f.holder_key AND t.title = f.title),
      places AS (SELECT accession_number, class IS NOT NULL AS is_mixed, cusip, row_number() OVER (PARTITION BY issuer_cik, holder_key, class
          ORDER BY known_at DESC, accession_number DESC) AS place
        FROM (SELECT * REPLACE (coalesce(class, CASE WHEN min(class) OVER own = max(class) OVER own THEN min(class) OVER own END) AS class)
          FROM classed WINDOW own AS (PARTITION BY issuer_cik, holder_key)
          UNION ALL BY NAME SELECT *, NULL AS class FROM keyed ANTI JOIN mixed USING (issuer_cik, holder_key)))
    SELECT * FROM seen WHERE accession_number NOT IN (SELECT accession_number FROM places WHERE NOT is_mixed AND place > 1)
      AND accession_number NOT IN (SELECT accession_number FROM (
          SELECT accession_number, max(place) AS place FROM places WHERE is_mixed GROUP BY accession_number, cusip)
        GROUP BY accession_number HAVING min(place) > 1)`,
};
