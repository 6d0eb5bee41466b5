// `bun run cli universe`: reads the exchanges' lists, and builds monthly snapshots. Stored months are not
// built again, so an interrupted build is simply started again.
import type { BuildProgress } from "../../src/capabilities/universe/build-ledger.ts";
import { EXCHANGES, TYPES } from "../../src/capabilities/universe/schema.ts";
import { wordsOf } from "../../src/market/params.ts";
import { readTickers } from "../arguments.ts";
import { type Progress, progress } from "../progress.ts";
import { withService } from "../session.ts";

interface DiscoverOptions {
  readonly marketCapMin?: number;
  readonly exchanges?: readonly string[];
  readonly excludeTypes?: readonly string[];
  readonly limit?: number;
}

interface SnapshotOptions {
  readonly start?: string;
  readonly end?: string;
  readonly tickers?: string;
  readonly force: boolean;
}

/** The names in lower case. Throws RangeError for one that is not among the known ones. */
function knownNames(option: string, given: readonly string[] | undefined, known: readonly string[]) {
  if (given === undefined) return undefined;
  const names = wordsOf(given);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined || names.length === 0)
    throw new RangeError(
      `--${option} holds "${unknown ?? ""}"; it must be a comma list of ${known.join(", ")}.`,
    );
  return names;
}

export async function discover(options: DiscoverOptions): Promise<void> {
  await withService(async ({ service }) => {
    const found = await service.universe.discover({
      market_cap_min: options.marketCapMin,
      exchanges: knownNames("exchanges", options.exchanges, EXCHANGES),
      exclude_types: knownNames("exclude-types", options.excludeTypes, TYPES),
      limit: options.limit,
    });
    for (const line of found.warnings) console.log(line);
    const { discovered, added, updated, renamed, delisted, skipped, errors } = found;
    console.log(
      `${discovered} securities in the lists: ${added} added, ${updated} updated (${renamed} renamed), ${delisted} delisted, ${skipped} skipped, ${errors} errors.`,
    );
    process.exitCode = errors > 0 ? 1 : 0;
  });
}

const UNITS: Readonly<Record<string, string>> = {
  prices: "symbols (prices)",
  figures: "companies (reports)",
  counts: "symbols (counts of shares)",
  snapshots: "months",
};

/** Shows each phase of a build as its own progress bar. */
function withProgressBars(failed: string[]): (build: BuildProgress) => BuildProgress {
  return (build) => {
    let bar: Progress | undefined;
    return {
      ...build,
      phase(phase, total) {
        bar?.end();
        bar = total > 0 ? progress(total, UNITS[phase] ?? phase) : undefined;
        build.phase(phase, total);
      },
      step() {
        bar?.step("");
        build.step();
      },
      month(rows) {
        bar?.step("");
        build.month(rows);
      },
      failed(ticker, error) {
        failed.push(`${ticker}: ${error}`);
        build.failed(ticker, error);
      },
    };
  };
}

export async function snapshots({ start, end, tickers, force }: SnapshotOptions): Promise<void> {
  const named = tickers === undefined ? undefined : await readTickers(tickers);
  await withService(async ({ service }) => {
    const failed: string[] = [];
    const { job_id, done } = service.universe.beginBuild(
      { start_month: start, end_month: end, tickers: named?.map(({ symbol }) => symbol), force },
      withProgressBars(failed),
    );
    await done;
    const build = service.universe.status(job_id);
    for (const line of failed) console.log(line);
    for (const line of JSON.parse(build.warnings) as string[]) console.log(line);
    console.log(
      `${build.months_done} of ${build.months} months are stored (${build.rows_written} new rows, ${build.errors} listings left out): ${build.status}.`,
    );
    if (build.error !== null) console.log(build.error);
    process.exitCode = build.status === "succeeded" && build.errors === 0 ? 0 : 1;
  });
}
