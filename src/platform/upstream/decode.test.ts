// Answers that cannot be decoded show in the provider's health, other errors do not.
import { expect, test } from "bun:test";
import { UpstreamFailed, UpstreamMisread } from "../errors.ts";
import { decoding, fetchDecoded } from "./decode.ts";
import type { UpstreamAnswer, UpstreamRequest } from "./policy.ts";

const ANSWER: UpstreamAnswer = {
  url: "https://example.com/a",
  status: 200,
  headers: new Headers(),
  bytes: new TextEncoder().encode("7"),
  receivedAt: Temporal.Instant.from("2026-09-09T18:00:00Z"),
};

/** An upstream with one answer; `misread` holds what was reported to its health. */
function upstreamOf() {
  const requests: UpstreamRequest[] = [];
  const misread: string[] = [];
  const upstream = {
    ask: async (request: UpstreamRequest) => {
      requests.push(request);
      return ANSWER;
    },
    misread: (message: string) => void misread.push(message),
  };
  return { upstream, requests, misread };
}

test("sends the request and returns what was decoded", async () => {
  const { upstream, requests, misread } = upstreamOf();
  const decode = ({ bytes }: UpstreamAnswer) => Number(new TextDecoder().decode(bytes));
  expect(await fetchDecoded(upstream, { url: ANSWER.url }, decode)).toBe(7);
  expect(requests).toEqual([{ url: ANSWER.url }]);
  expect(misread).toEqual([]);
});

test("reports a misread answer, thrown at once or later, and throws it on", async () => {
  const { upstream, misread } = upstreamOf();
  const error = new UpstreamMisread("example", "example changed the shape of a");
  const thrown = fetchDecoded(upstream, { url: ANSWER.url }, () => {
    throw error;
  });
  expect(thrown).rejects.toBe(error);
  await thrown.catch(() => {});
  expect(misread).toEqual([error.message]);
  await decoding(upstream, () => Promise.reject(error)).catch(() => {});
  expect(misread).toHaveLength(2);
});

test("reports no other error, and no misread answer that another one made up for", async () => {
  const { upstream, misread } = upstreamOf();
  const failed = new UpstreamFailed("example", "example is down");
  expect(decoding(upstream, () => Promise.reject(failed))).rejects.toBe(failed);
  const second = decoding(upstream, () =>
    Promise.reject(new UpstreamMisread("example", "first page")).catch(() => "second page"),
  );
  expect(await second).toBe("second page");
  expect(misread).toEqual([]);
});
