import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FakeClock, fakeClock } from "../../../test/support/fake-clock.ts";
import { type FakeReply, type FakeUpstream, fakeUpstream } from "../../../test/support/fake-yahoo.ts";
import { Busy, UpstreamTimeout } from "../../platform/errors.ts";
import { type Credentials, yahooCredentials } from "./credentials.ts";

const FC = "fc.yahoo.com/";
const CRUMB = "query1.finance.yahoo.com/v1/test/getcrumb";
const SITE = "finance.yahoo.com/quote/AAPL";
const COOKIE: FakeReply = {
  status: 404,
  body: "<html>",
  headers: [["set-cookie", "A3=s3cr3t; Domain=.yahoo.com"]],
};

let folder: string;
let path: string;
let clock: FakeClock;
let said: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "asof-session-"));
  path = join(folder, "deep", "session.json");
  clock = fakeClock("2026-03-10T15:00:00Z");
  said = "";
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Replies by host and path; a list is used up from its front, its last one stays. */
function world(replies: Record<string, FakeReply | FakeReply[] | Error>): FakeUpstream {
  return fakeUpstream(clock, ({ hostname, pathname }) => {
    const reply = replies[hostname + pathname] ?? { status: 404, body: "<html>" };
    if (reply instanceof Error) throw reply;
    if (!Array.isArray(reply)) return reply;
    return (reply.length > 1 ? reply.shift() : reply[0]) ?? {};
  });
}

const say = (message: string, fields?: object) => {
  said += message + JSON.stringify(fields, (_key, value) => (value instanceof Error ? String(value) : value));
};
const log = { info: say, warn: say };
const open = (upstream: FakeUpstream): Credentials => yahooCredentials({ upstream, clock, log, path });

describe("a session", () => {
  test("is a cookie and its crumb, opened once for all callers", async () => {
    const upstream = world({ [FC]: COOKIE, [CRUMB]: { body: "abc/DEF.12\n" } });
    const credentials = open(upstream);
    const sessions = await Promise.all(Array.from({ length: 20 }, () => credentials.get()));
    expect(new Set(sessions).size).toBe(1);
    expect(sessions[0]).toMatchObject({ crumb: "abc/DEF.12", cookies: { "yahoo.com": { A3: "s3cr3t" } } });
    expect(upstream.asked()).toEqual([FC, CRUMB]);
    expect(upstream.requests[1]?.headers?.cookie).toBe("A3=s3cr3t");
    expect(upstream.requests.every((r) => r.shareKey === false)).toBe(true);
    await credentials.get();
    expect(upstream.requests.length).toBe(2);
  });

  test("is stored for its owner only, atomically, and serves the next process", async () => {
    const first = await open(world({ [FC]: COOKIE, [CRUMB]: { body: "abcDEF12345" } })).get();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(folder, "deep"))).toEqual(["session.json"]);
    const upstream = world({});
    expect(await open(upstream).get()).toEqual(first);
    expect(upstream.requests).toEqual([]);
  });

  test("is never logged", async () => {
    await open(world({ [FC]: { status: 500 }, [CRUMB]: { body: "abcDEF12345" } }))
      .get()
      .catch(() => {});
    await open(world({ [FC]: COOKIE, [CRUMB]: { body: "abcDEF12345" } })).get();
    expect(said).toContain("yahoo session opened");
    expect(said).not.toContain("s3cr3t");
    expect(said).not.toContain("abcDEF12345");
  });

  test.each([
    ["nothing", ""],
    ["half of a file", '{"crumb":"abcDEF1'],
    [
      "a refusal stored as a crumb",
      JSON.stringify({ crumb: "Too Many Requests", cookies: {}, strategy: "basic", obtainedAtMs: 1 }),
    ],
    [
      "a cookie that is none",
      JSON.stringify({
        crumb: "abcDEF12345",
        cookies: { y: { A: "\r\n" } },
        strategy: "basic",
        obtainedAtMs: 1,
      }),
    ],
    ["null", "null"],
  ])("is opened again when the stored one is %s", async (_what, text) => {
    path = join(folder, "session.json");
    writeFileSync(path, text);
    const session = await open(world({ [FC]: COOKIE, [CRUMB]: { body: "newDEF12345" } })).get();
    expect(session.crumb).toBe("newDEF12345");
    expect(JSON.parse(readFileSync(path, "utf8")).crumb).toBe("newDEF12345");
  });

  test("works although it cannot be stored", async () => {
    writeFileSync(join(folder, "deep"), "a file where the folder should be");
    const session = await open(world({ [FC]: COOKIE, [CRUMB]: { body: "abcDEF12345" } })).get();
    expect(session.crumb).toBe("abcDEF12345");
    expect(said).toContain("could not be stored");
  });

  test("is not readable by others, even when an open file has its name", async () => {
    path = join(folder, "session.json");
    writeFileSync(`${path}.new`, "");
    chmodSync(`${path}.new`, 0o666);
    await open(world({ [FC]: COOKIE, [CRUMB]: { body: "abcDEF12345" } })).get();
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test("is not affected by a caller that aborts", async () => {
    const gone = new AbortController();
    const credentials = open(world({ [FC]: COOKIE, [CRUMB]: { body: "abcDEF12345" } }));
    const [first, second] = [credentials.get(gone.signal), credentials.get()];
    gone.abort(new Error("gone"));
    await expect(first).rejects.toThrow("gone");
    expect((await second).crumb).toBe("abcDEF12345");
  });
});

