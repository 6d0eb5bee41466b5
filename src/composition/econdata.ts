// Economic data: the provider, its daily quota, and the proxy in front of it.
import { econdata, econMeter } from "../capabilities/econdata/index.ts";
import { classifyFred, fred, fredPolicy } from "../providers/fred/index.ts";
import type { Context, Part } from "./context.ts";

/**
 * Composes the provider of economic data; every attempt that goes out to it is counted first. `flushLogs` writes the
 * log rows held in memory.
 */
export function composeEcondata(context: Context, flushLogs: () => void) {
  const { config, clock, log, sqlite, lake, cacheDeps, requestIdOf, requireAdmin } = context;
  const meter = econMeter({ store: sqlite, clock });
  const upstream = context.connect(fredPolicy, classifyFred, { beforeAttempt: meter.beforeAttempt });
  const provider = fred({ upstream, apiKey: config.econdataApiKey, answered: meter.answered });
  const configured = config.econdataApiKey !== null;
  const econ = econdata({
    source: provider,
    meter,
    configured,
    lake,
    sqlite,
    clock,
    log: log.child({ capability: "econdata" }),
    cacheDeps,
    requestIdOf,
    requireAdmin,
    flushLogs,
  });
  const part: Part = {
    providers: () => [{ ...upstream.health(), name: "econdata", configured }],
  };
  return { econdata: econ, part };
}
