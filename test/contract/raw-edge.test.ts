// Sends the real process bytes that no client would send: it never answers 5xx, never ends, and frees every
// slot. RUNS=2000 sends more, SEED=… repeats a run.

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { type SampleServer, serveSample } from "../../sample/serve.ts";
import { BODIES_READ_MAX } from "../../src/limits.ts";
import { residentBytes } from "../bench/service-process.ts";
import { type ServiceProcess, startProcess } from "../support/process.ts";
import { hang, netcatLine, type Pieces, type RawAnswer, sendRaw } from "../support/raw-http.ts";
import { seedOf } from "../support/seed.ts";

setDefaultTimeout(1_200_000);

const RUNS = Number(process.env.RUNS ?? 100);
const SEED = seedOf();
const LIVE = "/api/v1/health/live";
const LATEST = "/api/v1/price/latest";
const CLOSE = "Connection: close\r\n";
const JSON_TYPE = "Content-Type: application/json\r\n";
/** More than the limit of requests in flight. */
const SLOW = 40;
/**
 * The runtime's own answer to anything but HTTP/1.0 or 1.1, before the service sees it. It has no request id.
 */
const NOT_HTTP = 505;
const RESIDENT_MORE_MAX = 256 * 1024 * 1024;

let sample: SampleServer;
let service: ServiceProcess;
let host: string;
beforeAll(async () => {
  sample = await serveSample();
  service = await startProcess({
    UPSTREAM_GATEWAY: sample.url,
    SEC_USER_AGENT: "Asof tests tests@asof.example",
    JOBS: "off",
    LOG_LEVEL: "error",
  });
  host = `Host: ${new URL(service.url).host}\r\n`;
});
afterAll(async () => {
  await service.clean();
  await sample.stop();
});

const send = (pieces: Pieces, silentMs?: number) => sendRaw(service.url, pieces, silentMs);
const get = (path: string, more = "") => `GET ${path} HTTP/1.1\r\n${host}${more}${CLOSE}\r\n`;
const post = (more: string, body = "") =>
  `POST /api/v1/price/data HTTP/1.1\r\n${host}${JSON_TYPE}${CLOSE}${more}\r\n${body}`;

/** Sends an ordinary request right after, as another client would. */
async function isAlive(): Promise<void> {
  const { status } = await fetch(service.url + LIVE);
  expect(status).toBe(200);
}

/** Lists the answers that are never allowed, whatever was sent. */
function faultsOf({ statuses, text }: RawAnswer): string[] {
  return statuses
    .filter((status) => status >= 500 && !(status === NOT_HTTP && !/x-request-id/i.test(text)))
    .map((status) => `status ${status}: ${text.slice(0, 300)}`);
}

