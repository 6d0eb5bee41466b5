import { expect, spyOn, test } from "bun:test";
import fs from "node:fs";
import { captureLog } from "../../test/support/capture-log.ts";
import { fakeClock } from "../../test/support/fake-clock.ts";
import { UpstreamFailed } from "./errors.ts";
import { createLog, type LogLevel } from "./log.ts";

function lines(level: LogLevel, act: (log: ReturnType<typeof createLog>) => void, secrets: string[] = []) {
  const written: string[] = [];
  act(
    createLog({
      level,
      clock: fakeClock("2026-11-20T15:00:00Z"),
      secrets,
      write: (line) => {
        written.push(line);
      },
    }),
  );
  return written;
}

test("a line is one JSON object with level, time, fields and message", () => {
  const [line] = lines("info", (log) => log.child({ upstream: "yahoo" }).info("answered", { status: 200 }));
  expect(JSON.parse(line ?? "")).toEqual({
    level: "info",
    time: "2026-11-20T15:00:00.000Z",
    upstream: "yahoo",
    status: 200,
    msg: "answered",
  });
});

test("a full disk below the log drops lines, which is said once there is room", () => {
  const written: string[] = [];
  let room = 10;
  const disk = spyOn(fs, "writeSync").mockImplementation(((_fd: number, data: string | Uint8Array) => {
    const bytes = Buffer.from(data).subarray(0, room);
    if (bytes.length === 0) throw Object.assign(new Error("ENOSPC"), { code: "ENOSPC" });
    room -= bytes.length;
    written.push(bytes.toString());
    return bytes.length;
  }) as typeof fs.writeSync);
  try {
    const log = createLog({ level: "info", clock: fakeClock("2026-11-20T15:00:00Z"), to: "stderr" });
    for (const each of ["one", "two", "three"]) log.info(each);
    expect(written).toEqual(['{"level":"']);
    room = 1_000_000;
    for (const each of ["four", "five"]) log.info(each);
  } finally {
    disk.mockRestore();
  }
  const [, ...whole] = written.join("").trim().split("\n");
  expect(whole.map((line) => JSON.parse(line))).toMatchObject([
    { level: "info", msg: "four" },
    { level: "warn", msg: "lines could not be written", dropped: 3 },
    { level: "info", msg: "five" },
  ]);
});

test("lines below the level are not written", () => {
  const all = (log: ReturnType<typeof createLog>) => {
    log.debug("d");
    log.info("i");
    log.warn("w");
    log.error("e");
  };
  const said = (level: LogLevel) => lines(level, all).map((l) => JSON.parse(l).msg as string);
  expect(said("debug")).toEqual(["d", "i", "w", "e"]);
  expect(said("warn")).toEqual(["w", "e"]);
  expect(said("silent")).toEqual([]);
});

test("an expected error is a short line: its causes in words, no stack", () => {
  const reset = new Error("socket hang up", { cause: new Error("ECONNRESET") });
  const error = new UpstreamFailed("yahoo", "yahoo could not be reached", { cause: reset });
  const [line = ""] = lines("info", (log) => log.warn("request failed", { error }));
  expect(JSON.parse(line).error).toEqual({
    name: "UpstreamFailed",
    code: "upstream_error",
    message: "yahoo could not be reached",
    facts: { upstream: "yahoo" },
    cause: "Error: socket hang up ← Error: ECONNRESET",
  });
  expect(line.length).toBeLessThan(400);
  // An unexpected error is a fault of the service, and its stack says where.
  const [bug = ""] = lines("info", (log) => log.error("failed", { error: new TypeError("x is null") }));
  expect(JSON.parse(bug).error.stack).toContain("log.test.ts");
});

test("a value cannot forge a line", () => {
  const written = lines("info", (log) => log.info("seen", { path: '/x\r\n{"level":"error"}' }));
  expect(written).toHaveLength(1);
  expect(written[0]?.trimEnd().split(/[\r\n]/)).toHaveLength(1);
});

test("no secret is written, whether in a field, an error, its cause or the message", () => {
  const cause = new Error("GET https://h.example/a?api_key=CANARY1");
  const written = lines(
    "debug",
    (log) => {
      log.warn("failed with hidden-key", { error: new UpstreamFailed("fred", "it failed", { cause }) });
      log.info("sent", { headers: { "APCA-API-KEY-ID": "CANARY2" }, url: "https://h/?crumb=CANARY3" });
    },
    ["hidden-key"],
  );
  expect(written.join("")).not.toMatch(/CANARY|hidden-key/);
  const error = JSON.parse(written[0] ?? "").error;
  expect([error.name, error.code, error.facts.upstream]).toEqual([
    "UpstreamFailed",
    "upstream_error",
    "fred",
  ]);
});

test("the capturing log collects levels, messages and redacted fields", () => {
  const log = captureLog();
  log.child({ job: "x" }).error("failed", { token: "CANARY" });
  expect(log.lines).toEqual([
    { level: "error", message: "failed", fields: { job: "x", token: "[redacted]" } },
  ]);
});
