// Views over the files that can hold the days of a read. The engine opens every file of a view, also one that
// ends before the days begin; the manifest knows that without opening it.

import { type Dataset, quoted } from "../dataset.ts";
import type { LakeFile } from "../manifest.ts";
import type { Snapshot } from "../snapshot.ts";
import { locateIn, selectFiles } from "../views.ts";
import type { LakeParts } from "../write/commit.ts";
import { madeSchemas } from "./made-schemas.ts";

/**
 * The rows that a read uses of some datasets: those of some days. The read must leave out all others itself.
 */
export interface DaysRead {
  readonly datasets: readonly Dataset[];
  /** A column of type DATE, which each of the datasets has. */
  readonly column: string;
  readonly ranges: readonly { readonly start: string | null; readonly end: string }[];
  /** Only rows known by this instant, as it is stored. */
  readonly knownBy?: string;
  /** The beginning of the partitions of which it uses the rows of all days. */
  // Trades of some days, and the rows of all days that void them: role=strike/.
  readonly besides?: string;
}

/** The end of days that go on. */
export const NO_END = "9999-12-31";

/** Sets of files whose view is kept: the years of a lake, and spans of them. */
export const DAY_VIEWS_MAX = 64;

/** Whether a read of the days uses a file: it can have a row of them, or its range is not known. */
export function canHold(file: LakeFile, days: DaysRead): boolean {
  const { datasets, column, ranges, knownBy, besides } = days;
  if (!datasets.some(({ name }) => name === file.dataset)) return true;
  if (besides !== undefined && file.partition.startsWith(besides)) return true;
  const [known] = file.ranges.known_at ?? [];
  if (known !== undefined && knownBy !== undefined && known > knownBy) return false;
  const [first, last] = file.ranges[column] ?? [];
  if (first === undefined || last === undefined) return true;
  return ranges.some(({ start, end }) => (start === null || last >= start) && first <= end);
}

/** The DDL of the views of the datasets, from the SELECT of each and the schema that they are in. */
export function viewsOf({ datasets }: DaysRead, selectOf: (dataset: Dataset) => string) {
  const selects = datasets.map((dataset) => `${quoted(dataset.name)} AS ${selectOf(dataset)}`);
  return (schema: string) =>
    selects.map((select) => `CREATE OR REPLACE VIEW ${quoted(schema)}.${select}`).join("; ");
}

export function dayViews({ db, lakeDir }: Pick<LakeParts, "db" | "lakeDir">) {
  const schemas = madeSchemas(db, DAY_VIEWS_MAX);
  return {
    /**
     * Runs `read` with the search path under which the datasets have the files of the days; undefined where
     * these are all files.
     */
    use<T>(
      { files, manifest }: Snapshot,
      days: DaysRead,
      read: (searchPath: string | undefined) => Promise<T>,
    ): Promise<T> {
      const chosen = files.filter((file) => canHold(file, days));
      if (chosen.length === files.length) return read(undefined);
      const views = viewsOf(days, (dataset) => {
        const own = chosen.filter((file) => file.dataset === dataset.name);
        return selectFiles(dataset, own, manifest.schemas[dataset.name] ?? [], locateIn(lakeDir));
      });
      // Named by its content: a file never changes, and readers of two generations do not share a name.
      const schema = `days_${Bun.hash(views("days")).toString(36)}`;
      return schemas.keep(schema, async () => {
        await schemas.ensure(schema, views(schema));
        return read(`${schema},main`);
      });
    },
  };
}
