// Recorded ticker files, index files, feeds, searches and refusals of EDGAR through the provider.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { UpstreamFailed, UpstreamRateLimited } from "../../src/platform/errors.ts";
import { decodeFiling, readIndexFile } from "../../src/providers/edgar/index.ts";
import { answering, bytesOf, has, hasRecordings, listed, textOf } from "./edgar-recordings.ts";

setDefaultTimeout(1_200_000);

if (!hasRecordings) test("skipped: no recordings", () => {});

const counted = (values: readonly (string | null)[]) => {
  const counts = new Map<string | null, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
};
const inFile = (file: string) => readIndexFile(decodeFiling(bytesOf(file)), file);

describe.if(has("tickers/company_tickers.json"))("tickers", () => {
  test("by size, classes by hyphen, CIKs of ten digits", async () => {
    const rows = await answering({ body: bytesOf("tickers/company_tickers.json") }).tickers();
    expect(rows).toHaveLength(9_610);
    expect(new Set(rows.map((row) => row.cik)).size).toBe(7_919);
    expect(rows[0]).toEqual({ cik: "0000789019", ticker: "MSFT", name: "MICROSOFT CORP" });
    const of = (cik: string) =>
      rows
        .filter((row) => row.cik === cik)
        .map((row) => row.ticker)
        .toSorted();
    expect(of("0001067983")).toEqual(["BRK-A", "BRK-B"]);
    expect(of("0001652044")).toEqual(expect.arrayContaining(["GOOG", "GOOGL"]));
    expect(of("0000014693")).toEqual(expect.arrayContaining(["BF-B"]));
    expect(rows.filter((row) => /[^A-Z0-9-]/.test(row.ticker))).toEqual([]);
  });
});

describe.if(has("tickers/company_tickers_exchange.json"))("tickers with exchanges", () => {
  test("null where EDGAR names none", async () => {
    const rows = await answering({ body: bytesOf("tickers/company_tickers_exchange.json") }).listedTickers();
    expect(rows).toHaveLength(10_089);
    expect(Object.fromEntries(counted(rows.map((row) => row.exchange)))).toEqual({
      Nasdaq: 4_075,
      NYSE: 3_266,
      OTC: 2_546,
      null: 176,
      CBOE: 26,
    });
    expect(rows).toContainEqual({
      cik: "0001067983",
      name: "BERKSHIRE HATHAWAY INC",
      ticker: "BRK-B",
      exchange: "NYSE",
    });
  });
});

describe.if(has("tickers/company_tickers.older.json"))("a list of another make", () => {
  test("is refused, not half read", async () => {
    await expect(
      answering({ body: bytesOf("tickers/company_tickers.older.json") }).tickers(),
    ).rejects.toBeInstanceOf(UpstreamFailed);
  });
});

