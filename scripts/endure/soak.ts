// The soak: the real process for a long while under load, faults and an outside reader, and what must not
// grow.
import { existsSync, statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Dial } from "../../sample/faults.ts";
import { type SampleServer, serveSample } from "../../sample/serve.ts";
import { MULTI_REQUEST_DEADLINE_S } from "../../src/limits.ts";
import { newYorkDate } from "../../src/market/calendar.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { median, steadyRandom } from "../../test/bench/measure.ts";
import { type Met, type RunningLoad, startLoad } from "../../test/bench/mixed-load.ts";
import { type ServiceProcess, startService } from "../../test/bench/service-process.ts";
import { prepared, questions } from "./load.ts";

/** One bound of the soak. */
export interface Finding {
  readonly what: string;
  readonly found: string;
  readonly bound: string;
  readonly ok: boolean;
}

/** Of the sample market, which asks for no real ones. */
const ENV = {
  SEC_USER_AGENT: "Asof soak soak@asof.example",
  MARKETFEED_API_KEY: "SAMPLEKEY",
  MARKETFEED_SECRET_KEY: "SampleSecret",
  ECONDATA_API_KEY: "abcdefghijklmnopqrstuvwxyz012345",
  JOBS: "on",
};
/** 60 % of the 25 requests that the server answers at once. */
const CLIENTS = 15;
const PAUSE_MS = 40;
const SYMBOLS = 600;
const SAMPLE_EVERY_MS = 2_000;
const TELL_EVERY_MS = 60_000;
/** Memory and handles are compared with what they were after this, or after a third of a short soak. */
const SETTLED_MS = 5 * 60_000;
// 400 MB that become 460 MB pass, 461 MB do not.
const RESIDENT_RATIO_MAX = 1.15;
// 50 open files that become 74 pass, 75 do not.
const HANDLES_MORE_MAX = 24;
/**
 * SQLite cuts its write-ahead log back to 64 MB; a busy moment may take it beyond until the next checkpoint.
 */
const WAL_BYTES_MAX = 80 * 1024 * 1024;
/** One upstream request in twenty. */
const FAULT_EVERY = 20;
const FAULTS: readonly Omit<Dial, "times" | "skip">[] = [
  { fault: "status", status: 500 },
  { fault: "status", status: 503 },
  { fault: "truncated" },
  { fault: "html" },
  { fault: "empty" },
  { fault: "wrong_shape" },
  { fault: "latency", afterMs: 3_000 },
  { fault: "stray_bar" },
  { fault: "duplicate_day" },
];
/**
 * Rare among the faults: the breaker opens at the first one, and then nothing is asked for a minute or more.
 */
const RATE_LIMITED: Omit<Dial, "times" | "skip"> = { fault: "rate_limited", retryAfterS: 2 };
const RATE_LIMITED_SHARE = 0.02;

interface Sample {
  readonly atMs: number;
  readonly resident: number;
  readonly handles: number | null;
  readonly walBytes: number;
}

/**
 * Keeps one request in twenty going wrong: dials that let so many pass first, set again when they are spent.
 */
function keepFaults(sample: SampleServer): () => void {
  const random = steadyRandom(7);
  const set = () => {
    if (sample.dials.list().length > 0) return;
    sample.dials.set(
      Array.from({ length: FAULTS.length }, (_, i) => {
        const common = FAULTS[Math.floor(random() * FAULTS.length)];
        const error = random() < RATE_LIMITED_SHARE || !common ? RATE_LIMITED : common;
        return { ...error, times: 1, skip: Math.floor((i + random()) * FAULT_EVERY) };
      }),
    );
  };
  set();
  const timer = setInterval(set, 1_000);
  return () => clearInterval(timer);
}

/** A failure that no injected fault explains: our own, or no answer at all. */
export function isForeign({ status, body }: Met): boolean {
  if (status !== 0 && status < 500) return false;
  const { code, upstream } = problemOf(body);
  return !(code.startsWith("upstream_") && upstream !== "service");
}

