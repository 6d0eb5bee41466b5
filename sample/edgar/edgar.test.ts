// Who files, when it can be seen, and what it says: the facts index.ts promises, at the moments they begin.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { visit } from "../../test/support/sample-edgar.ts";

setDefaultTimeout(1_200_000);

const ZORP = 9079327;
const QUIB = 9011488;
const KRONK = 9085335;
const NEWZQ = 9001896;
const TRELB = 9077687;
const TRELB_OLD = 9200001;
const GIBBL = 9047789;
const GLUMP = 9044875;
const YAKQ = 9083310;
const LATE = "2026-09-09T21:00:00Z";
const late = visit(LATE);

/** The row of a filing in an entity's list; undefined when it does not stand there. */
function rowOf(at: ReturnType<typeof visit>, cik: number, accession: string) {
  const { recent } = at.submissions(cik).filings;
  const i = recent.accessionNumber.indexOf(accession);
  return i < 0
    ? undefined
    : [
        recent.form[i],
        recent.items[i],
        recent.filingDate[i],
        recent.acceptanceDateTime[i],
        recent.primaryDocument[i],
      ];
}
const daily = (date: string, sort = "master") =>
  `www.sec.gov/Archives/edgar/daily-index/${date.slice(0, 4)}/QTR${Math.ceil(Number(date.slice(5, 7)) / 3)}/${sort}.${date.replaceAll("-", "")}.idx`;

