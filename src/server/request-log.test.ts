// Rows are written in the order of the requests, for any number of rows.
import { Database } from "bun:sqlite";
import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqlite } from "../platform/sqlite/sqlite.ts";
import { request_log } from "../platform/sqlite/tables.ts";
import type { RequestRecord } from "./edge.ts";
import { openRequestLog } from "./request-log.ts";

setDefaultTimeout(1_200_000);

const record = (n: number): RequestRecord => ({
  requestId: `r${n}`,
  startedAtMs: Date.UTC(2026, 8, 9, 21) + n,
  durationMs: 1.6,
  method: "GET",
  path: "/api/v1/health",
  route: "/api/v1/health",
  query: "a=1&token=hidden",
  status: 200,
  peer: "127.0.0.1",
  userAgent: null,
  cache: null,
  errorCode: null,
});

test.each([1, 39, 40, 41, 85])("%i rows at once", (count) => {
  const sqlite = openSqlite(":memory:");
  const log = openRequestLog({ sqlite, secrets: [] }, (error) => {
    throw error;
  });
  for (let n = 0; n < count; n++) log.add(record(n));
  log.flush();
  const rows = sqlite.use((db) => db.select().from(request_log).orderBy(request_log.id).all());
  expect(rows.map((row) => row.request_id)).toEqual(Array.from({ length: count }, (_, n) => `r${n}`));
  expect(rows.at(-1)).toEqual({
    id: count,
    request_id: `r${count - 1}`,
    timestamp: `2026-09-09T21:00:00.${String(count - 1).padStart(3, "0")}Z`,
    method: "GET",
    path: "/api/v1/health",
    query: "a=1&token=[redacted]",
    status_code: 200,
    duration_ms: 2,
    client_ip: "127.0.0.1",
    user_agent: null,
    cache: null,
    error_code: null,
  });
  log.close();
  sqlite.close();
});

test("rows wait in memory while another process keeps the database locked; what is left at the end is counted", () => {
  const folder = mkdtempSync(join(tmpdir(), "request-log-"));
  const sqlite = openSqlite(join(folder, "ops.sqlite"));
  const other = new Database(join(folder, "ops.sqlite"));
  const lost: [unknown, number][] = [];
  const log = openRequestLog({ sqlite, secrets: [] }, (error, rows) => lost.push([error, rows]));
  const stored = () =>
    sqlite
      .use((db) => db.select().from(request_log).orderBy(request_log.id).all())
      .map((row) => row.request_id);
  other.run("BEGIN IMMEDIATE");
  log.add(record(1));
  log.flush();
  log.add(record(2));
  log.flush();
  expect(stored()).toEqual([]);
  other.run("ROLLBACK");
  log.flush();
  expect(stored()).toEqual(["r1", "r2"]);
  other.run("BEGIN IMMEDIATE");
  for (const n of [3, 4, 5]) log.add(record(n));
  log.close();
  expect(lost).toEqual([["another process keeps the database locked", 3]]);
  other.close();
  sqlite.close();
  rmSync(folder, { recursive: true });
});
