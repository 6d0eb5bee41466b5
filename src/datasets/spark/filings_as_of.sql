-- Filings that were public by as_of, the newest row of each (accession_number, cik): the macro filings_as_of. It reads common.sql.
CREATE OR REPLACE TEMPORARY FUNCTION filings_as_of(as_of STRING DEFAULT NULL) RETURNS TABLE RETURN
  SELECT * FROM filings WHERE known_at <= known_by(as_of)
  QUALIFY row_number() OVER (PARTITION BY accession_number, cik ORDER BY indexed_at DESC) = 1;
