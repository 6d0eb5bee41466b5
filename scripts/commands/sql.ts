// `bun run cli sql "…"`: runs one query on the lake in a process of its own, as the route does.
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { queryRunner } from "../../src/capabilities/sql/index.ts";
import { readConfig } from "../../src/config.ts";
import { SQL_ROWS_MAX } from "../../src/limits.ts";
import { asOfInstant } from "../../src/market/known-at.ts";
import type { Replay } from "../../src/platform/reading.ts";
import { replayAt } from "../../src/server/replay.ts";
import { type Session, withService } from "../session.ts";

const text = (value: unknown) => (value === null ? "" : String(value));

function table(names: readonly string[], rows: readonly unknown[][]): string {
  const widths = names.map((n, i) => Math.max(n.length, ...rows.map((r) => text(r[i]).length)));
  const line = (cells: string[]) =>
    cells
      .map((c, i) => c.padEnd(widths[i] ?? 0))
      .join("  ")
      .trimEnd();
  return `${[line([...names]), line(widths.map((w) => "-".repeat(w))), ...rows.map((r) => line(r.map(text)))].join("\n")}\n`;
}

const csvCell = (value: unknown) =>
  /[",\r\n]/.test(text(value)) ? `"${text(value).replaceAll('"', '""')}"` : text(value);

const csv = (names: readonly string[], rows: readonly unknown[][]) =>
  `${[names.join(","), ...rows.map((r) => r.map(csvCell).join(","))].join("\n")}\n`;

const ndjson = (names: readonly string[], rows: readonly unknown[][]) =>
  rows.map((r) => `${JSON.stringify(Object.fromEntries(names.map((n, i) => [n, r[i]])))}\n`).join("");

const WRITERS = { table, csv, ndjson };

export interface SqlOptions {
  readonly format: keyof typeof WRITERS;
  /** Only what the world knew then. */
  readonly asOf?: string;
  /** The number or the name of the version that is read; left out, the newest. */
  readonly dataVersion?: string;
  /** Seconds. */
  readonly timeout: number;
}

/** The version that is read, and what counts as now in it. */
async function replayOf(dataVersion: string, asOf: string | undefined): Promise<Replay | null> {
  let replay: Replay | null = null;
  const find = async ({ service: { versionNames }, stores: { lake } }: Session) => {
    const store = { ...lake, generationOf: versionNames.generationOf };
    replay = await replayAt(dataVersion, { as_of: asOf }, store);
  };
  await withService(find, { existing: true });
  return replay;
}

export async function run(query: string, { format, asOf, dataVersion, timeout }: SqlOptions): Promise<void> {
  const { dataDir, extraClosures } = readConfig(process.env);
  const folder = resolve(dataDir);
  if (!existsSync(join(folder, "lake", "manifest.json")))
    throw new RangeError(`${folder} has no lake yet; it appears with the first start of the service.`);
  const { version = null, now = null } = (dataVersion && (await replayOf(dataVersion, asOf))) || {};
  const runQuery = queryRunner({ dataDir: folder, extraClosures, timeMaxMs: timeout * 1_000 });
  const result = await runQuery({
    sql: query,
    asOf: asOfInstant(asOf),
    version,
    now,
    rowsMax: SQL_ROWS_MAX,
  }).catch((error: Error) => {
    throw new RangeError(error.message.trim());
  });
  const rows = Array.from({ length: result.rows }, (_, row) =>
    result.columns.map((column) => column[row] ?? null),
  );
  process.stdout.write(WRITERS[format](result.names, rows));
  if (result.cut) process.stderr.write(`Only the first ${result.rows} rows are shown.\n`);
}
