// Lists of index members from either kind of page, and implausible lists.
import { expect, test } from "bun:test";
import { AsofError, UpstreamRateLimited } from "../../../platform/errors.ts";
import type { Upstream, UpstreamAnswer } from "../../../platform/upstream/policy.ts";
import { wikimediaPolicy } from "../policy.ts";
import { askIndexMembers } from "./index-page.ts";

const page = (count: number, extra = "") =>
  `${extra}<table id="constituents"><tr><th>Ticker</th><th>Company</th><th>GICS Sector</th><th>GICS Sub-Industry</th></tr>${Array.from(
    { length: count },
    (_, i) =>
      `<tr><td>A${String.fromCharCode(65 + Math.floor(i / 26), 65 + (i % 26))}</td><td>Company ${i}</td><td>Energy</td><td>Oil</td></tr>`,
  ).join("")}</table>`;

/** A Wikipedia that answers by `reply`; the addresses that were asked. */
function wikipedia(reply: (url: URL) => { status?: number; body: string; etag?: string }) {
  const asked: string[] = [];
  const upstream = {
    policy: wikimediaPolicy(null),
    async ask({ url }) {
      const { hostname, pathname, searchParams } = new URL(url);
      asked.push(`${hostname}${pathname}${searchParams.has("page") ? ` ${searchParams.get("page")}` : ""}`);
      const { status = 200, body, etag } = reply(new URL(url));
      return {
        url,
        status,
        headers: new Headers(etag ? { etag } : {}),
        bytes: new TextEncoder().encode(body),
        receivedAt: Temporal.Instant.from("2026-09-09T18:00:00.1239Z"),
      } satisfies UpstreamAnswer;
    },
  } as Upstream;
  return { asked, upstream };
}

const fault = async (work: Promise<unknown>) => {
  const error = await work.catch((e: unknown) => e);
  if (!(error instanceof AsofError)) throw new Error("no fault");
  return error;
};

test("reads the API's page, its revision and its address", async () => {
  const { asked, upstream } = wikipedia(() => ({
    body: JSON.stringify({ parse: { title: "x", revid: 1353424858, text: page(500) } }),
  }));
  const members = await askIndexMembers(upstream, "sp500");
  expect(members).toMatchObject({
    index: "sp500",
    classification: "GICS",
    revision: 1353424858,
    source: "https://en.wikipedia.org/w/index.php?title=List_of_S%26P_500_companies&oldid=1353424858",
    received_at: "2026-09-09T18:00:00.123Z",
  });
  expect(members.constituents).toHaveLength(500);
  expect(asked).toEqual(["en.wikipedia.org/w/api.php List of S&P 500 companies"]);
});

test("reads the older format of the API", async () => {
  const { upstream } = wikipedia(() => ({ body: JSON.stringify({ parse: { text: { "*": page(101) } } }) }));
  const { constituents, revision, source } = await askIndexMembers(upstream, "nasdaq100");
  expect([constituents.length, revision, source]).toEqual([
    101,
    null,
    "https://en.wikipedia.org/wiki/Nasdaq-100",
  ]);
});

test("reads the article page when the API fails, with the revision from the settings, the address or the ETag", async () => {
  const article = (head: string, etag?: string) =>
    wikipedia(({ pathname }) =>
      pathname === "/w/api.php"
        ? { body: '{"error":{"code":"badtoken"}}' }
        : { body: `<!DOCTYPE html>${page(100, head)}`, ...(etag ? { etag } : {}) },
    );
  const settings = article('<script>{"wgCurRevisionId":7,"wgRevisionId":8}</script>');
  expect((await askIndexMembers(settings.upstream, "nasdaq100")).revision).toBe(8);
  expect(settings.asked).toEqual([
    "en.wikipedia.org/w/api.php Nasdaq-100",
    "en.wikipedia.org/wiki/Nasdaq-100",
  ]);
  const address = article('<html about="https://en.wikipedia.org/wiki/Special:Redirect/revision/9">');
  expect((await askIndexMembers(address.upstream, "nasdaq100")).revision).toBe(9);
  const tagged = article("<html>", 'W/"10/aa-bb"');
  expect((await askIndexMembers(tagged.upstream, "nasdaq100")).revision).toBe(10);
});

test("finds a table that has moved to a page of its own", async () => {
  const { asked, upstream } = wikipedia(({ pathname, searchParams }) => {
    if (pathname === "/wiki/Nasdaq-100") return { body: "<p>See the list.</p>" };
    const text = searchParams.get("page") === "Nasdaq-100" ? "<p>See the list.</p>" : page(100);
    return { body: JSON.stringify({ parse: { revid: 5, text } }) };
  });
  const { source } = await askIndexMembers(upstream, "nasdaq100");
  expect(source).toBe("https://en.wikipedia.org/w/index.php?title=List_of_Nasdaq-100_companies&oldid=5");
  expect(asked).toEqual([
    "en.wikipedia.org/w/api.php Nasdaq-100",
    "en.wikipedia.org/wiki/Nasdaq-100",
    "en.wikipedia.org/w/api.php List of Nasdaq-100 companies",
  ]);
});

test("rejects too few and too many members", async () => {
  for (const [index, count] of [
    ["sp500", 479],
    ["sp500", 531],
    ["nasdaq100", 94],
    ["nasdaq100", 116],
  ] as const) {
    const { upstream } = wikipedia(() => ({
      body: JSON.stringify({ parse: { revid: 1, text: page(count) } }),
    }));
    const error = await fault(askIndexMembers(upstream, index));
    expect([error.code, error.message]).toEqual([
      "upstream_error",
      expect.stringContaining(`has ${count} members; `),
    ]);
  }
  for (const count of [480, 530]) {
    const { upstream } = wikipedia(() => ({
      body: JSON.stringify({ parse: { revid: 1, text: page(count) } }),
    }));
    expect((await askIndexMembers(upstream, "sp500")).constituents).toHaveLength(count);
  }
});

test("rejects a missing page, a truncated page, an envelope of another shape", async () => {
  const missing = await fault(
    askIndexMembers(wikipedia(() => ({ status: 404, body: "<html>" })).upstream, "sp500"),
  );
  expect(missing.message).toContain("no such page (404)");
  const cut = await fault(
    askIndexMembers(wikipedia(() => ({ body: '{"parse":{"text":"<tab' })).upstream, "sp500"),
  );
  expect(cut.message).toContain("broken page");
  const moved = await fault(
    askIndexMembers(wikipedia(() => ({ body: '{"parse":{"html":""}}' })).upstream, "sp500"),
  );
  expect(moved.message).toContain("parse.text should be text");
});

test("does not try the next page when rate limited", async () => {
  const asked: string[] = [];
  const upstream = {
    policy: wikimediaPolicy(null),
    async ask({ url }) {
      asked.push(url);
      throw new UpstreamRateLimited("wikimedia", "too often");
    },
  } as Pick<Upstream, "policy" | "ask"> as Upstream;
  expect((await fault(askIndexMembers(upstream, "sp500"))).code).toBe("upstream_rate_limited");
  expect(asked).toHaveLength(1);
});
