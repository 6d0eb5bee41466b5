import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { readMoment } from "./recordings.ts";
import { guessType, type ReplayServer, serveReplay } from "./serve.ts";

setDefaultTimeout(1_200_000);

interface Made {
  file: string;
  url?: string | null;
  status?: number | null;
  method?: string;
  body?: string | Uint8Array;
  meta?: unknown;
}

const open: { server: ReplayServer; folder: string }[] = [];
afterAll(async () => {
  for (const { server, folder } of open) {
    await server.stop();
    await rm(folder, { recursive: true });
  }
});

/** A folder of hand-made recordings, served; what it logs is kept. */
async function replay(made: readonly Made[], index?: string) {
  const folder = await mkdtemp(join(tmpdir(), "replay-"));
  for (const { file, body, meta } of made) {
    if (file.includes("..")) continue;
    await mkdir(dirname(join(folder, file)), { recursive: true });
    if (body !== undefined) await Bun.write(join(folder, file), body);
    if (meta !== undefined) await Bun.write(join(folder, `${file}.meta.json`), JSON.stringify(meta));
  }
  const entries = made.map(({ file, url, status = 200, method = "GET" }) => ({ file, url, status, method }));
  await Bun.write(join(folder, "index.json"), index ?? JSON.stringify(entries));
  const lines: string[] = [];
  const server = await serveReplay({
    folder,
    hostname: "127.0.0.1",
    port: 0,
    log: (line) => void lines.push(line),
  });
  open.push({ server, folder });
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${server.url}/${path}`, { redirect: "manual", ...init });
  const text = async (path: string) => (await ask(path)).text();
  return { server, lines, ask, text };
}

const CHART = "query2.finance.yahoo.com/v8/finance/chart/ZORP";
const day = (date: string) => Date.parse(`${date}T00:00:00Z`) / 1000;
/** A chart body of daily timestamps from `from` to `to`; `name` says which one came. */
const chart = (name: string, from: string, to: string, interval = "1d") =>
  JSON.stringify({
    name,
    chart: {
      result: [
        {
          meta: { dataGranularity: interval },
          timestamp: Array.from(
            { length: (day(to) - day(from)) / 86_400 + 1 },
            (_, i) => day(from) + i * 86_400,
          ),
        },
      ],
    },
  });
const window = (from: string, to: string, interval = "1d") =>
  `interval=${interval}&period1=${day(from)}&period2=${day(to)}`;
const nameIn = async (text: Promise<string>) => (JSON.parse(await text) as { name: string }).name;

describe("the nearest recording", () => {
  const windows: Made[] = [
    {
      file: "spring.json",
      url: `https://${CHART}?${window("2024-03-01", "2024-06-01")}&events=div%7Csplit`,
      body: chart("spring", "2024-03-01", "2024-05-31"),
    },
    {
      file: "autumn.json",
      url: `https://${CHART}?${window("2024-09-01", "2024-12-01")}`,
      body: chart("autumn", "2024-09-01", "2024-11-30"),
    },
    {
      file: "half.json",
      url: "https://query1.finance.yahoo.com/v8/finance/chart/ZORP?interval=1d&range=6mo&crumb=REDACTED",
      body: chart("half", "2025-01-02", "2025-06-30"),
      meta: { recordedAt: "Mon, 30 Jun 2025 20:00:00 GMT" },
    },
    {
      file: "minutes.json",
      url: `https://${CHART}?${window("2024-09-01", "2024-09-02", "1m")}`,
      body: chart("minutes", "2024-09-01", "2024-09-01", "1m"),
    },
  ];
  const weekend = JSON.stringify({
    name: "weekend",
    chart: { result: [{ meta: { dataGranularity: "1d" } }] },
  });
  windows.push({
    file: "weekend.json",
    url: `https://${CHART}?${window("2025-08-09", "2025-08-11")}`,
    body: weekend,
  });
  let served: Awaited<ReturnType<typeof replay>>;
  beforeAll(async () => {
    served = await replay(windows);
  });
  const answers = (query: string) => nameIn(served.text(`${CHART}?${query}`));

  test("the same query, whatever its order, its crumb or the number of the host", async () => {
    expect(
      await answers(`events=div|split&period2=${day("2024-06-01")}&period1=${day("2024-03-01")}&interval=1d`),
    ).toBe("spring");
    expect(
      await nameIn(
        served.text(`query1.finance.yahoo.com/v8/finance/chart/ZORP?range=6mo&interval=1d&crumb=x`),
      ),
    ).toBe("half");
    expect(await answers("range=6mo&interval=1d")).toBe("half");
  });

  test("the largest overlap; where none overlaps, the least distance", async () => {
    expect(await answers(window("2024-05-20", "2024-09-05"))).toBe("spring");
    expect(await answers(window("2024-05-28", "2024-09-15"))).toBe("autumn");
    expect(await answers(window("2024-07-25", "2024-08-20"))).toBe("autumn");
    expect(await answers(window("2024-06-10", "2024-07-01"))).toBe("spring");
    expect(await answers(window("2026-01-01", "2026-11-01"))).toBe("half");
    expect(await answers(window("2010-01-01", "2010-11-01"))).toBe("spring");
    expect(await answers(`interval=1d&period1=${day("2025-02-01")}`)).toBe("half");
    // An answer without bars is nearest only to what it was asked for.
    expect(await answers(window("2025-08-09", "2025-08-10"))).toBe("weekend");
    expect(await answers(window("2025-08-12", "2025-08-13"))).toBe("half");
  });

  test("the interval comes before the window, the look of the request after it", async () => {
    expect(await answers(window("2025-01-01", "2025-06-30", "1m"))).toBe("minutes");
    expect(await answers(`${window("2024-10-01", "2024-11-01")}&events=div%7Csplit`)).toBe("autumn");
    expect(await answers("interval=1d&range=1y")).toBe("half");
  });

  test("an unrecorded request: 404 problem, one line with the URL and without the crumb", async () => {
    const before = served.lines.length;
    const response = await served.ask(
      "query2.finance.yahoo.com/v8/finance/chart/NOPE?interval=1d&crumb=se%2Fcret",
    );
    expect([response.status, response.headers.get("content-type")]).toEqual([
      404,
      "application/problem+json",
    ]);
    expect((await response.json()).status).toBe(404);
    const posted = await served.ask(`${CHART}?interval=1d`, { method: "POST", body: "{}" });
    expect(posted.status).toBe(404);
    expect((await served.ask("")).status).toBe(404);
    expect((await served.ask("query2.finance.example.com/v8/finance/chart/ZORP")).status).toBe(404);
    expect(served.lines.slice(before)).toEqual([
      "no recording: GET https://query2.finance.yahoo.com/v8/finance/chart/NOPE?interval=1d&crumb=…",
      `no recording: POST https://${CHART}?interval=1d`,
      "no recording: GET https://",
      "no recording: GET https://query2.finance.example.com/v8/finance/chart/ZORP",
    ]);
  });
});

