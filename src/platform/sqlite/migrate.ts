// Migrates a database: forward only, all pending steps in one transaction, never a newer database.
import type { Database } from "bun:sqlite";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { StorageUnavailable } from "../errors.ts";

/** The newest applied migration, and those not yet applied. */
export interface MigrationState {
  readonly current: string | null;
  readonly pending: readonly string[];
}

interface Migration {
  readonly tag: string;
  /** Timestamp by drizzle-kit, which gives the order. */
  readonly when: number;
  readonly statements: readonly string[];
  readonly hash: string;
}

interface Applied {
  readonly hash: string;
  readonly created_at: number;
}

const FOLDER = join(import.meta.dir, "migrations");

/** The committed migrations in the layout of drizzle-kit, oldest first. */
function readMigrations(folder: string): Migration[] {
  const journal: { entries: { tag: string; when: number }[] } = JSON.parse(
    readFileSync(join(folder, "meta", "_journal.json"), "utf8"),
  );
  return journal.entries.map(({ tag, when }) => {
    const text = readFileSync(join(folder, `${tag}.sql`), "utf8");
    const hash = new Bun.CryptoHasher("sha256").update(text).digest("hex");
    return { tag, when, hash, statements: text.split("--> statement-breakpoint") };
  });
}

function appliedIn(client: Database): Applied[] {
  // The table and columns of drizzle, so that its tools can read it.
  client.run(
    "CREATE TABLE IF NOT EXISTS __drizzle_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, hash text NOT NULL, created_at numeric)",
  );
  return client
    .query<Applied, []>("SELECT hash, created_at FROM __drizzle_migrations ORDER BY created_at")
    .all();
}

/** Throws StorageUnavailable when the database has a migration that is unknown here or differs. */
function checkKnown(known: readonly Migration[], applied: readonly Applied[]): void {
  for (const step of applied) {
    const ours = known.find((m) => m.when === step.created_at);
    if (ours?.hash === step.hash) continue;
    const newest = known.at(-1)?.tag ?? "none";
    throw new StorageUnavailable(
      "database_unavailable",
      ours
        ? `The database was made with another form of the migration ${ours.tag}; use the version of the service that made it`
        : `The database was written by a newer version of the service (this one knows migrations up to ${newest}); ` +
            "start the newer version, or point DATA_DIR to another folder",
    );
  }
}

/** Applies pending migrations of `folder`. Two processes that start together take turns. */
export function migrate(client: Database, folder = FOLDER): void {
  const known = readMigrations(folder);
  client
    .transaction(() => {
      const applied = appliedIn(client);
      checkKnown(known, applied);
      const done = new Set(applied.map((step) => step.created_at));
      for (const step of known) {
        if (done.has(step.when)) continue;
        for (const statement of step.statements) client.run(statement);
        client.run("INSERT INTO __drizzle_migrations (hash, created_at) VALUES (?, ?)", [
          step.hash,
          step.when,
        ]);
      }
    })
    .immediate();
}

/** State of a database compared with the migrations in `folder`. */
export function migrationState(client: Database, folder = FOLDER): MigrationState {
  const done = new Set(appliedIn(client).map((step) => step.created_at));
  const known = readMigrations(folder);
  return {
    current: known.findLast((m) => done.has(m.when))?.tag ?? null,
    pending: known.filter((m) => !done.has(m.when)).map((m) => m.tag),
  };
}
