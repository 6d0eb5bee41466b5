// Paces requests to each host: least time between two starts, first come first served, for the whole process.
import type { Clock } from "../clock.ts";

/** The turn would come later than the caller can wait. */
export class PacerTimeout extends Error {
  override readonly name = "PacerTimeout";
  constructor(readonly waitMs: number) {
    super(`the next turn is ${waitMs} ms away`);
  }
}

export interface Pacer {
  /**
   * Resolves when it is this caller's turn. Throws PacerTimeout as soon as it is clear that the turn comes
   * more than `waitMsMax` from now (default: the pacer's own); rejects with the signal's reason when the
   * caller aborts; its turn then passes to the next.
   */
  turn(key: string, signal?: AbortSignal, waitMsMax?: number): Promise<void>;
  /** Grants no turn for `key` for `ms` milliseconds. Never shortens an earlier hold. */
  holdUntil(key: string, ms: number): void;
  /** Callers waiting for a turn, over all keys. */
  waiting(): number;
}

interface Lane {
  lastMs: number;
  heldUntilMs: number;
  /** The longest hold so far; none lasts longer, even when the machine clock is set back. */
  heldForMs: number;
  /** Callers ahead of a newcomer. */
  queued: number;
  tail: Promise<void>;
}

/** Most lanes before idle ones are dropped. Hosts come from a fixed list, so this is only a guard. */
const LANES_MAX = 1_000;

/** Milliseconds until the lane grants the next turn. */
function untilFree(lane: Lane, spacingMsMin: number, nowMs: number): number {
  // A machine clock set back would put the last turn into the future and stop the lane for that long.
  lane.lastMs = Math.min(lane.lastMs, nowMs);
  lane.heldUntilMs = Math.min(lane.heldUntilMs, nowMs + lane.heldForMs);
  return Math.max(0, lane.lastMs + spacingMsMin - nowMs, lane.heldUntilMs - nowMs);
}

export function pacer(limits: { spacingMsMin: number; waitMsMax: number }, clock: Clock): Pacer {
  const { spacingMsMin } = limits;
  const lanes = new Map<string, Lane>();
  let waiting = 0;

  const laneOf = (key: string): Lane => {
    const found = lanes.get(key);
    if (found) return found;
    if (lanes.size >= LANES_MAX) for (const [name, lane] of lanes) if (lane.queued === 0) lanes.delete(name);
    const never = Number.NEGATIVE_INFINITY;
    const lane = { lastMs: never, heldUntilMs: never, heldForMs: 0, queued: 0, tail: Promise.resolve() };
    lanes.set(key, lane);
    return lane;
  };

  const takeTurn = async (lane: Lane, signal: AbortSignal | undefined, giveUpMs: number) => {
    for (;;) {
      signal?.throwIfAborted();
      const waitMs = untilFree(lane, spacingMsMin, clock.nowMs());
      if (waitMs === 0) break;
      // Computed again after each wait: a hold may have been added, and timers may fire early.
      if (clock.nowMs() + waitMs > giveUpMs) throw new PacerTimeout(waitMs);
      await clock.sleep(waitMs, signal);
    }
    lane.lastMs = clock.nowMs();
  };

  return {
    async turn(key, signal, waitMsMax = limits.waitMsMax) {
      signal?.throwIfAborted();
      const lane = laneOf(key);
      const expectedMs = untilFree(lane, spacingMsMin, clock.nowMs()) + lane.queued * spacingMsMin;
      if (expectedMs > waitMsMax) throw new PacerTimeout(expectedMs);
      const giveUpMs = clock.nowMs() + waitMsMax;
      const ahead = lane.tail;
      const mine = Promise.withResolvers<void>();
      lane.tail = mine.promise;
      lane.queued++;
      waiting++;
      try {
        await (signal ? raceAbort(ahead, signal) : ahead);
        await takeTurn(lane, signal, giveUpMs);
      } finally {
        lane.queued--;
        waiting--;
        // A caller that left the middle of the queue passes its turn on only after those ahead have had
        // theirs.
        ahead.then(mine.resolve);
      }
    },
    holdUntil(key, ms) {
      const lane = laneOf(key);
      lane.heldForMs = Math.max(lane.heldForMs, ms);
      lane.heldUntilMs = Math.max(lane.heldUntilMs, clock.nowMs() + ms);
    },
    waiting: () => waiting,
  };
}

/** `promise`, or a rejection with the signal's reason if that comes first. Removes its listener. */
function raceAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
