import { expect, test } from "bun:test";
import { UpstreamFailed } from "../errors.ts";
import { ownAddress, redirectTarget, shownAs, throughGateway } from "./address.ts";
import type { UpstreamPolicy } from "./policy.ts";

const policy: UpstreamPolicy = {
  name: "probe",
  hosts: ["api.example", "www.example"],
  headers: {},
  spacingMsMin: 0,
  slots: 1,
  waitMsMax: 0,
  attemptMsMax: 1000,
  bytesMax: 1000,
  retriesMax: 0,
  breaker: { failuresMax: 5, openMs: [1000] },
};

test("requests go only to the provider's own hosts, by https on 443", () => {
  expect(ownAddress(policy, "https://api.example:443/a?b=1").href).toBe("https://api.example/a?b=1");
  const refused = [
    "http://api.example/a",
    "https://api.example:8443/a",
    "https://api.example.evil.test/a",
    "https://evil.test/api.example",
    "https://api.example@evil.test/",
    "https://user:pw@api.example/",
    "https://127.0.0.1/",
    "file:///etc/passwd",
    "/relative",
    "",
  ];
  for (const url of refused) expect(() => ownAddress(policy, url)).toThrow(UpstreamFailed);
});

test("the refusal contains neither query nor credentials", () => {
  expect(() => ownAddress(policy, "https://user:CANARY@evil.test/a?key=CANARY")).toThrow(
    /^(?!.*CANARY).*credentials/,
  );
});

test("redirects: relative and absolute within the hosts, nothing else", () => {
  const from = new URL("https://api.example/a/b?x=1");
  const to = (location: string | null) => String(redirectTarget(policy, location, from));
  expect(to("../c?y=2")).toBe("https://api.example/c?y=2");
  expect(to("https://www.example/z")).toBe("https://www.example/z");
  expect(to("//www.example/z")).toBe("https://www.example/z");
  expect(to("//evil.test/z")).toBe("a redirect to a foreign host (evil.test)");
  expect(to("http://api.example/z")).toStartWith("a redirect to an address that is not https");
  expect(to("http://169.254.169.254/latest")).toStartWith("a redirect to an address that is not https");
  expect(to("https://[")).toBe("a redirect to an address that cannot be read");
  expect(to(null)).toBe("a redirect without a location");
});

test("the gateway gets host, path and query unchanged, after its own path", () => {
  const url = new URL("https://api.example/a%2Fb/%5EGSPC?q=a%20b&c=%26");
  expect(throughGateway(url, "http://127.0.0.1:9000")).toBe(
    "http://127.0.0.1:9000/api.example/a%2Fb/%5EGSPC?q=a%20b&c=%26",
  );
  expect(throughGateway(url, "http://127.0.0.1:9000/up/")).toStartWith(
    "http://127.0.0.1:9000/up/api.example/a",
  );
  expect(throughGateway(url, null)).toBe(url.href);
});

test("a shown URL is host and path, bounded in length", () => {
  expect(shownAs(new URL("https://api.example/a?crumb=CANARY#x"))).toBe("api.example/a");
  expect(shownAs(new URL(`https://api.example/${"a".repeat(5000)}`))).toHaveLength(200);
});
