// One piece of work per key, however many ask for it at once.

interface Flight<T> {
  readonly stop: AbortController;
  readonly done: Promise<T>;
  callers: number;
}

export interface SingleFlight<T> {
  /**
   * Joins the work under way for `key`, or starts it. The work's own signal aborts only when EVERY caller
   * has gone; a caller who goes gets its own abort reason and harms nobody. Errors reach all callers and are
   * then forgotten.
   */
  run(key: string, signal: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Whether work for `key` is under way. */
  has(key: string): boolean;
  /** Pieces of work under way. */
  size(): number;
}

export function singleFlight<T>(): SingleFlight<T> {
  const flights = new Map<string, Flight<T>>();

  const start = (key: string, work: (signal: AbortSignal) => Promise<T>): Flight<T> => {
    const stop = new AbortController();
    const forget = () => {
      if (flights.get(key) === flight) flights.delete(key);
    };
    // The work starts in a later turn, so that it finds its flight registered whatever it does at once.
    const done = Promise.resolve().then(() => work(stop.signal));
    const flight: Flight<T> = { stop, done, callers: 0 };
    done.then(forget, forget);
    flights.set(key, flight);
    return flight;
  };

  const join = (key: string, flight: Flight<T>, signal: AbortSignal | undefined): Promise<T> => {
    flight.callers++;
    if (!signal) return flight.done;
    return new Promise<T>((resolve, reject) => {
      const leave = () => {
        flight.callers--;
        if (flight.callers === 0) {
          // Forgotten first: whoever comes now starts afresh instead of joining work that is being given up.
          if (flights.get(key) === flight) flights.delete(key);
          flight.stop.abort(signal.reason);
        }
        reject(signal.reason);
      };
      signal.addEventListener("abort", leave, { once: true });
      const settled = () => signal.removeEventListener("abort", leave);
      flight.done.then(
        (value) => {
          settled();
          resolve(value);
        },
        (error: unknown) => {
          settled();
          reject(error);
        },
      );
    });
  };

  return {
    run(key, signal, work) {
      if (signal?.aborted) return Promise.reject(signal.reason);
      return join(key, flights.get(key) ?? start(key, work), signal);
    },
    has: (key) => flights.has(key),
    size: () => flights.size,
  };
}
