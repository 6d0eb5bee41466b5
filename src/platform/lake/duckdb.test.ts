// Which read gets which connection, and in what order, over an engine that does nothing.
import { expect, test } from "bun:test";
import type { DuckDBConnection } from "@duckdb/node-api";
import { CONNECTIONS, duckDbOver } from "./duckdb.ts";

/**
 * Reads that last until they are ended by name; `started` has their names in the order in which they got a
 * connection.
 */
function engine() {
  const started: string[] = [];
  const running = new Map<string, () => void>();
  const connections = Array.from({ length: CONNECTIONS }, () => ({ interrupt() {}, disconnectSync() {} }));
  const db = duckDbOver(connections as unknown as DuckDBConnection[], () => {});
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  const work = (name: string) => async () => {
    started.push(name);
    const over = Promise.withResolvers<void>();
    running.set(name, over.resolve);
    await over.promise;
    running.delete(name);
  };
  return {
    started,
    running,
    ask: (name: string, heavy = false, signal?: AbortSignal) => db.use(work(name), { heavy, signal }),
    write: (name: string) => db.useToWrite(work(name)),
    async end(name: string) {
      running.get(name)?.();
      await settle();
    },
    settle,
  };
}

test("cheap reads begin at once behind any number of heavy ones, of which two run at a time in their order", async () => {
  const { started, ask, end, settle, running } = engine();
  for (let n = 1; n <= 25; n++) void ask(`heavy ${n}`, true);
  for (const name of ["a", "b", "c", "d"]) void ask(name);
  await settle();
  expect(started).toEqual(["heavy 1", "heavy 2", "a", "b", "c", "d"]);
  await end("heavy 2");
  await end("heavy 1");
  expect([...running.keys()]).toEqual(["a", "b", "c", "d", "heavy 3", "heavy 4"]);
  await end("c");
  // A connection of a cheap read is not lent to a heavy one: the next cheap read would wait for it.
  expect([...running.keys()]).toEqual(["a", "b", "d", "heavy 3", "heavy 4"]);
});

test("cheap reads wait for cheap ones only, in their order; heavy ones take a place from none of them", async () => {
  const { started, ask, end, settle } = engine();
  for (const name of ["a", "b", "c", "d", "e", "f"]) void ask(name);
  void ask("heavy", true);
  await settle();
  expect(started).toEqual(["a", "b", "c", "d", "heavy"]);
  await end("b");
  await end("heavy");
  await end("a");
  expect(started).toEqual(["a", "b", "c", "d", "heavy", "e", "f"]);
});

test("writes wait for no read, and a read that was given up while it waited does not run", async () => {
  const { started, ask, write, end, settle } = engine();
  const gone = new AbortController();
  for (const name of ["a", "b", "c", "d"]) void ask(name);
  const given = ask("gone", false, gone.signal).catch((error: Error) => error.message);
  void ask("e");
  void write("write 1");
  void write("write 2");
  await settle();
  expect(started).toEqual(["a", "b", "c", "d", "write 1", "write 2"]);
  gone.abort(new Error("the client is gone"));
  await end("d");
  await settle();
  expect(await given).toBe("the client is gone");
  expect(started.slice(6)).toEqual(["e"]);
});
