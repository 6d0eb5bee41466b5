// `bun run cli index filings`: stores the index of filings, by ticker or by day. Stored days and lists are
// not fetched again, so an interrupted run is simply started again.
import { readTickers, requireOne } from "../arguments.ts";
import { progress } from "../progress.ts";
import { type Session, withService } from "../session.ts";

interface IndexOptions {
  readonly tickers?: string;
  readonly since?: string;
  readonly parse: boolean;
}

/** A progress bar that also collects a line for each failed step. */
function countedSteps(total: number, unit: string) {
  const bar = progress(total, unit);
  const failed: string[] = [];
  return {
    failed,
    end: () => bar.end(),
    onStep(what: string, error: Error | null) {
      if (error) failed.push(`${what}: ${error.message}`);
      bar.step(what);
    },
  };
}

async function byTicker({ service, signal }: Session, tickers: readonly string[]): Promise<string[]> {
  const steps = countedSteps(tickers.length, "tickers");
  try {
    await service.filings.ingest.tickers(tickers, steps.onStep, signal);
  } finally {
    steps.end();
  }
  const done = tickers.length - steps.failed.length;
  console.log(`The filings of ${done} of ${tickers.length} tickers are indexed.`);
  return steps.failed;
}

async function byDay({ service, signal }: Session, since: string): Promise<string[]> {
  const { ingest } = service.filings;
  const days = ingest.daysSince(since);
  const steps = countedSteps(days.length, "days");
  let filings = 0;
  try {
    filings = await ingest.days(days, steps.onStep, signal);
  } finally {
    steps.end();
  }
  console.log(`${filings} filings of ${days.length - steps.failed.length} days were read from the index.`);
  return steps.failed;
}

export async function run({ tickers, since, parse }: IndexOptions): Promise<void> {
  requireOne(tickers, since, "Give --tickers a,b or --tickers @file, or --since YYYY-MM-DD.");
  const listed = tickers === undefined ? [] : (await readTickers(tickers)).map(({ ticker }) => ticker);
  let failed: string[] = [];
  const isWhole = await withService(async (session) => {
    failed = since === undefined ? await byTicker(session, listed) : await byDay(session, since);
    for (const line of failed) console.log(line);
    if (parse) await session.service.filings.idle();
  });
  process.exitCode = failed.length > 0 || !isWhole ? 1 : 0;
}