describe("one odd request", () => {
  /** `null`: the runtime closes without a word. */
  const odd: readonly (readonly [string, () => Pieces, number | null])[] = [
    ["no Host in HTTP/1.1", () => `GET ${LIVE} HTTP/1.1\r\n${CLOSE}\r\n`, 400],
    ["no Host in HTTP/1.0", () => `GET ${LIVE} HTTP/1.0\r\n\r\n`, 400],
    ["HTTP/1.0 with a Host", () => `GET ${LIVE} HTTP/1.0\r\n${host}\r\n`, 200],
    ["two Hosts", () => get(LIVE, "Host: evil.example\r\n"), 403],
    ["an empty Host", () => `GET ${LIVE} HTTP/1.1\r\nHost: \r\n${CLOSE}\r\n`, 400],
    ["a Host with a path", () => `GET ${LIVE} HTTP/1.1\r\nHost: 127.0.0.1/x?y#z\r\n${CLOSE}\r\n`, 400],
    ["a Host of bytes", () => `GET ${LIVE} HTTP/1.1\r\nHost: \xff\xfe\r\n${CLOSE}\r\n`, 400],
    ["another's Host", () => `GET ${LIVE} HTTP/1.1\r\nHost: evil.example\r\n${CLOSE}\r\n`, 403],
    ["an absolute URI", () => get(`${service.url}${LIVE}`), 200],
    ["an absolute URI of another scheme", () => get(`ftp://x${LIVE}`), 400],
    ["an authority in place of a path", () => `CONNECT example.com:443 HTTP/1.1\r\n${host}${CLOSE}\r\n`, 405],
    ["an asterisk in place of a path", () => `OPTIONS * HTTP/1.1\r\n${host}${CLOSE}\r\n`, 400],
    ["a path without a slash", () => get("api/v1/health"), 400],
    ["slashes only", () => get("///"), 404],
    ["a path of 15,000 characters", () => get(`/${"a".repeat(15_000)}`), 404],
    ["a path of 17,000 characters", () => get(`/${"a".repeat(17_000)}`), 414],
    ["a path of 60,000 characters", () => get(`/${"a".repeat(60_000)}`), 414],
    ["a path of a million characters", () => get(`/${"a".repeat(1_000_000)}`), 431],
    ["a NUL in the path", () => get(`${LATEST}/\0`), NOT_HTTP],
    ["an escaped NUL in the path", () => get(`${LATEST}/%00`), 422],
    ["a broken escape in the path", () => get(`${LATEST}/%zz`), 422],
    ["overlong UTF-8 in the path", () => get(`${LATEST}/%c0%af`), 422],
    ["bytes that are no UTF-8 in the path", () => get(`${LATEST}/\xff\xfe`), 422],
    ["the same in the query", () => get("/api/v1/price/data?tickers=\xff%ff&start_date=%&end_date=%zz"), 422],
    ["a header of bytes", () => get(LIVE, "X-A: \xff\x80\xfe\r\n"), 200],
    ["a header with a NUL", () => get(LIVE, "X-A: a\0b\r\n"), 400],
    ["a header with a bare CR", () => get(LIVE, "X-A: a\rb\r\n"), 400],
    ["a folded header", () => get(LIVE, "X-A: a\r\n b\r\n"), 400],
    ["a header without a colon", () => get(LIVE, "X-A\r\n"), 400],
    ["a space in a header's name", () => get(LIVE, "X A: b\r\n"), 400],
    ["a header of a million characters", () => get(LIVE, `X-A: ${"a".repeat(1_000_000)}\r\n`), 431],
    ["five thousand headers", () => get(LIVE, "X-A: a\r\n".repeat(5_000)), 431],
    ["bare line feeds", () => `GET ${LIVE} HTTP/1.1\nHost: x\n\n`, NOT_HTTP],
    ["HTTP/0.9", () => `GET ${LIVE}\r\n\r\n`, NOT_HTTP],
    ["HTTP/2.0", () => `GET ${LIVE} HTTP/2.0\r\n${host}\r\n`, NOT_HTTP],
    ["the preface of HTTP/2", () => "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400],
    ["a TLS hello", () => new Uint8Array([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3, 0, 0, 0]), 400],
    ["an unknown method", () => `BREW ${LIVE} HTTP/1.1\r\n${host}${CLOSE}\r\n`, null],
    ["a method of five thousand letters", () => `${"A".repeat(5_000)} ${LIVE} HTTP/1.1\r\n${host}\r\n`, null],
    ["a length below zero", () => post("Content-Length: -1\r\n", "{}"), 400],
    ["a length in words", () => post("Content-Length: two\r\n", "{}"), 400],
    ["a length with a sign", () => post("Content-Length: +2\r\n", "{}"), 400],
    ["a length beyond numbers", () => post("Content-Length: 99999999999999999999999\r\n", "{}"), 400],
    ["a length of a gigabyte", () => post("Content-Length: 1000000000\r\n", "{}"), 413],
    ["two lengths", () => post("Content-Length: 2\r\nContent-Length: 7\r\n", "{}     "), 400],
    [
      "a length and chunks",
      () => post("Transfer-Encoding: chunked\r\nContent-Length: 4\r\n", "0\r\n\r\n"),
      400,
    ],
    ["chunks twice over", () => post("Transfer-Encoding: chunked, chunked\r\n", "0\r\n\r\n"), 400],
    ["an unknown transfer encoding", () => post("Transfer-Encoding: xchunked\r\n", "0\r\n\r\n"), 400],
    ["a chunk's size that is no number", () => post("Transfer-Encoding: chunked\r\n", "zz\r\n{}\r\n"), 400],
    ["a chunk's size below zero", () => post("Transfer-Encoding: chunked\r\n", "-2\r\n{}\r\n"), 400],
    [
      "a chunk's size beyond numbers",
      () => post("Transfer-Encoding: chunked\r\n", `${"f".repeat(16)}\r\n{}\r\n`),
      400,
    ],
    ["a chunk longer than it says", () => post("Transfer-Encoding: chunked\r\n", "2\r\n{}XX0\r\n\r\n"), 400],
    ["good chunks", () => post("Transfer-Encoding: chunked\r\n", "1\r\n{\r\n1;x=y\r\n}\r\n0\r\n\r\n"), 422],
    ["a body compressed, it says", () => post("Content-Encoding: gzip\r\nContent-Length: 2\r\n", "{}"), 415],
    [
      "a body really compressed",
      () => {
        const body = Bun.gzipSync('{"ticker":"ZORP","period":"7d"}');
        return [post(`Content-Encoding: gzip\r\nContent-Length: ${body.byteLength}\r\n`), body];
      },
      415,
    ],
    ["a body that is no UTF-8", () => post("Content-Length: 4\r\n", "{\xff\xfe}"), 422],
    ["a body above the limit", () => post("Content-Length: 1100000\r\n", " ".repeat(1_100_000)), 413],
    [
      "chunks above the limit",
      () =>
        post(
          "Transfer-Encoding: chunked\r\n",
          `${(1_100_000).toString(16)}\r\n${" ".repeat(1_100_000)}\r\n0\r\n\r\n`,
        ),
      413,
    ],
    ["a request for 100 Continue", () => post("Expect: 100-continue\r\nContent-Length: 2\r\n", "{}"), 422],
    ["a GET with a body", () => get(LIVE, "Content-Length: 2\r\n").concat("{}"), 200],
    ["a range", () => get("/api/v1/openapi.json", "Range: bytes=0-10,5-\r\n"), 200],
    ["a request for WebSocket", () => get(LIVE, "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"), 200],
  ];
  test.each(odd)("%s", async (_, pieces, status) => {
    const answer = await send(pieces());
    expect([answer.statuses[0] ?? null, answer.closed]).toEqual([status, true]);
    await isAlive();
  });

  test.each([16_100, 17_000, 60_000])(
    "a URL of %p characters is refused with a request id",
    async (length) => {
      const { text } = await send(get(`/${"a".repeat(length)}`));
      expect(text).toMatch(/^x-request-id: \S+\r$/im);
      expect(text).toContain('"code":"uri_too_long"');
    },
  );

  test("answers pipelined requests in order", async () => {
    const one = (path: string) => `GET ${path} HTTP/1.1\r\n${host}\r\n`;
    const body = `POST /api/v1/price/data HTTP/1.1\r\n${host}${JSON_TYPE}Content-Length: 2\r\n\r\n{}`;
    const answer = await send(one(LIVE) + body + one("/api/v1/nothing").repeat(50) + get(LIVE));
    expect(answer.statuses).toEqual([200, 422, ...Array<number>(50).fill(404), 200]);
  });
});

describe("every path", () => {
  const METHODS = ["OPTIONS", "HEAD", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND", "QUERY"];

  test("answers every method, with Allow where it is another's", async () => {
    const { paths } = (await (await fetch(`${service.url}/api/v1/openapi.json`)).json()) as {
      paths: Record<string, Record<string, unknown>>;
    };
    const wrong: string[] = [];
    const all = Object.entries(paths).map(([path, operations]) => ({
      fits: new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, "[^/]+")}$`),
      filled: path.replaceAll(/\{[^}]+\}/g, "NOSUCH"),
      methods: Object.keys(operations).map((method) => method.toUpperCase()),
    }));
    for (const { filled } of all) {
      // A name in one path is a parameter in another: /company/bulk is a company too.
      const known = all.filter(({ fits }) => fits.test(filled)).flatMap(({ methods }) => methods);
      for (const method of METHODS) {
        // With a field the route does not take: HEAD does all that GET does, and need not here.
        const { statuses, text } = await send(
          `${method} ${filled}?as_of=x HTTP/1.1\r\n${host}${CLOSE}\r\n`,
          20_000,
        );
        const [status = 0] = statuses;
        const isOther =
          !known.includes(method) && method !== "OPTIONS" && !(method === "HEAD" && known.includes("GET"));
        const allow = /^allow: (.*)\r$/im.exec(text)?.[1] ?? "";
        const isRight = isOther
          ? status === 405 && known.every((each) => allow.split(", ").includes(each))
          : method === "OPTIONS"
            ? status === 204
            : status < 500 || status === 503;
        if (!isRight) wrong.push(`${method} ${filled}: ${status} ${allow}`);
      }
    }
    expect(wrong).toEqual([]);
    await isAlive();
  });
});

describe("any bytes", () => {
  const token = fc.oneof(
    fc.constantFrom(
      "*/*",
      "text/csv",
      "application/json;q=0.000",
      ";;;",
      "q=NaN",
      '"',
      'W/"x"',
      "*",
      ",,,",
      "=",
      "0",
    ),
    fc.string({ unit: "binary", maxLength: 12 }),
    fc.constantFrom(
      "bytes=0-0",
      "bytes=-1",
      "bytes=9-1",
      "bytes=0-,0-,0-",
      "chunked",
      "gzip, br;q=2",
      "\x80",
      "\t",
    ),
  );
  const header = fc
    .tuple(
      fc.constantFrom(
        "Accept",
        "Accept-Encoding",
        "If-None-Match",
        "If-Modified-Since",
        "Range",
        "Content-Type",
        "X-Request-ID",
        "Origin",
        "Cookie",
        "Authorization",
        "X-API-Key",
        "X-Forwarded-For",
        "Sec-Fetch-Site",
        "Connection",
      ),
      fc.array(token, { maxLength: 4 }),
    )
    .map(([name, values]) => `${name}: ${values.join(", ")}\r\n`);
  const path = fc.oneof(
    fc.constantFrom(
      LIVE,
      "/api/v1/openapi.json",
      "/api/v1/price/data/ZORP?period=7d",
      "/api/v1/price/data?tickers=ZORP&start_date=2026-01-05&end_date=2026-01-09",
      "/api/v1/stocks/index/sp500",
      "/docs",
      "/metrics",
    ),
    fc.string({ unit: "binary", maxLength: 30 }).map((text) => `/api/v1/${text}`),
  );
  const whole = fc
    .tuple(
      fc.constantFrom("GET", "HEAD", "OPTIONS", "POST", "DELETE"),
      path,
      fc.array(header, { maxLength: 5 }),
    )
    .map(
      ([method, path, headers]) =>
        `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers.join("")}${CLOSE}\r\n`,
    );
  const bodied = fc
    .tuple(
      fc.array(header, { maxLength: 3 }),
      fc.constantFrom(
        "Content-Length: 31\r\n",
        "Content-Length: 5\r\n",
        "Transfer-Encoding: chunked\r\n",
        "",
      ),
      fc.oneof(
        fc.constant('{"ticker":"ZORP","period":"7d"}'),
        fc.constant('1f\r\n{"ticker":"ZORP","period":"7d"}\r\n0\r\n\r\n'),
        fc.string({ unit: "binary" }),
      ),
    )
    .map(
      ([headers, length, body]) =>
        `POST /api/v1/price/data HTTP/1.1\r\nHost: 127.0.0.1\r\n${JSON_TYPE}${headers.join("")}${length}${CLOSE}\r\n${body}`,
    );
  const latin = (text: string) => Buffer.from(text, "latin1");
  /**
   * A request with a few of its bytes changed, doubled or taken out, in as many pieces as it was cut into.
   */
  const broken = fc
    .tuple(
      fc.oneof(whole, bodied).map(latin),
      fc.array(
        fc.record({
          at: fc.double({ min: 0, max: 1, noNaN: true }),
          cut: fc.integer({ min: 0, max: 20 }),
          put: fc.oneof(
            fc.uint8Array({ maxLength: 6 }),
            fc.constantFrom("\r\n", "\r\n\r\n", "\0", " ", ":", "%", "\x7f", "HTTP/1.1").map(latin),
          ),
        }),
        { maxLength: 3 },
      ),
      fc.integer({ min: 1, max: 4 }),
    )
    .map(([bytes, changes, cuts]) => {
      let made = Buffer.from(bytes);
      for (const { at, cut, put } of changes) {
        const from = Math.floor(at * made.byteLength);
        made = Buffer.concat([made.subarray(0, from), put, made.subarray(from + cut)]);
      }
      const size = Math.max(1, Math.ceil(made.byteLength / cuts));
      return Array.from({ length: Math.ceil(made.byteLength / size) }, (_, i) =>
        made.subarray(i * size, (i + 1) * size),
      );
    });

  test("are answered by none of 5xx, and the next request by 200", async () => {
    const result = await fc.check(
      fc.asyncProperty(fc.oneof(whole, bodied, broken) as fc.Arbitrary<Pieces>, async (pieces) => {
        // A request that is not whole is never answered, so the wait is short; a slow answer is met by the
        // next request.
        const found = faultsOf(await send(pieces, 150));
        await isAlive();
        if (found.length > 0) throw new Error(found.join("\n"));
      }),
      { numRuns: RUNS, seed: SEED },
    );
    if (!result.failed) return;
    const error = result.errorInstance instanceof Error ? result.errorInstance.message : "";
    throw new Error(`SEED=${SEED}\n${netcatLine(result.counterexample?.[0] ?? "")}\n${error}`);
  }, 1_200_000);
});

describe("a slow sender", () => {
  const half = () => post("Content-Length: 31\r\n", '{"ticker":');
  const ordinary = async () => {
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ ticker: "ZORP", period: "7d" });
    const posted = await fetch(`${service.url}/api/v1/price/data`, { method: "POST", headers, body });
    const got = await fetch(`${service.url}${LATEST}/ZORP`);
    return [posted.status, got.status];
  };

  test("delays no other client: half a header, half a body, a header that never ends", async () => {
    const sockets = await Promise.all(
      Array.from({ length: SLOW }, (_, i) =>
        hang(service.url, i % 3 === 0 ? `GET ${LIVE} HTTP/1.1\r\nX-A: ` : half()),
      ),
    );
    expect(await ordinary()).toEqual([200, 200]);
    for (const socket of sockets) socket.write("x");
    expect(await ordinary()).toEqual([200, 200]);
    for (const socket of sockets) socket.destroy();
    expect(await ordinary()).toEqual([200, 200]);
  });

  test("takes at most the limit of bodies read at once; other requests are answered meanwhile", async () => {
    const sockets = await Promise.all(
      Array.from({ length: BODIES_READ_MAX }, () => hang(service.url, half())),
    );
    const refused = await send(post("Content-Length: 31\r\n", '{"ticker":"ZORP","period":"7d"}'));
    expect([refused.statuses, /"code":"server_busy"/.test(refused.text)]).toEqual([[503], true]);
    expect((await fetch(`${service.url}${LATEST}/ZORP`)).status).toBe(200);
    for (const socket of sockets) socket.destroy();
    while ((await ordinary())[0] !== 200) await Bun.sleep(10);
    expect(await ordinary()).toEqual([200, 200]);
  });
});

describe("after all of it", () => {
  test("a client that disconnects while sending is no failure, and no error was unforeseen", async () => {
    for (let i = 0; i < 5; i++) {
      const socket = await hang(service.url, post("Content-Length: 31\r\n", '{"ticker":'));
      await Bun.sleep(20);
      socket.destroy();
    }
    await isAlive();
    expect([service.stdout().replace(/^Asof is ready.*\n/, ""), service.stderr()]).toEqual(["", ""]);
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    const failed = metrics.split("\n").filter((line) => /^asof_http_requests_total\{.*status="5/.test(line));
    // The refusal above, and routes that need a key.
    expect(failed.filter((line) => !line.includes('status="503"'))).toEqual([]);
  });

  test.if(process.platform === "linux")("bodies without end do not grow the memory", async () => {
    const before = residentBytes(service.pid);
    const endless = `${(1 << 20).toString(16)}\r\n${" ".repeat(1 << 20)}\r\n`;
    const many = Array.from({ length: 30 }, () =>
      send([post("Transfer-Encoding: chunked\r\n"), ...Array<string>(20).fill(endless)], 5_000),
    );
    for (const { statuses } of await Promise.all(many)) expect(statuses.filter((s) => s !== 413)).toEqual([]);
    expect(residentBytes(service.pid) - before).toBeLessThan(RESIDENT_MORE_MAX);
    await isAlive();
  });
});
