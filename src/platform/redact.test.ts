import { expect, setDefaultTimeout, test } from "bun:test";
import { isSecretName, oneLine, redactQuery, redactText, redactUrl, redactValue } from "./redact.ts";

setDefaultTimeout(1_200_000);

test("names that hold secrets, in every spelling", () => {
  const secret = [
    "Authorization",
    "proxy-authorization",
    "Cookie",
    "set-cookie",
    "X-API-Key",
    "x-admin-token",
    "APCA-API-KEY-ID",
    "apca-api-secret-key",
    "api_key",
    "apikey",
    "apiKey",
    "token",
    "access_token",
    "ADMIN_TOKEN",
    "crumb",
    "client_secret",
    "MARKETFEED_SECRET_KEY",
    "password",
    "sessionId",
    "csrfToken",
    "key",
  ];
  expect(secret.filter((name) => !isSecretName(name))).toEqual([]);
  const plain = [
    "symbol",
    "tickers",
    "cache-control",
    "monkey",
    "period1",
    "interval",
    "cookies_set",
    "keyword",
  ];
  expect(plain.filter(isSecretName)).toEqual([]);
});

test("query strings keep all but the secret values", () => {
  expect(redactQuery("?symbols=A,B&crumb=xY%2F9&formatted=false")).toBe(
    "?symbols=A,B&crumb=[redacted]&formatted=false",
  );
  expect(redactQuery("api%5Fkey=CANARY&a=1;token=CANARY")).toBe("api%5Fkey=[redacted]&a=1;token=[redacted]");
  expect(redactQuery("")).toBe("");
  expect(redactQuery("?")).toBe("?");
  expect(redactQuery("%zz=1&flag")).toBe("%zz=1&flag");
});

test("URLs lose user, password, secret parameters and fragment", () => {
  expect(redactUrl("https://user:CANARY@api.example/x?token=CANARY&a=1#CANARY")).toBe(
    "https://[redacted]@api.example/x?token=[redacted]&a=1#[redacted]",
  );
  expect(redactUrl("/v1/data/AAPL?interval=1d")).toBe("/v1/data/AAPL?interval=1d");
});

test("free text: URLs, bearer tokens, headers, pairs and the known secrets", () => {
  const text = redactText(
    [
      'fetch "https://q.example/a?crumb=CANARY&x=1" failed',
      "Authorization: Bearer CANARY.CANARY",
      "sent Bearer CANARY123 to it",
      "cookie: A3=CANARY; B=CANARY",
      '{"api_key":"CANARY","symbol":"AAPL"}',
      "token=CANARY symbol=MSFT",
      "the value hush-hush stands alone",
    ].join("\n"),
    ["hush-hush", "x"],
  );
  expect(text).not.toContain("CANARY");
  expect(text).not.toContain("hush-hush");
  expect(text).toContain("https://q.example/a?crumb=[redacted]&x=1");
  expect(text).toContain('"symbol":"AAPL"');
  expect(text).toContain("symbol=MSFT");
});

test("a secret pair is found behind another name, in a stack and in quoted JSON", () => {
  const pairs = [
    "token=CANARY",
    "api_key: CANARY",
    '"crumb":"CANARY"',
    '{\\"secret\\":\\"CANARY\\"}',
    "'x-api-key': 'CANARY'",
    "/path?a=1&access_token=CANARY==",
    "x?token=CANARY",
    "Cookie: A=CANARY; B=CANARY",
    "https://u:CANARY@h.example/?key=CANARY#CANARY",
  ];
  const places = ["", "Error: ", "message=", '{"detail":"', "at fetch (", "cause: Error: failed: ", "a,b;"];
  for (const place of places)
    for (const pair of pairs) {
      const text = redactText(`${place}${pair}, symbol=AAPL\n    at run (file.ts:1:2)`);
      expect([place, pair, text.includes("CANARY")]).toEqual([place, pair, false]);
      expect(text).toContain("file.ts:1:2");
    }
  const error = redactValue(new Error("x?token=CANARY", { cause: "api_key=CANARY" }));
  expect(JSON.stringify(error)).not.toContain("CANARY");
});

test("redacting twice changes nothing more", () => {
  const once = redactText("Error: token=CANARY and https://h/?crumb=CANARY, Bearer CANARY1");
  expect(redactText(once)).toBe(once);
});

test("a megabyte of anything is read in linear time", () => {
  for (const piece of ["a", "a.", "a-", "key", "a=", "a:", "token", "  ", '"', "Bearer ", "http://"]) {
    const text = piece.repeat(1_000_000 / piece.length);
    expect(redactText(text).length).toBeGreaterThan(0);
  }
});

test("text without secrets stays as it is", () => {
  const text =
    "yahoo answered 503 (query1.finance.yahoo.com/v8/finance/chart/AAPL); token bucket at 12:30:00";
  expect(redactText(text)).toBe(text);
});

test("values: fields at any depth, errors with their causes, headers, bytes", () => {
  const inner = Object.assign(new TypeError("ZlibError fetching https://h.example/?api_key=CANARY"), {
    code: "ZlibError",
  });
  const out = redactValue({
    headers: new Headers({ "X-API-Key": "CANARY", accept: "text/csv" }),
    nested: [{ deep: { Cookie: "CANARY", empty: null } }],
    fault: new Error("outer token=CANARY", { cause: inner }),
    body: new Uint8Array(12),
    url: new URL("https://h.example/?crumb=CANARY"),
    big: 12n,
  }) as Record<string, Record<string, unknown>>;
  expect(JSON.stringify(out)).not.toContain("CANARY");
  expect(out.headers).toEqual({ accept: "text/csv", "x-api-key": "[redacted]" });
  expect(out.body as unknown).toBe("[12 bytes]");
  expect(out.big as unknown).toBe("12");
  expect(out.fault?.cause).toMatchObject({ code: "ZlibError" });
});

test("endless values are cut", () => {
  const loop: Record<string, unknown> = { name: "loop" };
  loop.self = loop;
  expect(JSON.stringify(redactValue(loop))).toContain("[too deep]");
  expect((redactValue(Array(150).fill(1)) as unknown[]).at(-1)).toBe("[50 more]");
  expect(Object.hasOwn(redactValue(JSON.parse('{"__proto__":{"a":1}}')) as object, "__proto__")).toBe(true);
});

test("one line: breaks and control characters become visible", () => {
  expect(oneLine("GET /a\r\n{forged}\t\u0000\u001b[31m\u2028é")).toBe(
    "GET /a\\r\\n{forged}\\t\\u0000\\u001b[31m\\u2028é",
  );
});
