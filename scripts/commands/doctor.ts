// `bun run cli doctor`: opens every file of the lake and says what is wrong, and what providers say differently by now.
import { defineCommand } from "citty";
import { openStores } from "../../src/composition/context.ts";
import { readConfig } from "../../src/config.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { createLog } from "../../src/platform/log.ts";
import { requireKept } from "../kept.ts";

interface RevisionCount {
  symbol: string;
  bars: number;
  first_date: string;
  last_date: string;
  largest_percent: number | null;
}

/** Symbols whose stored bars a provider later gave differently, the most first. */
const REVISIONS = `
  SELECT r.symbol, count(DISTINCT r.date) AS bars, min(r.date) AS first_date, max(r.date) AS last_date,
         max(abs(r.close / b.close - 1) * 100) AS largest_percent
  FROM bar_revisions(NULL) r JOIN bars(NULL) b ON b.symbol = r.symbol AND b.date = r.date
  GROUP BY r.symbol ORDER BY bars DESC, r.symbol LIMIT 50`;

export default defineCommand({
  meta: { name: "doctor", description: "Check every file of the lake and report on data quality" },
  args: { repair: { type: "boolean", default: false, description: "Set broken files aside" } },
  async run({ args }) {
    const config = readConfig(process.env);
    requireKept(config.dataDir);
    const { lake, sqlite } = await openStores({
      config,
      clock: systemClock,
      log: createLog({ level: "warn", clock: systemClock, to: "stderr" }),
    });
    const report = await lake.check({ repair: args.repair });
    console.log(`${report.files} files, ${report.rows} rows, ${report.bytes} bytes opened and checked.`);
    for (const f of report.findings)
      console.log(
        `${f.severity}: ${f.dataset} ${f.path}: ${f.description}${f.repaired ? ` (${f.repaired})` : ""}`,
      );
    for (const s of lake.stats())
      console.log(
        `${s.dataset}: ${s.rows} rows in ${s.files} files, ${s.first_date ?? "–"} to ${s.last_date ?? "–"}`,
      );
    const revisions = await lake.query<RevisionCount>(REVISIONS);
    console.log(
      revisions.length === 0
        ? "No stored bar was later given differently."
        : "Stored bars that a provider later gave differently (the stored ones are served):",
    );
    for (const r of revisions)
      console.log(
        `  ${r.symbol}: ${r.bars} bars, ${r.first_date} to ${r.last_date}, close by up to ${r.largest_percent?.toPrecision(3) ?? "?"} %`,
      );
    console.log(report.ok ? "The lake is sound." : "The lake has errors.");
    await lake.close();
    sqlite.close();
    if (!report.ok) process.exit(1);
  },
});