describe("renewal", () => {
  test("opens one session for all refused callers, and none for a late one", async () => {
    const upstream = world({ [FC]: COOKIE, [CRUMB]: [{ body: "sameCrumb11" }, { body: "sameCrumb11" }] });
    const credentials = open(upstream);
    const refused = await credentials.get();
    clock.advance(3_600_000);
    const renewed = await Promise.all([1, 2, 3].map(() => credentials.renew(refused)));
    // The crumb may be the same again; the session is still another one.
    expect(new Set(renewed).size).toBe(1);
    expect(renewed[0]).not.toBe(refused);
    expect(await credentials.renew(refused)).toBe(renewed[0] ?? refused);
    expect(upstream.asked()).toEqual([FC, CRUMB, FC, CRUMB]);
  });

  test("of a session refused at once uses the other strategy", async () => {
    const upstream = world({
      [FC]: COOKIE,
      [SITE]: { headers: [["set-cookie", "A1=x"]] },
      [CRUMB]: { body: "abcDEF12345" },
    });
    const credentials = open(upstream);
    await credentials.renew(await credentials.get());
    expect(upstream.asked()).toEqual([FC, CRUMB, SITE, CRUMB]);
  });

  test("opens nothing for a minute after giving up", async () => {
    const upstream = world({ [FC]: COOKIE, [CRUMB]: { body: "abcDEF12345" } });
    const credentials = open(upstream);
    credentials.giveUp(await credentials.get());
    clock.advance(59_000);
    await expect(credentials.get()).rejects.toMatchObject({
      name: "UpstreamRefused",
      facts: { retryAfterS: 1 },
    });
    expect(upstream.requests.length).toBe(2);
    clock.advance(1_000);
    expect((await credentials.get()).crumb).toBe("abcDEF12345");
  });
});

