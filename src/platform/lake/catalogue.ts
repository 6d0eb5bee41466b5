// catalog.duckdb: views and macros for other programs, built in staging and renamed into place.

import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { type DuckDBConnection, DuckDBInstance, StatementType } from "@duckdb/node-api";
import { type Dataset, literal, type Macro, quoted, storedColumns } from "./dataset.ts";
import { inOneTransaction, type QueryOptions } from "./duckdb.ts";
import { type ColumnsResult, readColumns } from "./duckdb-read.ts";
import { createMacro, createView, metadataOf, selectFiles } from "./views.ts";
import { ensureStaging, type LakeParts } from "./write/commit.ts";

const CATALOGUE = "catalog.duckdb";
const BUILDING = "catalogue_building";

/** SQL comments that document a dataset; `SELECT comment FROM duckdb_columns()` shows them. */
function comments(dataset: Dataset): string[] {
  const { name, description } = dataset;
  const columnComments = Object.entries(storedColumns(dataset)).map(
    ([column, { description, unit }]) =>
      `COMMENT ON COLUMN ${quoted(name)}.${quoted(column)} IS ${literal(unit ? `${description} (${unit})` : description)}`,
  );
  return [`COMMENT ON VIEW ${quoted(name)} IS ${literal(description)}`, ...columnComments];
}

/** The SQL comment of a macro; `SELECT comment FROM duckdb_functions()` shows it. */
const macroComment = ({ name, kind, description }: Macro): string =>
  `COMMENT ON MACRO ${kind === "table" ? "TABLE " : ""}${quoted(name)} IS ${literal(description)}`;

/** The variable of a reader that names the data folder. */
const FOLDER_VARIABLE = "asof_data";

/** Between the paths of a list of files. */
const NEXT_PATH = "\n";

/**
 * The macro that gives the paths of files from their paths in the lake, when a query is planned. A relative
 * path would not do, because DuckDB resolves it against the reader's working directory. A view cannot ask
 * where its database is, but the preset of `temp_directory` is the path of the opened database with ".tmp" at
 * its end. A program that attaches the catalogue sets the variable instead; otherwise the folder is the one
 * of the publication. One call takes all files of a view: a call for each took most of the planning of a
 * query over ten files.
 */
function locator(lakeDir: string): string[] {
  const named = `nullif(getvariable('${FOLDER_VARIABLE}')::VARCHAR, '') || '/lake/'`;
  const temporary = "current_setting('temp_directory')";
  const ending = `${CATALOGUE}.tmp`;
  const beside = String.raw`CASE WHEN ends_with('/' || replace(${temporary}, '\', '/'), '/${ending}')
        THEN left(${temporary}, -${ending.length}) || 'lake/' END`;
  const folder = `coalesce(${named}, ${beside}, ${literal(`${lakeDir}/`)})`;
  const next = `chr(${NEXT_PATH.charCodeAt(0)})`;
  const description = `The paths of files of the lake, given as lines: in the data folder that the variable ${FOLDER_VARIABLE} names, else beside the opened catalogue, else where it was published.`;
  return [
    `CREATE OR REPLACE MACRO lake_files(paths) AS
      string_split(${folder} || replace(paths, ${next}, ${next} || ${folder}), ${next})`,
    `COMMENT ON MACRO lake_files IS ${literal(description)}`,
  ];
}

/**
 * Builds the catalogue of the newest manifest and renames it into place. It holds a lock of its own, so an
 * older catalogue never replaces a newer one, and writes do not wait for it. Its views find their files
 * through `lake_files`, so the data folder can be copied, moved and mounted elsewhere.
 */
