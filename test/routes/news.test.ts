// Answers from stored news: by ticker, provider, words and time, by page, in every format, as of a time.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { type ApiDocument, apiDocument, faultsOfAnswer } from "../support/api-document.ts";
import {
  type Article,
  ingest,
  KEYS,
  list,
  N,
  type Page,
  rawArticles,
  rawFeed,
  WIRE,
  yahooFeed,
} from "../support/news-world.ts";
import { openSampleService, type SampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

let service: SampleService;
let document: ApiDocument;
let all: readonly Article[];
beforeAll(async () => {
  service = await openSampleService({ env: KEYS });
  document = await apiDocument(service);
  await ingest(service, { start_date: "2026-09-07", end_date: "2026-09-09" }, "backfill");
  await ingest(service);
  await ingest(service, { tickers: ["ZORP", "QUIB-B", "BRACK"] });
  all = (await list(service, "?limit=500")).data;
});
afterAll(() => service.stop());

const placed = ({ published_at, ingested_at }: Article) => published_at ?? ingested_at;
const idsOf = (articles: readonly Article[]) => articles.map(({ id }) => id);

test("every answer matches the API document", async () => {
  const calls: readonly (readonly [operation: string, path: string, status: number])[] = [
    [N, N, 200],
    [N, `${N}?tickers=ZORP,quib-b&provider=alpaca,yahoo&q=zorp&limit=3`, 200],
    [N, `${N}?format=csv`, 200],
    [N, `${N}?format=ndjson`, 200],
    [N, `${N}?format=parquet`, 200],
    [N, `${N}?tickers=,`, 400],
    [N, `${N}?limit=501`, 422],
    [`${N}/{ticker}`, `${N}/ZORP`, 200],
    [`${N}/{ticker}`, `${N}/NOSUCH`, 200],
    [`${N}/{ticker}`, `${N}/ZORP?days=3&from=2026-09-01T00:00:00Z`, 400],
    [`${N}/{ticker}`, `${N}/ZORP?days=0`, 422],
    [`${N}/providers`, `${N}/providers`, 200],
  ];
  for (const [path, url, status] of calls) {
    const response = await service.fetch(url);
    expect([url, response.status]).toEqual([url, status]);
    expect(await faultsOfAnswer(document, document.operation("GET", path), response)).toEqual([]);
  }
});

test("each article once, newest first, with its provider's fields", async () => {
  expect(new Set(idsOf(all)).size).toBe(all.length);
  expect(all.map(placed)).toEqual(all.map(placed).toSorted().reverse());
  const raw = await rawArticles(service, "2026-09-07T04:00:00Z", "2026-09-09T21:00:00Z");
  expect(raw.length).toBeGreaterThan(10);
  for (const { id, created_at, updated_at, symbols, url } of raw) {
    const article = all.find((row) => row.provider_article_id === String(id));
    expect(article).toMatchObject({ provider: "alpaca", published_at: created_at, updated_at, url });
    for (const symbol of symbols) expect(article?.tickers).toContain(symbol);
  }
  // Entities are resolved, markup is removed, there is no body.
  expect(all.some(({ headline }) => headline.includes("P/E <20"))).toBe(true);
  expect(all.some(({ headline }) => headline.includes('R&D spending is "on plan"'))).toBe(true);
  expect(
    all.filter(({ headline, summary }) => /&(?:amp|#39|quot|lt);|<\/?p/.test(`${headline}${summary}`)),
  ).toEqual([]);
  expect(all.filter(({ summary }) => (summary ?? "").length > 600)).toEqual([]);
  expect(all.some(({ summary }) => summary?.endsWith("…"))).toBe(true);
});

test("an article of two providers is one row that names both", async () => {
  const { items } = await rawFeed(service, yahooFeed("ZORP"));
  const own = new Set(
    all.filter(({ provider }) => provider === "yahoo").map(({ provider_article_id }) => provider_article_id),
  );
  const shared = all.filter(({ other_providers }) => other_providers.includes("yahoo"));
  expect(shared.length).toBeGreaterThan(0);
  const addresses = new Map(all.map((row) => [row.url, row]));
  for (const { guid, link } of items) {
    if (own.has(guid)) continue;
    const row = addresses.get(link.replace("?.tsrc=rss", ""));
    expect(row?.other_providers).toContain("yahoo");
    expect(row?.tickers).toContain("ZORP");
    expect(row?.provider).not.toBe("yahoo");
    expect(row?.revision).toBeGreaterThan(1);
  }
  // It is found under either provider.
  const yahoo = await list(service, "?provider=yahoo&limit=500");
  expect(yahoo.total).toBe(own.size + shared.length);
});

test("an unreadable date is null, and the article is placed by its ingest time", async () => {
  const unknown = all.filter(({ published_at }) => published_at === null);
  expect(unknown.length).toBeGreaterThan(0);
  const { data } = await list(service, "/ZORP?days=1&limit=500");
  for (const { id, provider, tickers } of unknown) {
    expect(provider).toBe("yahoo");
    if (tickers.includes("ZORP")) expect(idsOf(data)).toContain(id);
  }
});

test("a foreign symbol is a different company", async () => {
  const { items } = await rawFeed(service, WIRE);
  const abroad = items.filter(({ stocks }) => stocks.includes("Euronext Lisbon:ZORP"));
  expect(abroad.length).toBeGreaterThan(0);
  for (const { number } of abroad)
    expect(all.find((row) => row.provider_article_id === number)?.tickers).toEqual([]);
});

describe("filters", () => {
  test("by tickers, in any spelling; a share class does not match another class", async () => {
    const [page, dot] = [
      await list(service, "?tickers=quib-b&limit=500"),
      await list(service, "?tickers=QUIB.B&limit=500"),
    ];
    expect(page.total).toBeGreaterThan(0);
    expect(idsOf(page.data)).toEqual(idsOf(all.filter(({ tickers }) => tickers.includes("QUIB.B"))));
    expect(idsOf(dot.data)).toEqual(idsOf(page.data));
    const both = await list(service, "?tickers=ZORP,QUIB-B,zorp&limit=500");
    expect(idsOf(both.data)).toEqual(
      idsOf(all.filter(({ tickers }) => tickers.includes("ZORP") || tickers.includes("QUIB.B"))),
    );
    expect(await list(service, "?tickers=ZOR")).toMatchObject({ total: 0, data: [] });
  });

  test("by provider", async () => {
    for (const name of ["alpaca", "globenewswire", "yahoo", "nasdaq"]) {
      const { data, total } = await list(service, `?provider=${name.toUpperCase()}&limit=500`);
      const expected = all.filter((row) => row.provider === name || row.other_providers.includes(name));
      expect([name, total, idsOf(data)]).toEqual([name, expected.length, idsOf(expected)]);
    }
  });

  test("by words, in either case and any order, in headline or summary", async () => {
    const has = (...words: string[]) =>
      idsOf(
        all.filter(({ headline, summary }) =>
          words.every((w) => `${headline} ${summary}`.toLowerCase().includes(w)),
        ),
      );
    for (const [q, words] of [
      ["zorp", ["zorp"]],
      ["CAFÉ", ["café"]],
      ["Officer chief", ["officer", "chief"]],
      ["p/e <20", ["p/e", "<20"]],
      ["it's", ["it's"]],
      ["100%", ["100%"]],
      ["made_known", ["made_known"]],
    ] as const) {
      const { data } = await list(service, `?q=${encodeURIComponent(q)}&limit=500`);
      expect([q, idsOf(data)]).toEqual([q, has(...words)]);
    }
    expect(has("zorp").length).toBeGreaterThan(0);
    expect(has("café").length).toBeGreaterThan(0);
    // Characters with a meaning in SQL or patterns are taken literally.
    expect((await list(service, `?q=${encodeURIComponent("' OR 1=1 --")}`)).total).toBe(0);
    expect((await list(service, `?q=${encodeURIComponent("%")}`)).total).toBe(has("%").length);
    expect((await list(service, "?q=a%00b")).total).toBe(0);
  });

  test("by New York days and by instants, both inclusive", async () => {
    const day = await list(service, "?start_date=2026-09-08&end_date=2026-09-08&limit=500");
    const within = (from: string, to: string) =>
      idsOf(all.filter((row) => placed(row) >= from && placed(row) <= to));
    expect(idsOf(day.data)).toEqual(within("2026-09-08T04:00:00Z", "2026-09-09T03:59:59.999Z"));
    expect(day.total).toBeGreaterThan(3);
    const some = day.data.at(1)?.published_at ?? "";
    const exact = await list(service, `?from=${some}&to=${some}`);
    expect(idsOf(exact.data)).toContain(day.data.at(1)?.id ?? "");
    const open = await list(service, `?from=${some}&limit=500`);
    expect(idsOf(open.data)).toEqual(idsOf(all.filter((row) => Date.parse(placed(row)) >= Date.parse(some))));
    // Without a zone it is New York time.
    const local = await list(service, "?from=2026-09-08T00:00:00&to=2026-09-08T23:59:59.999&limit=500");
    expect(idsOf(local.data)).toEqual(idsOf(day.data));
  });

  test("a ticker's last seven days by default", async () => {
    const own = all.filter(({ tickers }) => tickers.includes("ZORP"));
    const since = (days: number) =>
      own.filter((row) => Date.parse(placed(row)) >= service.clock.nowMs() - days * 86_400_000).length;
    const week = await list(service, "/zorp?limit=500");
    expect([week.ticker, week.total]).toEqual(["zorp", since(7)]);
    expect((await list(service, "/ZORP?days=60&limit=500")).total).toBe(since(60));
    expect(since(60)).toBeGreaterThan(since(7));
  });
});

test("pages follow each other without a gap, in both directions", async () => {
  const pages: Page[] = [];
  for (let offset = 0; offset === 0 || pages.at(-1)?.has_more; offset += 7)
    pages.push(await list(service, `?limit=7&offset=${offset}`));
  expect(idsOf(pages.flatMap(({ data }) => data))).toEqual(idsOf(all));
  expect(pages.every(({ total, limit }) => total === all.length && limit === 7)).toBe(true);
  expect(pages.at(-1)).toMatchObject({ count: all.length - 7 * (pages.length - 1), has_more: false });
  const oldest = await list(service, "?sort=asc&limit=500");
  expect(oldest.data.map(placed)).toEqual(all.map(placed).toReversed());
  expect(await list(service, "?offset=100000")).toMatchObject({
    count: 0,
    total: all.length,
    has_more: false,
  });
});

test("rows in other formats match the answer", async () => {
  const ndjson = await (await service.fetch(`${N}?format=ndjson&limit=5`)).text();
  const rows = ndjson
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(rows.map(({ id, tickers }) => [id, tickers])).toEqual(
    all.slice(0, 5).map(({ id, tickers }) => [id, tickers.join(",")]),
  );
  const csv = await (await service.fetch(`${N}/ZORP?limit=1`, { headers: { accept: "text/csv" } })).text();
  expect(csv.split("\n")[0]?.trim()).toBe(
    "symbol,ticker,id,provider,provider_article_id,other_providers,headline,summary,url,source,author,tickers,published_at,updated_at,ingested_at,known_at,revision,image_url,language",
  );
});

test("a newly requested ticker has a warning that its own feeds follow", async () => {
  const first = await list(service, "/PIPZ");
  expect(first.warnings).toHaveLength(1);
  expect(first.warnings[0]).toContain("PIPZ");
  expect((await list(service, "/ZORP")).warnings).toEqual([]);
  // A request for the past follows no ticker.
  expect((await list(service, "/FROBZ?as_of=2026-09-01")).warnings).toEqual([
    "nothing_there: No stored article matches, or the page lies behind the last one.",
  ]);
});

test("route names take precedence over tickers with the same name", async () => {
  const providers = await service.get<{ provider: string }[]>(`${N}/providers`);
  expect(providers.body.map(({ provider }) => provider)).toEqual([
    "alpaca",
    "globenewswire",
    "yahoo",
    "nasdaq",
  ]);
});

test("contradictory and malformed requests are refused", async () => {
  const codeOf = async (query: string) => {
    const { status, body } = await service.get<{ code?: string }>(`${N}${query}`);
    return [status, body.code];
  };
  const from = "from=2026-09-01T00:00:00Z";
  expect(await codeOf("?end_date=2026-09-01")).toEqual([400, "invalid_date_range"]);
  expect((await codeOf("?start_date=2026-09-01"))[0]).toBe(200);
  expect(await codeOf("?start_date=2026-09-02&end_date=2026-09-01")).toEqual([400, "invalid_date_range"]);
  expect(await codeOf("?start_date=2027-09-01&end_date=2027-09-02")).toEqual([400, "invalid_date_range"]);
  expect(await codeOf(`?start_date=2026-09-01&end_date=2026-09-02&${from}`)).toEqual([
    400,
    "conflicting_time_selection",
  ]);
  expect(await codeOf("/ZORP?days=3&start_date=2026-09-01&end_date=2026-09-02")).toEqual([
    400,
    "conflicting_time_selection",
  ]);
  expect(await codeOf(`?${from}&to=2026-08-01T00:00:00Z`)).toEqual([400, "invalid_date_range"]);
  expect(await codeOf("?from=2026-09-01")).toEqual([400, "bad_request"]);
  expect(await codeOf("?tickers=,")).toEqual([400, "no_tickers"]);
  for (const query of [
    ...[
      "?limit=0",
      "?limit=501",
      "?limit=x",
      "?offset=-1",
      "?sort=up",
      "?provider=reuters",
      `?q=${"x".repeat(201)}`,
    ],
    ...[
      "?start_date=2026-02-30&end_date=2026-03-01",
      "?from=yesterday",
      "?as_of=soon",
      "?format=xml",
      "?tickers=A%20B",
    ],
    ...["/ZORP?days=x", "/ZO%20RP", "/..%2F..", `/${"A".repeat(16)}`],
  ])
    expect([query, (await service.get(`${N}${query}`)).status]).toEqual([query, 422]);
});