test("many modules: a recording that has more of them is nearer, however much else it has", async () => {
  const summary = (modules: string) =>
    `https://query2.finance.yahoo.com/v10/finance/quoteSummary/ZORP?modules=${encodeURIComponent(modules)}`;
  const { text } = await replay([
    { file: "one.json", url: summary("price"), body: '{"name":"one"}' },
    { file: "two.json", url: summary("price,assetProfile"), body: '{"name":"two"}' },
    {
      file: "many.json",
      url: summary("a,b,c,d,e,f,price,assetProfile,summaryDetail,g"),
      body: '{"name":"many"}',
    },
  ]);
  const asked = async (modules: string) => JSON.parse(await text(summary(modules).slice(8))).name;
  expect(await asked("price")).toBe("one");
  expect(await asked("assetProfile,price")).toBe("two");
  expect(await asked("price,assetProfile,summaryDetail")).toBe("many");
  expect(await asked("price,assetProfile,calendarEvents")).toBe("two");
});

describe("many symbols", () => {
  const quote = (symbols: string) =>
    `https://query2.finance.yahoo.com/v7/finance/quote?symbols=${encodeURIComponent(symbols)}&crumb=REDACTED`;
  test("the recording that shares most of them, then the one with fewest others, then the newest; never a stranger", async () => {
    const { text, ask } = await replay([
      { file: "one_20240101T0000Z.json", url: quote("AAA"), body: '{"name":"one"}' },
      { file: "newer_20250101T0000Z.json", url: quote("AAA"), body: '{"name":"newer"}' },
      { file: "pair.json", url: quote("AAA,BBB"), body: '{"name":"pair"}' },
      { file: "three.json", url: quote("BBB,AAA,CCC"), body: '{"name":"three"}' },
    ]);
    const quotes = (symbols: string) =>
      nameIn(text(`query1.finance.yahoo.com/v7/finance/quote?symbols=${symbols}&crumb=now&formatted=false`));
    expect(await quotes("AAA")).toBe("newer");
    expect(await quotes("BBB,AAA")).toBe("pair");
    expect(await quotes("AAA,BBB,DDD")).toBe("pair");
    expect(await quotes("CCC,DDD")).toBe("three");
    expect((await ask("query1.finance.yahoo.com/v7/finance/quote?symbols=DDD")).status).toBe(404);
  });
});

