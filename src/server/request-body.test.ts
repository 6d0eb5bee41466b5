// A body is read whole within its time and size limits, or refused with the matching error.
import { expect, test } from "bun:test";
import { fakeClock } from "../../test/support/fake-clock.ts";
import { REQUEST_BODY_BYTES_MAX } from "../limits.ts";
import { AsofError } from "../platform/errors.ts";
import { bodyReader, ClientGone } from "./request-body.ts";

const URL = "http://localhost/api/v1/price/data";
const requestOf = (body: BodyInit) => new Request(URL, { method: "POST", body });
const codeOf = (error: unknown) => (error instanceof AsofError ? error.code : error);
const fault = (body: BodyInit) => bodyReader()(requestOf(body)).catch(codeOf);

test("a whole body, an empty one and none", async () => {
  const read = bodyReader();
  expect(await read(requestOf("{}"))).toEqual(new TextEncoder().encode("{}"));
  expect(await read(new Request(URL))).toBeNull();
  expect(await read(new Request(URL, { method: "POST" }))).toBeNull();
});

test("a body that does not arrive in time is refused, and its stream cancelled", async () => {
  let cancelled = false;
  const slow = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new Uint8Array([0x7b])),
    cancel() {
      cancelled = true;
    },
  });
  const clock = fakeClock("2026-09-01T12:00:00Z");
  const refused = bodyReader(30, clock)(requestOf(slow)).catch(codeOf);
  clock.advance(29_999);
  expect(cancelled).toBe(false);
  clock.advance(1);
  expect(await refused).toBe("request_timeout");
  expect(cancelled).toBe(true);
});

test("a body is refused as soon as it exceeds the limit", async () => {
  expect(await fault("x".repeat(REQUEST_BODY_BYTES_MAX))).toHaveLength(REQUEST_BODY_BYTES_MAX);
  expect(await fault("x".repeat(REQUEST_BODY_BYTES_MAX + 1))).toBe("payload_too_large");
});

test("a broken connection is reported as ClientGone, not as a failure of the service", async () => {
  const broken = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.error(new Error("The connection was closed.")),
  });
  expect(await fault(broken)).toBeInstanceOf(ClientGone);
});
