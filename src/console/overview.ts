// The overview page: providers, jobs, storage, requests and errors.

import { effect } from "@preact/signals";
import type { DatabaseInfo as StorageInfo } from "../capabilities/database/schema.ts";
import type { UsageAnswer as Usage } from "../capabilities/econdata/schema.ts";
import type { HealthCheckResponse as Health } from "../capabilities/health/index.ts";
import type { ErrorRow } from "../capabilities/logs/schema.ts";
import type { Job, Run } from "../capabilities/scheduler/schema.ts";
import { COVERAGE_CACHE_S } from "../limits.ts";
import { fetchJson, type List, pathOf } from "./api.ts";
import { isGone, isSample, returns } from "./connection.ts";
import { badge, byId, element, listTable } from "./elements.ts";
import { ago, bytes, count, minute } from "./format.ts";
import { heatMap, type Month } from "./heat-map.ts";
import { tickerLink } from "./links.ts";
import { fill } from "./panel.ts";
import { showTop } from "./top.tsx";

interface Stats {
  readonly total: number;
  readonly by_status: Readonly<Record<string, number>>;
  readonly by_path: readonly {
    path: string;
    count: number;
    avg_ms: number;
    p95_ms: number;
    error_rate: number;
  }[];
}
const STATE_COLOURS: Readonly<Record<string, "good" | "bad" | "warn" | "quiet">> = {
  healthy: "good",
  succeeded: "good",
  closed: "good",
  degraded: "warn",
  half_open: "warn",
  running: "warn",
  skipped: "warn",
  interrupted: "warn",
  gap: "bad",
  down: "bad",
  open: "bad",
  failed: "bad",
  unhealthy: "bad",
};
const state = (name: string | null) =>
  name === null ? "–" : badge(name.replace("_", " "), STATE_COLOURS[name] ?? "quiet");
const REFRESH_MS = 30_000;

let now = "";

async function health() {
  const body = await fetchJson<Health>("/health");
  now = body.timestamp;
  byId("version").textContent = `version ${body.version}, up ${Math.round(body.uptime_seconds / 60)} min`;
  byId("status").replaceChildren(state(body.status));
  const rows = Object.entries(body.dependencies).map(([name, d]) => [
    name,
    state(d.status),
    d.breaker ? state(d.breaker) : "",
    d.last_success_at === undefined ? "" : ago(d.last_success_at, now),
    d.detail ?? d.last_error ?? "",
  ]);
  return [listTable(["provider or part", "state", "breaker", "last success", "detail"], rows)];
}

async function quotas() {
  const { data } = await fetchJson<Usage>("/econdata/stats/usage");
  const share = data.used_today / data.daily_limit;
  const bar = element("progress", { max: String(data.daily_limit), value: String(data.used_today) });
  bar.setAttribute("aria-label", `${Math.round(share * 100)} % of the day's calls used`);
  return [
    element(
      "p",
      {},
      `Economic data: ${count(data.used_today)} of ${count(data.daily_limit)} calls today, ${count(data.remaining_today)} left.`,
    ),
    bar,
  ];
}

async function jobs() {
  const { data } = await fetchJson<List<Job>>("/scheduler/jobs");
  return [
    listTable(
      ["job", "schedule (New York)", "last run", "ended", "next run"],
      data.map((job) => [
        element("span", { title: job.says }, job.name),
        [element("code", {}, job.schedule), job.timezone === "America/New_York" ? null : ` ${job.timezone}`],
        ago(job.last_run_at, now),
        state(job.last_status),
        job.enabled ? minute(job.next_run_at) : "off",
      ]),
    ),
  ];
}

async function gaps() {
  const lists = await Promise.all(
    ["gap", "failed", "interrupted"].map((outcome) =>
      fetchJson<List<Run>>(pathOf("/scheduler/runs", { outcome, limit: 20 })),
    ),
  );
  const runs = lists.flatMap(({ data }) => data).sort((a, b) => b.started_at.localeCompare(a.started_at));
  return [
    listTable(
      ["job", "due", "outcome", "why"],
      runs
        .slice(0, 30)
        .map((run) => [
          run.job,
          minute(run.scheduled_for ?? run.started_at),
          state(run.outcome),
          run.error ?? "",
        ]),
      "No gaps and no failures.",
    ),
  ];
}

