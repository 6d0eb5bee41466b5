// A company with more than a hundred current reports, of which each takes a second to read.
import { movableClock } from "./clock.ts";
import { openFilingService } from "./filing-service.ts";

export const MANY_EVENTS = "KRONK?start_date=1994-01-01&end_date=2026-09-09&limit=500";

/** Opens the routes of filings; `onReading` gets each report that is read, and how many were before it. */
export function openManyEvents(
  onReading: (accession_number: string, before: number) => void,
  dataDir?: string,
) {
  const clock = movableClock("2026-09-09T21:00:00Z");
  let begun = 0;
  return openFilingService({
    clock,
    ...(dataDir === undefined ? {} : { dataDir }),
    source: (real) => ({
      ...real,
      filingIndex: async (ref, options) => {
        onReading(ref.accession_number, begun++);
        clock.set(clock.now().add({ seconds: 1 }).toString());
        return real.filingIndex(ref, options);
      },
    }),
  });
}