describe.if(hasRecordings)("index files", () => {
  test.each(listed("index", /\.idx$/))("%s is read to its last line", (file) => {
    const { rows, unread } = inFile(file);
    const lines = decodeFiling(bytesOf(file))
      .split(/\r?\n/)
      .filter((line) => /edgar\/data\//.test(line));
    expect(rows).toHaveLength(lines.length);
    expect(unread).toEqual([]);
    for (const row of rows) expect(row.filing_date).toMatch(/^(?:19|20)\d\d-\d\d-\d\d$/);
  });

  test.if(has("index/company.20221003.idx"))(
    "a day by company: filings are counted by accession number",
    () => {
      const { rows } = inFile("index/company.20221003.idx");
      expect(rows).toHaveLength(4_925);
      expect(new Set(rows.map((row) => row.accession_number)).size).toBe(3_195);
      const forms = counted(rows.map((row) => row.form_type));
      // Two more Form 4 than the manifest counts: it splits lines at two blanks, which two names hold.
      expect(["4", "424B2", "8-K", "FWP", "3", "497", "6-K", "497K"].map((form) => forms.get(form))).toEqual([
        2_067, 666, 280, 272, 226, 178, 131, 127,
      ]);
      // The list holds all that came out that day: some of it was filed before.
      const dates = new Set(rows.map((row) => row.filing_date));
      expect(dates).toEqual(new Set(["2022-10-03", "2022-09-30", "2022-09-08"]));
    },
  );

  test.if(has("index/master.20181231.idx"))("a day's master file, as the provider asks for it", async () => {
    const found = await answering({ body: bytesOf("index/master.20181231.idx") }).dailyIndex("2018-12-31");
    const rows = found === null || found === "unchanged" ? [] : found.rows;
    expect(Object.fromEntries(counted(rows.map((row) => row.form_type)))).toEqual({
      "4": 3,
      "424B2": 2,
      "6-K": 2,
      "8-K": 1,
      "497": 1,
      "N-CSR": 1,
    });
    expect(new Set(rows.map((row) => row.accession_number)).size).toBe(10);
    expect(rows[0]).toEqual({
      cik: "0001000228",
      company_name: "HENRY SCHEIN INC",
      form_type: "4",
      filing_date: "2018-12-31",
      accession_number: "0001209191-18-064398",
    });
  });

  test.if(has("index/form.empty.idx"))("a day without filings has no rows", () => {
    expect(inFile("index/form.empty.idx")).toEqual({ rows: [], unread: [] });
  });
});

const FEEDS: readonly [string, number, number, string, string, string, string, Record<string, number>][] = [
  [
    "getcurrent_all_count100_start5000",
    100,
    69,
    "2025-12-12T23:03:56Z",
    "Oruka Therapeutics, Inc.",
    "2025-12-11T21:41:00Z",
    "2025-12-11T21:31:54Z",
    { "4": 26, "144": 16, "424B2": 14, "8-K": 9, "S-8 POS": 7, D: 6 },
  ],
  [
    "getcurrent_all_count40_start0_a",
    40,
    20,
    "2025-12-12T23:02:34Z",
    "BREAUX PAUL W.",
    "2025-12-12T23:02:10Z",
    "2025-12-12T22:53:38Z",
    { "4": 34, "144": 4, "SCHEDULE 13D/A": 2 },
  ],
  [
    "getcurrent_all_count40_start0_b",
    40,
    20,
    "2025-12-12T23:03:56Z",
    "Perez Daniel Antonio",
    "2025-12-12T23:02:43Z",
    "2025-12-12T22:57:44Z",
    { "4": 34, "144": 4, "SCHEDULE 13D/A": 2 },
  ],
  [
    "getcurrent_type4_count100_start0_2025-12-12",
    100,
    46,
    "2025-12-12T23:03:57Z",
    "Perez Daniel Antonio",
    "2025-12-12T23:02:43Z",
    "2025-12-12T22:32:17Z",
    { "4": 100 },
  ],
  [
    "getcurrent_type4_count100_start1000",
    100,
    56,
    "2025-12-12T23:03:59Z",
    "LEONARD JOHN M",
    "2025-12-12T21:09:29Z",
    "2025-12-12T21:05:52Z",
    { "4": 81, "424B2": 6, "485BPOS": 4, "424B5": 2, "424B3": 2, "425": 2 },
  ],
  [
    "getcurrent_type4_count100_start5000",
    100,
    53,
    "2025-12-12T23:04:14Z",
    "Pogalz Bradley J.",
    "2025-12-10T22:04:04Z",
    "2025-12-10T21:52:32Z",
    { "4": 67, "485APOS": 10, "424B2": 9, "497": 4, "40-APP": 4, "424B5": 2 },
  ],
];

describe.if(hasRecordings)("current feeds", () => {
  test.each(listed("atom", /^getcurrent/))(
    "%s: every entry has its filing, its party and its moment",
    async (file) => {
      const { entries, updated_at } = await answering({ body: bytesOf(file) }).currentFeed();
      expect(entries).toHaveLength(textOf(file).split("<entry>").length - 1);
      for (const entry of entries) {
        expect(entry).toMatchObject({
          precision: "second",
          source: "feed",
          cik: expect.stringMatching(/^\d{10}$/),
        });
        expect(entry.role).not.toBeNull();
        expect((entry.accepted_at ?? "") <= updated_at).toBe(true);
        if (entry.form_type === "8-K") expect(entry.items.length).toBeGreaterThan(0);
      }
    },
  );

  for (const [name, entries, filings, updated, first, firstAt, lastAt, forms] of FEEDS) {
    test.if(has(`atom/${name}.xml`))(`${name}: the facts`, async () => {
      const body = bytesOf(`atom/${name}.xml`);
      const page = await answering({ body }).currentFeed();
      expect(page.entries).toHaveLength(entries);
      expect(new Set(page.entries.map((entry) => entry.accession_number)).size).toBe(filings);
      expect(page.updated_at).toBe(updated);
      expect(page.entries[0]).toMatchObject({ company_name: first, accepted_at: firstAt });
      expect(page.entries.at(-1)?.accepted_at).toBe(lastAt);
      expect(Object.fromEntries(counted(page.entries.map((entry) => entry.form_type)))).toMatchObject(forms);
      const fours = await answering({ body }).currentFeed({ form_type: "4" });
      expect(fours.entries).toHaveLength(forms["4"] ?? 0);
    });
  }

  test.if(has("atom/getcompany_AAPL_10-Q_legacy_output_xml.xml"))(
    "XML that is no feed is refused",
    async () => {
      const body = bytesOf("atom/getcompany_AAPL_10-Q_legacy_output_xml.xml");
      await expect(answering({ body }).currentFeed()).rejects.toBeInstanceOf(UpstreamFailed);
    },
  );
});

const search = (file: string, from = 0) =>
  answering({ body: bytesOf(`efts/${file}`) }).search({ q: "apple", from });

describe.if(listed("efts").length > 0)("full-text search", () => {
  test.each(listed("efts", /\.json$/))("%s: every hit is read", async (file) => {
    const { hits } = JSON.parse(textOf(file));
    const page = await answering({ body: bytesOf(file) }).search({ q: "x" });
    expect(page.hits).toHaveLength(hits.hits.length);
    expect(page.total).toBe(hits.total.value);
    expect(page.total_is_lower_bound).toBe(hits.total.relation !== "eq");
  });

  test.if(has("efts/1_hit.json"))("one hit", async () => {
    expect(await search("1_hit.json")).toEqual({
      hits: [
        {
          accession_number: "0000950170-25-055890",
          filename: "btsg-2025_ars.pdf",
          form_type: "ARS",
          file_type: "ARS",
          description: "ARS",
          filing_date: "2025-04-18",
          report_date: "2024-12-31",
          ciks: ["0001865782"],
          names: ["BrightSpring Health Services, Inc.  (BTSG, BTSGU)  (CIK 0001865782)"],
          items: [],
        },
      ],
      total: 1,
      total_is_lower_bound: false,
      next_from: null,
    });
  });

  test.if(has("efts/100_hits.json"))("nothing, a full page, and the cap at 10,000", async () => {
    expect(await search("0_hits.json")).toEqual({
      hits: [],
      total: 0,
      total_is_lower_bound: false,
      next_from: null,
    });
    const full = await search("100_hits.json");
    expect(full).toMatchObject({ total: 100, next_from: null });
    expect(full.hits[0]).toMatchObject({
      accession_number: "0001918704-25-006778",
      filename: "form424b2.htm",
      form_type: "424B2",
      filing_date: "2025-04-18",
      ciks: ["0001682472", "0000070858"],
    });
    expect(await search("9999_hits.json")).toMatchObject({
      total: 9_999,
      total_is_lower_bound: true,
      next_from: 100,
    });
    expect(await search("10000_hits.json", 9_900)).toMatchObject({
      total: 10_000,
      total_is_lower_bound: true,
      next_from: null,
    });
  });
});

describe.if(listed("errors").length > 0)("refusals", () => {
  const errors = (name: string, status: number) => answering({ status, body: bytesOf(`errors/${name}`) });

  test.if(has("errors/full-index_missing_403_AccessDenied.xml"))(
    "a quarter to come is not there, though it is refused as forbidden",
    async () => {
      expect(await errors("full-index_missing_403_AccessDenied.xml", 403).fullIndex(2099, 1)).toBeNull();
    },
  );
  test.if(has("errors/submissions_404_bad_cik.xml"))("an unassigned CIK gives null", async () => {
    expect(await errors("submissions_404_bad_cik.xml", 404).submissions("1")).toBeNull();
    expect(await errors("submissions_404_bad_cik.xml", 404).companyFacts("1")).toBeNull();
  });
  test.if(has("errors/getcurrent_start_5100_503.html"))(
    "the page beyond the feed's depth, with whatever status, is an outage and no feed",
    async () => {
      for (const status of [503, 200])
        await expect(errors("getcurrent_start_5100_503.html", status).currentFeed()).rejects.toBeInstanceOf(
          UpstreamFailed,
        );
    },
  );
  test.if(has("errors/rate-exceeded.html"))(
    "asked too often, with whatever status: ten minutes",
    async () => {
      for (const status of [403, 429, 200]) {
        const error = await errors("rate-exceeded.html", status)
          .submissions("1")
          .catch((e: unknown) => e);
        expect(error).toBeInstanceOf(UpstreamRateLimited);
        expect(error).toMatchObject({ facts: { retryAfterS: 600 } });
      }
    },
  );
  test.if(has("errors/undeclared_automated_tool.html"))(
    "our name refused: what to look at, and no pause",
    async () => {
      const asked = errors("undeclared_automated_tool.html", 403).tickers();
      await expect(asked).rejects.toThrow("SEC_USER_AGENT");
      await expect(asked).rejects.not.toBeInstanceOf(UpstreamRateLimited);
    },
  );
});
