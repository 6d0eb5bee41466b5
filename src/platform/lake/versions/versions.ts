// Reading the lake as it was at an earlier generation: replaced rows stay in history files, so a version is a
// filter.

import { type Dataset, literal, quoted, RECORDED, SUPERSEDED } from "../dataset.ts";
import { historySchemaOf, type LakeFile, type Schema } from "../manifest.ts";
import { canHold, DAY_VIEWS_MAX, type DaysRead, viewsOf } from "../read/day-views.ts";
import { madeSchemas } from "../read/made-schemas.ts";
import type { Snapshot } from "../snapshot.ts";
import { locateIn, selectFiles } from "../views.ts";
import type { LakeParts } from "../write/commit.ts";
import { versionMacros } from "./version-metadata.ts";

/** Schemas of versions that are kept, and as many of their clocks. */
const KEPT_MAX = 16;

const ALL = [0, 0] as const;
/** Whether a file can have rows of a version. */
export const beganBy = (version: number) => (file: LakeFile) => (file.recorded ?? ALL)[0] <= version;
const isWhole = (version: number) => (file: LakeFile) => (file.recorded ?? ALL)[1] <= version;
const endedAfter = (version: number) => (file: LakeFile) => (file.superseded ?? ALL)[1] > version;

/**
 * SELECT over the rows of a dataset that the commits up to `version` had recorded and none of them had
 * replaced. Files that begin later are not read, and only files that reach beyond it are filtered.
 */
export function selectVersion(
  dataset: Dataset,
  snapshot: Pick<Snapshot, "files" | "history" | "manifest">,
  version: number,
  lakeDir: string,
): string {
  const own = ({ dataset: name }: LakeFile) => name === dataset.name;
  const schemas = snapshot.manifest.schemas[dataset.name] ?? [];
  const select = (files: readonly LakeFile[], target?: Schema) =>
    selectFiles(dataset, files, schemas, locateIn(lakeDir), target);
  const current = snapshot.files.filter(own).filter(beganBy(version));
  const whole = current.filter(isWhole(version));
  const partly = current.filter((file) => !isWhole(version)(file));
  const replaced = snapshot.history.filter(own).filter(beganBy(version)).filter(endedAfter(version));
  const parts = [
    ...(whole.length > 0 ? [select(whole)] : []),
    ...(partly.length > 0 ? [`SELECT * FROM (${select(partly)}) WHERE ${RECORDED} <= ${version}`] : []),
    ...(replaced.length > 0
      ? [
          `SELECT * EXCLUDE (${SUPERSEDED}) FROM (${select(replaced, historySchemaOf(dataset))})
           WHERE ${RECORDED} <= ${version} AND ${SUPERSEDED} > ${version}`,
        ]
      : []),
  ];
  return parts.join(" UNION ALL ") || select([]);
}

/**
 * A version, the moment that `now()` gives while its rows are read (null for the real one), and the days that
 * are read of a dataset.
 */
export interface VersionRead {
  readonly version: number;
  readonly now: Temporal.Instant | null;
  readonly days?: DaysRead | undefined;
}

/** Leaves out the files that cannot hold the days; null where that leaves out none. */
function filesOfDays({ files, history, manifest }: Snapshot, days: DaysRead) {
  const isLeftOut = (file: LakeFile) => !canHold(file, days);
  if (!files.some(isLeftOut) && !history.some(isLeftOut)) return null;
  const kept = (some: readonly LakeFile[]) => some.filter((file) => !isLeftOut(file));
  return { files: kept(files), history: kept(history), manifest };
}

/**
 * Keeps the views of earlier versions, each in a schema of its own with those macros that depend on the
 * ranges of rows. The other macros are those of the main schema: DuckDB looks their tables, and `now()`, up
 * in the search path of the query.
 */
export function versionViews({
  db,
  datasets: byName,
  macros,
  lakeDir,
}: Pick<LakeParts, "db" | "datasets" | "macros" | "lakeDir">) {
  const datasets = [...byName.values()];
  const [schemas, clocks] = [madeSchemas(db, KEPT_MAX), madeSchemas(db, KEPT_MAX)];
  const ofDays = madeSchemas(db, DAY_VIEWS_MAX);
  /** The DDL of versions by snapshot, so that it is written once. */
  const written = new WeakMap<object, Map<number, string>>();
  const ddlOf = (snapshot: Snapshot, version: number): string => {
    const known = written.get(snapshot) ?? new Map<number, string>();
    written.set(snapshot, known);
    const sql =
      known.get(version) ??
      datasets
        .map(
          (dataset) =>
            `CREATE OR REPLACE VIEW ${quoted(`version_${version}`)}.${quoted(dataset.name)} AS ${selectVersion(dataset, snapshot, version, lakeDir)}`,
        )
        .join("; ");
    if (known.size >= KEPT_MAX) known.clear();
    known.set(version, sql);
    return sql;
  };
  /** Runs `read` with the search path in which the datasets have the files of the days alone. */
  const withDays = async <T>(
    snapshot: Snapshot,
    { version, days }: VersionRead,
    searchPath: string,
    read: (searchPath: string) => Promise<T>,
  ): Promise<T> => {
    const chosen = days && filesOfDays(snapshot, days);
    if (!days || !chosen) return read(searchPath);
    const views = viewsOf(days, (dataset) => selectVersion(dataset, chosen, version, lakeDir));
    const schema = `version_days_${Bun.hash(views("days")).toString(36)}`;
    return ofDays.keep(schema, async () => {
      await ofDays.ensure(schema, views(schema));
      return read(`${schema},${searchPath}`);
    });
  };
  return {
    /** Runs `read` with the search path under which tables and macros hold the rows of a version. */
    use<T>(snapshot: Snapshot, asked: VersionRead, read: (searchPath: string) => Promise<T>): Promise<T> {
      const { version, now } = asked;
      const schema = `version_${version}`;
      return schemas.keep(schema, async () => {
        const readRow = async (sql: string) => {
          const found = await db.read(sql, {}, { searchPath: `${schema},main` });
          return found.columns.map(([value]) => value);
        };
        await schemas.ensure(schema, ddlOf(snapshot, version), () =>
          versionMacros(schema, macros, readRow, snapshot.files),
        );
        if (now === null) return withDays(snapshot, asked, `${schema},main`, read);
        const clock = `clock_${now.epochMilliseconds}`;
        return clocks.keep(clock, async () => {
          const sql = `CREATE OR REPLACE MACRO ${quoted(clock)}.now() AS TIMESTAMPTZ ${literal(now.toString())}`;
          await clocks.ensure(clock, sql);
          return withDays(snapshot, asked, `${clock},${schema},main`, read);
        });
      });
    },
  };
}
