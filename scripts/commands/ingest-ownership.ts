// `bun run cli ingest ownership`: stores the insider and 13D/G filings of all companies by day, under the
// locks of the jobs that do the same. Stored filings are not fetched again, so an interrupted run is simply
// started again.
import { ENRICHMENT_JOB, INGEST_JOB } from "../../src/capabilities/ownership/index.ts";
import type { Job } from "../../src/platform/jobs/job.ts";
import { edgarPolicy } from "../../src/providers/edgar/index.ts";
import { requireOne } from "../arguments.ts";
import { progress, roughTime } from "../progress.ts";
import { type Session, withService } from "../session.ts";

/** Filings read in one run of the job: some ten minutes, well within its deadline. */
const READ_AT_ONCE = 5_000;

/** From this time on the command says what is faster. */
// A day has some 1,000 filings: two minutes. Three years have 600,000: 21 hours.
const LONG_MS = 1_800_000;

type Service = Session["service"];

interface OwnershipOptions {
  readonly date?: string;
  readonly since?: string;
  readonly read: boolean;
}

/**
 * Runs `work` under the job's lock. Throws what `work` threw, and RangeError where another process holds the
 * lock.
 */
async function asJob(service: Service, name: string, work: Job["run"]): Promise<void> {
  let failure: unknown = null;
  const { started, done } = service.jobs.runNow(name, (context) =>
    work(context).catch((error: unknown) => {
      failure = error;
      throw error;
    }),
  );
  if (!started) throw new RangeError(`${name} is already running; its filings will be stored when it ends.`);
  const row = await done;
  if (failure !== null) throw failure;
  if (row?.outcome !== "succeeded") throw new RangeError(row?.error ?? `${name} was stopped.`);
}

/** Indexes the days; returns a line for each day that is not indexed. */
async function indexDays(service: Service, days: readonly string[]): Promise<string[]> {
  const bar = progress(days.length, "days");
  const missing: string[] = [];
  try {
    await asJob(service, INGEST_JOB, async ({ signal }) => {
      const onDay = (date: string, filings: number | null, error: Error | null) => {
        if (error) missing.push(`${date}: ${error.message}`);
        else if (filings === null) missing.push(`${date}: its index is not published yet`);
        bar.step(date);
      };
      return { rows: await service.ownership.ingest.index(days, onDay, signal) };
    });
  } finally {
    bar.end();
  }
  return missing;
}

/** Reads pending filings; returns a line for each that cannot be read. */
async function readPending(service: Service, span: { from: string; to?: string }): Promise<string[]> {
  const { ingest } = service.ownership;
  const total = ingest.pendingCount(span);
  const paceMs = total * edgarPolicy.spacingMsMin;
  if (paceMs > LONG_MS)
    console.log(
      `${total} filings take ${roughTime(paceMs)} at the SEC's pace. Insiders' trades of whole quarters are stored in minutes from the SEC's data sets: stop here, and run \`bun run cli backfill insiders --bulk 2024q1_form345.zip\` first.`,
    );
  const bar = progress(total, "filings");
  const failed: string[] = [];
  try {
    for (let left = total; left > 0; ) {
      let read = 0;
      await asJob(service, ENRICHMENT_JOB, async ({ signal }) => {
        const onRead = ({ accession_number }: { accession_number: string }, error: string | null) => {
          if (error !== null) failed.push(`${accession_number}: ${error}`);
          bar.step(accession_number);
        };
        const counts = await ingest.read(READ_AT_ONCE, { signal, onRead }, span);
        if (counts.outage !== null) throw counts.outage;
        read = counts.read;
        return { rows: counts.rows };
      });
      left = read === 0 ? 0 : ingest.pendingCount(span);
    }
  } finally {
    bar.end();
  }
  return failed;
}

/** An unreadable filing is listed and does not fail the run: most of them predate the structured forms. */
async function ingestDays(service: Service, { date, since = "", read }: OwnershipOptions): Promise<boolean> {
  const { ingest } = service.ownership;
  const days = date === undefined ? ingest.missingSince(since) : [date];
  const missing = days.length === 0 ? [] : await indexDays(service, days);
  for (const line of missing) console.log(line);
  console.log(`${days.length - missing.length} of ${days.length} days are indexed.`);
  if (!read) return missing.length === 0;
  const span = date === undefined ? { from: since } : { from: date, to: date };
  const failed = await readPending(service, span);
  for (const line of failed) console.log(line);
  console.log(`${failed.length} filings cannot be read; ${ingest.pendingCount(span)} are pending.`);
  return missing.length === 0;
}

export async function run(options: OwnershipOptions): Promise<void> {
  requireOne(options.date, options.since, "Give --date YYYY-MM-DD or --since YYYY-MM-DD.");
  let isComplete = false;
  const isWhole = await withService(async ({ service }) => {
    isComplete = await ingestDays(service, options);
  });
  process.exitCode = isComplete && isWhole ? 0 : 1;
}
