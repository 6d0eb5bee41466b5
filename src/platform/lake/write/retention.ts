// How long replaced files of the lake stay for readers of older catalogues and versions.
import { statfsSync } from "node:fs";

/**
 * Replaced files stay this long even where the setting says 0: a query that began before may still read them.
 */
const LEAST_MS = 15 * 60_000;
const HOUR_MS = 3_600_000;
/** Hours while the disk has room, and while it has not. */
const ROOMY_HOURS = 168;
const TIGHT_HOURS = 24;
/** The disk has room while at least this part of it is free. */
const ROOMY_SHARE = 0.2;

/** The part of a folder's file system that is free, 0 to 1. */
function freeShare(folder: string): number {
  const { bavail, blocks } = statfsSync(folder);
  return blocks > 0 ? bavail / blocks : 0;
}

/**
 * The retention in ms, asked for at each removal: the hours of the setting, or for null as long as the disk
 * allows.
 */
export function lakeRetention(
  hours: number | null,
  folder: string,
  share: (folder: string) => number = freeShare,
): () => number {
  if (hours !== null) return () => Math.max(LEAST_MS, hours * HOUR_MS);
  return () => {
    try {
      return (share(folder) >= ROOMY_SHARE ? ROOMY_HOURS : TIGHT_HOURS) * HOUR_MS;
    } catch {
      // Some file systems do not say how full they are.
      return TIGHT_HOURS * HOUR_MS;
    }
  };
}
