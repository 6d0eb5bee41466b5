import { describe, expect, test } from "bun:test";
import { readConfig } from "../config.ts";
import { AsofError } from "../platform/errors.ts";
import { clientAddress, corsHeaders, refuseForeign, requireAdmin, requireKey } from "./auth.ts";

const codeOf = (run: () => void) => {
  try {
    run();
  } catch (error) {
    return error instanceof AsofError ? error.code : "other";
  }
  return null;
};

describe("client keys", () => {
  const config = readConfig({ API_KEYS: "alpha,beta" });
  test("the admin token is accepted as a key in each of its headers; another token is not", () => {
    const withAdmin = readConfig({ API_KEYS: "alpha", ADMIN_TOKEN: "omega" });
    for (const headers of [
      { "x-admin-token": "omega" },
      { authorization: "Bearer omega" },
      { "x-api-key": "omega" },
    ])
      expect(codeOf(() => requireKey(withAdmin, new Headers(headers)))).toBeNull();
    expect(codeOf(() => requireKey(withAdmin, new Headers({ "x-admin-token": "other" })))).toBe(
      "unauthorized",
    );
    expect(codeOf(() => requireKey(config, new Headers({ "x-admin-token": "omega" })))).toBe("unauthorized");
  });
  test("every client is accepted when no key is configured", () => {
    expect(codeOf(() => requireKey(readConfig({}), new Headers()))).toBeNull();
  });
  test.each([
    [{}, "unauthorized"],
    [{ "x-api-key": "gamma" }, "unauthorized"],
    [{ "x-api-key": "" }, "unauthorized"],
    [{ "x-api-key": "alphabeta" }, "unauthorized"],
    [{ authorization: "Basic alpha" }, "unauthorized"],
    [{ "x-api-key": "alpha" }, null],
    [{ authorization: "Bearer beta" }, null],
    [{ authorization: "bearer beta" }, null],
  ] as [Record<string, string>, string | null][])("%j → %p", (headers, code) => {
    expect(codeOf(() => requireKey(config, new Headers(headers)))).toBe(code);
  });
});

describe("admin", () => {
  test("without a token only loopback is accepted", () => {
    const config = readConfig({});
    expect(codeOf(() => requireAdmin(config, new Headers(), "127.0.0.1"))).toBeNull();
    expect(codeOf(() => requireAdmin(config, new Headers(), "::ffff:127.0.0.1"))).toBeNull();
    expect(codeOf(() => requireAdmin(config, new Headers(), "::1"))).toBeNull();
    expect(codeOf(() => requireAdmin(config, new Headers(), "192.0.2.7"))).toBe("admin_not_configured");
    expect(codeOf(() => requireAdmin(config, new Headers(), ""))).toBe("admin_not_configured");
  });
  test("with a token, a missing one is unauthorized and a wrong one forbidden, also from loopback", () => {
    const config = readConfig({ ADMIN_TOKEN: "t" });
    expect(codeOf(() => requireAdmin(config, new Headers(), "127.0.0.1"))).toBe("unauthorized");
    expect(codeOf(() => requireAdmin(config, new Headers({ "x-admin-token": "u" }), "127.0.0.1"))).toBe(
      "forbidden",
    );
    expect(codeOf(() => requireAdmin(config, new Headers({ "x-admin-token": "t" }), "192.0.2.7"))).toBeNull();
    expect(
      codeOf(() => requireAdmin(config, new Headers({ authorization: "Bearer t" }), "192.0.2.7")),
    ).toBeNull();
  });
});

test.each([
  [false, "127.0.0.1", "203.0.113.9"],
  [true, "127.0.0.1", "127.0.0.1"],
  // Proxies append: what stands before the last address is the client's own word.
  [true, "127.0.0.1, 203.0.113.7", "203.0.113.7"],
  [true, "203.0.113.7 ,127.0.0.1 ", "127.0.0.1"],
  [true, "127.0.0.1, ", "203.0.113.9"],
  [true, "", "203.0.113.9"],
  [true, null, "203.0.113.9"],
  [false, null, "203.0.113.9"],
])("trusting a proxy: %p, X-Forwarded-For %p: the client is %s", (trustProxy, forwarded, client) => {
  const headers = new Headers(forwarded === null ? {} : { "x-forwarded-for": forwarded });
  expect(clientAddress({ trustProxy }, headers, "203.0.113.9")).toBe(client);
});

describe("browsers", () => {
  const config = readConfig({ ALLOWED_HOSTS: "asof.example", CORS_ORIGINS: "https://app.example" });
  test.each([
    [{ host: "127.0.0.1:8000" }, null],
    [{ host: "localhost:8000" }, null],
    [{ host: "[::1]:8000" }, null],
    [{ host: "asof.example" }, null],
    [{ host: "evil.example" }, "cross_site"],
    [{ host: "127.0.0.1.evil.example" }, "cross_site"],
    [{ host: "localhost:8000", origin: "http://localhost:8000" }, null],
    [{ host: "localhost:8000", origin: "http://localhost:9000" }, "cross_site"],
    [{ host: "localhost:8000", origin: "null" }, "cross_site"],
    [{ host: "localhost:8000", origin: "https://evil.example" }, "cross_site"],
    [{ host: "localhost:8000", origin: "https://app.example" }, null],
    [{ host: "localhost:8000", "sec-fetch-site": "cross-site" }, "cross_site"],
    [{ host: "localhost:8000", "sec-fetch-site": "same-origin" }, null],
    [{ host: "localhost:8000", "sec-fetch-site": "none" }, null],
  ] as [Record<string, string>, string | null][])("%j → %p", (headers, code) => {
    expect(codeOf(() => refuseForeign(config, new Headers(headers)))).toBe(code);
  });
  test("only listed origins get CORS headers", () => {
    expect(corsHeaders(config, "https://app.example")["access-control-allow-origin"]).toBe(
      "https://app.example",
    );
    // A page must see which data version its rows are of.
    expect(
      corsHeaders(config, "https://app.example")["access-control-expose-headers"]?.split(", "),
    ).toContain("x-data-version");
    expect(corsHeaders(config, "https://evil.example")).toEqual({});
    expect(corsHeaders(config, null)).toEqual({});
  });
});
