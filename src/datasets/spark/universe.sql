-- The newest snapshot of the universe at or before on_date, as known by as_of: the macro universe. It reads common.sql.
CREATE OR REPLACE TEMPORARY FUNCTION universe(on_date DATE, as_of STRING DEFAULT NULL) RETURNS TABLE RETURN
  WITH known AS (SELECT * FROM universe_snapshots WHERE snapshot_date <= on_date AND known_at <= known_by(as_of)),
  newest AS (SELECT max(snapshot_date) AS snapshot_date FROM known)
  SELECT k.* FROM known k LEFT SEMI JOIN newest n ON n.snapshot_date = k.snapshot_date
  QUALIFY row_number() OVER (PARTITION BY k.listing ORDER BY k.known_at DESC) = 1;
