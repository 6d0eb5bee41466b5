// `bun run cli index filings`: takes the index of filings in, by ticker or by day. What is stored is not asked again,
// so a broken run is simply started again.
import { readFile } from "node:fs/promises";
import { defineCommand } from "citty";
import { isDate } from "../../src/market/date.ts";
import { parseTickers } from "../../src/market/ticker.ts";
import { type FilingSession, withFilings } from "../filing-session.ts";
import { progress } from "../progress.ts";

async function tickersOf(raw: string): Promise<string[]> {
  const listed = raw.startsWith("@") ? (await readFile(raw.slice(1), "utf8")).split(/[\s,]+/).join(",") : raw;
  const { tickers, invalid } = parseTickers(listed);
  if (invalid.length > 0) throw new RangeError(`These are no tickers: ${invalid.slice(0, 10).join(" ")}`);
  if (tickers.length === 0) throw new RangeError("--tickers names no symbol.");
  return tickers.map((t) => t.ticker);
}

/** Steps with a bar; the lines of those that failed. */
function counted(total: number, unit: string) {
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

async function byTicker({ ingest, signal }: FilingSession, tickers: readonly string[]): Promise<string[]> {
  const steps = counted(tickers.length, "tickers");
  try {
    await ingest.tickers(tickers, steps.onStep, signal);
  } finally {
    steps.end();
  }
  console.log(
    `The filings of ${tickers.length - steps.failed.length} of ${tickers.length} tickers are indexed.`,
  );
  return steps.failed;
}

async function byDay({ ingest, signal }: FilingSession, since: string): Promise<string[]> {
  const days = ingest.daysSince(since);
  const steps = counted(days.length, "days");
  let filings = 0;
  try {
    filings = await ingest.days(days, steps.onStep, signal);
  } finally {
    steps.end();
  }
  console.log(`${filings} filings of ${days.length - steps.failed.length} days were looked at.`);
  return steps.failed;
}

const filings = defineCommand({
  meta: { name: "filings", description: "The index of filings, and the events of new current reports" },
  args: {
    tickers: { type: "string", description: "All filings of these: comma list, or @file with one a line" },
    since: { type: "string", description: "Instead: everybody's filings of each day from this one to today" },
    parse: {
      type: "boolean",
      default: true,
      description: "Read new current reports (8-K); --no-parse leaves them pending",
    },
  },
  async run({ args }) {
    const { tickers, since } = args;
    if ((tickers === undefined) === (since === undefined))
      throw new RangeError("Give --tickers a,b or --tickers @file, or --since YYYY-MM-DD.");
    if (since !== undefined && !isDate(since))
      throw new RangeError(`--since is "${since}"; it must be an existing day as YYYY-MM-DD`);
    const listed = tickers === undefined ? [] : await tickersOf(tickers);
    let failed: string[] = [];
    const isWhole = await withFilings(async (session) => {
      failed = since === undefined ? await byTicker(session, listed) : await byDay(session, since);
      for (const line of failed) console.log(line);
      if (args.parse) await session.idle();
    });
    process.exitCode = failed.length > 0 || !isWhole ? 1 : 0;
  },
});

export default defineCommand({
  meta: { name: "index", description: "Take indexes of the regulator in" },
  subCommands: { filings },
});
