// The process: configuration, app, listening, scheduled jobs, signals.
import http from "node:http";
import { cron } from "@elysiajs/cron";
import { Elysia } from "elysia";
import { type App, openApp } from "./app.ts";
import { type Config, ConfigError, describeConfig, firstSteps, readConfig, secretsOf } from "./config.ts";
import { DRAIN_S_MAX, REQUEST_HEADER_BYTES_MAX } from "./limits.ts";
import { misspeltVariables } from "./misspelt-variables.ts";
import { systemClock, systemTimers } from "./platform/clock.ts";
import { AsofError, StorageUnavailable } from "./platform/errors.ts";
import { createLog } from "./platform/log.ts";

/**
 * Bun closes an idle connection after 10 s by default. Routes have their own deadlines, which are at most
 * this.
 */
const IDLE_S_MAX = 255;
/** Missed runs start after this delay, so that the first answers come before them. */
const CATCH_UP_DELAY_MS = 2_000;
/** Signals within this time count as one. */
const SAME_SIGNAL_MS = 1_000;

/**
 * The client address when listening on loopback: reading it from the socket costs more than answering a
 * request.
 */
const loopbackPeer = (host: string): string | null =>
  host === "::1" ? "::1" : host === "localhost" || host.startsWith("127.") ? "127.0.0.1" : null;

function listen({ host, port }: Config, app: App) {
  // Above our own limit of a URL: a refusal by Bun would have neither a body nor a request id.
  Reflect.set(http, "maxHeaderSize", REQUEST_HEADER_BYTES_MAX);
  const onlyPeer = loopbackPeer(host);
  try {
    return Bun.serve({
      hostname: host,
      port,
      idleTimeout: IDLE_S_MAX,
      // The edge enforces the limit; a refusal by Bun would have neither a body nor a request id.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      fetch: (request, server) =>
        app.edge.fetch(request, onlyPeer ?? server.requestIP(request)?.address ?? ""),
    });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`The server cannot listen on HOST ${host} with PORT ${port}: ${why}`);
  }
}

async function start() {
  const config = readConfig(process.env);
  // A full disk below the log ends no service.
  process.stdout.on("error", () => {});
  const log = createLog({ level: config.logLevel, clock: systemClock, secrets: secretsOf(config) });
  log.info("configuration", { variables: describeConfig(process.env) });
  for (const line of firstSteps(config)) log.info(line);
  for (const line of misspeltVariables(process.env)) log.warn(line);
  const app = await openApp({ config, clock: systemClock, log }).catch((error: unknown) => {
    if (error instanceof StorageUnavailable)
      throw new ConfigError(`DATA_DIR is "${config.dataDir}". ${error.message}`);
    throw error;
  });
  const server = listen(config, app);
  const timers = new Elysia();
  let cancelCatchUp = () => {};
  if (config.jobs) {
    for (const { name, schedule, zone } of app.jobs.schedules())
      timers.use(
        cron({ name, pattern: schedule, timezone: zone, catch: true, run: () => void app.jobs.due(name) }),
      );
    cancelCatchUp = systemTimers.after(CATCH_UP_DELAY_MS, () => void app.jobs.catchUp());
  }

  let firstSignalMs = 0;
  const stop = async (signal: string) => {
    const nowMs = systemTimers.elapsedMs();
    if (firstSignalMs > 0) {
      // The terminal and the scripts around this process may each forward the same Ctrl-C.
      if (nowMs - firstSignalMs > SAME_SIGNAL_MS) process.exit(1);
      return;
    }
    firstSignalMs = nowMs;
    log.info("stopping", { signal });
    app.beginStop();
    cancelCatchUp();
    const cronStore = timers.store as { cron?: Record<string, { stop(): void }> };
    for (const timer of Object.values(cronStore.cron ?? {})) timer.stop();
    const drained = app.edge.drained(DRAIN_S_MAX * 1000);
    const closed = server.stop();
    if (!(await drained)) await server.stop(true);
    await closed;
    await app.close();
    log.info("stopped");
    process.exit(0);
  };
  process.on("SIGTERM", () => void stop("SIGTERM"));
  process.on("SIGINT", () => void stop("SIGINT"));
  // Last: a process that waits for this line may send a signal at once.
  process.stdout.write(`Asof is ready at ${server.url.href.replace(/\/$/, "")}\n`);
}

start().catch((error: unknown) => {
  const isExpected = error instanceof ConfigError || error instanceof AsofError;
  process.stderr.write(
    isExpected ? `Asof cannot start: ${error.message}\n` : `Asof cannot start: ${Bun.inspect(error)}\n`,
  );
  process.exit(1);
});
