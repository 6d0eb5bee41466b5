// How fresh a dataset is: what its jobs say of their newest due run.
import type { Job } from "../capabilities/scheduler/schema.ts";
import { minute } from "./format.ts";

export type FillingJob = Pick<Job, "name" | "fills" | "freshness" | "last_due_at" | "last_succeeded_at">;

/** The states of a job from the worst to the best: a dataset is as fresh as its worst job. */
const WORST_FIRST = ["behind", "skipped", "off", "not_due", "running", "current"];

const SENTENCES: Readonly<Record<string, (job: FillingJob) => string>> = {
  behind: ({ name, last_due_at }) => `behind: ${name} was due ${minute(last_due_at)}`,
  skipped: ({ name }) => `not filled: ${name} was skipped, see its runs`,
  off: ({ name }) => `not kept up to date: ${name} is off`,
  not_due: ({ name }) => `${name} was not due yet`,
  running: ({ name }) => `${name} is running`,
  current: ({ last_due_at }) => `current as of ${minute(last_due_at)}`,
};

/** One line for a dataset, the same for each dataset without a job. */
export function freshnessLine(dataset: string, jobs: readonly FillingJob[]): string {
  const rank = ({ freshness }: FillingJob) => WORST_FIRST.indexOf(freshness);
  const [worst] = jobs.filter(({ fills }) => fills.includes(dataset)).toSorted((a, b) => rank(a) - rank(b));
  if (worst === undefined) return "filled when it is asked for";
  return SENTENCES[worst.freshness]?.(worst) ?? worst.freshness;
}
