// The ledger as server-sent events through the edge: places of its own, no compression, and the end with the
// service.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { SUGGESTED } from "../../sample/market.ts";
import type { ChangesAnswer } from "../../src/capabilities/changes/schema.ts";
import { CONCURRENT_REQUESTS_MAX, EVENT_STREAMS_MAX } from "../../src/limits.ts";
import { openSampleService, type SampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

const C = "/api/v1/changes";
const [ONE, OTHER] = SUGGESTED;
let service: SampleService;
beforeAll(async () => {
  service = await openSampleService();
  await service.get(`/api/v1/price/data/${ONE}?start_date=2026-07-01&end_date=2026-07-31`);
});
afterAll(() => service.stop());

const open = (query = "", headers: Record<string, string> = {}) =>
  service.fetch(`${C}${query}`, { headers: { accept: "text/event-stream", ...headers } });

/** Reads a response until its text has what is waited for. */
async function read(
  response: Response,
  isSo: (text: string) => boolean,
  reader = response.body?.getReader(),
) {
  const decoder = new TextDecoder();
  let text = "";
  while (!isSo(text)) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done) break;
    text += decoder.decode(value, { stream: true });
  }
  return { text, reader };
}

const dataOf = (text: string) =>
  text.split("\n").flatMap((line) => (line.startsWith("data: ") ? [JSON.parse(line.slice(6))] : []));

test("the events are the rows of the ledger, and a new commit follows", async () => {
  const { body } = await service.get<ChangesAnswer>(`${C}?limit=10000`);
  const response = await open("", { "accept-encoding": "gzip, zstd" });
  expect([
    response.status,
    response.headers.get("content-type"),
    response.headers.get("content-encoding"),
  ]).toEqual([200, "text/event-stream", null]);
  expect(response.headers.get("cache-control")).toBe("no-store");
  const first = await read(response, (text) => text.includes(`id: ${body.cursor}\n\n`));
  expect(dataOf(first.text)).toEqual(body.data);
  await service.get(`/api/v1/price/data/${OTHER}?start_date=2026-07-01&end_date=2026-07-02`);
  const { body: after } = await service.get<ChangesAnswer>(`${C}?limit=10000&since=${body.cursor}`);
  expect(after.count).toBeGreaterThan(0);
  const next = await read(response, (text) => text.includes(`id: ${after.cursor}\n\n`), first.reader);
  expect(dataOf(next.text)).toEqual(after.data);
  await next.reader?.cancel();
});

test("a format that is named counts more than the Accept header", async () => {
  const response = await open("?format=csv&limit=1");
  expect(response.headers.get("content-type")).toStartWith("text/csv");
  await response.body?.cancel();
});

test("streams have places of their own", async () => {
  const streams = await Promise.all(Array.from({ length: EVENT_STREAMS_MAX }, () => open()));
  expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200));
  const refused = await open();
  expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([503, "server_busy"]);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  // All places of other requests are free.
  const others = Array.from({ length: CONCURRENT_REQUESTS_MAX }, () => service.get(`${C}?limit=1`));
  expect((await Promise.all(others)).map(({ status }) => status)).toEqual(others.map(() => 200));
  await streams.pop()?.body?.cancel();
  const admitted = await open();
  expect(admitted.status).toBe(200);
  for (const { body } of [...streams, admitted]) await body?.cancel();
  expect(service.app().edge.active()).toBe(0);
});

test("an error is an answer, not a stream", async () => {
  const status = async (query: string, headers: Record<string, string> = {}) => {
    const response = await open(query, headers);
    return [response.status, ((await response.json()) as { code: string }).code];
  };
  expect(await status("?since=999999")).toEqual([400, "bad_request"]);
  expect(await status("", { "last-event-id": "x" })).toEqual([400, "bad_request"]);
  expect(await status("?dataset=prices")).toEqual([404, "not_found"]);
  expect(service.app().edge.active()).toBe(0);
});

test("a stopping service ends its streams, so that it need not wait for them", async () => {
  const own = await openSampleService();
  const response = await own.fetch(C, { headers: { accept: "text/event-stream" } });
  const { reader } = await read(response, (text) => text.includes("retry"));
  expect(own.app().edge.active()).toBe(1);
  own.app().beginStop();
  await read(response, () => false, reader);
  expect(await own.app().edge.drained(60_000)).toBe(true);
  await own.stop();
});
