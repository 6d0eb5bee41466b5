import { describe, expect, test } from "bun:test";
import {
  type AsofError,
  Busy,
  Forbidden,
  InvalidFields,
  InvalidRequest,
  NotConfigured,
  NotFound,
  StorageUnavailable,
  UpstreamFailed,
  UpstreamRateLimited,
  UpstreamRefused,
  UpstreamTimeout,
} from "../platform/errors.ts";
import { errorResponse } from "./errors.ts";

const errorContext = { requestId: "r-1", path: "/api/v1/x" };

describe("errorResponse", () => {
  test("the provider's own error code is included beside ours", async () => {
    const facts = { upstream: "fred", upstreamErrorCode: 400 };
    const response = errorResponse(
      new InvalidRequest("bad_request", "Bad Request.  No.", facts),
      errorContext,
    );
    expect(await response.json()).toMatchObject({
      status: 400,
      code: "bad_request",
      detail: "Bad Request.  No.",
      upstream: "fred",
      upstream_error_code: 400,
    });
  });

  test("detail and hint are two sentences", async () => {
    const error = new NotConfigured("not_configured", "The key is not set", { hint: "Set it and restart" });
    expect(await errorResponse(error, errorContext).json()).toMatchObject({
      detail: "The key is not set.",
      hint: "Set it and restart.",
    });
  });

  const cases: [AsofError, number, string | null][] = [
    [new InvalidRequest("invalid_date_range", "d."), 400, null],
    [new InvalidRequest("method_not_allowed", "d."), 405, null],
    [new InvalidRequest("payload_too_large", "d."), 413, null],
    [new InvalidRequest("unsupported_media_type", "d."), 415, null],
    [new Forbidden("unauthorized", "d."), 401, null],
    [new Forbidden("cross_site", "d."), 403, null],
    [new NotFound("unknown_ticker", "d."), 404, null],
    [new Busy("server_busy", "d.", { retryAfterS: 1 }), 503, "1"],
    [new Busy("slot_busy", "d.", { retryAfterS: 10 }), 503, "10"],
    [new Busy("slot_wait_timeout", "d."), 429, "1"],
    [new NotConfigured("not_configured", "d."), 503, null],
    [new StorageUnavailable("database_unavailable", "d."), 503, null],
    [new UpstreamRateLimited("yahoo", "d.", { retryAfterS: 120 }), 429, "30"],
    [new UpstreamRateLimited("yahoo", "d."), 429, "30"],
    [new UpstreamRateLimited("yahoo-session", "d.", { retryAfterS: 55 }), 429, "30"],
    [new UpstreamRateLimited("edgar-data", "d.", { retryAfterS: 598 }), 429, "598"],
    [new UpstreamRateLimited("edgar-data", "d."), 429, "30"],
    [new UpstreamFailed("yahoo", "d."), 502, null],
    [new UpstreamFailed("yahoo", "d.", { retryAfterS: 12.2 }), 502, "13"],
    [new UpstreamRefused("yahoo", "d."), 502, null],
    [new UpstreamTimeout("yahoo", "d."), 504, null],
  ];
  for (const [error, status, retryAfter] of cases)
    test(`${error.name} ${error.code} → ${status}`, async () => {
      const response = errorResponse(error, errorContext);
      expect(response.status).toBe(status);
      expect(response.headers.get("retry-after")).toBe(retryAfter);
      expect(response.headers.get("content-type")).toBe("application/problem+json");
      expect(await response.json()).toEqual(
        expect.objectContaining({
          type: "about:blank",
          status,
          detail: "d.",
          code: error.code,
          request_id: "r-1",
          instance: "/api/v1/x",
        }),
      );
    });

  test("an unexpected error does not reveal its cause", async () => {
    const response = errorResponse(new Error("SELECT * FROM secret at /home/user/x.ts"), errorContext);
    expect(response.status).toBe(500);
    const text = await response.text();
    expect(JSON.parse(text).code).toBe("internal_error");
    expect(text).not.toMatch(/SELECT|\/home|secret/);
  });

  test("hints, tickers and upstreams are included; causes are not", async () => {
    const error = new NotFound("unknown_ticker", "No such ticker.", {
      hint: "Try A.",
      ticker: "ZZ",
      upstream: "yahoo",
      cause: new Error("k3y"),
    });
    const body = await errorResponse(error, errorContext).json();
    expect(body).toEqual({
      type: "about:blank",
      title: "Not Found",
      status: 404,
      detail: "No such ticker.",
      code: "unknown_ticker",
      hint: "Try A.",
      ticker: "ZZ",
      upstream: "yahoo",
      request_id: "r-1",
      instance: "/api/v1/x",
    });
  });

  test("secrets are removed, whatever their origin", async () => {
    const error = new NotFound("unknown_ticker", "k3y-of-ours is refused.", {
      hint: "k3y-of-ours?",
      ticker: "k3y-of-ours",
    });
    const path = "/api/v1/x/k3y-of-ours";
    const text = await errorResponse(error, { requestId: "r-1", path, secrets: ["k3y-of-ours"] }).text();
    expect(text).not.toContain("k3y");
    expect(JSON.parse(text)).toMatchObject({
      detail: "[redacted] is refused.",
      instance: "/api/v1/x/[redacted]",
    });
  });

  test("validation errors have their own body", async () => {
    const response = errorResponse(
      new InvalidFields([{ type: "missing", loc: ["query", "tickers"], msg: "Field required" }]),
      errorContext,
    );
    expect(response.status).toBe(422);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.json()).toEqual({
      detail: [{ type: "missing", loc: ["query", "tickers"], msg: "Field required" }],
      request_id: "r-1",
    });
  });
});
