// A bounded queue in front of a few slots: party by party, each in its own order, and nobody waits for ever.
import type { Clock } from "../clock.ts";
import { fairnessKey } from "./fairness.ts";

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
  const line = waitingLine();

  const wait = (signal: AbortSignal | undefined) =>
    new Promise<void>((resolve, reject) => {
      const timer = new AbortController();
      const leave = (error: unknown) => {
        line.leave(enter);
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
      line.join(enter);
      signal?.addEventListener("abort", onAbort, { once: true });
      clock.sleep(limits.waitMsMax, timer.signal).then(
        () => leave(new GateTimeout(`no slot came free within ${limits.waitMsMax} ms`)),
        () => {},
      );
    });

  /** A slot passes straight to the next in line, so that a newcomer cannot slip in between. */
  const release = () => {
    const next = line.next();
    if (next) next();
    else active--;
  };

  return {
    async run(signal, work) {
      signal?.throwIfAborted();
      if (active < limits.slots) active++;
      else if (line.size() >= (limits.waitersMax ?? Number.POSITIVE_INFINITY))
        throw new GateTimeout(`${line.size()} are waiting already`);
      else await wait(signal);
      try {
        return await work();
      } finally {
        release();
      }
    },
    active: () => active,
    waiting: line.size,
  };
}

/** One waiter of each party in turn: who wants one thing does not wait behind all that somebody else wants many of. */
function waitingLine() {
  type Enter = () => void;
  /** In the order in which they are next. */
  const parties = new Map<object, Set<Enter>>();
  const partyFor = new Map<Enter, object>();

  const leave = (enter: Enter) => {
    const party = partyFor.get(enter);
    if (!party) return;
    partyFor.delete(enter);
    const own = parties.get(party);
    own?.delete(enter);
    if (own?.size === 0) parties.delete(party);
  };
  return {
    join(enter: Enter) {
      const party = fairnessKey() ?? enter;
      partyFor.set(enter, party);
      const own = parties.get(party);
      if (own) own.add(enter);
      else parties.set(party, new Set([enter]));
    },
    leave,
    /** Takes the next out of the line. */
    next(): Enter | undefined {
      const [first] = parties;
      if (!first) return undefined;
      const [party, own] = first;
      const [enter] = own;
      parties.delete(party);
      if (own.size > 1) parties.set(party, own);
      if (enter) leave(enter);
      return enter;
    },
    size: () => partyFor.size,
  };
}