function problemOf(body: string): { code: string; upstream: string } {
  try {
    const { code, upstream } = JSON.parse(body) as Record<string, unknown>;
    return { code: String(code), upstream: String(upstream) };
  } catch {
    return { code: "", upstream: "" };
  }
}

function look(service: ServiceProcess, dataDir: string, since: number): Sample {
  const wal = join(dataDir, "ops.sqlite-wal");
  return {
    atMs: performance.now() - since,
    resident: service.residentBytes(),
    handles: service.openHandles(),
    walBytes: existsSync(wal) ? statSync(wal).size : 0,
  };
}

const mb = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;

/** Megabytes an hour, by least squares. */
function slope(samples: readonly Sample[]): number {
  const mean = (pick: (s: Sample) => number) => samples.reduce((sum, s) => sum + pick(s), 0) / samples.length;
  const [meanX, meanY] = [mean((s) => s.atMs), mean((s) => s.resident)];
  const covariance = mean((s) => (s.atMs - meanX) * (s.resident - meanY));
  const variance = mean((s) => (s.atMs - meanX) ** 2);
  return variance === 0 ? 0 : ((covariance / variance) * 3_600_000) / 1e6;
}

/** Judges the samples: the settled part of the soak, its first minute against its last. */
function findingsOf(samples: readonly Sample[], totalMs: number): Finding[] {
  const from = Math.min(SETTLED_MS, totalMs / 3);
  const settled = samples.filter((s) => s.atMs >= from);
  const part = Math.max(5, Math.floor(settled.length / 10));
  const [early, late] = [settled.slice(0, part), settled.slice(-part)];
  const [residentEarly, residentLate] = [
    median(early.map((s) => s.resident)),
    median(late.map((s) => s.resident)),
  ];
  const handlesOf = (some: readonly Sample[]) =>
    median(some.flatMap((s) => (s.handles === null ? [] : [s.handles])));
  const [handlesEarly, handlesLate] = [handlesOf(early), handlesOf(late)];
  const wal = Math.max(...samples.map((s) => s.walBytes));
  const ratio = residentLate / residentEarly;
  const isCounted = !Number.isNaN(handlesEarly);
  return [
    {
      what: `resident memory after ${Math.round(from / 1000)} s and at the end`,
      found: `${mb(residentEarly)}, ${mb(residentLate)}: ${ratio.toFixed(2)}; ${slope(settled).toFixed(0)} MB an hour`,
      bound: `≤ ${RESIDENT_RATIO_MAX}`,
      ok: ratio <= RESIDENT_RATIO_MAX,
    },
    {
      what: "open handles then and at the end",
      found: isCounted ? `${handlesEarly}, ${handlesLate}` : "not given by this system",
      bound: `≤ ${HANDLES_MORE_MAX} more`,
      ok: !isCounted || handlesLate - handlesEarly <= HANDLES_MORE_MAX,
    },
    {
      what: "largest write-ahead log",
      found: mb(wal),
      bound: `≤ ${mb(WAL_BYTES_MAX)}`,
      ok: wal <= WAL_BYTES_MAX,
    },
  ];
}

/** The reader's complaints, and that it read at all. */
async function endReader(reader: Bun.Subprocess<"ignore", "pipe", "inherit">): Promise<Finding> {
  reader.kill("SIGTERM");
  const lines = (await new Response(reader.stdout).text()).trim().split("\n");
  const opened = Number(/^opened (\d+)$/.exec(lines.at(-1) ?? "")?.[1] ?? 0);
  const complaints = lines.slice(0, opened > 0 ? -1 : undefined);
  return {
    what: "errors of an outside reader of the catalogue",
    found: `${complaints.length} in ${opened} visits${complaints[0] ? `: ${complaints[0]}` : ""}`,
    bound: "0",
    ok: complaints.length === 0 && opened > 0,
  };
}

