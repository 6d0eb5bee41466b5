// catalog.duckdb: the views and macros for people and other programs, built beside and renamed into place.

import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { type DuckDBConnection, DuckDBInstance, StatementType } from "@duckdb/node-api";
import { type LakeParts, readyStaging } from "./commit.ts";
import { type Dataset, literal, type Macro, quoted } from "./dataset.ts";
import type { QueryOptions } from "./duckdb.ts";
import { type ColumnsResult, readColumns } from "./duckdb-read.ts";
import { createMacro, createView, factsOf, selectFiles } from "./views.ts";

const CATALOGUE = "catalog.duckdb";
const BUILDING = "catalogue_building";

/** The documentation of a dataset as DuckDB keeps it; `SELECT comment FROM duckdb_columns()` shows it. */
function comments({ name, description, columns }: Dataset): string[] {
  const ofColumns = Object.entries(columns).map(
    ([column, { description, unit }]) =>
      `COMMENT ON COLUMN ${quoted(name)}.${quoted(column)} IS ${literal(unit ? `${description} (${unit})` : description)}`,
  );
  return [`COMMENT ON VIEW ${quoted(name)} IS ${literal(description)}`, ...ofColumns];
}

/** Hundreds of small statements: each on its own is a call and a commit, which cost more than what it does. */
async function inOneGo(connection: DuckDBConnection, statements: readonly string[]): Promise<void> {
  await connection.run("BEGIN");
  try {
    await connection.run(statements.join(";\n"));
    await connection.run("COMMIT");
  } catch (error) {
    await connection.run("ROLLBACK").catch(() => {});
    throw error;
  }
}

/**
 * Builds the catalogue of the newest manifest and renames it into place, under a lock of its own: an older catalogue
 * never takes the place of a newer one, and nobody waits with writing while it is built. Its views name files by absolute path
 * (DuckDB resolves a relative one against the reader's folder, not the catalogue's), so after the data folder was
 * moved it holds again once a process has opened the lake there.
 */
export async function publishCatalogue(parts: LakeParts, macros: readonly Macro[]): Promise<void> {
  await readyStaging(parts);
  await parts.publishing.hold(async () => {
    const { files, manifest } = await parts.snapshots.current();
    const staged = parts.staging.file("catalogue");
    const ddl = [...parts.datasets.values()].flatMap((dataset) => {
      const own = files.filter((file) => file.dataset === dataset.name);
      const select = selectFiles(dataset, own, manifest.schemas[dataset.name] ?? [], parts.lakeDir);
      return [createView(dataset, select), ...comments(dataset)];
    });
    ddl.push(...macros.map((macro) => createMacro(macro, factsOf(files))));
    try {
      await parts.db.use(async (connection) => {
        await connection.run(`ATTACH ${literal(staged)} AS ${BUILDING}`);
        try {
          await connection.run(`USE ${BUILDING}`);
          await inOneGo(connection, ddl);
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

/** A published catalogue, open for one person's questions. */
export interface Catalogue {
  /** One SELECT; `cut` when there were more rows than asked for. */
  query(
    sql: string,
    options?: QueryOptions & { rowsMax?: number },
  ): Promise<ColumnsResult & { cut: boolean }>;
  close(): void;
}

const ROWS_MAX = 100_000;

/**
 * Opens dataDir's catalogue read-only, shut in: nothing but the lake's own files can be read, no setting changed, and
 * anything but a single SELECT is refused (a COPY could write even into a folder that may only be read from).
 */
export async function openCatalogue(
  dataDir: string,
  limits: { memoryLimit?: string; threads?: number } = {},
): Promise<Catalogue> {
  // Views name files by their real path, and only what lies below it may be read.
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
    `SET GLOBAL TimeZone = 'UTC'; SET GLOBAL allowed_directories = [${literal(`${join(folder, "lake")}/`)}];
     SET GLOBAL enable_external_access = false; SET GLOBAL lock_configuration = true;`,
  );
  return {
    async query(sql, { signal, rowsMax = ROWS_MAX } = {}) {
      signal?.throwIfAborted();
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
    },
    close() {
      connection.disconnectSync();
      instance.closeSync();
    },
  };
}
