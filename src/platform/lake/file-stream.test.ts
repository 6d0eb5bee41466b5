// A passing file is read once and then gone, also when nobody reads it to its end.
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

test("all of it, then it is gone", async () => {
  const file = await passing("a,b\n1,2\n");
  expect(await new Response(streamOfFile(file)).text()).toBe("a,b\n1,2\n");
  expect(existsSync(file.path)).toBe(false);
  await rm(file.dir, { recursive: true });
});

test("a reader that goes away takes the file with it", async () => {
  const file = await passing("x".repeat(1_000_000));
  const reader = streamOfFile(file).getReader();
  expect((await reader.read()).done).toBe(false);
  await reader.cancel();
  expect(existsSync(file.path)).toBe(false);
  await rm(file.dir, { recursive: true });
});
