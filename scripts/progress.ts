// Progress of a long command: a bar on a terminal, plain lines elsewhere.
import { Presets, SingleBar } from "cli-progress";
import { systemTimers } from "../src/platform/clock.ts";

export interface Progress {
  step(label: string): void;
  end(): void;
}

const LINES = 20;

/** A time in whole hours, minutes or seconds, rounded up. */
// 90,000 filings at 125 ms are 4 h; 50 s are 50 s.
export function roughTime(ms: number): string {
  const [hours, minutes, seconds] = [3_600_000, 60_000, 1_000].map((unit) => Math.ceil(ms / unit));
  if (ms > 7_200_000) return `${hours} h`;
  return ms > 120_000 ? `${minutes} min` : `${seconds} s`;
}

/** Counts to `total`. On a terminal a bar on stderr; elsewhere a line at every twentieth part. */
export function progress(total: number, unit: string): Progress {
  let done = 0;
  if (!process.stderr.isTTY) {
    const every = Math.max(1, Math.ceil(total / LINES));
    const startedAt = systemTimers.elapsedMs();
    const left = () => roughTime(((systemTimers.elapsedMs() - startedAt) / done) * (total - done));
    return {
      step() {
        done += 1;
        if (done === total) process.stderr.write(`${done} of ${total} ${unit}\n`);
        else if (done % every === 0) process.stderr.write(`${done} of ${total} ${unit}, ${left()} left\n`);
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
