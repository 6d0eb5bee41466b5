import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Packed, zipOf } from "../../test/support/zip-file.ts";
import { BrokenArchive, openZip } from "./zip.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "asof-zip-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

let files = 0;
async function archiveOf(bytes: Uint8Array) {
  const path = join(folder, `${files++}.zip`);
  await writeFile(path, bytes);
  return openZip(path);
}
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => "was read",
    (error: unknown) => (error instanceof BrokenArchive ? error.message : String(error)),
  );

const FILES: readonly Packed[] = [
  { name: "a.json", text: '{"a":"ä"}' },
  { name: "folder/", text: "", stored: true },
  { name: "stored.json", text: "[1,2]", stored: true },
  { name: "empty.json", text: "" },
  { name: "large.json", text: "x".repeat(100_000) },
];

test("an archive in memory is read like one in a file", async () => {
  const bytes = zipOf(FILES);
  const archive = await openZip(bytes);
  const [first] = archive.entries;
  expect(archive.entries.map(({ name }) => name)).toEqual([
    "a.json",
    "stored.json",
    "empty.json",
    "large.json",
  ]);
  expect(first && new TextDecoder().decode(await archive.read(first, 100))).toBe('{"a":"ä"}');
  await archive.close();
  await expect(openZip(bytes.subarray(0, 40))).rejects.toBeInstanceOf(BrokenArchive);
});

describe.each([
  ["plain", {}],
  [
    "with a comment that looks like an end",
    { comment: "PK\u0005\u0006 no end at all, though long enough to be one" },
  ],
  ["with ZIP64 numbers", { zip64: true }],
])("an archive %s", (_name, options) => {
  test("gives each file's bytes, in any order", async () => {
    const archive = await archiveOf(zipOf(FILES, options));
    expect(archive.entries.map(({ name, size }) => [name, size])).toEqual([
      ["a.json", 10],
      ["stored.json", 5],
      ["empty.json", 0],
      ["large.json", 100_000],
    ]);
    const texts: Record<string, string> = {};
    for (const entry of archive.entries.toReversed())
      texts[entry.name] = new TextDecoder().decode(await archive.read(entry, 100_000));
    expect(texts).toEqual({
      "a.json": '{"a":"ä"}',
      "stored.json": "[1,2]",
      "empty.json": "",
      "large.json": "x".repeat(100_000),
    });
    await archive.close();
  });
});

test.each<[string, Packed, RegExp]>([
  ["a wrong checksum", { name: "a", text: "abc", crc: 1 }, /damaged/],
  ["more bytes than listed", { name: "a", text: "abcdef", size: 3 }, /damaged/],
  ["fewer bytes than listed", { name: "a", text: "abc", size: 30 }, /damaged/],
  ["encryption", { name: "a", text: "abc", encrypted: true }, /not read here/],
  ["a size above the limit", { name: "a", text: "x".repeat(2_000) }, /larger than 1000 bytes/],
])("an entry with %s is refused", async (_name, file, description) => {
  const archive = await archiveOf(zipOf([file]));
  const [entry] = archive.entries;
  if (!entry) throw new Error("no entry");
  expect(await refusal(archive.read(entry, 1_000))).toMatch(description);
  await archive.close();
});

test("a bomb that unpacks to more than its stated size is stopped at that size", async () => {
  const archive = await archiveOf(zipOf([{ name: "a", text: "x".repeat(50_000_000), size: 10 }]));
  const [entry] = archive.entries;
  if (!entry) throw new Error("no entry");
  expect(await refusal(archive.read(entry, 1_000_000))).toMatch(/damaged/);
  await archive.close();
});

test.each([
  ["an empty file", new Uint8Array(0)],
  ["text", new TextEncoder().encode("<html>no archive</html>")],
  ["a cut archive", zipOf(FILES).slice(0, -30)],
  ["a list that lies elsewhere", zipOf(FILES).slice(10)],
])("%s is refused at opening", async (_name, bytes) => {
  expect(await refusal(archiveOf(bytes))).toMatch(/archive|list of contents/);
});

test("an entry of another archive is refused", async () => {
  const [one, other] = [await archiveOf(zipOf(FILES)), await archiveOf(zipOf(FILES))];
  const [entry] = other.entries;
  if (!entry) throw new Error("no entry");
  expect(await refusal(one.read(entry, 1_000))).toMatch(/not of this archive/);
  await one.close();
  await other.close();
});
