// The real service as a process of its own, with its memory and its open files seen from outside.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";

const root = resolve(import.meta.dir, "../..");
const READY = /Asof is ready at (\S+)/;

export interface ServiceProcess {
  readonly url: string;
  readonly pid: number;
  /** Resident memory in bytes. */
  residentBytes(): number;
  /** Open files and sockets; null where the system does not tell. */
  openHandles(): number | null;
  /** Whether it still runs. */
  isAlive(): boolean;
  /** Asks it to stop and gives its exit code. */
  stop(): Promise<number>;
}

/** Starts src/main.ts on a free port and resolves once it says that it is ready. */
export async function startService(env: Record<string, string>): Promise<ServiceProcess> {
  const child = Bun.spawn([process.execPath, "src/main.ts"], {
    cwd: root,
    env: { ...process.env, HOST: "127.0.0.1", PORT: "0", LOG_LEVEL: "error", ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await addressOf(child.stdout);
  if (url === undefined) throw new Error(`the service did not start: exit code ${await child.exited}`);
  const { pid } = child;
  return {
    url,
    pid,
    residentBytes: () => residentBytes(pid),
    openHandles: () => (existsSync(`/proc/${pid}/fd`) ? readdirSync(`/proc/${pid}/fd`).length : null),
    isAlive: () => child.exitCode === null && child.signalCode === null,
    async stop() {
      child.kill("SIGTERM");
      return child.exited;
    },
  };
}

async function addressOf(stdout: ReadableStream<Uint8Array>): Promise<string | undefined> {
  const decoder = new TextDecoder();
  const reader = stdout.getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return undefined;
    text += decoder.decode(value, { stream: true });
    const url = READY.exec(text)?.[1];
    if (url === undefined) continue;
    // Later output must be taken from the pipe, or the process would stand still once the pipe is full.
    void (async () => {
      while (!(await reader.read()).done);
    })();
    return url;
  }
}

/** Resident memory of a process in bytes. */
export function residentBytes(pid: number): number {
  const path = `/proc/${pid}/status`;
  const kilobytes = existsSync(path)
    ? /VmRSS:\s+(\d+)/.exec(readFileSync(path, "utf8"))?.[1]
    : Bun.spawnSync(["ps", "-o", "rss=", "-p", String(pid)]).stdout.toString();
  return Number(kilobytes) * 1024;
}