describe("who files", () => {
  test("tickers: share classes share a CIK, the delisted are gone, the trust's funds stand apart", () => {
    const rows = Object.values<{ cik_str: number; ticker: string; title: string }>(
      JSON.parse(late.text("www.sec.gov/files/company_tickers.json")),
    );
    const cikOf = (ticker: string) => rows.find((row) => row.ticker === ticker)?.cik_str;
    expect([cikOf("ZORP"), cikOf("ZORP-PA"), cikOf("QUIB"), cikOf("QUIB-B")]).toEqual([
      ZORP,
      ZORP,
      QUIB,
      QUIB,
    ]);
    expect(["GLUMP", "HUSQ", "OLDZQ", "ZTEKF"].map(cikOf)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(new Set(rows.map(({ ticker }) => ticker)).size).toBe(rows.length);
    const { fields, data } = JSON.parse(late.text("www.sec.gov/files/company_tickers_exchange.json"));
    expect(fields).toEqual(["cik", "name", "ticker", "exchange"]);
    expect(data).toContainEqual([ZORP, "Zorp Dynamics Inc.", "ZORP", "Nasdaq"]);
    expect(data).toHaveLength(rows.length);
    const funds = JSON.parse(late.text("www.sec.gov/files/company_tickers_mf.json"));
    expect(funds.data).toContainEqual([9200900, "S000900002", "C000900002", "ZTEKF"]);
  });

  test("a renamed company has its old name and symbol up to the day, the new ones and a former name after it", () => {
    const before = visit("2025-05-02T20:00:00Z");
    expect([before.submissions(NEWZQ).name, before.submissions(NEWZQ).tickers]).toEqual([
      "Oldzq Holdings",
      ["OLDZQ"],
    ]);
    expect(before.submissions(NEWZQ).formerNames).toEqual([]);
    const after = late.submissions(NEWZQ);
    expect([after.name, after.tickers]).toEqual(["Newzq Holdings", ["NEWZQ"]]);
    expect(after.formerNames).toEqual([
      { name: "Oldzq Holdings", from: "2015-01-05T05:00:00.000Z", to: "2025-05-02T04:00:00.000Z" },
    ]);
    expect(late.text(daily("2025-05-02"))).toContain("9001896|Oldzq Holdings|8-K|20250502|");
    expect(late.text(daily("2025-05-05"))).toContain("9001896|Newzq Holdings|8-K|20250505|");
  });

  test("a delisted company has no ticker and files on; a gone one stops; a predecessor shares the 8-K12B", () => {
    expect(visit("2026-02-27T12:00:00Z").submissions(GLUMP).tickers).toEqual(["GLUMP"]);
    expect(late.submissions(GLUMP).tickers).toEqual([]);
    expect(rowOf(late, GLUMP, "0009044875-26-900002")?.slice(0, 3)).toEqual(["8-K", "8.01", "2026-04-14"]);
    expect(late.submissions(9021255).filings.recent.filingDate[0]).toBe("2024-10-01");
    const shared = "0009377687-21-900001";
    // One filing, one moment, and yet two texts: the lists go by different clocks.
    const [inNew, inOld] = [TRELB, TRELB_OLD].map((cik) => rowOf(late, cik, shared));
    expect([inNew?.[3], inOld?.[3]]).toEqual(["2021-04-20T20:00:00.000Z", "2021-04-20T16:00:00.000Z"]);
    expect(inNew?.toSpliced(3, 1)).toEqual(inOld?.toSpliced(3, 1));
    expect(late.submissions(TRELB_OLD).filings.recent.filingDate[0]).toBe("2021-04-30");
    const lines = late
      .text(daily("2021-04-20"))
      .split("\n")
      .filter((line) => line.includes(shared));
    expect(lines.map((line) => line.split("|")[0])).toEqual([String(TRELB), String(TRELB_OLD)]);
    const [mine, theirs] = [TRELB, TRELB_OLD].map((cik) => late.folder(cik, shared, `${shared}.txt`).body);
    expect(mine).toBe(theirs);
    expect(mine?.match(/CENTRAL INDEX KEY:\t+(\d+)/g)).toHaveLength(2);
  });

  test("a busy filer has 1000 recent rows and older pages that go on where they end", () => {
    const { recent, files } = late.submissions(GIBBL).filings;
    expect([recent.form.length, files.length, files[0]?.filingCount]).toEqual([1000, 2, 2000]);
    const pages = files.map(({ name }) => JSON.parse(late.text(`data.sec.gov/submissions/${name}`)));
    expect(pages.map((page) => Object.keys(page))).toEqual([Object.keys(recent), Object.keys(recent)]);
    expect(pages.map((page) => page.accessionNumber.length)).toEqual(
      files.map(({ filingCount }) => filingCount),
    );
    const all = [recent, ...pages].flatMap((page) => page.accessionNumber);
    expect(new Set(all).size).toBe(all.length);
    expect(files.at(-1)?.filingFrom).toBe("2018-01-02");
    const dates = [recent, ...pages].flatMap((page) => page.filingDate);
    expect(dates).toEqual(dates.toSorted().reverse());
    expect(late.ask("data.sec.gov/submissions/CIK0009047789-submissions-003.json").status).toBe(404);
  });

  test("companies by number file too, as many as there are", () => {
    const two = visit(LATE, { symbols: 63 });
    expect(two.submissions(9100001).tickers).toEqual(["ZQAAB"]);
    expect(two.submissions(9100001).filings.recent.form).toContain("10-K");
    expect(two.ask("data.sec.gov/submissions/CIK0009100002.json").status).toBe(404);
  });
});

describe("when", () => {
  test("a filing is there from its acceptance on, everywhere", () => {
    const accession = "0009079327-25-900003";
    const at = visit("2025-06-12T13:59:59Z");
    const feed = "www.sec.gov/cgi-bin/browse-edgar?action=getcurrent&type=8-K&count=100&output=atom";
    const search = "efts.sec.gov/LATEST/search-index?ciks=0009079327&startdt=2025-06-12&enddt=2025-06-12";
    const seen = () => [
      rowOf(at, ZORP, accession) !== undefined,
      at.folder(ZORP, accession, `${accession}-index.html`).status === 200,
      at.text(feed).includes(accession),
      at.text(search).includes(accession),
    ];
    expect(seen()).toEqual([false, false, false, false]);
    at.clock.set("2025-06-12T14:00:00Z");
    expect(seen()).toEqual([true, true, true, true]);
    // Years before and long after it, the same.
    expect(rowOf(visit("2016-01-04T12:00:00Z"), ZORP, accession)).toBeUndefined();
    expect(rowOf(visit("2029-06-12T14:00:00Z"), ZORP, accession)).toEqual(rowOf(at, ZORP, accession));
  });

  test("after 17:30 it has the next business day's date and is there from 06:00 of it; changes of clocks between", () => {
    for (const [cik, accession, accepted, filed, from] of [
      [ZORP, "0009079327-25-900006", "2025-03-04T22:30:00.000Z", "2025-03-04", "2025-03-04T22:30:00Z"],
      [ZORP, "0009079327-25-900007", "2025-03-07T22:30:01.000Z", "2025-03-10", "2025-03-10T10:00:00Z"],
      [ZORP, "0009079327-25-900008", "2025-04-18T14:00:00.000Z", "2025-04-18", "2025-04-18T14:00:00Z"],
      [ZORP, "0009079327-25-900009", "2025-10-10T21:45:00.000Z", "2025-10-14", "2025-10-14T10:00:00Z"],
      [YAKQ, "0009083310-25-900001", "2025-03-09T07:00:00.000Z", "2025-03-10", "2025-03-10T10:00:00Z"],
      [YAKQ, "0009083310-25-900002", "2025-11-01T01:00:00.000Z", "2025-11-03", "2025-11-03T11:00:00Z"],
      [YAKQ, "0009083310-25-900003", "2025-11-02T06:30:00.000Z", "2025-11-03", "2025-11-03T11:00:00Z"],
      [YAKQ, "0009083310-26-900004", "2026-03-08T02:59:59.000Z", "2026-03-09", "2026-03-09T10:00:00Z"],
    ] as const) {
      const at = visit(Temporal.Instant.from(from).subtract({ seconds: 1 }).toString());
      expect(rowOf(at, cik, accession)).toBeUndefined();
      at.clock.set(from);
      expect(rowOf(at, cik, accession)?.slice(2, 4)).toEqual([filed, accepted]);
    }
  });

  test("the list's clocks: UTC, New York's with a Z, the newest seven New York's; null and midnight where unknown", () => {
    expect(rowOf(late, QUIB, "0009011488-24-900001")?.[3]).toBe("2024-11-21T16:45:00.000Z");
    expect(rowOf(late, 9086051, "0009086051-24-900001")?.[3]).toBeNull();
    expect(rowOf(late, KRONK, "0009085335-03-900001")?.[3]).toBe("2003-03-14T00:00:00.000Z");
    const { recent } = late.submissions(KRONK).filings;
    const shown = recent.accessionNumber.slice(0, 20).map((accession, i) => {
      const header = late.folder(KRONK, accession, `${accession}.txt`).body;
      const local = /<ACCEPTANCE-DATETIME>(\d{14})/.exec(header)?.[1];
      return local === recent.acceptanceDateTime[i]?.replaceAll(/\D/g, "").slice(0, 14);
    });
    expect(shown).toEqual([...Array(7).fill(true), ...Array(13).fill(false)]);
  });

  test("headers and index pages show New York's clock, or nothing where there is none", () => {
    const page = (cik: number, accession: string) =>
      late.folder(cik, accession, `${accession}-index.html`).body;
    const twice = "0009083310-25-900003";
    expect(late.folder(YAKQ, twice, `${twice}.hdr.sgml`).body).toContain(
      "<ACCEPTANCE-DATETIME>20251102013000\n",
    );
    expect(page(YAKQ, twice)).toContain('<div class="info">2025-11-02 01:30:00</div>');
    const old = "0009085335-03-900001";
    expect(late.folder(KRONK, old, `${old}.txt`).body).not.toContain("ACCEPTANCE");
    expect(page(KRONK, old)).toContain('<div class="info">2003-03-14 00:00:00</div>');
  });

  test("a day's index comes between 22:01 and 22:18, none on weekends and federal holidays, 403 till then", () => {
    const at = visit("2025-06-13T02:00:59Z");
    expect(at.ask(daily("2025-06-12")).status).toBe(403);
    at.clock.set("2025-06-13T02:18:00Z");
    expect(at.text(daily("2025-06-12"))).toContain("edgar/data/9079327/0009079327-25-900003.txt");
    const closed = [
      "2025-06-14",
      "2025-06-15",
      "2025-06-19",
      "2025-10-13",
      "2025-11-11",
      "2025-07-04",
      "2027-01-04",
    ];
    expect(closed.map((date) => late.ask(daily(date)).status)).toEqual(closed.map(() => 403));
    expect(late.ask(daily("2025-06-20").replace("QTR2", "QTR3")).status).toBe(403);
    expect(late.ask(daily("2025-06-31")).status).toBe(403);
    // Good Friday: the exchange is shut, the index is there.
    expect(late.text(daily("2025-04-18"))).toContain("0009079327-25-900008");
    // New year's first index has what came on the last evening of the old one.
    const held = late.text(daily("2026-01-02")).split("\n").slice(7, -1);
    expect(held.some((line) => line.endsWith("/0009323328-25-900002.txt"))).toBe(true);
    expect(held.every((line) => line.split("|")[3] === "20260102")).toBe(true);
  });

  test("the full index has what the daily ones had, no more; a quarter begins empty and the next is refused", () => {
    const full = (quarter: number) => `www.sec.gov/Archives/edgar/full-index/2025/QTR${quarter}/master.idx`;
    const at = visit("2025-04-01T15:00:00Z");
    const rows = (body: string) => body.split("\n").slice(11, -1);
    expect(rows(at.text(full(2)))).toEqual([]);
    expect(at.ask(full(3)).status).toBe(403);
    at.clock.set("2025-04-04T23:00:00Z");
    const days = ["2025-04-01", "2025-04-02", "2025-04-03"].flatMap((date) =>
      at
        .text(daily(date))
        .split("\n")
        .slice(7, -1)
        .map((line) => line.replace(/\|(\d{4})(\d\d)(\d\d)\|/, "|$1-$2-$3|")),
    );
    expect(days.length).toBeGreaterThan(5);
    expect(rows(at.text(full(2)))).toEqual(days.toSorted());
    expect(at.text(full(2))).toContain("Last Data Received:    April 3, 2025\n");
    expect(at.text(daily("2025-04-01"))).toContain("Last Data Received:    Apr  1, 2025\n");
  });
});

describe("filings", () => {
  test("are the same in every register of a seed, whatever was asked before; another seed, other ones", () => {
    const list = (at: ReturnType<typeof visit>) => at.submissions(ZORP).filings.recent;
    const other = visit(LATE);
    other.text(daily("2024-02-14"));
    expect(list(other)).toEqual(list(late));
    const accession = list(late).accessionNumber.find((_, i) => list(late).items[i] === "2.02,9.01") ?? "";
    const whole = (at: ReturnType<typeof visit>) => at.folder(ZORP, accession, `${accession}.txt`).body;
    expect(whole(other)).toBe(whole(late));
    const strange = visit(LATE, { seed: 2 });
    expect(list(strange).accessionNumber.filter((a) => a.includes("-25-9000"))).toHaveLength(9);
    expect(list(strange)).not.toEqual(list(late));
    // A year later nothing of it has moved.
    const next = list(visit("2027-09-09T21:00:00Z")).accessionNumber;
    expect(next.slice(-list(late).accessionNumber.length)).toEqual(list(late).accessionNumber);
  });

  test("a year brings four reports and a release before each", () => {
    const { form, items, filingDate } = late.submissions(ZORP).filings.recent;
    const of2025 = form
      .map((f, i) => [f, items[i], filingDate[i]] as const)
      .filter(([, , date]) => date?.startsWith("2025"));
    const count = (wanted: string) => of2025.filter(([f]) => f === wanted).length;
    expect([count("10-K"), count("10-Q"), count("DEF 14A")]).toEqual([1, 3, 1]);
    expect(of2025.filter(([, i]) => i === "2.02,9.01")).toHaveLength(5);
  });

  test("every document stands alone as in the whole, its type and size on the index page", () => {
    const accession = "0009079327-25-900002";
    const whole = late.folder(ZORP, accession, `${accession}.txt`).body;
    const page = late.folder(ZORP, accession, `${accession}-index.html`).body;
    const names = [...whole.matchAll(/<TYPE>(\S+)\n<SEQUENCE>(\d)\n<FILENAME>(\S+)/g)].map((m) => m.slice(1));
    expect(names).toEqual([
      ["8-K", "1", "zorp-20250508.htm"],
      ["EX-99.1", "2", "zorp-20250508xex991.htm"],
      ["EX-99.2", "3", "zorp-20250508xex992.htm"],
    ]);
    for (const [type, , name = ""] of names) {
      const { status, body } = late.folder(ZORP, accession, name);
      expect([status, whole.includes(body)]).toEqual([200, true]);
      expect(page).toContain(
        `${name}</a></td>\n            <td scope="row">${type}</td>\n            <td scope="row">${Buffer.byteLength(body)}</td>`,
      );
    }
    const row = late.submissions(ZORP).filings.recent;
    expect(row.size[row.accessionNumber.indexOf(accession)]).toBe(Buffer.byteLength(whole));
    expect(page).toContain("Item 7.01: Regulation FD Disclosure<br />");
  });

  test("the odd ones are odd", () => {
    const main = (cik: number, accession: string, name: string) => late.folder(cik, accession, name).body;
    expect(main(ZORP, "0009079327-25-900002", "zorp-20250508.htm")).toContain("<b>Items 2.02 and 7.01. ");
    const cells = main(QUIB, "0009011488-24-900001", "quib-20241121.htm");
    expect(cells).toContain("<b>Item</b></td><td><b>5.02</b></td>");
    expect(cells.lastIndexOf("SIGNATURES")).toBeGreaterThan(cells.lastIndexOf("9.01"));
    expect(main(9309552, "0009309552-25-900001", "nurbl-20250730.htm")).not.toContain("2.02");
    expect(main(KRONK, "0009085335-03-900001", "kronk-20030314.txt")).toMatch(
      /^Item 5\. {2}Other Events[\s\S]*^Item 7\. /m,
    );
    expect(main(9072589, "0009072589-25-900001", "blimq-20250403xex991.htm").length).toBeGreaterThan(
      5_242_880,
    );
    const cut = late.folder(9354982, "0009354982-25-900001", "0009354982-25-900001.txt").body;
    expect([
      cut.includes("</DOCUMENT>"),
      cut.includes("Item 8.01"),
      cut.includes("ITEM INFORMATION:\t\tOther Events"),
    ]).toEqual([false, false, true]);
    expect(main(9023178, "0009023178-25-900001", "twerb-20250701.htm").match(/<table>/g)).toHaveLength(27);
  });

  test("a folder answers under the agent's CIK too, never under a stranger's; both old addresses work", () => {
    const accession = "0009309552-25-900001";
    const page = late.folder(9009552, accession, `${accession}-index.html`).body;
    expect(late.folder(9309552, accession, `${accession}-index.html`).body).toBe(page);
    expect(late.text(`www.sec.gov/Archives/edgar/data/9009552/${accession}-index.html`)).toBe(page);
    expect(late.text(`www.sec.gov/Archives/edgar/data/9009552/${accession}.txt`)).toContain("<SEC-DOCUMENT>");
    for (const [cik, name] of [
      [ZORP, `${accession}.txt`],
      [9009552, "../index.json"],
      [9009552, "no.htm"],
    ] as const)
      expect(late.folder(cik, accession, name).status).toBe(404);
  });
});

describe("refusals, feed and search", () => {
  test("no address, no answer; what is missing is missing the regulator's way; what is unchanged is 304", () => {
    const refused = late.ask("www.sec.gov/files/company_tickers.json", { "user-agent": "curl/8" });
    expect([refused.status, refused.body.includes("Undeclared Automated Tool")]).toEqual([403, true]);
    const lost = late.ask("data.sec.gov/submissions/CIK0000000001.json");
    expect([
      lost.status,
      lost.body.includes("<Code>NoSuchKey</Code>"),
      lost.body.includes("<Key>submissions/CIK0000000001.json</Key>"),
    ]).toEqual([404, true, true]);
    expect(late.ask(daily("2026-09-12")).body).toContain("<Code>AccessDenied</Code>");
    const { headers } = late.ask(daily("2025-06-12"));
    const again = (more: Record<string, string>) => late.ask(daily("2025-06-12"), more).status;
    expect(again({ "if-none-match": String(headers.etag) })).toBe(304);
    expect(again({ "if-none-match": '"other"' })).toBe(200);
    expect(again({ "if-modified-since": String(headers["last-modified"]) })).toBe(304);
    expect(again({ "if-modified-since": "Thu, 12 Jun 2025 22:00:00 GMT" })).toBe(200);
  });

  test("the feed is newest first, its type a prefix, its depth two business days, its end a 503", () => {
    const feed = (query: string) =>
      late.ask(`www.sec.gov/cgi-bin/browse-edgar?action=getcurrent&output=atom&${query}`);
    const terms = (query: string) => [...feed(query).body.matchAll(/ term="([^"]+)"/g)].map((m) => m[1]);
    expect(new Set(terms("type=4&count=100"))).toEqual(new Set(["424B2", "4"]));
    const times = [...feed("count=100").body.matchAll(/<\/summary>\n<updated>([^<]+)</g)].map(
      (m) => m[1] ?? "",
    );
    expect(times).toEqual(times.toSorted().reverse());
    expect(times.at(-1)?.slice(0, 10)).toBe("2026-09-04");
    expect(terms("count=2&start=1")).toEqual(terms("count=3").slice(1));
    expect([feed("start=5000").status, feed("start=5100").status]).toEqual([200, 503]);
    expect(feed("start=5100").body).toContain("File Unavailable");
    // On the day after New Year the feed reaches into the old year.
    expect(
      visit("2026-01-02T15:00:00Z").text(
        "www.sec.gov/cgi-bin/browse-edgar?action=getcurrent&output=atom&count=100",
      ),
    ).toContain("<b>Filed:</b> 2025-12-31".replaceAll("<", "&lt;").replaceAll(">", "&gt;"));
  });

  test("search: words and phrases, forms by root, items, dates; pages of 100 up to 10,000", () => {
    const ask = (query: string) => JSON.parse(late.text(`efts.sec.gov/LATEST/search-index?${query}`)).hits;
    const ids = (query: string) => ask(query).hits.map((hit: { _id: string }) => hit._id);
    expect(
      ids("q=%22has%20named%20a%20roundabout%22&ciks=0009083310&startdt=2025-03-10&enddt=2025-03-10"),
    ).toEqual(["0009083310-25-900001:yakq-20250309.htm"]);
    expect(ids("q=unheardof&ciks=0009083310")).toEqual([]);
    expect(ids("ciks=0009011488&forms=8-K&startdt=2024-12-04&enddt=2024-12-04")).toEqual([
      "0009011488-24-900002:quib-20241121.htm",
    ]);
    expect(ids("ciks=0009309552&items=4.02")).toEqual(["0009309552-25-900003:nurbl-20251105.htm"]);
    const first = ask("ciks=0009047789&forms=424B2");
    expect([first.hits.length, first.total.relation]).toEqual([100, "eq"]);
    expect(first.total.value).toBeGreaterThan(4000);
    const second = ids("ciks=0009047789&forms=424B2&from=100");
    expect(first.hits.some((hit: { _id: string }) => second.includes(hit._id))).toBe(false);
    expect(ids("ciks=0009047789&forms=424B2&from=9900")).toEqual([]);
    expect(late.ask("efts.sec.gov/LATEST/search-index?q=kazoo&from=10000").status).toBe(500);
  });
});
