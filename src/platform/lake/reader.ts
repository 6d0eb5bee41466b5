// A reader of the lake in which the query of a client may run: views in memory, settings locked, nothing to
// write to.

import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { type Catalogue, readOne } from "./catalogue.ts";
import { type Dataset, literal, type Macro, quoted } from "./dataset.ts";
import { type Manifest, readManifest } from "./manifest.ts";
import { selectVersion } from "./versions/versions.ts";
import { createMacro, locateIn, metadataOf, selectFiles } from "./views.ts";

/** Holds every row of the version; the queries of a frozen reader cannot name it. */
const STORED = "stored";
/** Holds what a frozen reader may see. */
const FROZEN = "frozen";

export interface ReaderOptions {
  readonly datasets: readonly Dataset[];
  readonly macros: readonly Macro[];
  /** The generation to read; default: the newest. */
  readonly version?: number | undefined;
  /** The result of `now()`; default: the real time. */
  readonly now?: Temporal.Instant | undefined;
  /** SQL of the rows of a dataset that the reader may see, over the tables and macros of the whole lake. */
  readonly visible?: ((dataset: Dataset) => string) | undefined;
  /** Such as 1GB. */
  readonly memoryLimit: string;
  readonly threads: number;
  /** Paths of files that are left out, because they are damaged. */
  readonly without?: readonly string[] | undefined;
}

export interface Reader extends Catalogue {
  /** The generation whose rows are read. */
  readonly version: number;
  /**
   * The parsed query as DuckDB gives it; an object with `error` where it is not a SELECT that can be parsed.
   */
  parse(sql: string): Promise<unknown>;
}

/** The DDL of the views and macros: a text for each schema, two where the reader is frozen. */
function ddlOf(lakeDir: string, manifest: Manifest, options: ReaderOptions): string[] {
  const [files, history] = [
    manifest.files.filter(({ kind }) => kind !== "history"),
    manifest.files.filter(({ kind }) => kind === "history"),
  ];
  const selectOf = (dataset: Dataset) =>
    options.version === undefined
      ? selectFiles(
          dataset,
          files.filter((file) => file.dataset === dataset.name),
          manifest.schemas[dataset.name] ?? [],
          locateIn(lakeDir),
        )
      : selectVersion(dataset, { files, history, manifest }, options.version, lakeDir);
  const { now } = options;
  const macros = [
    ...(now === undefined ? [] : [`CREATE MACRO now() AS TIMESTAMPTZ ${literal(now.toString())}`]),
    ...options.macros.map((macro) => createMacro(macro, metadataOf(files))),
  ];
  const view = (schema: string, name: string, select: string) =>
    `CREATE VIEW ${schema}.${quoted(name)} AS ${select}`;
  const stored = options.datasets.map((dataset) => view(STORED, dataset.name, selectOf(dataset)));
  const { visible } = options;
  const whole = [`CREATE SCHEMA ${STORED}`, `SET search_path = '${STORED}'`, ...stored, ...macros];
  if (visible === undefined) return [whole.join("; ")];
  // A view looks its tables and macros up in its own schema: these are made where the whole lake is, and read
  // from the other.
  const inner = (name: string) => `visible ${name}`;
  const frozen = [
    ...options.datasets.map((dataset) => view(STORED, inner(dataset.name), visible(dataset))),
    `CREATE SCHEMA ${FROZEN}`,
    ...options.datasets.map(({ name }) => view(FROZEN, name, `FROM ${STORED}.${quoted(inner(name))}`)),
    `SET search_path = '${FROZEN}'`,
    ...macros,
  ];
  return [whole.join("; "), frozen.join("; ")];
}

/** The result as JSON, which needs no extension and reads no data. */
async function parsed(connection: DuckDBConnection, sql: string): Promise<unknown> {
  const found = await connection.runAndReadAll("SELECT json_serialize_sql($1::VARCHAR)", [sql]);
  return JSON.parse(String(found.getRows()[0]?.[0] ?? "null"));
}

/**
 * Opens the lake of `dataDir` for queries alone. It can read the files of the lake and none besides, and
 * cannot change settings. Throws where there is no manifest.
 */
export async function openReader(dataDir: string, options: ReaderOptions): Promise<Reader> {
  const lakeDir = join(await realpath(dataDir), "lake");
  const manifest = await readManifest(join(lakeDir, "manifest.json"));
  manifest.files = manifest.files.filter(({ path }) => !options.without?.includes(path));
  const texts = ddlOf(lakeDir, manifest, options);
  const instance = await DuckDBInstance.create(":memory:", {
    memory_limit: options.memoryLimit,
    threads: String(options.threads),
    temp_directory: "",
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
  });
  const connection = await instance.connect();
  await connection.run("SET GLOBAL TimeZone = 'UTC'");
  // The parser takes the named windows of a macro for its own until the end of a text, so no text has a macro
  // twice.
  for (const text of texts) await connection.run(text);
  await connection.run(
    `SET GLOBAL allowed_directories = [${literal(`${lakeDir}/`)}];
     SET GLOBAL enable_external_access = false; SET GLOBAL lock_configuration = true;`,
  );
  return {
    version: options.version ?? manifest.generation,
    parse: (sql) => parsed(connection, sql),
    query: (sql, given) => readOne(connection, sql, given),
    close() {
      connection.disconnectSync();
      instance.closeSync();
    },
  };
}
