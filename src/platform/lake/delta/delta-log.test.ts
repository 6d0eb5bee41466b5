// Which names of a log's folder count, and that a folder which cannot be read is never taken for an empty
// log.
import { expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { entryName, logFiles } from "./delta-log.ts";

test("entries, checkpoints and the pointer count; a folder that cannot be read is an error", async () => {
  const dir = await mkdtemp(join(tmpdir(), "delta-log-"));
  const folder = join(dir, "log");
  await mkdir(folder);
  const checkpoint = "00000000000000000010.checkpoint.parquet";
  for (const name of [
    entryName(3),
    checkpoint,
    "_last_checkpoint",
    ".00000000000000000003.json.crc",
    "1.json",
  ])
    await writeFile(join(folder, name), "");
  expect((await logFiles(folder)).sort()).toEqual([entryName(3), checkpoint, "_last_checkpoint"]);
  expect(await logFiles(join(dir, "absent"))).toEqual([]);
  expect(await logFiles(join(folder, entryName(3)))).toEqual([]);

  const loop = join(dir, "loop");
  await symlink(loop, loop);
  await expect(logFiles(loop)).rejects.toThrow("ELOOP");
  await rm(dir, { recursive: true });
});
