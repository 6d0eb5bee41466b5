import { afterAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { fakeClock } from "../test/support/fake-clock.ts";
import type { Dial } from "./faults.ts";
import { serveSample } from "./serve.ts";

setDefaultTimeout(1_200_000);

const clock = fakeClock("2026-11-18T18:00:00Z");
const sample = await serveSample({ clock });
afterAll(() => sample.stop());
beforeEach(() => {
  clock.set("2026-11-18T18:00:00Z");
  sample.dials.clear();
  sample.resetTraffic();
});

const AGENT = { "user-agent": "Mozilla/5.0 (compatible; test)" };
const QUERY1 = "/query1.finance.yahoo.com";
const ask = (path: string, init: RequestInit = {}) =>
  fetch(`${sample.url}${path}`, { redirect: "manual", ...init, headers: { ...AGENT, ...init.headers } });
const chartOf = (symbol: string, query = "range=5d&interval=1d") =>
  ask(`/query2.finance.yahoo.com/v8/finance/chart/${encodeURIComponent(symbol)}?${query}`);
const cookiesOf = (response: Response) =>
  response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");

/** Cookie and crumb the short way, then a quote request. */
async function enter() {
  const cookie = cookiesOf(await ask("/fc.yahoo.com/"));
  const crumb = await (await ask(`${QUERY1}/v1/test/getcrumb`, { headers: { cookie } })).text();
  const quote = (symbols: string, more = "") =>
    ask(
      `${QUERY1}/v7/finance/quote?symbols=${encodeURIComponent(symbols)}&crumb=${encodeURIComponent(crumb)}${more}`,
      { headers: { cookie } },
    );
  return { cookie, crumb, quote };
}
const results = async (response: Promise<Response>) =>
  ((await (await response).json()) as { quoteResponse: { result: Record<string, unknown>[] } }).quoteResponse
    .result;

describe("handshake", () => {
  test("fc.yahoo.com hands out the cookie with its 404; the crumb goes with that cookie alone", async () => {
    const first = await ask("/fc.yahoo.com/");
    expect(first.status).toBe(404);
    expect(first.headers.getSetCookie()[0]).toMatch(
      /^A3=d=\S+; Max-Age=31557600; Domain=\.yahoo\.com; Path=\/; SameSite=None/,
    );
    const { cookie, crumb, quote } = await enter();
    expect(crumb).toMatch(/^[A-Za-z0-9./]{11}$/);
    expect((await quote("ZORP")).status).toBe(200);
    const refused = await ask(`${QUERY1}/v7/finance/quote?symbols=ZORP`, { headers: { cookie } });
    expect([refused.status, await refused.json()]).toEqual([
      401,
      { finance: { result: null, error: { code: "Unauthorized", description: "Invalid Crumb" } } },
    ]);
    const stranger = cookiesOf(await ask("/fc.yahoo.com/"));
    const path = `${QUERY1}/v7/finance/quote?symbols=ZORP&crumb=${encodeURIComponent(crumb)}`;
    expect((await ask(path, { headers: { cookie: stranger } })).status).toBe(401);
  });

  test("no cookie, no crumb; no browser's name, no crumb either", async () => {
    expect((await ask(`${QUERY1}/v1/test/getcrumb`)).status).toBe(401);
    const edge = await ask(`${QUERY1}/v1/test/getcrumb`, { headers: { "user-agent": "curl/8" } });
    expect([edge.status, await edge.text()]).toEqual([429, "Edge: Too Many Requests"]);
  });

  test("crumbs expire on command, and a new one works", async () => {
    const { cookie, crumb, quote } = await enter();
    sample.dials.set([{ fault: "expire_crumbs" }]);
    expect((await quote("ZORP")).status).toBe(401);
    const next = await (await ask(`${QUERY1}/v1/test/getcrumb`, { headers: { cookie } })).text();
    expect(next).not.toBe(crumb);
    const path = `${QUERY1}/v7/finance/quote?symbols=ZORP&crumb=${encodeURIComponent(next)}`;
    expect((await ask(path, { headers: { cookie } })).status).toBe(200);
  });

  test("in Europe the way leads through the consent pages", async () => {
    sample.dials.set([{ fault: "eu_consent" }]);
    const jar = new Map<string, string>();
    const hop = async (url: string, init: RequestInit = {}) => {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
      const response = await ask(`/${url.replace("https://", "")}`, {
        ...init,
        headers: { ...init.headers, cookie },
      });
      for (const line of response.headers.getSetCookie()) {
        const [name = "", ...value] = (line.split(";")[0] ?? "").split("=");
        jar.set(name, value.join("="));
      }
      return response;
    };
    const first = await hop("https://finance.yahoo.com/quote/ZORP");
    expect(first.status).toBe(307);
    expect(jar.has("A3")).toBe(false);
    const second = await hop(first.headers.get("location") ?? "");
    const page = await hop(second.headers.get("location") ?? "");
    const form = new URLSearchParams([
      ["agree", "agree"],
      ["agree", "agree"],
    ]);
    for (const [, name, value] of (await page.text()).matchAll(/name="(\w+)" value="([^"]*)"/g))
      if (name && name !== "agree") form.set(name, (value ?? "").replaceAll("&amp;", "&"));
    expect([...form.keys()].sort()).toEqual([
      "agree",
      "agree",
      "csrfToken",
      "namespace",
      "originalDoneUrl",
      "sessionId",
    ]);
    const submit = (body: URLSearchParams) =>
      hop(second.headers.get("location") ?? "", {
        method: "POST",
        body: body.toString(),
        headers: { "content-type": "application/x-www-form-urlencoded" },
      });
    expect((await submit(new URLSearchParams({ agree: "agree" }))).status).toBe(400);
    const agreed = await submit(form);
    expect([agreed.status, new URL(agreed.headers.get("location") ?? "").pathname]).toEqual([
      302,
      "/copyConsent",
    ]);
    const back = await hop(agreed.headers.get("location") ?? "");
    expect(back.headers.get("location")).toBe("https://finance.yahoo.com/quote/ZORP?guccounter=1");
    expect((await hop(back.headers.get("location") ?? "")).status).toBe(200);
    expect((await hop("https://query1.finance.yahoo.com/v1/test/getcrumb")).status).toBe(200);
  });
});

describe("quotes", () => {
  test("state and prices by the hour: pre alone before the open, neither while open, post alone after", async () => {
    const { quote } = await enter();
    const shown = async (at: string) => {
      clock.set(at);
      const [q] = await results(quote("ZORP"));
      return [q?.marketState, "preMarketPrice" in (q ?? {}), "postMarketPrice" in (q ?? {})];
    };
    expect(await shown("2026-11-18T08:00:00Z")).toEqual(["PREPRE", false, true]);
    expect(await shown("2026-11-18T13:00:00Z")).toEqual(["PRE", true, false]);
    expect(await shown("2026-11-18T18:00:00Z")).toEqual(["REGULAR", false, false]);
    expect(await shown("2026-11-18T22:00:00Z")).toEqual(["POST", false, true]);
    expect(await shown("2026-11-19T02:00:00Z")).toEqual(["POSTPOST", false, true]);
    expect(await shown("2026-11-22T18:00:00Z")).toEqual(["CLOSED", false, true]);
    expect(await shown("2026-11-26T18:00:00Z")).toEqual(["CLOSED", false, true]);
    expect(await shown("2026-11-27T18:30:00Z")).toEqual(["POST", false, true]);
    expect(await shown("2026-11-27T22:30:00Z")).toEqual(["POSTPOST", false, true]);
  });

  test("figures agree with the chart; change is against the close before", async () => {
    const { quote } = await enter();
    clock.set("2026-11-19T15:00:00Z");
    const [q] = await results(quote("ZORP"));
    const chart = await (await chartOf("ZORP", "range=5d&interval=1d")).json();
    const { meta, indicators } = chart.chart.result[0];
    const closes = indicators.quote[0].close as number[];
    expect(q?.regularMarketPrice).toBe(meta.regularMarketPrice);
    expect(q?.regularMarketTime).toBe(meta.regularMarketTime);
    expect(q?.regularMarketPreviousClose).toBe(closes.at(-2));
    expect(q?.regularMarketChange as number).toBeCloseTo((closes.at(-1) ?? 0) - (closes.at(-2) ?? 0), 4);
    expect(q?.fiftyTwoWeekHigh).toBe(meta.fiftyTwoWeekHigh);
  });

  test("unknown ones are left out, delisted stubs and dotted classes are stubs without a price", async () => {
    const { quote } = await enter();
    const list = await results(quote("ZORP,NOPE,HUSQ,QUIB.B,ZORP,GLUMP,^SMPL"));
    expect(list.map((q) => [q.symbol, q.quoteType, "regularMarketPrice" in q])).toEqual([
      ["ZORP", "EQUITY", true],
      ["HUSQ", "NONE", false],
      ["QUIB.B", "EQUITY", false],
      ["^SMPL", "INDEX", true],
    ]);
    expect(list[2]?.exchange).toBeUndefined();
    const [thin] = await results(quote("ZORP", "&fields=regularMarketVolume"));
    expect(thin?.regularMarketVolume).toBeGreaterThan(0);
    expect(thin?.regularMarketPrice).toBeUndefined();
  });

  test("a hundred at once, not one more; none is a bad request", async () => {
    const { quote } = await enter();
    const names = (n: number) => Array.from({ length: n }, (_, i) => `X${i}`).join(",");
    expect((await quote(names(100))).status).toBe(200);
    const refused = await quote(names(101));
    expect([refused.status, await refused.text()]).toEqual([429, "Too Many Requests\r\n"]);
    expect((await quote("")).status).toBe(400);
  });

  test("sparks: closes only, at most twenty, unknown ones left out", async () => {
    const spark = (symbols: string) =>
      ask(`${QUERY1}/v7/finance/spark?symbols=${symbols}&range=5d&interval=1d`);
    const { spark: body } = await (await spark("ZORP,NOPE,QUIB-B")).json();
    expect(body.result.map((r: { symbol: string }) => r.symbol)).toEqual(["ZORP", "QUIB-B"]);
    const [response] = body.result[0].response;
    expect(Object.keys(response.indicators.quote[0])).toEqual(["close"]);
    expect(response.indicators.quote[0].close.length).toBe(response.timestamp.length);
    expect((await spark(Array.from({ length: 21 }, (_, i) => `X${i}`).join(","))).status).toBe(400);
    expect((await spark("NOPE")).status).toBe(404);
  });
});

describe("faults", () => {
  const set = (...dials: Dial[]) =>
    fetch(`${sample.url}/_dials`, { method: "POST", body: JSON.stringify(dials) });

  test("429 with seconds, with a date, without; then spent", async () => {
    await set(
      { fault: "rate_limited", retryAfterS: 7, times: 1 },
      { fault: "rate_limited", retryAfterS: 60, retryAfterAs: "date", times: 1 },
      { fault: "rate_limited", times: 1, match: "/chart/ZORP" },
    );
    const seen = [];
    for (let i = 0; i < 4; i++) {
      const response = await chartOf("ZORP");
      seen.push([response.status, response.headers.get("retry-after")]);
    }
    expect(seen.map(([status]) => status)).toEqual([429, 429, 429, 200]);
    expect(seen[0]?.[1]).toBe("7");
    expect(String(seen[1]?.[1])).toMatch(/^\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/);
    expect(seen[2]?.[1]).toBeNull();
    expect(await (await fetch(`${sample.url}/_dials`)).json()).toEqual([]);
  });

  test("statuses, pages, empty and strange bodies", async () => {
    await set(
      { fault: "status", status: 999, times: 1 },
      { fault: "status", status: 503, times: 1 },
      { fault: "html", times: 1 },
      { fault: "empty", times: 1 },
      { fault: "wrong_shape", times: 1 },
      { fault: "invalid_crumb", times: 1 },
    );
    const seen = [];
    for (let i = 0; i < 6; i++) {
      const response = await chartOf("ZORP");
      seen.push([
        response.status,
        response.headers.get("content-type")?.split(";")[0],
        (await response.text()).length > 0,
      ]);
    }
    expect(seen).toEqual([
      [999, "text/html", true],
      [503, "text/html", true],
      [200, "text/html", true],
      [200, "application/json", false],
      [200, "application/json", true],
      [401, "application/json", true],
    ]);
  });

  test("skip and match choose who is struck", async () => {
    await set({ fault: "status", status: 500, match: "symbols=A", skip: 1, times: 1 });
    const statuses = [];
    for (const symbols of ["ZORP", "A", "A,ZORP", "A"])
      statuses.push((await ask(`${QUERY1}/v7/finance/spark?symbols=${symbols}&range=5d&interval=1d`)).status);
    expect(statuses).toEqual([200, 404, 500, 404]);
  });

  test("reset, truncated, stalled and huge answers break the reader, not the server", async () => {
    await set({ fault: "reset" });
    await expect(chartOf("ZORP")).rejects.toThrow();
    sample.dials.clear();
    await set({ fault: "truncated", times: 1, bytes: 50 });
    await expect((async () => (await chartOf("ZORP")).text())()).rejects.toThrow();
    sample.dials.set([{ fault: "stall", times: 1 }]);
    const [reader, before] = [new AbortController(), sample.traffic().total];
    const stalled = ask(`${QUERY1}/v8/finance/chart/ZORP`, { signal: reader.signal });
    while (sample.traffic().total === before) await Bun.sleep(1);
    reader.abort(new Error("no longer waiting"));
    await expect(stalled).rejects.toThrow("no longer waiting");
    sample.dials.set([{ fault: "huge", times: 1, bytes: 30_000_000 }]);
    const huge = (await chartOf("ZORP")).body?.getReader();
    let bytes = 0;
    while (bytes < 5_000_000) bytes += (await huge?.read())?.value?.length ?? Number.POSITIVE_INFINITY;
    await huge?.cancel();
    expect(bytes).toBeLessThan(30_000_000);
    expect((await chartOf("ZORP")).status).toBe(200);
  });

  test("latency delays and lets the right answer through", async () => {
    await set({ fault: "latency", afterMs: 80, times: 1 });
    const started = performance.now();
    expect((await chartOf("ZORP")).status).toBe(200);
    expect(performance.now() - started).toBeGreaterThanOrEqual(79);
  });

  test("inside an answer: granularity, stray bar, doubled day, missing symbols", async () => {
    const plain = (await (await chartOf("ZORP")).json()).chart.result[0];
    await set({ fault: "wrong_granularity", granularity: "1wk", times: 1 });
    expect((await (await chartOf("ZORP")).json()).chart.result[0].meta.dataGranularity).toBe("1wk");
    await set({ fault: "stray_bar", times: 1 });
    const stray = (await (await chartOf("ZORP")).json()).chart.result[0];
    expect(stray.timestamp.length).toBe(plain.timestamp.length + 1);
    expect(stray.indicators.quote[0].volume.at(-1)).toBe(0);
    expect(stray.indicators.adjclose[0].adjclose.length).toBe(stray.timestamp.length);
    await set({ fault: "duplicate_day", times: 1 });
    const doubled = (await (await chartOf("ZORP")).json()).chart.result[0].indicators.quote[0];
    expect(doubled.volume.at(-1)).toBe(doubled.volume.at(-2) + 37);
    expect(doubled.close.at(-1)).toBe(doubled.close.at(-2));
    await set({ fault: "missing_symbols", symbols: ["QUIB-B"] });
    const { quote } = await enter();
    expect((await results(quote("ZORP,QUIB-B"))).map((q) => q.symbol)).toEqual(["ZORP"]);
  });

  test("a null row is filled once its dial is gone; a revised value stands while it is set", async () => {
    const closes = async () =>
      (await (await chartOf("ZORP")).json()).chart.result[0].indicators.quote[0].close;
    const plain = await closes();
    await set(
      { fault: "null_row", symbol: "zorp", date: "2026-11-16" },
      { fault: "revised", symbol: "ZORP", date: "2026-11-17", close: 99.5 },
    );
    const changed = await closes();
    expect(changed.filter((close: number | null) => close === null).length).toBe(1);
    expect(changed).toContain(99.5);
    await fetch(`${sample.url}/_dials`, { method: "DELETE" });
    expect(await closes()).toEqual(plain);
  });

  test("wrong dials are refused with a sentence, and none of the list is set", async () => {
    for (const [body, description] of [
      ["{}", "list"],
      ["[1]", "no object"],
      ['[{"fault":"latency"},{"fault":"melt"}]', "melt"],
      ['[{"fault":"latency","afterMs":"x"}]', "afterMs"],
      ['[{"fault":"status","status":99}]', "status"],
      ['[{"fault":"null_row","symbol":"ZORP"}]', "date"],
      ['[{"fault":"revised","symbol":"ZORP","date":"2026-11-17"}]', "open"],
      ['[{"fault":"missing_symbols"}]', "symbols"],
      ["[", "JSON"],
    ] as const) {
      const response = await fetch(`${sample.url}/_dials`, { method: "POST", body });
      expect(response.status).toBe(400);
      expect((await response.json()).error).toContain(description);
    }
    expect(sample.dials.list()).toEqual([]);
  });
});

describe("the server", () => {
  test("counts requests by path, the peak of those under way, and when they came", async () => {
    sample.dials.set([{ fault: "latency", afterMs: 60 }]);
    await Promise.all(Array.from({ length: 5 }, () => chartOf("ZORP").then((r) => r.text())));
    await chartOf("QUIB-B").then((r) => r.text());
    const stats = await (await fetch(`${sample.url}/_stats`)).json();
    expect(stats.total).toBe(6);
    expect(stats.peak).toBe(5);
    expect(stats.by_path).toEqual({
      "query2.finance.yahoo.com/v8/finance/chart/ZORP": 5,
      "query2.finance.yahoo.com/v8/finance/chart/QUIB-B": 1,
    });
    expect(stats.requests.length).toBe(6);
    expect(stats.requests[5].url).toBe(
      "query2.finance.yahoo.com/v8/finance/chart/QUIB-B?range=5d&interval=1d",
    );
    await fetch(`${sample.url}/_stats`, { method: "DELETE" });
    expect((await (await fetch(`${sample.url}/_stats`)).json()).total).toBe(0);
  });

  test("speaks for the price provider alone, and lists what is listed", async () => {
    expect((await ask("/www.example.com/x")).status).toBe(404);
    expect((await ask("/evilyahoo.com/v8/finance/chart/ZORP")).status).toBe(404);
    expect((await ask("/query1.finance.yahoo.com/v9/nothing")).status).toBe(404);
    const symbols = await (await ask("/_symbols")).json();
    expect(symbols).toContain("ZORP");
    expect(symbols).not.toContain("GLUMP");
    expect((await ask("/_nothing")).status).toBe(404);
    expect((await ask("/")).status).toBe(200);
  });

  test("charts may be kept ten seconds, refusals not at all", async () => {
    expect((await chartOf("ZORP")).headers.get("cache-control")).toBe(
      "public, max-age=10, stale-while-revalidate=20",
    );
    expect((await chartOf("NOPE")).headers.get("cache-control")).toBe("max-age=0, private");
    expect((await chartOf("^SMPL")).status).toBe(200);
  });

  test("a taken port and sizes out of range are said, not swallowed", async () => {
    await expect(serveSample({ port: sample.port })).rejects.toThrow();
    await expect(serveSample({ symbols: 1 })).rejects.toThrow(RangeError);
  });
});
