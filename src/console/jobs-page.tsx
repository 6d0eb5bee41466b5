// The jobs that fill the store: when they run, a button that runs one now, and the runs so far.

import { useSignal } from "@preact/signals";
import type { Job, Run } from "../capabilities/scheduler/schema.ts";
import { asked } from "./answer.ts";
import { ask, pathOf } from "./api.ts";
import { whole } from "./cells.tsx";
import { minute } from "./format.ts";
import { type ListColumn, ListTable, Panel } from "./panel-parts.tsx";
import { FailureLine } from "./state-line.tsx";

const PAGE_ROWS = 200;
const POLL_MS = 1_000;

const at = (instant: string | null) => (instant === null ? null : minute(instant));

const jobColumns = (onRun: (name: string) => void): readonly ListColumn<Job>[] => [
  { name: "job", cell: ({ name }) => name },
  {
    name: "run",
    cell: ({ name }) => ({
      text: "Run now",
      shown: (
        <button type="button" aria-label={`Run now: ${name}`} onClick={() => onRun(name)}>
          Run now
        </button>
      ),
    }),
  },
  { name: "ended", isExtra: true, cell: ({ last_status }) => last_status },
  { name: "freshness", isExtra: true, cell: ({ freshness }) => freshness.replace("_", " ") },
  { name: "fills", isProse: true, isExtra: true, cell: ({ fills }) => fills.join(", ") },
  { name: "last run", isProse: true, isExtra: true, cell: ({ last_run_at }) => at(last_run_at) },
  {
    name: "next run",
    isProse: true,
    isExtra: true,
    cell: ({ enabled, next_run_at }) => (enabled ? at(next_run_at) : "off"),
  },
  {
    name: "schedule",
    isProse: true,
    isExtra: true,
    cell: ({ schedule, timezone }) => `${schedule} (${timezone})`,
  },
  { name: "what it does", isProse: true, isExtra: true, cell: ({ says }) => says },
];

const RUNS: readonly ListColumn<Run>[] = [
  { name: "run", isFigure: true, cell: ({ id }) => whole(id) },
  { name: "job", cell: ({ job }) => job },
  { name: "outcome", cell: ({ outcome }) => outcome },
  { name: "due", isExtra: true, cell: ({ scheduled_for }) => at(scheduled_for) },
  { name: "began", isExtra: true, cell: ({ started_at }) => minute(started_at) },
  { name: "ended", isExtra: true, cell: ({ finished_at }) => at(finished_at) },
  { name: "rows", isFigure: true, isExtra: true, cell: ({ rows }) => whole(rows) },
  { name: "why", isProse: true, isExtra: true, cell: ({ error }) => error },
];

/** Begins a run and follows it to its end. */
async function runNow(name: string, show: (run: Run) => void): Promise<void> {
  const begun = await ask(`/scheduler/admin/jobs/${encodeURIComponent(name)}/run`, { body: {} });
  const { run_id } = (await begun.json()) as { run_id: number };
  for (;;) {
    const run = await asked<Run>(`/scheduler/runs/${run_id}`);
    show(run);
    if (run.finished_at !== null) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

const sentenceOf = ({ job, outcome, rows, error, finished_at }: Run): string => {
  if (finished_at === null) return `${job} runs.`;
  const why = error === null ? "" : ` ${error}`;
  return `${job} ${outcome}${rows === null ? "" : `, ${rows.toLocaleString("en-US")} rows`}.${why}`;
};

export function JobsPage() {
  const round = useSignal(0);
  const shown = useSignal<Run | null>(null);
  const failure = useSignal<unknown>(null);
  const run = async (name: string) => {
    failure.value = null;
    try {
      await runNow(name, (each) => {
        shown.value = each;
      });
    } catch (error) {
      failure.value = error;
    }
    round.value += 1;
  };
  return (
    <>
      <Panel id="jobs" title="Jobs" isTall>
        <div role="status" id="run-status">
          {shown.value === null ? null : <p>{sentenceOf(shown.value)}</p>}
          {failure.value === null ? null : <FailureLine error={failure.value} />}
        </div>
        <ListTable
          key={`jobs ${round.value}`}
          label="Jobs"
          path="/scheduler/jobs"
          columns={jobColumns((name) => void run(name))}
          empty="There are no jobs."
        />
      </Panel>
      <Panel id="runs" title="Runs">
        <ListTable
          key={`runs ${round.value}`}
          label="Runs"
          path={pathOf("/scheduler/runs", { limit: PAGE_ROWS })}
          columns={RUNS}
          empty="No job has run yet."
        />
      </Panel>
    </>
  );
}
