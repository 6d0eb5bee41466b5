// `bun run cli doctor`: opens every file of the lake, and reports broken files and bars that providers later
// corrected.
import { join } from "node:path";
import { forgetReads } from "../../src/composition/noted-reads.ts";
import type { Lake, LakeReport } from "../../src/platform/lake/lake.ts";
import { lakeRetention } from "../../src/platform/lake/write/retention.ts";
import { integrityProblem } from "../../src/platform/sqlite/integrity.ts";
import { withService } from "../session.ts";

interface RevisionCount {
  symbol: string;
  bars: number;
  first_date: string;
  last_date: string;
  largest_percent: number | null;
}

/** Symbols whose stored bars a provider later gave differently, those with the most bars first. */
const REVISIONS = `
  SELECT r.symbol, count(DISTINCT r.date) AS bars, min(r.date) AS first_date, max(r.date) AS last_date,
         max(abs(r.close / b.close - 1) * 100) AS largest_percent
  FROM bar_revisions(NULL) r JOIN bars(NULL) b ON b.symbol = r.symbol AND b.date = r.date
  GROUP BY r.symbol ORDER BY bars DESC, r.symbol LIMIT 50`;

function printRevisions(revisions: readonly RevisionCount[]): void {
  console.log(
    revisions.length === 0
      ? "No provider has corrected a stored bar."
      : "Stored bars that a provider later gave differently (the stored bars are served):",
  );
  for (const { symbol, bars, first_date, last_date, largest_percent } of revisions)
    console.log(
      `  ${symbol}: ${bars} bars, ${first_date} to ${last_date}, close by up to ${largest_percent?.toPrecision(3) ?? "?"} %`,
    );
}

/** Has lost rows read again, and says what is still missing of them. */
function printLosses(lost: LakeReport["lost"], forget: (datasets: string[]) => string[]): void {
  if (lost.length === 0) return;
  const left = forget([...new Set(lost.map(({ dataset }) => dataset))]);
  console.log("Rows are lost; the service reads them again after its next start. Run doctor again then:");
  for (const { dataset, path, rows } of lost)
    console.log(
      `  ${dataset}: ${rows} rows. To do without them: bun run cli doctor --waive ${path}${left.includes(dataset) ? " (only its job or command, or a backup, brings them back)" : ""}`,
    );
}

/** Says how many files have arrays; damaged ones are removed, since the service makes them again. */
async function printArrays(arrays: Lake["arrays"]): Promise<void> {
  if (arrays === null) return console.log("Arrays are off (SERIES).");
  const damaged = await arrays.check();
  const { files, bytes, missing } = await arrays.stats();
  console.log(`Arrays: ${files} files, ${bytes} bytes; ${missing} files of the lake have none yet.`);
  if (damaged > 0) console.log(`${damaged} files of arrays were damaged; they are made again.`);
}

interface DoctorOptions {
  readonly repair: boolean;
  /** Paths of lost files that are done without. */
  readonly waive?: readonly string[];
}

export async function run({ repair, waive = [] }: DoctorOptions): Promise<void> {
  await withService(
    async ({ stores: { lake, sqlite }, config }) => {
      const report = await lake.check({ repair, waived: waive });
      const damage = await integrityProblem(join(config.dataDir, "ops.sqlite"));
      if (damage !== null) console.log(`error: ops.sqlite: is damaged: ${damage}`);
      if (repair) printLosses(report.lost, (datasets) => forgetReads(sqlite, datasets));
      console.log(`${report.files} files, ${report.rows} rows, ${report.bytes} bytes opened and checked.`);
      for (const { severity, dataset, path, description, repaired } of report.findings)
        console.log(`${severity}: ${dataset} ${path}: ${description}${repaired ? ` (${repaired})` : ""}`);
      for (const { dataset, rows, files, first_date, last_date } of lake.stats())
        console.log(
          `${dataset}: ${rows} rows in ${files} files, ${first_date ?? "–"} to ${last_date ?? "–"}`,
        );
      await printArrays(lake.arrays);
      const hours = lakeRetention(config.lakeRetentionHours, config.dataDir)() / 3_600_000;
      console.log(`Replaced files and earlier versions of the Delta logs stay for ${hours} hours.`);
      printRevisions(await lake.query<RevisionCount>(REVISIONS));
      console.log(report.ok ? "The lake is sound." : "The lake has errors.");
      if (!report.ok || damage !== null) process.exitCode = 1;
    },
    { existing: true },
  );
}
