// A bounded queue in front of a few slots: first come, first served, and nobody waits for ever.
import type { Clock } from "./clock.ts";

/** No slot came free in time, or too many are waiting already. Callers say it in their own words. */
export class GateTimeout extends Error {
  override readonly name = "GateTimeout";
}

export interface GateLimits {
  /** Pieces of work under way at once. */
  readonly slots: number;
  /** Longest wait for a slot, milliseconds. */
  readonly waitMsMax: number;
  /** Most who may wait; the next one is refused at once. Default: unbounded. */
  readonly waitersMax?: number;
}

export interface Gate {
  /**
   * Runs `work` in a slot. Throws GateTimeout when none came free; rejects with the signal's reason when the
   * caller goes while waiting. The slot is given back however the work ends.
   */
  run<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T>;
  active(): number;
  waiting(): number;
}

export function gate(limits: GateLimits, clock: Clock): Gate {
  let active = 0;
  const waiters = new Set<() => void>();

  const wait = (signal: AbortSignal | undefined) =>
    new Promise<void>((resolve, reject) => {
      const timer = new AbortController();
      const leave = (fault: unknown) => {
        waiters.delete(enter);
        signal?.removeEventListener("abort", onAbort);
        timer.abort();
        reject(fault);
      };
      const onAbort = () => leave(signal?.reason);
      const enter = () => {
        waiters.delete(enter);
        signal?.removeEventListener("abort", onAbort);
        timer.abort();
        resolve();
      };
      waiters.add(enter);
      signal?.addEventListener("abort", onAbort, { once: true });
      clock.sleep(limits.waitMsMax, timer.signal).then(
        () => leave(new GateTimeout(`no slot came free within ${limits.waitMsMax} ms`)),
        () => {},
      );
    });

  /** A slot passes straight to the longest waiter, so that a newcomer cannot slip in between. */
  const release = () => {
    const [next] = waiters;
    if (next) next();
    else active--;
  };

  return {
    async run(signal, work) {
      signal?.throwIfAborted();
      if (active < limits.slots) active++;
      else if (waiters.size >= (limits.waitersMax ?? Number.POSITIVE_INFINITY))
        throw new GateTimeout(`${waiters.size} are waiting already`);
      else await wait(signal);
      try {
        return await work();
      } finally {
        release();
      }
    },
    active: () => active,
    waiting: () => waiters.size,
  };
}
