// FINRA's file server: answers that are files, that mean no such file, and that are outages.
import { expect, test } from "bun:test";
import { type FakeReply, fakeFinra, NO_FILE } from "../../../test/support/fake-finra.ts";

const TEXT = "Date|Symbol|ShortVolume|ShortExemptVolume|TotalVolume|Market\r\n20260904|AA|1.5|0|2|Q\r\n1\r\n";
const ask = (reply: (name: string) => FakeReply, plainOnly = false) => {
  const { provider, asked } = fakeFinra(reply);
  return { file: provider.shortVolume("CNMS", "2026-09-04", { plainOnly }), asked };
};

test("a plain file", async () => {
  const { file, asked } = ask(() => ({
    body: TEXT,
    headers: { "last-modified": "Fri, 04 Sep 2026 21:58:11 GMT" },
  }));
  expect(await file).toMatchObject({
    lines: [{ symbol: "AA", short_volume: 1.5 }],
    last_modified: "2026-09-04T21:58:11Z",
    fetched_at: "2026-09-09T23:00:00Z",
    sha256: new Bun.CryptoHasher("sha256").update(TEXT).digest("hex"),
  });
  expect(asked).toEqual(["https://cdn.finra.org/equity/regsho/daily/CNMSshvol20260904.txt"]);
});

test("a gzip file under the plain name is the same file", async () => {
  const packed = await ask(() => ({ body: Bun.gzipSync(TEXT) })).file;
  expect(packed?.lines).toHaveLength(1);
  expect(packed?.sha256).toBe((await ask(() => ({ body: TEXT })).file)?.sha256 ?? "");
});

test("requests the gzip file where the plain one is missing, unless it is only not published yet", async () => {
  const reply = (name: string) => (name.endsWith(".gz") ? { body: Bun.gzipSync(TEXT) } : NO_FILE);
  const { file, asked } = ask(reply);
  expect((await file)?.lines).toHaveLength(1);
  expect(asked).toHaveLength(2);
  const early = ask(reply, true);
  expect(await early.file).toBeNull();
  expect(early.asked).toHaveLength(1);
});

test.each([
  ["403 in the storage's words", NO_FILE],
  ["403 without words", { status: 403 }],
  ["404", { status: 404, body: "<html>Not Found</html>" }],
] satisfies [string, FakeReply][])("%s: there is no such file", async (_, reply) => {
  expect(await ask(() => reply).file).toBeNull();
});

test.each([
  ["403 as a page", { status: 403, body: "<html>Request blocked.</html>" }, "refuses us"],
  ["503", { status: 503, body: "later" }, "not available (503)"],
  ["a page under 200", { body: "<!DOCTYPE html><html></html>" }, "a page instead"],
  ["nothing under 200", { body: "" }, "empty file"],
  ["429", { status: 429 }, "rate limit"],
  ["half a file", { body: TEXT.slice(0, -8) }, "cannot be used"],
  ["half a packed file", { body: Bun.gzipSync(TEXT).subarray(0, 40) }, "gzip is broken"],
] satisfies [string, FakeReply, string][])("%s is an outage", async (_, reply, why) => {
  await expect(ask(() => reply).file).rejects.toThrow(why);
});

test("short interest has its own folder and is named by its settlement date", async () => {
  const { provider, asked } = fakeFinra(() => NO_FILE);
  expect(await provider.shortInterest("2026-08-14")).toBeNull();
  expect(asked).toEqual(["https://cdn.finra.org/equity/otcmarket/biweekly/shrt20260814.csv"]);
});
