// A histogram of request durations by route that is cheap to update.
import type { Metric } from "prom-client";

const BOUNDS_S = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60];
const NAME = "asof_http_request_seconds";

interface Counts {
  /** Requests by the first bound they are within; the last element counts those above all bounds. */
  readonly within: number[];
  sum: number;
}

function valuesOf(route: string, { within, sum }: Counts) {
  let count = 0;
  const buckets = [...BOUNDS_S, "+Inf"].map((le, i) => {
    count += within[i] ?? 0;
    return { value: count, labels: { le, route }, metricName: `${NAME}_bucket` };
  });
  return [
    ...buckets,
    { value: sum, labels: { route }, metricName: `${NAME}_sum` },
    { value: count, labels: { route }, metricName: `${NAME}_count` },
  ];
}

/**
 * The histogram of request durations. prom-client's own histogram validates and hashes its labels at each
 * observation, which costs more than the rest of the bookkeeping of a cached answer; this one builds its
 * values when it is scraped.
 */
export function requestSeconds() {
  const routes = new Map<string, Counts>();
  const metric = {
    name: NAME,
    help: "Time from a request's arrival to its answer.",
    type: "histogram",
    aggregator: "sum",
    get: async () => ({
      name: NAME,
      help: metric.help,
      type: metric.type,
      aggregator: metric.aggregator,
      values: [...routes].flatMap(([route, counts]) => valuesOf(route, counts)),
    }),
    reset: () => routes.clear(),
  };
  return {
    /** For Registry.registerMetric, which accepts any object with a name and `get`. */
    metric: metric as unknown as Metric,
    observe(route: string, seconds: number) {
      let counts = routes.get(route);
      if (!counts) {
        counts = { within: new Array<number>(BOUNDS_S.length + 1).fill(0), sum: 0 };
        routes.set(route, counts);
      }
      const place = BOUNDS_S.findIndex((bound) => seconds <= bound);
      const at = place < 0 ? BOUNDS_S.length : place;
      counts.within[at] = (counts.within[at] ?? 0) + 1;
      counts.sum += seconds;
    },
  };
}
