// The real process as a child: started on a free port, known to be ready by its ready line, and stopped
// again.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "../..");
const MAIN = join(ROOT, "src/main.ts");
const READY = /^Asof is ready at (http:\/\/\S+)$/m;

export interface ServiceProcess {
  readonly url: string;
  readonly pid: number;
  readonly dataDir: string;
  /** Everything written so far. */
  stdout(): string;
  stderr(): string;
  kill(signal: NodeJS.Signals): void;
  /** Its exit code, once it has ended; -1 when it had to be killed. */
  ended(): Promise<number>;
  /** Ends it for good and removes its data. */
  clean(): Promise<void>;
}

type Env = Readonly<Record<string, string>>;

function spawn(env: Env, ...command: string[]) {
  const child = Bun.spawn([process.execPath, ...(command.length > 0 ? command : [MAIN])], {
    cwd: ROOT,
    env: { PATH: process.env.PATH ?? "", HOME: tmpdir(), PORT: "0", ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const text = { stdout: "", stderr: "" };
  const collect = async (name: "stdout" | "stderr") => {
    const decoder = new TextDecoder();
    for await (const chunk of child[name]) text[name] += decoder.decode(chunk, { stream: true });
  };
  const read = Promise.all([collect("stdout"), collect("stderr")]);
  return { child, text, read };
}

/** Starts a process that is expected not to start: what it said, and its exit code. */
export async function failedStart(env: Env) {
  const dataDir = await mkdtemp(join(tmpdir(), "asof-process-"));
  const { child, text, read } = spawn({ DATA_DIR: dataDir, ...env });
  const code = await child.exited;
  await read;
  await rm(dataDir, { recursive: true, force: true });
  return { code, ...text };
}

/**
 * Starts the service and waits until it is ready; `command` is what Bun is given, src/main.ts unless said
 * otherwise. Throws with what it said when it does not get there.
 */
export async function startProcess(env: Env, ...command: string[]): Promise<ServiceProcess> {
  const dataDir = env.DATA_DIR ?? (await mkdtemp(join(tmpdir(), "asof-process-")));
  const { child, text, read } = spawn({ ...env, DATA_DIR: dataDir }, ...command);
  let url: string | undefined;
  while (!url) {
    if (child.exitCode !== null)
      throw new Error(`the service did not start:\n${text.stdout}\n${text.stderr}`);
    await Bun.sleep(10);
    url = READY.exec(text.stdout)?.[1];
  }
  return {
    url,
    pid: child.pid,
    dataDir,
    stdout: () => text.stdout,
    stderr: () => text.stderr,
    kill: (signal) => child.kill(signal),
    async ended() {
      const code = await child.exited;
      await read;
      return child.signalCode === "SIGKILL" ? -1 : code;
    },
    async clean() {
      child.kill("SIGKILL");
      await child.exited;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
