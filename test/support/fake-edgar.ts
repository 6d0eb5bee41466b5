// An EDGAR for tests, and a vault for what it gives.

import type { Clock } from "../../src/platform/clock.ts";
import { NotFound } from "../../src/platform/errors.ts";
import type { UpstreamRequest } from "../../src/platform/upstream/policy.ts";
import type { Vault } from "../../src/platform/vault.ts";
import { classifyEdgar, edgar, edgarPolicy } from "../../src/providers/edgar/index.ts";
import { fakeClock } from "./fake-clock.ts";
import type { FakeReply } from "./fake-upstream.ts";
import * as fake from "./fake-upstream.ts";

export { type FakeReply, fakeAnswer } from "./fake-upstream.ts";

export const fakeUpstream = (
  clock: Clock,
  reply: (url: URL, request: UpstreamRequest) => FakeReply | Promise<FakeReply>,
) => fake.fakeUpstream({ policy: edgarPolicy, classify: classifyEdgar }, clock, reply);

/** A vault in memory. */
export function fakeVault(): Vault & { readonly keys: () => string[]; readonly lose: () => void } {
  const contents = new Map<string, Uint8Array>();
  const names = new Map<string, string>();
  return {
    async put(bytes, { url }) {
      const sha256 = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
      const created = !contents.has(sha256);
      contents.set(sha256, bytes);
      names.set(url, sha256);
      return { sha256, bytes: bytes.byteLength, storedBytes: bytes.byteLength, created };
    },
    async get(sha256) {
      const bytes = contents.get(sha256);
      if (!bytes) throw new NotFound("not_found", "The vault holds no such content");
      return bytes;
    },
    find: (url) => names.get(url) ?? null,
    keys: () => [...names.keys()],
    lose: () => contents.clear(),
  };
}

export const FAKE_AGENT = "Zebulon contact@zebulon.example";

/** The provider in front of such an EDGAR, at 2026-03-10 11:00 in New York. */
export function fakeEdgar(
  reply: (url: URL, headers: Readonly<Record<string, string>>) => FakeReply,
  userAgent: string | null = FAKE_AGENT,
) {
  const clock = fakeClock("2026-03-10T15:00:00Z");
  const upstream = fakeUpstream(clock, (url, request) => reply(url, { ...request.headers }));
  const provider = edgar({ upstream, vault: fakeVault(), clock, userAgent });
  return { provider, upstream, asked: () => upstream.requests.map(({ url }) => url) };
}

/** The storage behind EDGAR saying that there is no such file. */
export const missing = (status: 403 | 404): FakeReply => ({
  status,
  body: `<Error><Code>${status === 403 ? "AccessDenied" : "NoSuchKey"}</Code></Error>`,
});
