// Runs the SQL of a client in a process of its own, which is ended at its limits.

import { join } from "node:path";
import {
  SQL_ANSWER_BYTES_MAX,
  SQL_CHARS_MAX,
  SQL_MEMORY_MB_MAX,
  SQL_ROWS_MAX,
  SQL_SECONDS_MAX,
} from "../../limits.ts";
import { systemTimers } from "../../platform/clock.ts";
import { InvalidRequest } from "../../platform/errors.ts";
import { type ChildAnswer, type ChildRequest, MEMORY_EXIT, type QueryResult } from "./exchange.ts";

export interface Query {
  readonly sql: string;
  /** Only what the world knew then; null: everything. */
  readonly asOf: Temporal.Instant | null;
  /** The generation of the store to read; null: the newest. */
  readonly version: number | null;
  /** The result of now(); null: the real time. */
  readonly now?: Temporal.Instant | null;
  /** Rows to return at most. */
  readonly rowsMax: number;
  /** Paths of damaged files, which are left out. */
  readonly without?: readonly string[];
}

export interface QueryRunnerOptions {
  readonly dataDir: string;
  readonly extraClosures: readonly string[];
  /** Milliseconds. */
  readonly timeMaxMs?: number;
}

/** Runs a query. Throws InvalidRequest `query_refused` or `query_limit`, with the reason. */
export type RunQuery = (query: Query, signal?: AbortSignal) => Promise<QueryResult>;

const CHILD = join(import.meta.dir, "child.ts");
const limit = (what: string, hint: string) => new InvalidRequest("query_limit", what, { hint });

/** Reads up to a number of bytes; null where there are more. */
async function textUpTo(stream: ReadableStream<Uint8Array>, bytesMax: number): Promise<string | null> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of stream) {
    bytes += piece.byteLength;
    if (bytes > bytesMax) return null;
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}

/** Starts the process, and gives what it wrote and how it ended; it is killed when `signal` is aborted. */
async function runChild(request: ChildRequest, signal: AbortSignal) {
  const child = Bun.spawn([process.execPath, CHILD], {
    stdin: new Blob([JSON.stringify(request)]),
    stdout: "pipe",
    stderr: "ignore",
    // Neither keys nor other settings of the service reach it.
    env: { NODE_ENV: "production" },
  });
  const kill = () => child.kill("SIGKILL");
  signal.addEventListener("abort", kill, { once: true });
  if (signal.aborted) kill();
  try {
    const text = await textUpTo(child.stdout, SQL_ANSWER_BYTES_MAX);
    if (text === null) kill();
    return { text, exitCode: await child.exited };
  } finally {
    signal.removeEventListener("abort", kill);
  }
}

function resultOf(text: string | null, exitCode: number): QueryResult {
  const narrow = "Select fewer columns or rows.";
  if (text === null) throw limit(`The answer is larger than ${SQL_ANSWER_BYTES_MAX / 1e6} MB.`, narrow);
  if (exitCode === MEMORY_EXIT)
    throw limit(`The query needs more memory than ${SQL_MEMORY_MB_MAX} MB.`, narrow);
  if (exitCode !== 0) throw new Error(`the process of a query ended with ${exitCode}`);
  const answer = JSON.parse(text) as ChildAnswer;
  if ("refused" in answer) throw new InvalidRequest("query_refused", answer.refused);
  return answer;
}

/** Builds the way to run queries on the lake of a data folder. */
export function queryRunner({ dataDir, extraClosures, timeMaxMs }: QueryRunnerOptions): RunQuery {
  const timeMax = timeMaxMs ?? SQL_SECONDS_MAX * 1_000;
  return async ({ sql, asOf, version, now = null, rowsMax, without = [] }, signal) => {
    if (sql.length > SQL_CHARS_MAX)
      throw limit(`The query is longer than ${SQL_CHARS_MAX} characters.`, "Write a shorter one.");
    const request: ChildRequest = {
      data_dir: dataDir,
      sql,
      as_of: asOf?.toString() ?? null,
      version,
      now: now?.toString() ?? null,
      rows_max: Math.min(rowsMax, SQL_ROWS_MAX),
      memory_mb: SQL_MEMORY_MB_MAX,
      closures: extraClosures,
      without,
    };
    const late = new AbortController();
    const cancel = systemTimers.after(timeMax, () => late.abort());
    const { text, exitCode } = await runChild(
      request,
      signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]),
    ).finally(cancel);
    signal?.throwIfAborted();
    if (late.signal.aborted)
      throw limit(`The query took longer than ${timeMax / 1_000} s.`, "Select fewer symbols or days.");
    return resultOf(text, exitCode);
  };
}
