// `bun run cli ingest shortvolume` and `shortinterest`: take FINRA's files in. What is stored is not asked again, so a
// broken run is simply started again.
import { defineCommand } from "citty";
import { FACILITIES, type Facility } from "../../src/capabilities/shortvolume/index.ts";
import { openStores } from "../../src/composition/context.ts";
import { composeService } from "../../src/composition/service.ts";
import { readConfig } from "../../src/config.ts";
import { newYorkDate } from "../../src/market/calendar.ts";
import { isDate } from "../../src/market/date.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { createLog } from "../../src/platform/log.ts";
import { progress } from "../progress.ts";

type Service = ReturnType<typeof composeService>;

/** The composed service for one act; Ctrl-C ends its jobs between two files. */
export async function withService(
  act: (service: Service, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const config = readConfig(process.env);
  const log = createLog({ level: "error", clock: systemClock, to: "stderr" });
  const stores = await openStores({ config, clock: systemClock, log });
  const service = composeService({ config, clock: systemClock, log, ...stores });
  const stopped = new AbortController();
  const stop = () => {
    stopped.abort(new Error("stopped"));
    void service.jobs.stop();
  };
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
  try {
    await act(service, stopped.signal);
  } finally {
    await service.stop();
    await stores.lake.close();
    stores.sqlite.close();
  }
  if (stopped.signal.aborted) console.log("Stopped: start the same command again to go on.");
}

const dateOf = (name: string, text: string | undefined): string | undefined => {
  if (text === undefined || isDate(text)) return text;
  throw new RangeError(`--${name} is "${text}"; it must be an existing day as YYYY-MM-DD`);
};

function daysOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new RangeError(`--days is "${text}"; it must be a whole number from 1 to 9999`);
}

function facilityOf(text: string): Facility {
  const facility = FACILITIES.find((each) => each === text.toUpperCase());
  if (facility) return facility;
  throw new RangeError(`--facility is "${text}"; it must be one of ${FACILITIES.join(", ")}`);
}

export const shortvolume = defineCommand({
  meta: { name: "shortvolume", description: "Daily short-sale volume, since 2018-08-01" },
  args: {
    start: { type: "string", description: "First trade date; needs --end or means up to today" },
    end: { type: "string", description: "Last trade date" },
    days: { type: "string", description: "Instead: so many of the newest sessions (default 5)" },
    facility: { type: "string", default: "CNMS", description: FACILITIES.join(", ") },
    force: { type: "boolean", default: false, description: "Fetch stored days again, to find corrections" },
  },
  async run({ args }) {
    const start_date = dateOf("start", args.start);
    const given = dateOf("end", args.end);
    const end_date = given ?? (start_date && newYorkDate(systemClock.now()));
    const ask = {
      start_date,
      end_date,
      days: daysOf(args.days),
      facility: facilityOf(args.facility),
      force: args.force,
    };
    await withService(async ({ shortVolumes }) => {
      let bar: ReturnType<typeof progress> | undefined;
      const { begun, done } = shortVolumes.ingest(ask, (_, date) => bar?.step(date));
      bar = progress(begun.total, "days");
      const state = await done;
      bar.end();
      for (const { date, error } of state.failed) console.log(`${date}: ${error}`);
      if (state.error) console.log(state.error);
      const rows = state.rows_inserted + state.rows_updated;
      console.log(
        `${state.ingested.length} of ${state.total} days were taken in, ${rows} rows; ${state.skipped.length} were skipped.`,
      );
      process.exitCode = state.failed.length > 0 || state.status !== "succeeded" ? 1 : 0;
    });
  },
});

export const shortinterest = defineCommand({
  meta: { name: "shortinterest", description: "Short interest, twice a month since June 2021" },
  args: {
    start: { type: "string", description: "First settlement date", default: "2021-06-01" },
    end: { type: "string", description: "Last settlement date; default: today" },
    force: { type: "boolean", default: false, description: "Fetch stored files again" },
  },
  async run({ args }) {
    const start = dateOf("start", args.start) ?? "";
    const end = dateOf("end", args.end) ?? newYorkDate(systemClock.now());
    await withService(async ({ shortVolumes }, signal) => {
      const failed: string[] = [];
      let files = 0;
      const onStep: Parameters<typeof shortVolumes.ingestInterest>[0]["onStep"] = (report) => {
        files = report.ingested.length;
        failed.splice(0, failed.length, ...report.failed.map(({ date, error }) => `${date}: ${error}`));
      };
      const run = await shortVolumes.ingestInterest({ start, end, force: args.force, signal, onStep });
      if (!run) throw new RangeError("An ingest of short interest is running already.");
      for (const line of failed) console.log(line);
      if (run.error) console.log(run.error);
      console.log(`${files} files were taken in, ${run.rows ?? 0} rows.`);
      process.exitCode = failed.length > 0 || run.outcome !== "succeeded" ? 1 : 0;
    });
  },
});
