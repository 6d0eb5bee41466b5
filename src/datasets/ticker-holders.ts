// Which company had each ticker, for queries over the whole market. Routes ask `resolve` for one ticker, with
// more evidence.
import { columnsOf, type Macro } from "../platform/lake/dataset.ts";
import { universeRegistry } from "./universe-registry.ts";

/**
 * A form that names one plain symbol counts for this long; lists of symbols and classes are left to the
 * routes.
 */
// Made up: a form of 2 January 2024 that names ZQX counts until 4 July 2025.
const FORM_DAYS = 550;

const LISTED = `SELECT symbol, cik, name, 'listing' AS source, first_seen AS seen_at, 0 AS forms FROM listings_at(as_of)
  WHERE is_active AND cik IS NOT NULL`;
const RECORDED = `SELECT symbol, cik, name, 'company' AS source, known_at AS seen_at, 0 AS forms FROM companies_at(as_of)
  WHERE cik IS NOT NULL`;
const NAMED = `SELECT upper(issuer_symbol) AS symbol, issuer_cik AS cik, arg_max(issuer_name, known_at) AS name, 'form' AS source,
    max(known_at) AS seen_at, count(DISTINCT accession_number) AS forms
  FROM insider_transactions WHERE role = 'trade' AND regexp_full_match(upper(issuer_symbol), '[A-Z]{1,6}')
    AND upper(issuer_symbol) NOT IN ('NONE', 'NA', 'NULL', 'TBD') AND known_at <= known_by(as_of)
    AND filing_date > least(known_by(as_of), now())::DATE - ${FORM_DAYS}
  GROUP BY upper(issuer_symbol), issuer_cik`;

export const tickerHolders: Macro = {
  name: "ticker_holders",
  kind: "table",
  parameters: ["as_of := NULL"],
  description:
    "The company that had each ticker, as known by as_of, one row per symbol. It is from an active listing of the exchanges (source listing). Else it is from what was seen last of a company record (company) and insiders' forms (form; a single form comes last). seen_at is when that was seen.",
  columns: {
    ...columnsOf(universeRegistry, "symbol"),
    cik: { type: "VARCHAR", description: "The filer's SEC number (CIK), ten digits." },
    name: { type: "VARCHAR", nullable: true, description: "Name of the company or security in that source." },
    source: { type: "VARCHAR", description: "listing, company or form: where the ticker was seen." },
    seen_at: {
      type: "TIMESTAMPTZ",
      description: "When it was seen: first in the lists for a listing, last for the others.",
    },
  },
  body: () => `SELECT * EXCLUDE (forms) FROM (${LISTED} UNION ALL ${RECORDED} UNION ALL ${NAMED})
    QUALIFY row_number() OVER (PARTITION BY symbol ORDER BY source = 'listing' DESC, forms = 1, seen_at DESC, cik) = 1`,
};
