// Progress of a long command: a bar on a terminal, plain lines elsewhere.
import { Presets, SingleBar } from "cli-progress";

export interface Progress {
  step(label: string): void;
  end(): void;
}

const LINES = 20;

/** Counts to `total`. On a terminal a bar on stderr; elsewhere a line at every twentieth part. */
export function progress(total: number, unit: string): Progress {
  let done = 0;
  if (!process.stderr.isTTY) {
    const every = Math.max(1, Math.ceil(total / LINES));
    return {
      step() {
        done += 1;
        if (done % every === 0 || done === total) process.stderr.write(`${done} of ${total} ${unit}\n`);
      },
      end() {},
    };
  }
  const bar = new SingleBar(
    { format: `{bar} {value}/{total} ${unit}, {eta_formatted} left  {label}` },
    Presets.shades_classic,
  );
  bar.start(total, 0, { label: "" });
  return {
    step(label) {
      bar.increment({ label });
    },
    end: () => bar.stop(),
  };
}
