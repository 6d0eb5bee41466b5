// An EDGAR for tests: answers by a function, judged by the real classification, every request kept.
import { BodyTooLarge } from "../../platform/body-limit.ts";
import { type Clock, fakeClock } from "../../platform/clock.ts";
import { NotFound, UpstreamFailed, UpstreamRateLimited } from "../../platform/errors.ts";
import type { Upstream, UpstreamAnswer, UpstreamRequest } from "../../platform/upstream-policy.ts";
import type { Vault } from "../../platform/vault.ts";
import { classifyEdgar } from "./classify.ts";
import { edgar } from "./index.ts";
import { edgarPolicy } from "./policy.ts";

/** What the fake says; objects are sent as JSON. */
export interface FakeReply {
  readonly status?: number;
  readonly body?: string | Uint8Array | object;
  readonly headers?: Readonly<Record<string, string>>;
  /** Where redirects ended; default: the address asked. */
  readonly url?: string;
}

export interface FakeUpstream extends Upstream {
  readonly requests: UpstreamRequest[];
}

/** An answer as the real Upstream would hand it over. */
export function fakeAnswer(url: string, reply: FakeReply, clock: Clock): UpstreamAnswer {
  const { status = 200, body = "" } = reply;
  const text = typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body);
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  return {
    url: reply.url ?? url,
    status,
    headers: new Headers(reply.headers),
    bytes,
    receivedAt: clock.now(),
  };
}

export function fakeUpstream(
  clock: Clock,
  reply: (url: URL, request: UpstreamRequest) => FakeReply | Promise<FakeReply>,
): FakeUpstream {
  const requests: UpstreamRequest[] = [];
  return {
    policy: edgarPolicy,
    requests,
    async ask(request) {
      request.signal?.throwIfAborted();
      requests.push(request);
      const answer = fakeAnswer(request.url, await reply(new URL(request.url), request), clock);
      request.signal?.throwIfAborted();
      if (answer.bytes.byteLength > (request.bytesMax ?? edgarPolicy.bytesMax))
        throw new UpstreamFailed("edgar", "too large", { cause: new BodyTooLarge() });
      const verdict = classifyEdgar(answer);
      if (verdict.kind === "failed") throw new UpstreamFailed("edgar", verdict.detail);
      if (verdict.kind === "rate_limited")
        throw new UpstreamRateLimited("edgar", verdict.detail, { retryAfterS: verdict.retryAfterS });
      return answer;
    },
    health: () => ({
      name: "edgar",
      status: "unknown",
      breaker: "closed",
      breakerOpenUntil: null,
      lastSuccessAt: null,
      lastErrorAt: null,
      lastError: null,
      lastMisread: null,
      activeRequests: 0,
      waitingRequests: 0,
      requestsTotal: requests.length,
      failuresTotal: 0,
    }),
  };
}

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
