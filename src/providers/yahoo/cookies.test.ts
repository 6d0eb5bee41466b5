import { expect, test } from "bun:test";
import { type CookieJar, cookieHeader, isCookieJar, takeCookies } from "./cookies.ts";

const take = (jar: CookieJar, url: string, ...lines: string[]) => {
  const headers = new Headers();
  for (const line of lines) headers.append("set-cookie", line);
  return takeCookies(jar, url, headers);
};

test("cookies are sent to the hosts of their domain only", () => {
  const jar = take(
    {},
    "https://guce.yahoo.com/x",
    "A3=d=Ab/c+1&S=x; Expires=Mon, 16 Feb 2099 12:40:12 GMT; Domain=.yahoo.com; Path=/; Secure; HttpOnly",
    "OWN=1; Path=/",
  );
  expect(cookieHeader(jar, "https://query2.finance.yahoo.com/v7")).toBe("A3=d=Ab/c+1&S=x");
  expect(cookieHeader(jar, "https://guce.yahoo.com/y")).toBe("A3=d=Ab/c+1&S=x; OWN=1");
  expect(cookieHeader(jar, "https://notyahoo.com/")).toBe("");
});

test("a newer value replaces a cookie, an expired or empty one removes it", () => {
  const url = "https://fc.yahoo.com/";
  const jar = take(
    take({}, url, "A=1; Domain=yahoo.com", "B=1"),
    url,
    "A=2; domain=.YAHOO.com",
    "B=; Path=/",
  );
  expect(jar).toEqual({ "yahoo.com": { A: "2" }, "fc.yahoo.com": {} });
  expect(take(jar, url, "A=3; Max-Age=0; Domain=.yahoo.com")["yahoo.com"]).toEqual({});
});

test("malformed and too long cookies, and those for another domain, are ignored", () => {
  const lines = [
    "=1",
    "novalue",
    "A=1; Domain=evil.example",
    "B=a\u0001b",
    "C=a,b",
    `D=${"x".repeat(5000)}`,
    "E=1; Domain=com.evil",
  ];
  const jar = take({}, "https://fc.yahoo.com/", ...lines.filter((line) => !line.includes("\u0001")));
  expect(cookieHeader(jar, "https://fc.yahoo.com/")).toBe("");
});

test("names like __proto__ are ordinary names", () => {
  const jar = take({}, "https://fc.yahoo.com/", "__proto__=1", "constructor=2");
  expect(cookieHeader(jar, "https://fc.yahoo.com/")).toBe("__proto__=1; constructor=2");
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

test("validates a jar read from disk", () => {
  expect(isCookieJar({ "yahoo.com": { A3: "x" } })).toBe(true);
  for (const wrong of [
    null,
    [],
    { "yahoo.com": "A3=x" },
    { "yahoo.com": { A3: 1 } },
    { "yahoo.com": { A3: "a\r\nb" } },
  ]) {
    expect(isCookieJar(wrong)).toBe(false);
  }
});
