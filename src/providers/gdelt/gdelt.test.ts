// The news archive: how its answers are classified and read, and how it is requested.
import { describe, expect, test } from "bun:test";
import { UpstreamFailed, UpstreamRefused } from "../../platform/errors.ts";
import type { UpstreamAnswer } from "../../platform/upstream/policy.ts";
import { classifyGdelt } from "./classify.ts";
import { ARTICLES_MAX, readArticles } from "./endpoints/articles.ts";
import { readVolume } from "./endpoints/volume.ts";
import { articleQuery } from "./index.ts";
import { gdeltPolicy } from "./policy.ts";

const answer = (body: string, status = 200): UpstreamAnswer => ({
  url: "https://api.gdeltproject.org/api/v2/doc/doc",
  status,
  headers: new Headers(),
  bytes: new TextEncoder().encode(body),
  receivedAt: Temporal.Instant.from("2026-09-09T21:00:00Z"),
});
const LIMIT =
  "Please limit requests to one every 5 seconds or contact kalev.leetaru5@gmail.com for larger queries.";
const article = (more: object = {}) => ({
  url: "https://ledger.example/a",
  url_mobile: "",
  title: "Zorp in the news",
  seendate: "20260908T170000Z",
  socialimage: "",
  domain: "ledger.example",
  language: "English",
  sourcecountry: "United States",
  ...more,
});
const volume = (points: readonly (readonly [string, number])[], resolution = "day") =>
  JSON.stringify({
    query_details: { title: "x", date_resolution: resolution },
    timeline: [{ series: "Volume Intensity", data: points.map(([date, value]) => ({ date, value })) }],
  });

test("classifies answers", () => {
  const kind = (body: string, status?: number) => classifyGdelt(answer(body, status)).kind;
  expect(kind("{}")).toBe("ok");
  expect(kind(LIMIT, 429)).toBe("rate_limited");
  expect(kind(LIMIT)).toBe("rate_limited");
  expect(kind("", 429)).toBe("rate_limited");
  expect(kind("A maximum of 250 records can be returned.")).toBe("answered");
  expect(kind("<html>busy</html>")).toBe("failed");
  expect(kind("")).toBe("failed");
  expect(kind("{}", 503)).toBe("failed");
  expect(kind("not here", 404)).toBe("failed");
});

test("the pauses after refusals are the breaker's steps, the last one half an hour", () => {
  expect(gdeltPolicy.breaker.openMs).toEqual([30_000, 60_000, 120_000, 1_800_000]);
  expect(gdeltPolicy).toMatchObject({ spacingMsMin: 10_000, slots: 1, retriesMax: 0 });
});

describe("articles", () => {
  test("are read as sent", () => {
    const { articles, is_full } = readArticles(
      answer(JSON.stringify({ articles: [article(), article({ domain: "" })] })),
    );
    expect(articles[0]).toEqual({
      url: "https://ledger.example/a",
      title: "Zorp in the news",
      domain: "ledger.example",
      language: "English",
      source_country: "United States",
      seen_at: Temporal.Instant.from("2026-09-08T17:00:00Z"),
    });
    expect(articles[1]?.domain).toBeNull();
    expect(is_full).toBe(false);
    expect(readArticles(answer("{}")).articles).toEqual([]);
    const untitled = { articles: [article({ title: " " }), article()] };
    expect(readArticles(answer(JSON.stringify(untitled))).articles).toHaveLength(1);
    expect(() => readArticles(answer(JSON.stringify({ articles: [article({ title: 7 })] })))).toThrow(
      UpstreamFailed,
    );
    const full = Array.from({ length: ARTICLES_MAX }, (_, i) =>
      article({ url: `https://ledger.example/${i}` }),
    );
    expect(readArticles(answer(JSON.stringify({ articles: full }))).is_full).toBe(true);
  });

  test("control characters and stray backslashes are repaired once; JSON broken otherwise is rejected", () => {
    const broken = JSON.stringify({ articles: [article({ title: "ZorpXnews" })] }).replace("X", "\u0007\n");
    expect(readArticles(answer(broken)).articles[0]?.title).toBe("Zorp news");
    const stray = JSON.stringify({ articles: [article({ title: 'Zorp~s \\ "news"' })] }).replace("~", "\\'");
    expect(readArticles(answer(stray)).articles[0]?.title).toBe('Zorp\\\'s \\ "news"');
    expect(() => readArticles(answer('{"articles":[{"title":"a'))).toThrow(UpstreamFailed);
    expect(() => readArticles(answer('{"articles":"none"}'))).toThrow(UpstreamFailed);
    expect(() =>
      readArticles(answer(JSON.stringify({ articles: [article({ seendate: "20261399T000000Z" })] }))),
    ).toThrow(UpstreamFailed);
    expect(() =>
      readArticles(answer(JSON.stringify({ articles: [article({ seendate: "20270101T000000Z" })] }))),
    ).toThrow(UpstreamFailed);
  });

  test("a refusal in plain text becomes an error with its message", () => {
    expect(() => readArticles(answer("The specified phrase is too short.\n"))).toThrow(UpstreamRefused);
    expect(() => readArticles(answer("The specified phrase is too short.\n"))).toThrow("phrase is too short");
  });
});

describe("volume", () => {
  test("lists completed days by date", () => {
    const points = [
      ["20260909T000000Z", 0.3],
      ["20260907T000000Z", 0],
      ["20260908T000000Z", 0.2],
    ] as const;
    expect(readVolume(answer(volume(points))).days).toEqual([
      { date: "2026-09-07", value: 0 },
      { date: "2026-09-08", value: 0.2 },
    ]);
    expect(readVolume(answer("{}")).days).toEqual([]);
  });

  test("rejects hours, repeated days, other series and values that are not numbers", () => {
    for (const body of [
      volume([["20260907T000000Z", 1]], "hour"),
      volume([["20260907T010000Z", 1]]),
      volume([
        ["20260907T000000Z", 1],
        ["20260907T000000Z", 2],
      ]),
      volume([["20260907T000000Z", -1]]),
      volume([["20260907T000000Z", 1]]).replace("Volume Intensity", "Article Count"),
      '{"timeline":[{"series":"Volume Intensity"}]}',
    ])
      expect(() => readVolume(answer(body))).toThrow(UpstreamFailed);
  });
});

test("queries", () => {
  expect(articleQuery("Apple Inc.")).toBe('"Apple Inc" sourcelang:english');
  expect(articleQuery("Gap (clothing retailer)")).toBe('"Gap" sourcelang:english');
  expect(articleQuery('A "b": (c) OR d')).toBe('"A b c OR d" sourcelang:english');
  expect(articleQuery("3M")).toBeNull();
  expect(articleQuery("Amazon.com, Inc.")).toBe('"Amazon.com Inc" sourcelang:english');
});
