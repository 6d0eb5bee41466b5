-- Schedules 13D and 13G that were public by as_of, in the highest reading: the macro ownership_as_of. It reads common.sql.
CREATE OR REPLACE TEMPORARY FUNCTION ownership_as_of(as_of STRING DEFAULT NULL) RETURNS TABLE RETURN
  SELECT * FROM ownership_events t
    LEFT ANTI JOIN ownership_events s ON s.accession_number = t.accession_number AND s.reading > t.reading
  WHERE t.known_at <= known_by(as_of);
