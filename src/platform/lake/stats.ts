// Statistics of each dataset, from the manifest alone.

import type { Dataset } from "./dataset.ts";
import type { LakeFile } from "./manifest.ts";
import { rangeOver } from "./views.ts";

export interface DatasetStats {
  dataset: string;
  rows: number;
  bytes: number;
  files: number;
  /**
   * First and last day of the partition column in UTC ("YYYY-MM-DD"); null without such a column or without
   * rows.
   */
  first_date: string | null;
  last_date: string | null;
  /** RFC 3339; null without rows. */
  last_known_at: string | null;
}

export function statsOf(dataset: Dataset, all: readonly LakeFile[]): DatasetStats {
  const files = all.filter((file) => file.dataset === dataset.name);
  const { partition } = dataset;
  const dates = partition.by === "none" ? null : rangeOver(files, dataset.name, partition.column);
  const known = rangeOver(files, dataset.name, "known_at");
  return {
    dataset: dataset.name,
    rows: files.reduce((sum, file) => sum + file.rows, 0),
    bytes: files.reduce((sum, file) => sum + file.bytes, 0),
    files: files.length,
    first_date: dates?.[0].slice(0, 10) ?? null,
    last_date: dates?.[1].slice(0, 10) ?? null,
    last_known_at: known?.[1].replace(".000Z", "Z") ?? null,
  };
}
