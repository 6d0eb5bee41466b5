// What the lake does by itself behind its callers' backs: publishing, compacting, verifying. Failures are told, not thrown.

export interface BackgroundTasks {
  /** The manifest changed: the catalogue follows, at most once in `delayMs`, on a busy machine more rarely. */
  publishSoon(): void;
  /** Runs the compaction unless one runs. */
  compactSoon(): void;
  /** Lets what is under way end, publishes what is owed, starts nothing more. */
  finish(): Promise<void>;
}

export interface BackgroundTaskDeps {
  publish(): Promise<void>;
  compact(signal: AbortSignal): Promise<unknown>;
  /** Told of each failure; the caller logs it. */
  onError(what: string, error: unknown): void;
  delayMs: number;
}

/** Between two publications so many times what the last one took: it is work that nobody waits for. */
const PAUSE_RATIO = 3;

export function startBackgroundTasks({
  publish,
  compact,
  onError,
  delayMs,
}: BackgroundTaskDeps): BackgroundTasks {
  const ending = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let publishing: Promise<void> = Promise.resolve();
  let compacting: Promise<unknown> | undefined;
  let tookMs = 0;
  const publishTimed = async () => {
    const startedAt = performance.now();
    await publish().catch((error) => onError("publishing the catalogue", error));
    tookMs = performance.now() - startedAt;
  };
  const publishNow = () => {
    clearTimeout(timer);
    timer = undefined;
    publishing = publishing.then(publishTimed);
    return publishing;
  };
  return {
    publishSoon() {
      if (ending.signal.aborted) return;
      timer ??= setTimeout(publishNow, Math.max(delayMs, PAUSE_RATIO * tookMs));
    },
    compactSoon() {
      if (ending.signal.aborted) return;
      compacting ??= compact(ending.signal)
        .catch((error) => {
          if (!ending.signal.aborted) onError("compacting", error);
        })
        .finally(() => {
          compacting = undefined;
        });
    },
    async finish() {
      ending.abort(new Error("the lake is closing"));
      await compacting;
      if (timer) await publishNow();
      await publishing;
    },
  };
}
