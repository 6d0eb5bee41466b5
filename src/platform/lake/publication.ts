// One moment of the lake, in which manifest and Delta logs agree, as a copy for readers elsewhere.
import { link, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { DeltaProblem } from "./delta/delta.ts";
import { logFiles, logFolder } from "./delta/delta-log.ts";
import { storageUnavailable } from "./disk.ts";
import type { LakeFile, RetiredFile } from "./manifest.ts";
import type { LakeParts } from "./write/commit.ts";
import { listedRetired } from "./write/sweep.ts";

/** One file of a Delta log. */
export interface LogFile {
  readonly dataset: string;
  readonly name: string;
  /** Where its bytes lie until `discard`. */
  readonly from: string;
}

/**
 * One moment of the lake. Its log files are kept until `discard`; a data file goes once its retention is
 * over.
 */
export interface Publication {
  readonly lakeDir: string;
  readonly generation: number;
  /** The text of the manifest. */
  readonly manifest: string;
  readonly files: readonly LakeFile[];
  /** Replaced files, which earlier versions of the Delta logs name. */
  readonly replaced: readonly RetiredFile[];
  readonly logs: readonly LogFile[];
  /** The id of each Delta table, by dataset. */
  readonly tables: ReadonlyMap<string, string>;
  /** Entries of other programs, which the logs took back. */
  readonly problems: readonly DeltaProblem[];
  discard(): Promise<void>;
}

/**
 * Takes the present moment: brings the logs to the manifest and gives their files second names, under the
 * lake's lock.
 */
export async function takePublication(parts: LakeParts): Promise<Publication> {
  const { lock, snapshots, staging, disk, lakeDir, delta } = parts;
  return lock.hold(async () => {
    await staging.ensure();
    const { manifest } = await snapshots.current();
    const { problems, tables } = (await delta?.settle(manifest)) ?? { problems: [], tables: new Map() };
    const damaged = problems.find(({ isPast }) => !isPast);
    if (damaged)
      throw storageUnavailable(
        `${damaged.dataset}: ${damaged.description}. Run \`bun run cli doctor --repair\` first.`,
      );
    const kept = staging.file("publication");
    await disk.makeFolder(kept);
    const logs: LogFile[] = [];
    for (const dataset of parts.datasets.keys()) {
      const folder = logFolder(lakeDir, dataset);
      for (const name of await logFiles(folder)) {
        const from = join(kept, `${dataset}-${name}`);
        await link(join(folder, name), from);
        logs.push({ dataset, name, from });
      }
    }
    return {
      lakeDir,
      generation: manifest.generation,
      manifest: await readFile(parts.manifestPath, "utf8"),
      files: manifest.files,
      replaced: listedRetired(parts),
      logs,
      tables,
      problems,
      discard: () => disk.remove(kept),
    };
  });
}
