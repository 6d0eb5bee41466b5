// Economic data: the provider, its daily quota, and the proxy in front of it.
import { econdata, econMeter } from "../capabilities/econdata/index.ts";
import { classifyFred, fred, fredPolicy } from "../providers/fred/index.ts";
import { type Context, type Part, servicesFor } from "./context.ts";

/**
 * Composes the provider of economic data. Every attempt is counted against the daily quota before it is sent.
 * `flushLogs` writes the buffered log rows.
 */
export function composeEcondata(context: Context, flushLogs: () => void) {
  const { config, clock, sqlite, requestIdOf, requireAdmin } = context;
  const meter = econMeter({ store: sqlite, clock });
  const upstream = context.connect(fredPolicy, classifyFred, { beforeAttempt: meter.beforeAttempt });
  const provider = fred({ upstream, apiKey: config.econdataApiKey, answered: meter.answered });
  const configured = config.econdataApiKey !== null;
  const econ = econdata({
    ...servicesFor(context, "econdata"),
    source: provider,
    meter,
    configured,
    requestIdOf,
    requireAdmin,
    flushLogs,
  });
  const part: Part = {
    providers: () => [{ ...upstream.health(), name: "econdata", configured }],
  };
  return { econdata: econ, part };
}