describe("statuses, hosts and headers", () => {
  test("200 before an error at one URL; an error where there is nothing else", async () => {
    const { ask } = await replay([
      { file: "good.json", url: "https://a.example.com/x?q=1", body: "{}" },
      { file: "bad.json", url: "https://a.example.com/x?q=1", status: 404, body: "{}" },
      { file: "gone.json", url: "https://a.example.com/y", status: 999, body: "no" },
      { file: "unsaid.json", url: "https://a.example.com/z", status: null, body: "{}" },
    ]);
    expect((await ask("a.example.com/x?q=1")).status).toBe(200);
    expect((await ask("a.example.com/y?anything=1")).status).toBe(999);
    expect((await ask("a.example.com/z")).status).toBe(200);
  });

  test("another host of the domain only where the asked one has nothing; paths are compared decoded", async () => {
    const { text } = await replay([
      { file: "www.txt", url: "https://www.example.com/f/%5EX", body: "www" },
      { file: "data.txt", url: "https://data.example.com/f/%5EX", body: "data" },
    ]);
    expect(await text("www.example.com/f/^X")).toBe("www");
    expect(await text("data.example.com/f/%5EX")).toBe("data");
    expect(await text("www.example.com/f/%5EX?q=1")).toBe("www");
    expect(["www", "data"]).toContain(await text("efts.example.com/f/%5EX"));
  });

  test("headers of the sidecar are sent but for those of the recorded connection; gzip is undone", async () => {
    const { ask } = await replay([
      {
        file: "moved.txt",
        url: "https://a.example.com/moved",
        status: 302,
        body: "",
        meta: {
          response: {
            headers: {
              Location: "https://b.example.com/",
              "set-cookie": ["a=1; Path=/", "b=2"],
              "content-length": "77",
              "content-encoding": "gzip",
            },
          },
        },
      },
      { file: "packed.json.gz", url: "https://a.example.com/packed", body: Bun.gzipSync('{"packed":true}') },
    ]);
    const moved = await ask("a.example.com/moved");
    expect([
      moved.status,
      moved.headers.get("location"),
      moved.headers.get("content-length"),
      moved.headers.get("content-encoding"),
    ]).toEqual([302, "https://b.example.com/", "0", null]);
    expect(moved.headers.getSetCookie()).toEqual(["a=1; Path=/", "b=2"]);
    const packed = await ask("a.example.com/packed");
    expect(packed.headers.get("content-type")).toBe("application/json;charset=utf-8");
    expect(await packed.json()).toEqual({ packed: true });
    const head = await ask("a.example.com/packed", { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
  });

  test("a content type by name, else by the first bytes", () => {
    const bytes = (text: string) => new TextEncoder().encode(text);
    expect(guessType("a.xml.gz", bytes(""))).toStartWith("application/xml");
    expect(guessType("a.idx", bytes(""))).toStartWith("text/plain");
    expect(guessType("a", bytes(' {"a":1}'))).toStartWith("application/json");
    expect(guessType("a", bytes('<?xml version="1.0"?>'))).toStartWith("application/xml");
    expect(guessType("a", bytes("<html>"))).toStartWith("text/html");
    expect(guessType("a", new Uint8Array([80, 75, 0, 4]))).toBe("application/octet-stream");
    expect(guessType("a", bytes("plain"))).toStartWith("text/plain");
  });
});

describe("what cannot be replayed", () => {
  test("missing bodies, bad URLs and files outside are left out with a warning that names them", async () => {
    const { server, lines } = await replay([
      { file: "here.json", url: "https://a.example.com/x", body: "{}" },
      { file: "missing.json", url: "https://a.example.com/y" },
      { file: "nameless.json", url: null, body: "{}" },
      { file: "strange.json", url: "not a url", body: "{}" },
      { file: "../outside.json", url: "https://a.example.com/z" },
    ]);
    expect(server.recordings).toBe(1);
    expect(lines).toEqual([
      "left out missing.json: the body is missing",
      "left out strange.json: its URL cannot be read",
      "left out ../outside.json: lies outside the folder",
    ]);
  });

  test("a folder without a readable list says so", async () => {
    await expect(replay([], "{}")).rejects.toThrow("not a list");
    await expect(replay([], "[")).rejects.toThrow("not JSON");
    const nowhere = serveReplay({
      folder: join(tmpdir(), "no-such-folder"),
      hostname: "127.0.0.1",
      port: 0,
      log: () => {},
    });
    await expect(nowhere).rejects.toThrow("no index.json");
  });

  test("a broken body is still sent as it is, and ranks by its own query", async () => {
    const { text } = await replay([
      {
        file: "broken.json",
        url: `https://${CHART}?${window("2024-01-01", "2024-02-01")}`,
        body: '{"chart":',
      },
      {
        file: "whole.json",
        url: `https://${CHART}?${window("2020-01-01", "2020-02-01")}`,
        body: chart("whole", "2020-01-01", "2020-01-31"),
      },
    ]);
    expect(await text(`${CHART}?${window("2024-01-10", "2024-01-20")}`)).toBe('{"chart":');
  });

  test("moments as people write them", () => {
    expect(readMoment("20250826T200001Z")).toBe(Date.UTC(2025, 7, 26, 20, 0, 1));
    expect(readMoment("20250826T2000Z")).toBe(Date.UTC(2025, 7, 26, 20, 0));
    expect(readMoment("Thu, 20 Feb 2025 11:47:42 GMT")).toBe(Date.UTC(2025, 1, 20, 11, 47, 42));
    expect([readMoment("EMPTY"), readMoment(null), readMoment(7)]).toEqual([null, null, null]);
  });
});

const FOLDER = process.env.CONFORMANCE_DIR ?? join(import.meta.dir, "../../../shared/real");
const PATH = "/v8/finance/chart/AAPL";

/** Daily Apple charts of the recorded folder: their own query and what they say. */
async function appleCharts() {
  const index: { file: string; url: string | null; status: number | null }[] = await Bun.file(
    join(FOLDER, "index.json"),
  ).json();
  const charts: { query: URLSearchParams; body: string; times: number[] }[] = [];
  for (const { file, url, status } of index) {
    const parsed = url ? URL.parse(url) : null;
    if (parsed?.pathname !== PATH || status !== 200 || parsed.searchParams.get("interval") !== "1d") continue;
    const recorded = Bun.file(join(FOLDER, file));
    if (!(await recorded.exists())) continue;
    const body = await recorded.text();
    charts.push({
      query: parsed.searchParams,
      body,
      times: JSON.parse(body).chart.result[0].timestamp ?? [],
    });
  }
  return charts;
}

const charts = existsSync(join(FOLDER, "index.json")) ? await appleCharts() : [];
const [asked] = charts.filter(({ query, times }) => query.has("period1") && times.length > 10);
if (!asked) {
  test("skipped: no recordings", () => expect(asked).toBeUndefined());
} else {
  describe("the recorded folder", () => {
    let server: ReplayServer;
    beforeAll(async () => {
      server = await serveReplay({ folder: FOLDER, hostname: "127.0.0.1", port: 0, log: () => {} });
    });
    afterAll(() => server.stop());
    const apple = async (from: unknown, to: unknown) =>
      (
        await fetch(
          `${server.url}/query2.finance.yahoo.com${PATH}?interval=1d&events=div%2Csplits&period1=${from}&period2=${to}`,
        )
      ).text();

    test("a recorded window gives the recorded series, whatever else is asked", async () => {
      const [from, to] = [asked.query.get("period1"), asked.query.get("period2")];
      const same = charts.filter(({ query }) => query.get("period1") === from && query.get("period2") === to);
      expect(same.map(({ body }) => body)).toContain(await apple(from, to));
    });

    test("a window after all recordings gives the one that ends last", async () => {
      const last = Math.max(...charts.flatMap(({ times }) => times));
      const { timestamp } = JSON.parse(await apple(last + 86_400 * 900, last + 86_400 * 990)).chart.result[0];
      expect(timestamp.at(-1)).toBe(last);
    });
  });
}
