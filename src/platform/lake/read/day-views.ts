// Views over the files that can hold the days of a read. The engine opens every file of a view, also one that
// ends before the days begin; the manifest knows that without opening it.

import { type Dataset, quoted } from "../dataset.ts";
import type { LakeFile } from "../manifest.ts";
import type { Snapshot } from "../snapshot.ts";
import { locateIn, selectFiles } from "../views.ts";
import type { LakeParts } from "../write/commit.ts";
import { madeSchemas } from "./made-schemas.ts";

/** The rows that a read uses of a dataset: those of some days. The read must leave out all others itself. */
export interface DaysRead {
  readonly dataset: Dataset;
  /** A column of type DATE. */
  readonly column: string;
  readonly ranges: readonly { readonly start: string | null; readonly end: string }[];
}

/** Sets of files whose view is kept: the years of a lake, and spans of them. */
export const DAY_VIEWS_MAX = 64;

/** Whether a file can have a row of the days; one without a known range can. */
export function canHold(file: LakeFile, { column, ranges }: Pick<DaysRead, "column" | "ranges">): boolean {
  const [first, last] = file.ranges[column] ?? [];
  if (first === undefined || last === undefined) return true;
  return ranges.some(({ start, end }) => (start === null || last >= start) && first <= end);
}

export function dayViews({ db, lakeDir }: Pick<LakeParts, "db" | "lakeDir">) {
  const schemas = madeSchemas(db, DAY_VIEWS_MAX);
  return {
    /**
     * Runs `read` with the search path under which the dataset has the files of the days; undefined where
     * these are all files.
     */
    use<T>(
      { files, manifest }: Snapshot,
      days: DaysRead,
      read: (searchPath: string | undefined) => Promise<T>,
    ): Promise<T> {
      const { dataset } = days;
      const own = files.filter((file) => file.dataset === dataset.name);
      const chosen = own.filter((file) => canHold(file, days));
      if (chosen.length === own.length) return read(undefined);
      const select = selectFiles(dataset, chosen, manifest.schemas[dataset.name] ?? [], locateIn(lakeDir));
      // Named by its content: a file never changes, and readers of two generations do not share a name.
      const schema = `days_${Bun.hash(`${dataset.name} ${select}`).toString(36)}`;
      return schemas.keep(schema, async () => {
        await schemas.ensure(
          schema,
          `CREATE OR REPLACE VIEW ${quoted(schema)}.${quoted(dataset.name)} AS ${select}`,
        );
        return read(`${schema},main`);
      });
    },
  };
}
