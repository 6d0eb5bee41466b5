// Which addresses and headlines are the same article.
import { expect, test } from "bun:test";
import { articleId, matchKey, plainAddress } from "./match.ts";

const ADDRESSES: readonly (readonly [url: string, plain: string])[] = [
  ["https://www.Desk.example/a/1", "desk.example/a/1"],
  ["http://desk.example/a/1/", "desk.example/a/1"],
  ["https://desk.example/a/1?.tsrc=rss", "desk.example/a/1"],
  ["https://desk.example/a/1?utm_source=x&utm_medium=rss#top", "desk.example/a/1"],
  ["https://desk.example/a?id=2&b=1&guccounter=1", "desk.example/a?b=1&id=2"],
  ["https://desk.example:8443/a", "desk.example:8443/a"],
  // Paths may mean different things in upper and lower case.
  ["https://desk.example/A", "desk.example/A"],
];
for (const [url, plain] of ADDRESSES) test(url, () => expect(plainAddress(url)).toBe(plain));

test("the same address with the same headline matches, whatever the quotation marks", () => {
  const key = matchKey("https://desk.example/1", "Zorp’s “plan” — up 5%");
  expect(key).toMatch(/^[0-9a-f]{32}$/);
  expect(matchKey("http://www.desk.example/1/?.tsrc=rss", 'Zorp\'s "plan" - up 5%')).toBe(key);
  expect(matchKey("https://desk.example/1", "Zorp's plan: up 6%")).not.toBe(key);
  expect(matchKey("https://desk.example/2", "Zorp’s “plan” — up 5%")).not.toBe(key);
  // A parameter that is not tracking makes a different address.
  expect(matchKey("https://desk.example/?id=1", "H")).not.toBe(matchKey("https://desk.example/?id=2", "H"));
});

test("no match key without an address, with only a front page, or without letters", () => {
  expect(matchKey(null, "Headline")).toBeNull();
  expect(matchKey("https://desk.example/", "Headline")).toBeNull();
  expect(matchKey("https://desk.example/1", "—")).toBeNull();
});

test("names of articles are the provider's, per provider", () => {
  expect(articleId("alpaca", "1")).toBe(articleId("alpaca", "1"));
  expect(new Set([articleId("alpaca", "1"), articleId("yahoo", "1"), articleId("alpaca", "11")]).size).toBe(
    3,
  );
});
