// Background work on the Delta logs: what an earlier process or a failed write left behind, checkpoints, and
// old entries.

import type { Dataset } from "../dataset.ts";
import type { LakeLock } from "../lock.ts";
import type { Snapshots } from "../snapshot.ts";
import type { Staging } from "../staging.ts";
import type { DeltaLogs } from "./delta.ts";

/** The parts of the lake that the logs are kept with. */
interface LogParts {
  readonly delta: DeltaLogs | null;
  readonly lock: LakeLock;
  readonly staging: Staging;
  readonly snapshots: Snapshots;
  readonly datasets: ReadonlyMap<string, Dataset>;
}

export interface DeltaMaintenance {
  /** Brings each log to the manifest, one at a time, so that writers wait for one at most. */
  reconcile(signal: AbortSignal): Promise<void>;
  /** Repeats failed entries, writes due checkpoints and deletes old entries. */
  maintain(): Promise<void>;
}

/** Neither throws: the service does not need the logs. Problems go to `onError`. */
export function deltaMaintenance(
  parts: LogParts,
  retentionMs: () => number,
  onError: (task: string, error: unknown) => void,
): DeltaMaintenance {
  const { delta, lock, snapshots, datasets } = parts;
  const report = (dataset: string, error: unknown) => onError(`the Delta log of ${dataset}`, error);
  const reconcileOne = async (dataset: string) => {
    try {
      const problems = await lock.hold(async () => {
        await parts.staging.ensure();
        return delta?.reconcile((await snapshots.current()).manifest, dataset);
      });
      for (const { description } of problems ?? []) report(dataset, new Error(description));
    } catch (error) {
      report(dataset, error);
    }
  };
  return {
    async reconcile(signal) {
      if (!delta) return;
      for (const dataset of datasets.keys()) if (!signal.aborted) await reconcileOne(dataset);
    },
    async maintain() {
      if (!delta) return;
      for (const { dataset, description } of delta.takeNoticed()) report(dataset, new Error(description));
      for (const [dataset, error] of [...delta.failed()]) {
        report(dataset, error);
        await reconcileOne(dataset);
      }
      await lock.hold(() => delta.maintain(retentionMs())).catch((error) => report("each dataset", error));
    },
  };
}
