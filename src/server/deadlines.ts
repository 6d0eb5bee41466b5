// Deadlines of many requests with one timer per duration. Most requests end early, so a timer each would be
// waste.

interface Waiting {
  readonly dueMs: number;
  late(): void;
}

/** A queue of deadlines of the same duration, which are due in the order in which they began. */
function queueOf(lengthMs: number) {
  const waiting = new Set<Waiting>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wakeAfter = (ms: number) => {
    timer = setTimeout(wake, ms);
    timer.unref();
  };
  const wake = () => {
    timer = undefined;
    const nowMs = performance.now();
    for (const one of waiting) {
      if (one.dueMs > nowMs) return wakeAfter(one.dueMs - nowMs);
      waiting.delete(one);
      one.late();
    }
  };
  return (late: () => void) => {
    const one = { dueMs: performance.now() + lengthMs, late };
    waiting.add(one);
    if (timer === undefined) wakeAfter(lengthMs);
    return () => void waiting.delete(one);
  };
}

/** Returns a function that calls `late` after `seconds`, unless the function it returns is called first. */
export function deadlines() {
  const queues = new Map<number, ReturnType<typeof queueOf>>();
  return (seconds: number, late: () => void): (() => void) => {
    let queue = queues.get(seconds);
    if (!queue) {
      queue = queueOf(seconds * 1000);
      queues.set(seconds, queue);
    }
    return queue(late);
  };
}
