// EDGAR behind the real upstream and the real vault: one pace over its hosts, its ten minutes, its redirects.
import { afterEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UpstreamFailed, UpstreamRateLimited } from "../../src/platform/errors.ts";
import { openSqlite } from "../../src/platform/sqlite/sqlite.ts";
import type { Upstream } from "../../src/platform/upstream/policy.ts";
import { createUpstream } from "../../src/platform/upstream/upstream.ts";
import { openVault, type Vault } from "../../src/platform/vault.ts";
import { classifyEdgar, edgar, edgarPolicy } from "../../src/providers/edgar/index.ts";
import { captureLog } from "../support/capture-log.ts";
import { type FakeClock, fakeClock } from "../support/fake-clock.ts";
import { fakeVault } from "../support/fake-edgar.ts";

setDefaultTimeout(1_200_000);

const ACCESSION = "0001234567-26-000089";
const REF = { accession_number: ACCESSION, cik: "4711" };
const FOLDER = "www.sec.gov/Archives/edgar/data/4711/000123456726000089";
const BLOCKED = "<html><title>SEC.gov | Request Rate Threshold Exceeded</title></html>";
const ENTITY = { cik: "4711", name: "Z", tickers: [], exchanges: [], filings: { recent: {}, files: [] } };
const NOTHING = { timed_out: false, hits: { total: { value: 0, relation: "eq" }, hits: [] } };

type Serve = (path: string, request: Request) => Response | undefined;
const clean: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const undo of clean.splice(0).reverse()) await undo();
});

function open(serve: Serve, vault: Vault = fakeVault()) {
  const clock = fakeClock("2026-11-20T15:00:00Z");
  const seen: { readonly path: string; readonly atMs: number; readonly headers: Headers }[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const { pathname } = new URL(request.url);
      seen.push({ path: pathname.slice(1), atMs: clock.nowMs(), headers: request.headers });
      return (
        serve(pathname.slice(1), request) ??
        new Response("<Error><Code>NoSuchKey</Code></Error>", { status: 404 })
      );
    },
  });
  clean.push(() => server.stop(true));
  const gateway = server.url.href;
  const upstream = createUpstream(edgarPolicy, {
    clock,
    log: captureLog(),
    gateway,
    classify: classifyEdgar,
    random: () => 0,
  });
  return { clock, seen, upstream, provider: edgar({ upstream, vault, clock, userAgent: "Z z@z.example" }) };
}

/** Lets the clock pass whenever nothing is on the wire, until `work` is done. */
async function until<T>(work: Promise<T>, upstream: Upstream, clock: FakeClock): Promise<T> {
  let done = false;
  const mark = () => {
    done = true;
  };
  work.then(mark, mark);
  while (!done) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    if (!done && upstream.health().activeRequests === 0) clock.advance(5);
  }
  return work;
}

describe("one user's requests are counted together", () => {
  test("over all three hosts no two start closer than an eighth of a second", async () => {
    const { provider, seen, upstream, clock } = open((path) => {
      if (path.startsWith("data.")) return Response.json(ENTITY);
      if (path.startsWith("efts.")) return Response.json(NOTHING);
      return new Response("x");
    });
    const all = [1, 2, 3, 4].flatMap((n) => [
      provider.companyFacts(String(n)),
      provider.search({ q: String(n) }),
      provider.document(REF, `${n}.htm`),
    ]);
    await until(Promise.all(all), upstream, clock);
    expect(new Set(seen.map(({ path }) => path.split("/")[0])).size).toBe(3);
    const gaps = seen.slice(1).map(({ atMs }, i) => atMs - (seen[i]?.atMs ?? 0));
    expect(gaps).toHaveLength(11);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(125);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(140);
  });

  test("each names its sender and accepts compression", async () => {
    const packed = () =>
      new Response(Bun.gzipSync(new TextEncoder().encode('{"facts":{}}')), {
        headers: { "content-encoding": "gzip" },
      });
    const { provider, seen } = open(packed);
    const facts = await provider.companyFacts("4711");
    expect(new TextDecoder().decode(facts?.bytes)).toBe('{"facts":{}}');
    expect(seen[0]?.headers.get("user-agent")).toBe("Z z@z.example");
    expect(seen[0]?.headers.get("accept-encoding")).toBe("gzip, deflate");
  });
});

