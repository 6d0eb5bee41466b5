-- The newest vintage of each (series_id, date) known by as_of, without those withdrawn by then: the macro observations_as_of. It reads common.sql.
CREATE OR REPLACE TEMPORARY FUNCTION observations_as_of(as_of STRING DEFAULT NULL) RETURNS TABLE RETURN
  SELECT * EXCEPT (withdrawn) FROM (
    SELECT * FROM econ_observations WHERE known_at <= known_by(as_of)
    QUALIFY row_number() OVER (PARTITION BY series_id, date ORDER BY known_at DESC, realtime_start DESC, fetched_at DESC) = 1)
  WHERE NOT withdrawn;