describe("a handshake that fails", () => {
  test("pauses for a minute after a block, for all callers, without trying the other strategy", async () => {
    const upstream = world({
      [FC]: COOKIE,
      [CRUMB]: [{ status: 429, body: "Too Many Requests\r\n" }, { body: "abcDEF12345" }],
    });
    const credentials = open(upstream);
    await expect(credentials.get()).rejects.toMatchObject({ name: "UpstreamRateLimited" });
    clock.advance(15_000);
    await expect(credentials.get()).rejects.toMatchObject({
      name: "UpstreamRateLimited",
      facts: { retryAfterS: 45 },
    });
    expect(upstream.asked()).toEqual([FC, CRUMB]);
    clock.advance(45_000);
    expect((await credentials.get()).crumb).toBe("abcDEF12345");
  });

  test.each([
    ["a 403", { status: 403, body: "<html>" }],
    ["a refusal with status 200", { body: "Edge: Too Many Requests" }],
    ["999", { status: 999 }],
  ])("treats %s as a block", async (_what, reply) => {
    await expect(open(world({ [FC]: COOKIE, [CRUMB]: reply })).get()).rejects.toMatchObject({
      name: "UpstreamRateLimited",
    });
  });

  test.each([
    ["a page", "<!doctype html>"],
    ["nothing", ""],
    ["text", "Internal Server Error"],
    ["a long one", "a".repeat(17)],
    ["a short one", "abc"],
    ["JSON", '{"finance":{"error":{}}}'],
  ])("never takes %s for a crumb", async (_what, body) => {
    const upstream = world({ [FC]: COOKIE, [SITE]: COOKIE, [CRUMB]: { body } });
    await expect(open(upstream).get()).rejects.toMatchObject({ name: "UpstreamFailed" });
    expect(() => statSync(path)).toThrow();
  });

  test("uses the other strategy, and starts with it from then on, in the next process too", async () => {
    const replies = {
      [SITE]: { headers: [["set-cookie", "A1=x; Domain=.yahoo.com"]] } as FakeReply,
      [CRUMB]: { body: "abcDEF12345" },
    };
    const upstream = world(replies);
    const session = await open(upstream).get();
    expect(upstream.asked()).toEqual([FC, SITE, CRUMB]);
    clock.advance(3_600_000);
    const later = world(replies);
    const credentials = open(later);
    await credentials.renew(await credentials.get());
    expect(later.asked()).toEqual([SITE, CRUMB]);
    expect(session.cookies).toEqual({ "yahoo.com": { A1: "x" } });
  });

  test("with both strategies, pauses for ten seconds", async () => {
    const upstream = world({});
    const credentials = open(upstream);
    await expect(credentials.get()).rejects.toMatchObject({
      name: "UpstreamFailed",
      message: "yahoo set no cookie",
    });
    await expect(credentials.get()).rejects.toMatchObject({
      name: "UpstreamFailed",
      facts: { retryAfterS: 10 },
    });
    expect(upstream.asked()).toEqual([FC, SITE]);
    clock.advance(10_000);
    await credentials.get().catch(() => {});
    expect(upstream.asked()).toEqual([FC, SITE, FC, SITE]);
  });

  test("because of a full queue is tried again at once, without the other strategy", async () => {
    const busy = new Busy("upstream_busy", "Too many requests are waiting already");
    const upstream = world({ [FC]: busy });
    const credentials = open(upstream);
    await expect(credentials.get()).rejects.toBe(busy);
    await expect(credentials.get()).rejects.toBe(busy);
    expect(upstream.asked()).toEqual([FC, FC]);
  });

  test("with a timeout keeps reporting a timeout while it pauses", async () => {
    const late = new UpstreamTimeout("yahoo", "late");
    const credentials = open(world({ [FC]: late, [SITE]: late }));
    await expect(credentials.get()).rejects.toBe(late);
    await expect(credentials.get()).rejects.toMatchObject({
      name: "UpstreamTimeout",
      facts: { retryAfterS: 10 },
    });
  });

  test("does not loop through consent pages", async () => {
    const form =
      '<input type="hidden" name="csrfToken" value="1"><input type="hidden" name="sessionId" value="2">';
    const to = (location: string): FakeReply => ({ status: 302, headers: [["location", location]] });
    const upstream = fakeUpstream(clock, ({ hostname }, { method }) => {
      if (hostname === "finance.yahoo.com") return to("https://guce.yahoo.com/consent?x=1");
      if (hostname === "guce.yahoo.com") return to("https://consent.yahoo.com/v2/collectConsent");
      if (hostname === "consent.yahoo.com")
        return method === "POST" ? to("https://finance.yahoo.com/") : { body: form };
      return { status: 404, body: "<html>" };
    });
    await expect(open(upstream).get()).rejects.toMatchObject({
      message: "yahoo's consent pages go round in circles",
    });
    expect(upstream.requests.filter((r) => r.method === "POST").length).toBe(5);
  });

  test("does not follow redirects endlessly, to no address, or to an unknown page", async () => {
    const through = async (site: FakeReply, consent: FakeReply = {}) => {
      const upstream = fakeUpstream(clock, ({ hostname }) =>
        hostname === "finance.yahoo.com"
          ? site
          : hostname === "consent.yahoo.com"
            ? consent
            : { status: 404 },
      );
      const failure = await open(upstream)
        .get()
        .catch((e: unknown) => e);
      return [String(failure), upstream.requests.length] as const;
    };
    const redirect = (location: string): FakeReply => ({ status: 301, headers: [["location", location]] });
    const [circles, count] = await through(redirect("/quote/AAPL"));
    expect(circles).toContain("round in circles");
    expect(count).toBeLessThan(40);
    expect((await through(redirect("http://")))[0]).toContain("redirected to no address");
    expect((await through(redirect("https://consent.yahoo.com/x"), { body: "<html>" }))[0]).toContain(
      "no form we know",
    );
  });
});
