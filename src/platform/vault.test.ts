import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fakeClock } from "../../test/support/fake-clock.ts";
import { NotFound, StorageUnavailable } from "./errors.ts";
import { openSqlite } from "./sqlite/sqlite.ts";
import { vault_objects } from "./sqlite/tables.ts";
import { openVault } from "./vault.ts";

setDefaultTimeout(1_200_000);

const root = mkdtempSync(join(tmpdir(), "vault-test-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let count = 0;
const HELLO = new TextEncoder().encode("hello vault ".repeat(100));
/** sha256 of the text above, by coreutils. */
const HELLO_SHA = "2167f600e8a49385660b8620c364fc145cc376d9b49ad803d7a8048a5e1e1597";
const at = (text: string) => Temporal.Instant.from(text);
const source = (url = "https://h.example/a", receivedAt = "2026-11-20T14:59:00Z") => ({
  url,
  receivedAt: at(receivedAt),
  contentType: "text/plain",
});

async function make(folder = join(root, `v${count++}`)) {
  const store = openSqlite(":memory:");
  const vault = await openVault(folder, { store, clock: fakeClock("2026-11-20T15:00:00Z") });
  const pathOf = (sha: string) => join(folder, sha.slice(0, 2), sha.slice(2, 4), `${sha}.zst`);
  return { folder, store, vault, pathOf };
}
const faultOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "it was answered",
    (error: unknown) => error,
  );

test("bytes are read back as stored, from a compressed file named by their hash, with their row", async () => {
  const { vault, store, pathOf, folder } = await make();
  const receipt = await vault.put(HELLO, source());
  expect(receipt).toMatchObject({ sha256: HELLO_SHA, bytes: 1200, created: true });
  expect(await vault.get(HELLO_SHA)).toEqual(HELLO);
  const stored = readFileSync(pathOf(HELLO_SHA));
  expect([stored.length, stored.subarray(0, 4).toString("hex")]).toEqual([receipt.storedBytes, "28b52ffd"]);
  expect(stored.length).toBeLessThan(200);
  expect(statSync(pathOf(HELLO_SHA)).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(folder, "_staging"))).toEqual([]);
  expect(store.use((db) => db.select().from(vault_objects).all())).toEqual([
    {
      sha256: HELLO_SHA,
      url: "https://h.example/a",
      content_type: "text/plain",
      bytes: 1200,
      stored_bytes: receipt.storedBytes,
      received_at: "2026-11-20T14:59:00.000Z",
      stored_at: "2026-11-20T15:00:00.000Z",
    },
  ]);
});

test("the same bytes again change nothing; from another URL they get their own row", async () => {
  const { vault, store, pathOf } = await make();
  const first = await vault.put(HELLO, source());
  const before = statSync(pathOf(HELLO_SHA)).ino;
  expect(await vault.put(HELLO, source())).toEqual({ ...first, created: false });
  await vault.put(HELLO, source("https://h.example/b"));
  expect(statSync(pathOf(HELLO_SHA)).ino).toBe(before);
  expect(store.use((db) => db.select().from(vault_objects).all()).map((r) => r.url)).toEqual([
    "https://h.example/a",
    "https://h.example/b",
  ]);
});

test("a URL finds the bytes last received from it", async () => {
  const { vault } = await make();
  const other = await vault.put(new Uint8Array([1]), source(undefined, "2026-11-20T10:00:00Z"));
  expect(vault.find("https://h.example/a")).toBe(other.sha256);
  await vault.put(HELLO, source());
  expect([vault.find("https://h.example/a"), vault.find("https://h.example/none")]).toEqual([
    HELLO_SHA,
    null,
  ]);
});

test("no bytes, every byte value, and megabytes that do not compress", async () => {
  const { vault } = await make();
  const noise = crypto.getRandomValues(new Uint8Array(65_536));
  const big = new Uint8Array(3_000_000).map((_, i) => noise[(i * 7919) % 65_536] ?? 0);
  for (const bytes of [new Uint8Array(), Uint8Array.from({ length: 256 }, (_, i) => i), big]) {
    const { sha256 } = await vault.put(bytes, source());
    expect(Buffer.compare(await vault.get(sha256), bytes)).toBe(0);
  }
});

test("a damaged file is an error, and the next put repairs it", async () => {
  const { vault, pathOf } = await make();
  await vault.put(HELLO, source());
  const path = pathOf(HELLO_SHA);
  const damages = [
    Buffer.from(Bun.zstdCompressSync(Buffer.from("other bytes"))),
    readFileSync(path).subarray(0, 20),
    Buffer.from("not zstd at all"),
    Buffer.alloc(0),
  ];
  for (const damage of damages) {
    writeFileSync(path, damage);
    const error = await faultOf(vault.get(HELLO_SHA));
    expect(error).toBeInstanceOf(StorageUnavailable);
    expect((error as Error).message).toBe("A file of the vault is damaged");
    expect((await vault.put(HELLO, source())).created).toBe(true);
    expect(await vault.get(HELLO_SHA)).toEqual(HELLO);
  }
});

test("an unknown hash, and names that are no hashes, are NotFound and reach no file", async () => {
  const { vault } = await make();
  const names = [
    "0".repeat(64),
    "",
    "../../etc/passwd",
    `${"a".repeat(63)}/`,
    "A".repeat(64),
    "a".repeat(65),
  ];
  for (const name of names) expect(await faultOf(vault.get(name))).toBeInstanceOf(NotFound);
});

test("drafts left by a crash are deleted at the next opening; complete files stay", async () => {
  const { vault, folder } = await make();
  await vault.put(HELLO, source());
  writeFileSync(join(folder, "_staging", "draft"), "half");
  const again = await make(folder);
  expect(existsSync(join(folder, "_staging", "draft"))).toBe(false);
  expect(await again.vault.get(HELLO_SHA)).toEqual(HELLO);
});

test("fifty concurrent puts of the same bytes leave one complete file", async () => {
  const { vault, folder } = await make();
  await Promise.all(Array.from({ length: 50 }, (_, i) => vault.put(HELLO, source(`https://h.example/${i}`))));
  expect(await vault.get(HELLO_SHA)).toEqual(HELLO);
  expect(readdirSync(join(folder, HELLO_SHA.slice(0, 2), HELLO_SHA.slice(2, 4)))).toEqual([
    `${HELLO_SHA}.zst`,
  ]);
  expect(readdirSync(join(folder, "_staging"))).toEqual([]);
});

test("a folder that cannot be used is StorageUnavailable, without its path", async () => {
  const file = join(root, "a-file");
  writeFileSync(file, "x");
  const error = await faultOf(make(join(file, "vault")));
  expect(error).toBeInstanceOf(StorageUnavailable);
  expect((error as Error).message).toBe("The vault cannot be used: the disk cannot be used");
});
