// Concurrent calls with one key share one piece of work.
import { currentReading, type Reading, sharedKey, sharedReading } from "../reading.ts";

interface Flight<T> {
  readonly stop: AbortController;
  readonly done: Promise<T>;
  /** The reading of the work: the version of the store that it sees. */
  readonly reading: Reading;
  callers: number;
}

export interface SingleFlight<T> {
  /**
   * Joins the work under way for `key`, or starts it. The work's own signal aborts only when EVERY caller
   * has aborted; a caller that aborts gets its own abort reason and affects no other. Errors reach all
   * callers and are not stored.
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
    // Starts the work in a later microtask, after its flight is registered.
    const reading = sharedReading();
    const done = reading.run(() => Promise.resolve().then(() => work(stop.signal)));
    const flight: Flight<T> = { stop, done, reading, callers: 0 };
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
          // Removed before the abort: the next caller starts new work instead of joining one that is being
          // aborted.
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
    run(asked, signal, work) {
      if (signal?.aborted) return Promise.reject(signal.reason);
      const key = sharedKey(asked);
      const flight = flights.get(key) ?? start(key, work);
      const reading = currentReading();
      const joined = join(key, flight, signal);
      return reading ? joined.finally(() => reading.absorb(flight.reading)) : joined;
    },
    has: (key) => flights.has(sharedKey(key)),
    size: () => flights.size,
  };
}
