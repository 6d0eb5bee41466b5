// `bun run cli store fork`: begins another line of history; the server may run.
import type { Line } from "../../src/platform/lake/lake.ts";
import { withService } from "../session.ts";

/** Says which line a store is now, and which versions of the line before it are lost. */
export function lineWords(lines: readonly Line[]): string {
  const [before, now] = lines.slice(-2);
  return `From version ${now?.from} on this store is the line ${now?.id}. It has the versions of ${before?.id} up to ${before?.to}: \
later ones, their names and cursors of /changes beyond it are lost, and answer 410 other_lineage.`;
}

export async function fork(): Promise<void> {
  await withService(async ({ stores: { lake } }) => console.log(lineWords(await lake.fork())), {
    existing: true,
  });
}
