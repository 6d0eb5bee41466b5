// A file's checksum is that of its bytes, and others have their turn while it is made.
import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sha256Of } from "./disk.ts";

setDefaultTimeout(1_200_000);

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

async function fileOf(bytes: Uint8Array): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "disk-"));
  folders.push(folder);
  const path = join(folder, "file");
  await Bun.write(path, bytes);
  return path;
}

test("the checksum of an empty file, of a small one and of one in many pieces", async () => {
  const checksum = async (bytes: Uint8Array) => sha256Of(await fileOf(bytes));
  expect(await checksum(new Uint8Array())).toBe(
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  );
  expect(await checksum(new TextEncoder().encode("abc"))).toBe(
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  );
  const large = new Uint8Array(9_000_000).map((_, n) => (n * n) % 251);
  expect(await checksum(large)).toBe(new Bun.CryptoHasher("sha256").update(large).digest("hex"));
});

test("a large file leaves turns to others", async () => {
  const path = await fileOf(new Uint8Array(64_000_000));
  let isOver = false;
  let turns = 0;
  const made = sha256Of(path).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    turns++;
    await new Promise((resolve) => setImmediate(resolve));
  }
  await made;
  expect(turns).toBeGreaterThan(10);
});