async function watch(
  service: ServiceProcess,
  dataDir: string,
  load: RunningLoad,
  totalMs: number,
  tell: (line: string) => void,
): Promise<Sample[]> {
  const samples: Sample[] = [];
  const since = performance.now();
  let toldMs = 0;
  while (performance.now() - since < totalMs && service.isAlive()) {
    await Bun.sleep(SAMPLE_EVERY_MS);
    const seen = look(service, dataDir, since);
    samples.push(seen);
    if (seen.atMs - toldMs < TELL_EVERY_MS) continue;
    toldMs = seen.atMs;
    tell(
      `${Math.round(seen.atMs / 60_000)} min: ${load.answered()} requests, ${mb(seen.resident)} resident, ${seen.handles} handles, ${mb(seen.walBytes)} log`,
    );
  }
  return samples;
}

/** Fills what only jobs and admin routes fill. Throws when the service will not. */
async function prepare(url: string, symbols: readonly string[]): Promise<void> {
  for (const [path, body] of prepared(symbols)) {
    const headers = { "content-type": "application/json" };
    const { status } = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
    if (status >= 300) throw new Error(`${path} answered ${status}`);
  }
}

function unexplainedFinding(failures: readonly Met[]): Finding {
  const [first] = failures;
  return {
    what: "failures that no injected fault explains",
    found: `${failures.length}${first ? `: ${first.status} ${first.path} ${first.body.slice(0, 200)}` : ""}`,
    bound: "0",
    ok: failures.length === 0,
  };
}

/** Runs the soak for `minutes` and returns a finding for each bound. */
export async function soak(minutes: number, tell: (line: string) => void): Promise<Finding[]> {
  const dataDir = await mkdtemp(join(tmpdir(), "asof-endure-"));
  const upstream = await serveSample({ symbols: SYMBOLS });
  const service = await startService({ ...ENV, DATA_DIR: dataDir, UPSTREAM_GATEWAY: upstream.url });
  await prepare(service.url, upstream.market.symbols());
  const reader = Bun.spawn([process.execPath, join(import.meta.dir, "catalogue-reader.ts"), dataDir], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const endFaults = keepFaults(upstream);
  const foreign: Met[] = [];
  const byStatus = new Map<number, number>();
  const load = startLoad(service.url, {
    clients: CLIENTS,
    pauseMs: PAUSE_MS,
    next: questions(upstream.market.symbols(), newYorkDate(systemClock.now())),
    refused(met) {
      byStatus.set(met.status, (byStatus.get(met.status) ?? 0) + 1);
      if (isForeign(met)) foreign.push(met);
    },
  });
  const totalMs = minutes * 60_000;
  const samples = await watch(service, dataDir, load, totalMs, tell);
  const isAlive = service.isAlive();
  await load.stop();
  endFaults();
  const readerFinding = await endReader(reader);
  const exit = await service.stop();
  const asked = upstream.traffic().total;
  await upstream.stop();
  const leftovers = existsSync(join(dataDir, "_staging"))
    ? [...new Bun.Glob("*").scanSync(join(dataDir, "_staging"))]
    : [];
  await rm(dataDir, { recursive: true, force: true });
  const statuses = [...byStatus].sort().map(([status, n]) => `${n}× ${status}`);
  return [
    ...findingsOf(samples, totalMs),
    unexplainedFinding(foreign),
    readerFinding,
    {
      what: "longest answer",
      found: `${(load.longest().ms / 1000).toFixed(1)} s: ${load.longest().path.slice(0, 120)}`,
      bound: `< ${MULTI_REQUEST_DEADLINE_S} s`,
      ok: load.longest().ms < MULTI_REQUEST_DEADLINE_S * 1000,
    },
    {
      what: "requests, asked of the provider, refusals",
      found: `${load.answered()}, ${asked}, ${statuses.join(" ") || "none"}`,
      bound: "> 0",
      ok: load.answered() > 0 && asked > 0,
    },
    {
      what: "alive to the end, stopped in order, staging empty",
      found: `${isAlive ? "alive" : "died"}, exit code ${exit}, ${leftovers.length} files left`,
      bound: "alive, 0, 0",
      ok: isAlive && exit === 0 && leftovers.length === 0,
    },
  ];
}
