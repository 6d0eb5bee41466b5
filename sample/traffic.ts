// Counts the requests to the sample upstream: their number, the peak of requests under way, and when each one
// came.

/** As GET /_stats shows it. Times are milliseconds since the epoch, real time. */
export interface Traffic {
  readonly total: number;
  readonly active: number;
  /** Most requests under way at once. */
  readonly peak: number;
  /** Requests by `host/path`. */
  readonly by_path: Readonly<Record<string, number>>;
  /** The newest requests, oldest first. */
  readonly requests: readonly { readonly at_ms: number; readonly method: string; readonly url: string }[];
}

const REQUESTS_MAX = 10_000;
const PATHS_MAX = 50_000;

/** Keeps the counts of one server. */
export function createTraffic() {
  let total = 0;
  let active = 0;
  let peak = 0;
  let byPath = new Map<string, number>();
  let requests: { at_ms: number; method: string; url: string }[] = [];
  return {
    begin(atMs: number, method: string, path: string, query: string): void {
      total++;
      active++;
      peak = Math.max(peak, active);
      if (byPath.size < PATHS_MAX || byPath.has(path)) byPath.set(path, (byPath.get(path) ?? 0) + 1);
      requests.push({ at_ms: atMs, method, url: query ? `${path}?${query}` : path });
      if (requests.length > 2 * REQUESTS_MAX) requests = requests.slice(-REQUESTS_MAX);
    },
    end(): void {
      active--;
    },
    read: (): Traffic => ({
      total,
      active,
      peak,
      by_path: Object.fromEntries(byPath),
      requests: requests.slice(-REQUESTS_MAX),
    }),
    /** Forgets all but the requests that are still under way. */
    reset(): void {
      total = 0;
      peak = active;
      byPath = new Map();
      requests = [];
    },
  };
}
