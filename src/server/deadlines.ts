// Deadlines of many requests with one timer per duration. Most requests end early, so a timer each would be
// waste.

import { systemTimers, type Timers } from "../platform/clock.ts";

interface Waiting {
  readonly dueMs: number;
  late(): void;
}

/** A queue of deadlines of the same duration, which are due in the order in which they began. */
function queueOf(lengthMs: number, { elapsedMs, after }: Timers) {
  const waiting = new Set<Waiting>();
  let isSet = false;
  const wakeAfter = (ms: number) => {
    isSet = true;
    after(ms, wake, false);
  };
  const wake = () => {
    isSet = false;
    const nowMs = elapsedMs();
    for (const one of waiting) {
      if (one.dueMs > nowMs) return wakeAfter(one.dueMs - nowMs);
      waiting.delete(one);
      one.late();
    }
  };
  return (late: () => void) => {
    const one = { dueMs: elapsedMs() + lengthMs, late };
    waiting.add(one);
    if (!isSet) wakeAfter(lengthMs);
    return () => void waiting.delete(one);
  };
}

/** Returns a function that calls `late` after `seconds`, unless the function it returns is called first. */
export function deadlines(timers = systemTimers) {
  const queues = new Map<number, ReturnType<typeof queueOf>>();
  return (seconds: number, late: () => void): (() => void) => {
    let queue = queues.get(seconds);
    if (!queue) {
      queue = queueOf(seconds * 1000, timers);
      queues.set(seconds, queue);
    }
    return queue(late);
  };
}
