// A Python that is kept running and asked one thing after the other, so that neither its start nor its
// imports count.

export type Ask = Readonly<Record<string, unknown>> & { readonly what: string };

/**
 * The report of one side of a comparison: its own milliseconds, its rows, and a sum to compare the results
 * by.
 */
export interface Reported {
  readonly ms: number;
  readonly rows: number;
  readonly sum: number;
}

export interface PythonChild {
  /** Sends one line of JSON and resolves with the line that comes back. */
  ask<T = Reported>(ask: Ask): Promise<T>;
  stop(): Promise<void>;
}

/** Starts a script that reads a line of JSON from stdin and writes one for it to stdout. */
export function startPython(python: string, script: string, env: Record<string, string> = {}): PythonChild {
  const child = Bun.spawn([python, script], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
    env: { ...process.env, ...env },
  });
  const reader = child.stdout.getReader();
  const decoder = new TextDecoder();
  let text = "";
  return {
    async ask<T = Reported>(ask: Ask): Promise<T> {
      child.stdin.write(`${JSON.stringify(ask)}\n`);
      await child.stdin.flush();
      while (!text.includes("\n")) {
        const { done, value } = await reader.read();
        if (done) throw new Error(`${script} ended with ${await child.exited}`);
        text += decoder.decode(value, { stream: true });
      }
      const [line = "", ...rest] = text.split("\n");
      text = rest.join("\n");
      return JSON.parse(line) as T;
    },
    async stop() {
      await child.stdin.end();
      await child.exited;
    },
  };
}

/** How far two sums of the same column may lie apart: they are added up in another order. */
const SUM_TOLERANCE = 1e-9;

/** Throws unless both sides gave the same rows: otherwise the comparison is worth nothing. */
export function checkSame(
  ours: Reported,
  theirs: Reported,
  about: string,
  tolerance: number = SUM_TOLERANCE,
): void {
  const isSame =
    ours.rows > 0 &&
    ours.rows === theirs.rows &&
    Math.abs(ours.sum - theirs.sum) <= tolerance * Math.abs(ours.sum);
  if (!isSame) throw new Error(`${about}: ${JSON.stringify(ours)} is not ${JSON.stringify(theirs)}`);
}
