// Background work of the lake: publishing the catalogue and compacting. Failures go to `onError` and are not
// thrown.

import { systemTimers } from "../../clock.ts";

export interface BackgroundTasks {
  /**
   * Schedules a publication after the manifest changed: at most one per `delayMs`, fewer on a busy machine.
   */
  publishSoon(): void;
  /** Starts a compaction unless one is running. */
  compactSoon(): void;
  /** Aborts the compaction, runs a scheduled publication at once, and starts nothing more. */
  finish(): Promise<void>;
}

export interface BackgroundTaskDeps {
  publish(): Promise<void>;
  compact(signal: AbortSignal): Promise<unknown>;
  /** Makes the arrays of files that have none, after each publication. */
  fill(signal: AbortSignal): Promise<unknown>;
  /** Called with each failure, for the log. */
  onError(task: string, error: unknown): void;
  delayMs: number;
}

/**
 * The pause before the next publication, as a multiple of the time the last one took: no caller waits for it.
 */
const PAUSE_RATIO = 3;

export function startBackgroundTasks({
  publish,
  compact,
  fill,
  onError,
  delayMs,
}: BackgroundTaskDeps): BackgroundTasks {
  const ending = new AbortController();
  let cancelTimer: (() => void) | undefined;
  let publishing: Promise<void> = Promise.resolve();
  let compacting: Promise<unknown> | undefined;
  let filling: Promise<unknown> = Promise.resolve();
  let tookMs = 0;
  const report = (task: string) => (error: unknown) => {
    if (!ending.signal.aborted) onError(task, error);
  };
  const publishTimed = async () => {
    const startedAt = systemTimers.elapsedMs();
    await publish().catch((error) => onError("publishing the catalogue", error));
    tookMs = systemTimers.elapsedMs() - startedAt;
    filling = filling.then(() => fill(ending.signal)).catch(report("making arrays"));
  };
  const publishNow = () => {
    cancelTimer?.();
    cancelTimer = undefined;
    publishing = publishing.then(publishTimed);
    return publishing;
  };
  return {
    publishSoon() {
      if (ending.signal.aborted) return;
      cancelTimer ??= systemTimers.after(Math.max(delayMs, PAUSE_RATIO * tookMs), publishNow);
    },
    compactSoon() {
      if (ending.signal.aborted) return;
      compacting ??= compact(ending.signal)
        .catch(report("compacting"))
        .finally(() => {
          compacting = undefined;
        });
    },
    async finish() {
      ending.abort(new Error("the lake is closing"));
      await compacting;
      if (cancelTimer) await publishNow();
      await publishing;
      await filling;
    },
  };
}
