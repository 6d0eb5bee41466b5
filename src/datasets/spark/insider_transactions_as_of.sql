-- Insiders' trades that were public by as_of, without those that a later row voids: the macro insider_transactions_as_of. It reads common.sql.
CREATE OR REPLACE TEMPORARY FUNCTION insider_transactions_as_of(as_of STRING DEFAULT NULL) RETURNS TABLE RETURN
  WITH voided AS (SELECT row_id FROM insider_transactions WHERE role = 'strike' AND known_at <= known_by(as_of))
  SELECT * EXCEPT (role) FROM insider_transactions t LEFT ANTI JOIN voided v ON v.row_id = t.row_id
  WHERE t.role = 'trade' AND t.known_at <= known_by(as_of);
