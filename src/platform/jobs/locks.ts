// One lock per job between processes: a file that the operating system unlocks when the holding process ends,
// however it ends.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { acquireForLifetime } from "../lake/lock.ts";

export interface JobLocks {
  /** Takes the job's lock; undefined while a run of the job holds it, in this process or another. */
  acquire(job: string): { release(): void } | undefined;
}

/** Locks on files in `folder`, which is made on first use. */
export function jobLocks(folder: string): JobLocks {
  let isMade = false;
  return {
    acquire(job) {
      if (!isMade) mkdirSync(folder, { recursive: true });
      isMade = true;
      return acquireForLifetime(join(folder, `${job}.lock`));
    },
  };
}