describe.each([403, 429])("rate limited with %p", (status) => {
  test("nothing goes out for ten minutes, to any host, then one request", async () => {
    let isBlocked = true;
    const { provider, seen, clock, upstream } = open(() =>
      isBlocked ? new Response(BLOCKED, { status }) : Response.json({ facts: {} }),
    );
    const first = await provider.document(REF, "a.htm").catch((error: unknown) => error);
    expect(first).toBeInstanceOf(UpstreamRateLimited);
    expect(first).toMatchObject({ facts: { retryAfterS: 600 } });
    isBlocked = false;
    let leftS = 600;
    for (const passedS of [0, 300, 299]) {
      clock.advance(passedS * 1000);
      leftS -= passedS;
      for (const ask of [
        () => provider.companyFacts("1"),
        () => provider.search({ q: "x" }),
        () => provider.tickers(),
      ])
        await expect(ask()).rejects.toMatchObject({
          name: "UpstreamRateLimited",
          facts: { upstream: "edgar", retryAfterS: leftS },
        });
    }
    expect(seen).toHaveLength(1);
    clock.advance(1_000);
    expect(await provider.companyFacts("1")).not.toBeNull();
    expect(seen).toHaveLength(2);
    expect(upstream.health().breaker).toBe("closed");
  });
});

test("documents beyond the limit are our own refusal: twenty of them do not silence EDGAR", async () => {
  const { provider, upstream, clock } = open(
    (path) => new Response(path.endsWith("ok.htm") ? "ok" : "x".repeat(5_000_001)),
  );
  for (let n = 0; n < 20; n++) {
    const asked = provider.document(REF, `${n}.htm`);
    await until(
      asked.catch(() => null),
      upstream,
      clock,
    );
    await expect(asked).rejects.toMatchObject({ code: "exhibit_too_large" });
  }
  expect(upstream.health().breaker).toBe("closed");
  expect((await until(provider.document(REF, "ok.htm"), upstream, clock)).bytes.byteLength).toBe(2);
});

describe("redirects", () => {
  const to =
    (location: string): Serve =>
    (path) => {
      if (path === `${FOLDER}/a.htm`) return new Response(null, { status: 302, headers: { location } });
      return new Response("from elsewhere");
    };
  test.each([
    "https://evil.example/a.htm",
    "http://www.sec.gov/Archives/edgar/data/4711/000123456726000089/b.htm",
    "https://www.sec.gov:8443/Archives/edgar/data/4711/000123456726000089/b.htm",
    "https://x@www.sec.gov/Archives/edgar/data/4711/000123456726000089/b.htm",
    "file:///etc/passwd",
  ])("to %p is not followed", async (location) => {
    const { provider, seen } = open(to(location));
    await expect(provider.document(REF, "a.htm")).rejects.toBeInstanceOf(UpstreamFailed);
    expect(seen).toHaveLength(1);
  });

  test.each([
    "https://www.sec.gov/Archives/edgar/data/4711/000123456726000090/a.htm",
    "../000123456726000090/a.htm",
    "/cgi-bin/srqsb",
    "https://efts.sec.gov/a.htm",
  ])("to %p ends in nothing kept", async (location) => {
    const vault = fakeVault();
    const { provider, upstream, clock } = open(to(location), vault);
    const asked = provider.document(REF, "a.htm").catch((error: unknown) => error);
    expect(await until(asked, upstream, clock)).toBeInstanceOf(UpstreamFailed);
    expect(vault.keys()).toEqual([]);
  });

  test("without end", async () => {
    const { provider, upstream, clock, seen } = open(
      () => new Response(null, { status: 302, headers: { location: "a.htm" } }),
    );
    const asked = provider.document(REF, "a.htm").catch((error: unknown) => error);
    expect(await until(asked, upstream, clock)).toBeInstanceOf(UpstreamFailed);
    expect(seen).toHaveLength(6);
  });
});

test("the vault on disk: fetched once, also by the next process", async () => {
  const folder = mkdtempSync(join(tmpdir(), "asof-edgar-"));
  clean.push(() => rmSync(folder, { recursive: true, force: true }));
  const once = async (serve: Serve) => {
    const store = openSqlite(join(folder, "ops.sqlite"));
    try {
      const vault = await openVault(join(folder, "vault"), {
        store,
        clock: fakeClock("2026-11-20T15:00:00Z"),
      });
      return await open(serve, vault).provider.document(REF, "a.htm");
    } finally {
      store.close();
    }
  };
  const first = await once(() => new Response("<p>8-K</p>"));
  const again = await once(() => new Response("gone", { status: 500 }));
  expect(again).toEqual({ ...first, from_vault: true });
});
