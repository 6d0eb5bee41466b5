// Which daily files are stored, and which are missing.
import { shortVolume } from "../../datasets/short-volume.ts";
import type { Lake } from "../../platform/lake/lake.ts";
import type { DueFiles } from "./due-files.ts";
import { ALL_FACILITIES, FIRST_FILE_DATE } from "./sources.ts";
import type { ShortVolumeStore } from "./store.ts";

interface StatusDeps {
  readonly lake: Lake;
  readonly store: ShortVolumeStore;
  readonly due: DueFiles;
}

export function shortVolumeStatus({ lake, store, due }: StatusDeps) {
  // Counting the symbols reads all years, so the count is cached until the data changes.
  let counted: { version: string; symbols: Promise<number> } | undefined;
  const symbolCount = () => {
    const stats = lake.stats().find(({ dataset }) => dataset === shortVolume.name);
    const version = `${stats?.rows ?? 0} ${stats?.last_known_at ?? ""}`;
    if (counted?.version !== version) {
      counted = { version, symbols: store.symbolCount(ALL_FACILITIES) };
      counted.symbols.catch(() => (counted = undefined));
    }
    return counted.symbols;
  };
  return async function answerStatus() {
    const files = await store.files(ALL_FACILITIES);
    return {
      first_date: files[0]?.date ?? null,
      last_date: files.at(-1)?.date ?? null,
      files: files.length,
      rows: files.reduce((sum, file) => sum + file.rows, 0),
      symbols: await symbolCount(),
      missing_sessions: await due.missing(ALL_FACILITIES),
      last_ingest_at: await store.lastIngestAt(),
      history_from: FIRST_FILE_DATE,
    };
  };
}
