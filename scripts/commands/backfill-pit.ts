// `bun run cli backfill pit`: fills the panel's daily bars from the brokerage feed. It runs the same job as
// the admin route, under the same lock, and resumes where an interrupted run stopped.
import { progress } from "../progress.ts";
import { withService } from "../session.ts";

interface PanelOptions {
  readonly symbols?: readonly string[];
  readonly start?: string;
  readonly end?: string;
  readonly resume: boolean;
}

export async function run({ symbols, start, end, resume }: PanelOptions): Promise<void> {
  await withService(async ({ service }) => {
    const { backfill } = service.marketfeed;
    let bar: ReturnType<typeof progress> | undefined;
    const { accepted, done } = await backfill.begin(
      {
        ...(start === undefined ? {} : { start_date: start }),
        ...(end === undefined ? {} : { end_date: end }),
        ...(symbols === undefined ? {} : { symbols: [...symbols] }),
        resume,
      },
      (count) => {
        for (let n = 0; n < count; n++) bar?.step("");
      },
    );
    bar = progress(accepted.symbols, "symbols");
    await done;
    bar.end();
    const result = backfill.progress(accepted.job_id);
    for (const { symbol, error } of result.failed) console.log(`${symbol}: ${error}`);
    console.log(
      `${result.start_date} to ${result.end_date}: ${result.rows} bars of ${result.processed} of ${result.total} symbols were stored.`,
    );
    if (result.error)
      console.log(`The run ended early: ${result.error} Run the same command again to resume.`);
    process.exitCode = result.status === "succeeded" ? 0 : 1;
  });
}
