// How long requests took, by route: a histogram whose counting costs a request next to nothing.
import type { Metric } from "prom-client";

const BOUNDS_S = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60];
const NAME = "asof_http_request_seconds";

interface Counts {
  /** Requests that took at most the bound of the same place; the last place has those above all. */
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
 * prom-client's own histogram checks and hashes its labels at each observation, which costs more than the rest of a
 * remembered answer's bookkeeping; this one makes its values when they are scraped.
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
    /** For Registry.registerMetric, which takes whatever has a name and can be read. */
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
