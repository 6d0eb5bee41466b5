-- The value of each (cik, line, period) in the newest periodic report known by as_of, without doubtful values and without
-- those that presented_statements does not show to be lines of their statement: the macro financials. It reads common.sql.
CREATE OR REPLACE TEMPORARY FUNCTION financials(as_of STRING DEFAULT NULL) RETURNS TABLE RETURN
  SELECT * FROM financial_facts
  WHERE (as_of IS NULL OR known_at <= known_by(as_of)) AND NOT coalesce(flags, '') RLIKE 'suspect_|conflicting'
    AND (NOT coalesce(flags, '') RLIKE 'unproven_statement' OR concat(accession_number, ' ', taxonomy, '_', tag) IN
      (SELECT concat(accession_number, ' ', shown.tag) FROM presented_statements LATERAL VIEW explode(split(tags, ' ')) shown AS tag))
  QUALIFY row_number() OVER (PARTITION BY cik, line, period
    ORDER BY coalesce(flags, '') RLIKE 'proxy_form|other_form',
      filed_date DESC, accepted_at DESC NULLS LAST, accession_number DESC) = 1;
