// Counts the requests under way, and waits for them to end when the process stops.

import { systemTimers } from "../platform/clock.ts";

export class InFlightRequests {
  #count = 0;
  #onIdle: (() => void)[] = [];

  get count(): number {
    return this.#count;
  }

  begin(): void {
    this.#count += 1;
  }

  end(): void {
    this.#count -= 1;
    if (this.#count > 0) return;
    for (const wake of this.#onIdle) wake();
    this.#onIdle = [];
  }

  /** Resolves with true when no request is under way, or with false after `ms`. */
  drained(ms: number): Promise<boolean> {
    if (this.#count === 0) return Promise.resolve(true);
    return new Promise((resolve) => {
      const cancel = systemTimers.after(ms, () => resolve(false));
      this.#onIdle.push(() => {
        cancel();
        resolve(true);
      });
    });
  }
}
