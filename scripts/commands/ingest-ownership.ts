// `bun run cli ingest ownership`: takes everybody's insider and 13D/G filings in by day, under the locks of the jobs that
// do so. What is in is not asked again, so a broken run is simply started again.
import { defineCommand } from "citty";
import { ENRICHMENT_JOB, INGEST_JOB } from "../../src/capabilities/ownership/index.ts";
import { openStores } from "../../src/composition/context.ts";
import { composeService } from "../../src/composition/service.ts";
import { readConfig } from "../../src/config.ts";
import { isDate } from "../../src/market/date.ts";
import { systemClock } from "../../src/platform/clock.ts";
import type { Job } from "../../src/platform/jobs/jobs.ts";
import { createLog } from "../../src/platform/log.ts";
import { progress } from "../progress.ts";

/** Filings read in one run of the job: some ten minutes, well within its deadline. */
const READ_AT_ONCE = 5_000;

type Service = ReturnType<typeof composeService>;

/** Another process does the same work now. */
class Elsewhere extends RangeError {}

/** Runs `work` as the job, and throws what it threw. */
async function asJob(service: Service, name: string, work: Job["run"]): Promise<void> {
  let fault: unknown = null;
  const { started, done } = service.jobs.runNow(name, (context) =>
    work(context).catch((error: unknown) => {
      fault = error;
      throw error;
    }),
  );
  if (!started) throw new Elsewhere(`${name} is running already: its filings will be there when it is done.`);
  const row = await done;
  if (fault !== null) throw fault;
  if (row?.outcome !== "succeeded") throw new RangeError(row?.error ?? `${name} was ended`);
}

async function indexDays(service: Service, days: readonly string[]): Promise<string[]> {
  const bar = progress(days.length, "days");
  const told: string[] = [];
  try {
    await asJob(service, INGEST_JOB, async ({ signal }) => {
      const onDay = (date: string, filings: number | null, error: Error | null) => {
        if (error) told.push(`${date}: ${error.message}`);
        else if (filings === null) told.push(`${date}: its index is not out`);
        bar.step(date);
      };
      return { rows: await service.ownership.ingest.index(days, onDay, signal) };
    });
  } finally {
    bar.end();
  }
  return told;
}

async function readPending(service: Service, span: { from: string; to?: string }): Promise<string[]> {
  const { ingest } = service.ownership;
  const total = ingest.pendingCount(span);
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

/** A filing that cannot be read is told and no failure of the run: most are older than the forms' data. */
async function run(
  service: Service,
  args: { date?: string; since?: string; read: boolean },
): Promise<boolean> {
  const { date, since } = args;
  const days = date === undefined ? service.ownership.ingest.missingSince(since ?? "") : [date];
  const told = days.length === 0 ? [] : await indexDays(service, days);
  for (const line of told) console.log(line);
  console.log(`${days.length - told.length} of ${days.length} days are indexed.`);
  if (!args.read) return told.length === 0;
  const span = date === undefined ? { from: since ?? "" } : { from: date, to: date };
  const failed = await readPending(service, span);
  for (const line of failed) console.log(line);
  console.log(
    `${failed.length} filings cannot be read; ${service.ownership.ingest.pendingCount(span)} are pending.`,
  );
  return told.length === 0;
}

export default defineCommand({
  meta: { name: "ownership", description: "Everybody's Forms 3, 4, 5 and Schedules 13D, 13G, by day" },
  args: {
    date: { type: "string", description: "One day, YYYY-MM-DD, again where it is in" },
    since: { type: "string", description: "Instead: every day from this one to today that is not in" },
    read: {
      type: "boolean",
      default: true,
      description: "Read the filings (some eight a second); --no-read leaves them to the job",
    },
  },
  async run({ args }) {
    const { date, since } = args;
    if ((date === undefined) === (since === undefined))
      throw new RangeError("Give --date YYYY-MM-DD or --since YYYY-MM-DD.");
    for (const [name, value] of Object.entries({ date, since }))
      if (value !== undefined && !isDate(value))
        throw new RangeError(`--${name} is "${value}"; it must be an existing day as YYYY-MM-DD`);
    const config = readConfig(process.env);
    const log = createLog({ level: "error", clock: systemClock, to: "stderr" });
    const stores = await openStores({ config, clock: systemClock, log });
    const service = composeService({ config, clock: systemClock, log, ...stores });
    let isStopped = false;
    const stop = () => {
      isStopped = true;
      void service.jobs.stop();
    };
    process.once("SIGINT", stop);
    process.once("SIGTERM", stop);
    try {
      const isWhole = await run(service, {
        read: args.read,
        ...(date === undefined ? {} : { date }),
        ...(since === undefined ? {} : { since }),
      });
      process.exitCode = isWhole ? 0 : 1;
    } catch (error) {
      if (!isStopped) throw error;
      console.log("Stopped: start the same command again to go on.");
      process.exitCode = 1;
    } finally {
      await service.stop();
      await stores.lake.close();
      stores.sqlite.close();
    }
  },
});
