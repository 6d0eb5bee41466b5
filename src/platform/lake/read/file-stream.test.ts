// A temporary file is removed after it was read, also when its reader stops early.
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { streamOfFile } from "./file-stream.ts";

async function passing(text: string) {
  const dir = await mkdtemp(join(tmpdir(), "passing-"));
  const path = join(dir, "answer");
  await Bun.write(path, text);
  return { path, dir, discard: () => rm(path, { force: true }) };
}

test("the whole file is read and then removed", async () => {
  const file = await passing("a,b\n1,2\n");
  expect(await new Response(streamOfFile(file)).text()).toBe("a,b\n1,2\n");
  expect(existsSync(file.path)).toBe(false);
  await rm(file.dir, { recursive: true });
});

test("cancelling the reader removes the file", async () => {
  const file = await passing("x".repeat(1_000_000));
  const reader = streamOfFile(file).getReader();
  expect((await reader.read()).done).toBe(false);
  await reader.cancel();
  expect(existsSync(file.path)).toBe(false);
  await rm(file.dir, { recursive: true });
});
