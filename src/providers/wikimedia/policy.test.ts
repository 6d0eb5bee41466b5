// The User-Agent names the tool, and the contact where there is one.
import { expect, test } from "bun:test";
import { wikimediaPolicy } from "./policy.ts";

test("the User-Agent", () => {
  expect(wikimediaPolicy("Zorp research ada@zorp.example").headers["user-agent"]).toBe(
    "Asof/1.0 (self-hosted market data service; Zorp research ada@zorp.example) bun",
  );
  expect(wikimediaPolicy(null).headers["user-agent"]).toBe("Asof/1.0 (self-hosted market data service) bun");
});

test("one request at a time over all hosts, compressed", () => {
  expect(wikimediaPolicy(null)).toMatchObject({
    slots: 1,
    pacedTogether: true,
    headers: { "accept-encoding": "gzip" },
  });
});
