// What is stored of the daily files, and what is missing.
import { shortVolume } from "../../datasets/short-volume.ts";
import type { Lake } from "../../platform/lake/lake.ts";
import type { VolumeIngest } from "./ingest.ts";
import { ALL_FACILITIES, FIRST_FILE_DATE } from "./sources.ts";
import type { ShortVolumeStore } from "./store.ts";

export function shortVolumeStatus(needs: { lake: Lake; store: ShortVolumeStore; volume: VolumeIngest }) {
  const { lake, store, volume } = needs;
  // Counting the symbols reads all years: once for each state of the lake.
  let counted: { of: string; symbols: Promise<number> } | undefined;
  const symbolCount = () => {
    const stats = lake.stats().find(({ dataset }) => dataset === shortVolume.name);
    const of = `${stats?.rows ?? 0} ${stats?.last_known_at ?? ""}`;
    if (counted?.of !== of) {
      counted = { of, symbols: store.symbolCount(ALL_FACILITIES) };
      counted.symbols.catch(() => (counted = undefined));
    }
    return counted.symbols;
  };
  return async () => {
    const files = await store.files(ALL_FACILITIES);
    return {
      first_date: files[0]?.date ?? null,
      last_date: files.at(-1)?.date ?? null,
      files: files.length,
      rows: files.reduce((sum, file) => sum + file.rows, 0),
      symbols: await symbolCount(),
      missing_sessions: await volume.missing(ALL_FACILITIES),
      last_ingest_at: await store.lastIngestAt(),
      history_from: FIRST_FILE_DATE,
    };
  };
}
