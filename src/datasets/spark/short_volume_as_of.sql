-- Short volume as known by as_of, from the newest version of each file: the macro short_volume_as_of. It reads common.sql.
CREATE OR REPLACE TEMPORARY FUNCTION short_volume_as_of(as_of STRING DEFAULT NULL) RETURNS TABLE RETURN
  WITH newest AS (
    SELECT facility, date, max(known_at) AS known_at FROM finra_files WHERE known_at <= known_by(as_of) GROUP BY facility, date)
  SELECT s.* FROM short_volume s
    LEFT SEMI JOIN newest v ON s.facility = v.facility AND s.date = v.date AND s.known_at = v.known_at;
