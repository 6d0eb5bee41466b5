// The composed service for one command: opened over the data folder, stopped by Ctrl-C at a safe point,
// closed at the end.
import { openStores, type Stores } from "../src/composition/context.ts";
import { composeService } from "../src/composition/service.ts";
import { type Config, readConfig } from "../src/config.ts";
import { systemClock } from "../src/platform/clock.ts";
import { createLog } from "../src/platform/log.ts";
import { requireData } from "./arguments.ts";

type Service = ReturnType<typeof composeService>;

/** The services and stores that a command uses. `signal` is aborted by Ctrl-C and SIGTERM. */
export interface Session {
  readonly service: Service;
  readonly stores: Stores;
  readonly config: Config;
  readonly signal: AbortSignal;
}

export interface SessionOptions {
  /** Prefers little memory over quick reads, for bulk archives. */
  readonly ingestMode?: boolean;
  /** Refuses a folder without data of this service: opening it would create an empty one. */
  readonly existing?: boolean;
}

/** A signal that Ctrl-C and SIGTERM abort; `onStop` is called then. */
function stopSignal(onStop: () => void): AbortSignal {
  const stopped = new AbortController();
  const stop = () => {
    stopped.abort(new Error("stopped"));
    onStop();
  };
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
  return stopped.signal;
}

/** The command as it was given, quoted where a shell needs it. */
const commandLine = (): string =>
  ["bun run cli", ...process.argv.slice(2)]
    .map((word, at) =>
      at === 0 || /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`,
    )
    .join(" ");

/**
 * Runs `work` over the composed service. An error after Ctrl-C is the stop itself: the command then says how
 * to resume and ends with code 1. So does one whose store failed in the background, such as at merging files.
 * Returns whether it ran to its end without either.
 */
export async function withService(
  work: (session: Session) => Promise<void>,
  { ingestMode = false, existing = false }: SessionOptions = {},
): Promise<boolean> {
  const config = readConfig(process.env);
  if (existing) requireData(config.dataDir);
  const log = createLog({ level: "warn", clock: systemClock, to: "stderr" });
  let failures = 0;
  const onFailure = () => void failures++;
  const stores = await openStores(
    { config, clock: systemClock, log },
    { ingestMode, ...(existing ? {} : { onFailure }) },
  );
  const service = composeService({ config, clock: systemClock, log, ...stores });
  const signal = stopSignal(() => {
    void service.jobs.stop();
    void service.filings.stop();
  });
  try {
    await work({ service, stores, config, signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await service.stop();
    await stores.lake.close();
    stores.sqlite.close();
  }
  if (failures > 0) {
    console.log(`The store failed ${failures} times in the background, as the lines above say.`);
    process.exitCode = 1;
  }
  if (!signal.aborted) return failures === 0;
  console.log(`Stopped. To resume, run the same command again: ${commandLine()}`);
  process.exitCode = 1;
  return false;
}
