// `bun run cli ingest shortvolume` and `shortinterest`: store FINRA's files. Stored files are not fetched
// again, so an interrupted run is simply started again.
import { FACILITIES, type Facility } from "../../src/capabilities/shortvolume/index.ts";
import { newYorkDate } from "../../src/market/calendar.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { progress } from "../progress.ts";
import { withService } from "../session.ts";

interface VolumeOptions {
  readonly start?: string;
  readonly end?: string;
  readonly days?: number;
  readonly facility: string;
  readonly force: boolean;
}

interface InterestOptions {
  readonly start: string;
  readonly end?: string;
  readonly force: boolean;
}

const today = () => newYorkDate(systemClock.now());

function facilityOf(text: string): Facility {
  const facility = FACILITIES.find((each) => each === text.toUpperCase());
  if (facility) return facility;
  throw new RangeError(`--facility is "${text}"; it must be one of ${FACILITIES.join(", ")}.`);
}

export async function shortVolume({ start, end, days, facility, force }: VolumeOptions): Promise<void> {
  const request = {
    start_date: start,
    end_date: end ?? (start && today()),
    days,
    facility: facilityOf(facility),
    force,
  };
  await withService(async ({ service }) => {
    let bar: ReturnType<typeof progress> | undefined;
    const { begun, done } = service.shortVolumes.ingest(request, (_, date) => bar?.step(date));
    bar = progress(begun.total, "days");
    const state = await done;
    bar.end();
    for (const { date, error } of state.failed) console.log(`${date}: ${error}`);
    if (state.error) console.log(state.error);
    const rows = state.rows_inserted + state.rows_updated;
    console.log(
      `${state.ingested.length} of ${state.total} days were ingested, ${rows} rows; ${state.skipped.length} were skipped.`,
    );
    process.exitCode = state.failed.length > 0 || state.status !== "succeeded" ? 1 : 0;
  });
}

export async function shortInterest({ start, end = today(), force }: InterestOptions): Promise<void> {
  await withService(async ({ service: { shortVolumes }, signal }) => {
    const failed: string[] = [];
    let files = 0;
    const onStep: Parameters<typeof shortVolumes.ingestInterest>[0]["onStep"] = (report) => {
      files = report.ingested.length;
      failed.splice(0, failed.length, ...report.failed.map(({ date, error }) => `${date}: ${error}`));
    };
    const job = await shortVolumes.ingestInterest({ start, end, force, signal, onStep });
    if (!job) throw new RangeError("An ingest of short interest is already running.");
    for (const line of failed) console.log(line);
    if (job.error) console.log(job.error);
    console.log(`${files} files were ingested, ${job.rows ?? 0} rows.`);
    process.exitCode = failed.length > 0 || job.outcome !== "succeeded" ? 1 : 0;
  });
}