const storageParts = (parts: StorageInfo["storage"]): string =>
  [
    `${bytes(parts.lake_bytes)} lake`,
    `${bytes(parts.replaced_bytes)} replaced files`,
    `${bytes(parts.vault_bytes)} vault`,
    `${bytes(parts.database_bytes)} database and logs`,
    `${bytes(parts.other_bytes)} other`,
  ].join(", ");

async function storage() {
  const info = await fetchJson<StorageInfo>("/database/info");
  const rows = info.tables
    .filter((t) => t.kind === "dataset" && t.rows > 0)
    .map((t) => [
      t.name,
      count(t.rows),
      t.size_bytes === null ? "" : bytes(t.size_bytes),
      t.files === null ? "" : count(t.files),
      t.first_date ?? "",
      t.last_date ?? "",
      ago(t.last_updated, now),
    ]);
  return [
    element("p", {}, `${bytes(info.size_bytes)} on disk: ${storageParts(info.storage)}. ${info.version}.`),
    listTable(
      ["dataset", ">rows", ">size", ">files", "from", "to", "newest row known"],
      rows,
      "The lake is empty. Open a ticker to fetch prices.",
    ),
  ];
}

async function traffic() {
  const stats = await fetchJson<Stats>("/logs/requests/stats?hours=24");
  const failed = Object.entries(stats.by_status).reduce(
    (sum, [code, n]) => sum + (Number(code) >= 500 ? n : 0),
    0,
  );
  const share = stats.total === 0 ? 0 : (100 * failed) / stats.total;
  return [
    element(
      "p",
      {},
      `${count(stats.total)} requests in 24 hours, ${share.toFixed(share < 1 ? 2 : 0)} % answered with status 500 or above.`,
    ),
    listTable(
      ["path", ">requests", ">mean ms", ">p95 ms", ">failed"],
      stats.by_path
        .slice(0, 12)
        .map((p) => [
          p.path,
          count(p.count),
          p.avg_ms.toFixed(1),
          count(p.p95_ms),
          `${(100 * p.error_rate).toFixed(0)} %`,
        ]),
    ),
  ];
}

async function errors() {
  const { data } = await fetchJson<List<ErrorRow>>("/logs/errors?limit=15");
  return [
    listTable(
      ["time", "source", "code", "message"],
      data.map((row) => [ago(row.timestamp, now), row.source, row.error_code ?? "", row.message]),
      "No errors in the last seven days.",
    ),
  ];
}

async function coverage() {
  const { data } = await fetchJson<{ data: readonly Month[] }>("/database/coverage");
  const age = `The stronger the colour, the nearer a month is to the dataset's fullest one; the pointer on a month shows its rows. Counted at most ${COVERAGE_CACHE_S / 60} minutes ago.`;
  return [heatMap(data), element("p", { class: "quiet" }, age)];
}

async function refresh() {
  // First, because the other sections need the time of the service.
  await fill("health", health);
  await Promise.all([
    fill("quotas", quotas),
    fill("jobs", jobs),
    fill("gaps", gaps),
    fill("storage", storage),
    fill("traffic", traffic),
    fill("errors", errors),
    fill("coverage", coverage),
  ]);
  document.body.dataset.ready = "true";
}

/** A company of the fictional market, whose names a newcomer cannot know. */
const SAMPLE_TICKER = "ZORP";

showTop();
effect(() => {
  const link = element("a", { href: tickerLink(SAMPLE_TICKER) }, SAMPLE_TICKER);
  byId("example").replaceChildren(...(isSample.value ? [", such as ", link] : []));
});
// Runs at once, and again whenever the server is gone or back: no panel keeps what it said of a server that
// is gone.
effect(() => {
  isGone.value;
  returns.value;
  void refresh();
});
setInterval(() => {
  if (!document.hidden) void refresh();
}, REFRESH_MS);
