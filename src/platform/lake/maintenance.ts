// The background work of an open lake: publishing and compacting after changes, and the verification after
// opening.

import { publishCatalogue } from "./catalogue.ts";
import { deltaMaintenance } from "./delta/delta-maintenance.ts";
import { type LakeOptions, retentionMsOf } from "./parts.ts";
import type { SeriesStore } from "./series/store.ts";
import { startBackgroundTasks } from "./write/background-tasks.ts";
import type { LakeParts } from "./write/commit.ts";
import { type Compacted, type CompactOptions, compactLake, needsCompaction } from "./write/compact.ts";
import { settleLosses } from "./write/losses.ts";
import { sweepRetired } from "./write/sweep.ts";

const PUBLISH_DELAY_MS = 1_000;

interface Maintenance {
  compact(options?: CompactOptions): Promise<Compacted[]>;
  publish(): Promise<void>;
  /** Ends the background work. */
  finish(): Promise<void>;
}

/** Starts the background work. `openingErrors` say why the lake cannot be written. */
export function startMaintenance(
  parts: LakeParts,
  options: LakeOptions,
  arrays: SeriesStore | null,
  openingErrors: readonly unknown[],
): Maintenance {
  const { compactAtDeltas, publishes = true, onError = () => undefined } = options;
  const compact = async (compactOptions: CompactOptions = {}) => {
    const merged = await compactLake(parts, compactOptions);
    await parts.lock.hold(() => sweepRetired(parts, retentionMsOf(options)));
    return merged;
  };
  const ending = new AbortController();
  const logs = deltaMaintenance(parts, () => retentionMsOf(options), onError);
  const publish = async () => {
    await publishCatalogue(parts, options.macros);
    await logs.maintain();
    await settleLosses(parts);
  };
  const backgroundTasks = startBackgroundTasks({
    publish,
    compact: (signal) => compact({ signal }),
    fill: async (signal) => arrays?.fill(signal),
    onError,
    delayMs: options.publishDelayMs ?? PUBLISH_DELAY_MS,
  });
  parts.changes.subscribe(() => {
    if (publishes) backgroundTasks.publishSoon();
    if (compactAtDeltas !== undefined && needsCompaction(parts, compactAtDeltas))
      backgroundTasks.compactSoon();
  });
  for (const error of openingErrors) onError("opening the lake for writing", error);
  if (publishes && openingErrors.length === 0) backgroundTasks.publishSoon();
  const started = options.clock.sleep(options.verifyDelayMs ?? 0, ending.signal).catch(() => undefined);
  const following = started.then(() => logs.reconcile(ending.signal));
  const verify = async () => {
    await started;
    if (!ending.signal.aborted) await parts.snapshots.inspect(ending.signal);
  };
  const verifying = options.verify
    ? verify().catch((error) => onError("verifying the lake", error))
    : undefined;
  return {
    compact,
    publish,
    async finish() {
      ending.abort();
      await Promise.all([verifying, following]);
      await backgroundTasks.finish();
    },
  };
}
