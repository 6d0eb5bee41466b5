// Sends requests to the brokerage feed: adds the keys, turns refusals into errors, and tracks the rate limit.

import type { Clock } from "../../platform/clock.ts";
import { NotConfigured, UpstreamRefused } from "../../platform/errors.ts";
import { oneLine, withoutSecrets } from "../../platform/redact.ts";
import { decoding, fetchDecoded } from "../../platform/upstream/decode.ts";
import type { Upstream, UpstreamAnswer } from "../../platform/upstream/policy.ts";
import { DATA_HOST } from "./policy.ts";
import { readJson, UPSTREAM } from "./wire.ts";

export interface AlpacaKeys {
  readonly apiKey: string | null;
  readonly secretKey: string | null;
}

/** The feed's rate limit according to the newest answer; null where no answer has stated it. */
export interface RateLimit {
  readonly limit: number | null;
  readonly remaining: number | null;
  /** RFC 3339 UTC. */
  readonly reset_at: string | null;
}

/** The feed refused some symbols, and so the whole request. `symbols` are spelled as they were sent. */
export class InvalidSymbols extends UpstreamRefused {
  constructor(
    readonly symbols: readonly string[],
    message: string,
  ) {
    super(UPSTREAM, message, { upstreamStatus: 400 });
  }
}

export interface Decoded<T> {
  readonly content: T;
  readonly receivedAt: Temporal.Instant;
}

export interface AlpacaClient {
  /**
   * Sends a request and decodes its JSON answer. Throws NotConfigured without keys, UpstreamRefused for a
   * refusal, what `decode` throws, and what the upstream throws.
   */
  get<T>(
    path: string,
    query: Readonly<Record<string, string>>,
    decode: (body: unknown) => T,
    signal?: AbortSignal,
  ): Promise<Decoded<T>>;
  /** Runs `read` on an answer that was already decoded; an UpstreamMisread counts in the feed's health. */
  decode<T>(read: () => T): Promise<T>;
  isConfigured(): boolean;
  /** The keys. Throws NotConfigured naming the missing ones. */
  demandKeys(): { apiKey: string; secretKey: string };
  rateLimit(): RateLimit;
  readonly clock: Clock;
}

/** The feed's message about a refusal: one line, shortened, with the keys redacted should it repeat them. */
function messageOf(answer: UpstreamAnswer, keys: readonly string[]): string {
  try {
    const body = readJson(answer);
    const message =
      typeof body === "object" && body !== null ? (body as { message?: unknown }).message : null;
    return typeof message === "string" ? oneLine(withoutSecrets(message, keys)).slice(0, 200) : "";
  } catch {
    return "";
  }
}

const INVALID = /^invalid symbols?\s*(?:\(s\))?\s*:\s*(.+)$/i;

function refusal(answer: UpstreamAnswer, keys: readonly string[]): UpstreamRefused {
  const { status } = answer;
  const message = messageOf(answer, keys);
  const invalid = INVALID.exec(message)?.[1];
  if (status === 400 && invalid !== undefined) {
    const symbols = invalid.split(/[,\s]+/).filter(Boolean);
    return new InvalidSymbols(symbols, `The brokerage feed does not know the symbol ${symbols.join(", ")}`);
  }
  const facts = { upstreamStatus: status };
  if (status === 403 && /subscription does not permit/i.test(message))
    return new UpstreamRefused(UPSTREAM, `The plan of these keys does not permit this: ${message}`, {
      ...facts,
      hint: "The basic plan offers the consolidated feed only for data older than 15 minutes.",
    });
  if (status === 401 || status === 403)
    return new UpstreamRefused(UPSTREAM, "The brokerage feed refused the keys of this service", {
      ...facts,
      hint: "Check MARKETFEED_API_KEY and MARKETFEED_SECRET_KEY.",
    });
  const reason = message === "" ? `status ${status}` : message;
  return new UpstreamRefused(UPSTREAM, `The brokerage feed refused the request: ${reason}`, facts);
}

const countOf = (answer: UpstreamAnswer, name: string): number | null => {
  const text = answer.headers.get(`x-ratelimit-${name}`);
  const count = text === null || text === "" ? Number.NaN : Number(text);
  return Number.isFinite(count) ? count : null;
};

function limitOf(answer: UpstreamAnswer): RateLimit | null {
  const limit = countOf(answer, "limit");
  const reset = countOf(answer, "reset");
  if (limit === null && reset === null) return null;
  const isMoment = reset !== null && reset > 0 && reset < 10_000_000_000;
  return {
    limit,
    remaining: countOf(answer, "remaining"),
    reset_at: isMoment ? Temporal.Instant.fromEpochMilliseconds(reset * 1000).toString() : null,
  };
}

export function alpacaClient(upstream: Upstream, keys: AlpacaKeys, clock: Clock): AlpacaClient {
  let newest: RateLimit = { limit: null, remaining: null, reset_at: null };
  const missing = [
    ...(keys.apiKey === null ? ["MARKETFEED_API_KEY"] : []),
    ...(keys.secretKey === null ? ["MARKETFEED_SECRET_KEY"] : []),
  ];
  const demandKeys = () => {
    const { apiKey, secretKey } = keys;
    if (apiKey !== null && secretKey !== null) return { apiKey, secretKey };
    throw new NotConfigured(
      "not_configured",
      `The brokerage feed requires ${missing.join(" and ")} in the server's environment.`,
      { hint: `Set ${missing.join(" and ")} and restart the server.` },
    );
  };
  return {
    clock,
    demandKeys,
    isConfigured: () => missing.length === 0,
    rateLimit: () => newest,
    decode: (read) => decoding(upstream, read),
    async get(path, query, decode, signal) {
      const { apiKey, secretKey } = demandKeys();
      const request = {
        url: `https://${DATA_HOST}${path}?${new URLSearchParams(query)}`,
        headers: { "apca-api-key-id": apiKey, "apca-api-secret-key": secretKey },
        signal,
      };
      return fetchDecoded(upstream, request, (answer) => {
        newest = limitOf(answer) ?? newest;
        if (answer.status < 200 || answer.status >= 300) throw refusal(answer, [apiKey, secretKey]);
        return { content: decode(readJson(answer)), receivedAt: answer.receivedAt };
      });
    },
  };
}
