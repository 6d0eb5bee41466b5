// Bounds the work under way at once. Waiters queue fairly: one of each fairness key in turn, and none waits
// forever.
import type { Clock } from "../clock.ts";
import { fairnessKey } from "./fairness.ts";

/** No slot came free in time, or too many callers wait already. Callers turn it into their own error. */
export class SemaphoreTimeout extends Error {
  override readonly name = "GateTimeout";
}

export interface SemaphoreLimits {
  /** Most pieces of work under way at once. */
  readonly slots: number;
  /** Longest wait for a slot, in milliseconds. */
  readonly waitMsMax: number;
  /** Most waiters; the next one is refused at once. Default: unbounded. */
  readonly waitersMax?: number;
}

export interface Semaphore {
  /**
   * Runs `work` in a slot. Throws GateTimeout when none came free; rejects with the signal's reason when the
   * caller goes while waiting. The slot is given back however the work ends.
   */
  run<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T>;
  active(): number;
  waiting(): number;
}

export function createSemaphore(limits: SemaphoreLimits, clock: Clock): Semaphore {
  let active = 0;
  const queue = fairQueue();

  const wait = (signal: AbortSignal | undefined) =>
    new Promise<void>((resolve, reject) => {
      const timer = new AbortController();
      const leave = (error: unknown) => {
        queue.leave(enter);
        signal?.removeEventListener("abort", onAbort);
        timer.abort();
        reject(error);
      };
      const onAbort = () => leave(signal?.reason);
      const enter = () => {
        signal?.removeEventListener("abort", onAbort);
        timer.abort();
        resolve();
      };
      queue.join(enter);
      signal?.addEventListener("abort", onAbort, { once: true });
      clock.sleep(limits.waitMsMax, timer.signal).then(
        () => leave(new SemaphoreTimeout(`no slot came free within ${limits.waitMsMax} ms`)),
        () => {},
      );
    });

  /** Passes the slot straight to the next waiter, so that no newcomer takes it in between. */
  const release = () => {
    const next = queue.next();
    if (next) next();
    else active--;
  };

  return {
    async run(signal, work) {
      signal?.throwIfAborted();
      if (active < limits.slots) active++;
      else if (queue.size() >= (limits.waitersMax ?? Number.POSITIVE_INFINITY))
        throw new SemaphoreTimeout(`${queue.size()} callers are waiting already`);
      else await wait(signal);
      try {
        return await work();
      } finally {
        release();
      }
    },
    active: () => active,
    waiting: queue.size,
  };
}

/**
 * A queue that serves one waiter of each fairness key in turn: a single request does not wait behind a bulk
 * one.
 */
// Behind 100 waiters of one bulk request, a newcomer's only request is second.
function fairQueue() {
  type Enter = () => void;
  /** Waiters by key, the keys in the order in which they are served. */
  const waitersByKey = new Map<object, Set<Enter>>();
  const keyByWaiter = new Map<Enter, object>();

  const leave = (enter: Enter) => {
    const key = keyByWaiter.get(enter);
    if (!key) return;
    keyByWaiter.delete(enter);
    const own = waitersByKey.get(key);
    own?.delete(enter);
    if (own?.size === 0) waitersByKey.delete(key);
  };
  return {
    join(enter: Enter) {
      const key = fairnessKey() ?? enter;
      keyByWaiter.set(enter, key);
      const own = waitersByKey.get(key);
      if (own) own.add(enter);
      else waitersByKey.set(key, new Set([enter]));
    },
    leave,
    /** Removes the next waiter and returns it. */
    next(): Enter | undefined {
      const [first] = waitersByKey;
      if (!first) return undefined;
      const [key, own] = first;
      const [enter] = own;
      waitersByKey.delete(key);
      if (own.size > 1) waitersByKey.set(key, own);
      if (enter) leave(enter);
      return enter;
    },
    size: () => keyByWaiter.size,
  };
}