export async function publishCatalogue(parts: LakeParts, macros: readonly Macro[]): Promise<void> {
  await ensureStaging(parts);
  await parts.publishing.hold(async () => {
    const { files, manifest } = await parts.snapshots.current();
    const staged = parts.staging.file("catalogue");
    const ddl = locator(parts.lakeDir);
    for (const dataset of parts.datasets.values()) {
      const own = files.filter((file) => file.dataset === dataset.name);
      const select = selectFiles(
        dataset,
        own,
        manifest.schemas[dataset.name] ?? [],
        (paths) => `lake_files(${literal(paths.join(NEXT_PATH))})`,
      );
      ddl.push(createView(dataset, select), ...comments(dataset));
    }
    const metadata = metadataOf(files);
    ddl.push(...macros.flatMap((macro) => [createMacro(macro, metadata), macroComment(macro)]));
    try {
      await parts.db.useToPublish(async (connection) => {
        await connection.run(`ATTACH ${literal(staged)} AS ${BUILDING}`);
        try {
          await connection.run(`USE ${BUILDING}`);
          await inOneTransaction(connection, ddl);
          await connection.run("CHECKPOINT");
        } finally {
          await connection.run("USE memory");
          await connection.run(`DETACH ${BUILDING}`);
        }
      });
      await parts.disk.sync(staged);
      await parts.disk.rename(staged, join(parts.dataDir, CATALOGUE));
      await parts.disk.sync(parts.dataDir);
    } finally {
      await parts.disk.remove(staged);
      await parts.disk.remove(`${staged}.wal`);
    }
  });
}

/** A published catalogue, open for queries. */
export interface Catalogue {
  /** Runs one SELECT; `cut` is true when there were more rows than `rowsMax`. */
  query(
    sql: string,
    options?: QueryOptions & { rowsMax?: number },
  ): Promise<ColumnsResult & { cut: boolean }>;
  close(): void;
}

const ROWS_MAX = 100_000;

/** Blanks and comments before a statement. */
const BEFORE = /^(?:\s|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)+/;
const READING =
  /^(?:\(|(?:select|with|from|values|table|describe|desc|show|summarize|pivot|unpivot|pragma)\b)/i;

/**
 * Whether a statement begins as a query does. Others are not even prepared: preparing EXPORT makes its
 * folder.
 */
const isReading = (sql: string) => READING.test(sql.replace(BEFORE, ""));

/**
 * Runs a single SELECT on a connection. Anything else is refused, because COPY could write even into a folder
 * that is allowed for reading.
 */
export async function readOne(
  connection: DuckDBConnection,
  sql: string,
  { signal, rowsMax = ROWS_MAX }: QueryOptions & { rowsMax?: number } = {},
): Promise<ColumnsResult & { cut: boolean }> {
  signal?.throwIfAborted();
  if (!isReading(sql)) throw new Error("only SELECT is allowed");
  const statements = await connection.extractStatements(sql);
  if (statements.count !== 1) throw new Error("one statement at a time");
  const statement = await statements.prepare(0);
  const interrupt = () => connection.interrupt();
  signal?.addEventListener("abort", interrupt, { once: true });
  try {
    if (statement.statementType !== StatementType.SELECT) throw new Error("only SELECT is allowed");
    return await readColumns(await statement.stream(), rowsMax);
  } catch (error) {
    throw signal?.aborted ? signal.reason : error;
  } finally {
    signal?.removeEventListener("abort", interrupt);
    statement.destroySync();
  }
}

/**
 * Opens the catalogue of `dataDir` read-only in a sandbox: it can read only the files of the lake and cannot
 * change settings.
 */
export async function openCatalogue(
  dataDir: string,
  limits: { memoryLimit?: string; threads?: number } = {},
): Promise<Catalogue> {
  // DuckDB compares real paths with the allowed folder, so the views' folder must be a real path too.
  const folder = await realpath(dataDir);
  const instance = await DuckDBInstance.create(join(folder, CATALOGUE), {
    access_mode: "READ_ONLY",
    memory_limit: limits.memoryLimit ?? "1GB",
    temp_directory: "",
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
    ...(limits.threads ? { threads: String(limits.threads) } : {}),
  });
  const connection = await instance.connect();
  await connection.run(
    `SET VARIABLE ${FOLDER_VARIABLE} = ${literal(folder)};
     SET GLOBAL TimeZone = 'UTC'; SET GLOBAL allowed_directories = [${literal(`${join(folder, "lake")}/`)}];
     SET GLOBAL enable_external_access = false; SET GLOBAL lock_configuration = true;`,
  );
  return {
    query: (sql, options) => readOne(connection, sql, options),
    close() {
      connection.disconnectSync();
      instance.closeSync();
    },
  };
}
