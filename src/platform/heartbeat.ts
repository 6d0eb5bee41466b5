// A sign of life that long work writes again and again. A write that fails is logged, and the next one is
// tried.
import type { Clock } from "./clock.ts";
import type { Log } from "./log.ts";

export interface HeartbeatDeps {
  readonly clock: Pick<Clock, "sleep">;
  readonly log: Pick<Log, "warn">;
}

/** Calls `beat` every `everyMs` until the signal aborts. Never rejects. */
export async function heartbeat(
  { clock, log }: HeartbeatDeps,
  { of, everyMs, signal }: { readonly of: string; readonly everyMs: number; readonly signal: AbortSignal },
  beat: () => void,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await clock.sleep(everyMs, signal);
    } catch {
      return;
    }
    try {
      beat();
    } catch (error) {
      log.warn("a heartbeat could not be written", { of, error });
    }
  }
}
