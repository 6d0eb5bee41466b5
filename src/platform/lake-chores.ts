// What the lake does by itself behind its callers' backs: publishing, compacting, verifying. Failures are told, not thrown.

export interface Chores {
  /** The manifest changed: the catalogue follows, at most once in `delayMs`. */
  publishSoon(): void;
  /** Runs the compaction unless one runs. */
  compactSoon(): void;
  /** Lets what is under way end, publishes what is owed, starts nothing more. */
  finish(): Promise<void>;
}

export interface ChoreNeeds {
  publish(): Promise<void>;
  compact(signal: AbortSignal): Promise<unknown>;
  /** Told of each failure; the caller logs it. */
  onFault(what: string, error: unknown): void;
  delayMs: number;
}

export function openChores({ publish, compact, onFault, delayMs }: ChoreNeeds): Chores {
  const ending = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let publishing: Promise<void> = Promise.resolve();
  let compacting: Promise<unknown> | undefined;
  const publishNow = () => {
    clearTimeout(timer);
    timer = undefined;
    publishing = publishing.then(publish).catch((error) => onFault("publishing the catalogue", error));
    return publishing;
  };
  return {
    publishSoon() {
      if (ending.signal.aborted) return;
      timer ??= setTimeout(publishNow, delayMs);
    },
    compactSoon() {
      if (ending.signal.aborted) return;
      compacting ??= compact(ending.signal)
        .catch((error) => {
          if (!ending.signal.aborted) onFault("compacting", error);
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
