// The sample's answers against recorded ones: the same keys, columns, labels and elements. Values are never
// compared.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { visit } from "../../test/support/sample-edgar.ts";

setDefaultTimeout(1_200_000);

const FOLDER = join(process.env.CONFORMANCE_DIR ?? join(import.meta.dir, "../../../shared/real"), "edgar");
const ZORP = "www.sec.gov/Archives/edgar/data/9079327/000907932725900002";
const ACCESSION = "0009079327-25-900002";

/** Every path of keys in a value; array items are written `[]`, numbered keys `*`. */
function paths(value: unknown, at = ""): string[] {
  if (Array.isArray(value)) return [...new Set(value.slice(0, 50).flatMap((item) => paths(item, `${at}[]`)))];
  if (value === null || typeof value !== "object") return [at];
  return Object.entries(value).flatMap(([key, item]) =>
    paths(item, `${at}.${/^\d+$/.test(key) ? "*" : key}`),
  );
}
const pathsOf = (value: unknown) => [...new Set(paths(value))].sort();
/** Returns the texts before a colon in a header, in order and once each; `tags` those between brackets. */
const labels = (text: string) => [
  ...new Set([...text.matchAll(/^\s*([A-Z][A-Z0-9 ]+):(?=\s)/gm)].map((m) => m[1])),
];
const tags = (text: string) => [...new Set([...text.matchAll(/^<\/?([A-Z0-9-]+)>/gm)].map((m) => m[1]))];

if (!existsSync(join(FOLDER, "submissions"))) {
  test("skipped: no recordings", () => expect(existsSync(join(FOLDER, "submissions"))).toBe(false));
} else {
  const at = visit("2026-09-09T21:00:00Z");
  const recorded = (name: string) => Bun.file(join(FOLDER, name)).text();
  const all = async (folder: string, fits: (name: string) => boolean) =>
    Promise.all(
      readdirSync(join(FOLDER, folder))
        .filter(fits)
        .map((name) => recorded(join(folder, name))),
    );

  describe("JSON has the keys of the recordings, in their order", () => {
    test("submissions: entity, columns, older pages", async () => {
      const lists = (await all("submissions", (name) => /^CIK\d{10}\.json$/.test(name))).map((text) =>
        JSON.parse(text),
      );
      const pages = await all("submissions", (name) => name.includes("-submissions-"));
      const ours = JSON.parse(at.text("data.sec.gov/submissions/CIK0009047789.json"));
      const orders = lists.map((list) => Object.keys(list).join());
      expect(orders).toContain(Object.keys(ours).join());
      expect(lists.map((list) => Object.keys(list.filings.recent).join())).toContain(
        Object.keys(ours.filings.recent).join(),
      );
      expect(
        lists.flatMap(({ filings }) => filings.files.map((file: object) => Object.keys(file).join())),
      ).toContain(Object.keys(ours.filings.files[0]).join());
      expect(lists.map(({ addresses }) => pathsOf(addresses).join())).toContain(
        pathsOf(ours.addresses).join(),
      );
      const page = JSON.parse(at.text("data.sec.gov/submissions/CIK0009047789-submissions-001.json"));
      expect(pages.map((text) => Object.keys(JSON.parse(text)).join())).toContain(Object.keys(page).join());
      const former = JSON.parse(at.text("data.sec.gov/submissions/CIK0009001896.json")).formerNames[0];
      expect(
        lists.flatMap(({ formerNames }) => formerNames.map((one: object) => Object.keys(one).join())),
      ).toContain(Object.keys(former).join());
    });

    test("each column has the types of the recorded ones", async () => {
      const kinds = (columns: Record<string, unknown[]>) =>
        Object.entries(columns).flatMap(([name, values]) => [
          ...new Set(values.map((v) => `${name} ${typeof v}`)),
        ]);
      const lists = (await all("submissions", (name) => /^CIK\d{10}\.json$/.test(name))).map((text) =>
        JSON.parse(text),
      );
      const theirs = new Set(lists.flatMap(({ filings }) => kinds(filings.recent)));
      const ours = kinds(JSON.parse(at.text("data.sec.gov/submissions/CIK0009079327.json")).filings.recent);
      expect(ours.filter((kind) => !theirs.has(kind))).toEqual([]);
    });

    test("tickers, with and without exchange", async () => {
      for (const name of ["company_tickers.json", "company_tickers_exchange.json"]) {
        const [theirs, ours] = [await recorded(`tickers/${name}`), at.text(`www.sec.gov/files/${name}`)].map(
          (text) => JSON.parse(text),
        );
        expect(pathsOf(ours)).toEqual(pathsOf(theirs));
        expect(ours.fields).toEqual(theirs.fields);
      }
    });

    test("full-text search, and the folder's index.json", async () => {
      const hits = JSON.parse(await recorded("efts/100_hits.json"));
      const ours = JSON.parse(at.text("efts.sec.gov/LATEST/search-index?q=teapot&ciks=0009079327"));
      const source = Object.keys(hits.hits.hits[0]._source);
      expect(Object.keys(ours.hits.hits[0]._source)).toEqual(source);
      expect(Object.keys(ours.hits.hits[0])).toEqual(Object.keys(hits.hits.hits[0]));
      for (const key of ["aggregations", "query", "_shards"])
        expect(pathsOf(ours[key])).toEqual(pathsOf(hits[key]));
      expect([Object.keys(ours), Object.keys(ours.hits)]).toEqual([
        Object.keys(hits),
        Object.keys(hits.hits),
      ]);
      const none = JSON.parse(at.text("efts.sec.gov/LATEST/search-index?q=unheardof&ciks=0009079327"));
      expect(pathsOf(none)).toEqual(pathsOf(JSON.parse(await recorded("efts/0_hits.json"))));
      const [folder = ""] = await all("index", (name) => name.endsWith("_index.json"));
      expect(pathsOf(JSON.parse(at.text(`${ZORP}/index.json`)))).toEqual(pathsOf(JSON.parse(folder)));
    });
  });

  describe("texts have the labels of the recordings", () => {
    test("the head of a whole submission, in words", async () => {
      const theirs = new Set(
        (await all("8k_full", (name) => name.endsWith(".txt"))).flatMap((text) => [
          ...labels(text.slice(0, 4000)),
          ...tags(text),
        ]),
      );
      const text = at.text(`${ZORP}/${ACCESSION}.txt`);
      const head = text.slice(0, text.indexOf("</SEC-HEADER>"));
      expect(labels(head).filter((label) => !theirs.has(label))).toEqual([]);
      expect(tags(text).filter((tag) => !theirs.has(tag))).toEqual([]);
      expect(head).toMatch(
        /^<SEC-DOCUMENT>\d{10}-\d\d-\d{6}\.txt : \d{8}\n<SEC-HEADER>\S+\.hdr\.sgml : \d{8}\n<ACCEPTANCE-DATETIME>\d{14}\nACCESSION NUMBER:\t\t/,
      );
    });

    test("the headers page: tags in a comment, words in a PRE", async () => {
      const pages = await all("index", (name) => name.endsWith("index-headers.html"));
      const text = at.text(`${ZORP}/${ACCESSION}-index-headers.html`);
      const tagsOf = (page: string) => tags(page.slice(0, page.indexOf("-->")));
      const theirs = new Set(pages.flatMap((page) => [...tagsOf(page), ...labels(page)]));
      expect([...tagsOf(text), ...labels(text)].filter((label) => !theirs.has(label))).toEqual([]);
      expect(text.slice(0, 40)).toBe(`<HTML><HEAD><TITLE>SEC EDGAR Submission ${ACCESSION}`.slice(0, 40));
      expect(text).toContain("&lt;/SEC-DOCUMENT&gt;</PRE></BODY></HTML>");
    });

    test("the index page", async () => {
      const pages = await all("index", (name) => name.endsWith("-index.html"));
      const text = at.text(`${ZORP}/${ACCESSION}-index.html`);
      const marks = (page: string) => [
        ...[...page.matchAll(/class="infoHead">([^<]+)/g)].map((m) => m[1]),
        ...[...page.matchAll(/<th scope="col"[^>]*>(?:<acronym[^>]*>)?([^<]+)/g)].map((m) => m[1]),
        ...[...page.matchAll(/(?:summary|id|class)="([^"]+)"/g)].map((m) => m[1]),
      ];
      const theirs = new Set(pages.flatMap(marks));
      expect(marks(text).filter((mark) => !theirs.has(mark))).toEqual([]);
      for (const mark of [
        "Filing Date",
        "Accepted",
        "Documents",
        "Period of Report",
        "Items",
        "Document Format Files",
        "companyName",
      ])
        expect(marks(text)).toContain(mark);
    });

    test("index files: heads and columns", async () => {
      const heads = (text: string) =>
        [...text.matchAll(/^([A-Z][A-Za-z ]+):(\s+)/gm)].map((m) => `${m[1]}:${m[2]}`).slice(0, 4);
      const master = await recorded("index/master.20181231.idx");
      const ours = at.text("www.sec.gov/Archives/edgar/daily-index/2025/QTR2/master.20250424.idx");
      expect(heads(ours)).toEqual(heads(master));
      expect(ours.split("\n").slice(4, 7)).toEqual(master.split("\n").slice(4, 7));
      expect(
        ours
          .split("\n")[7]
          ?.split("|")
          .map((cell) => cell.replaceAll(/\d/g, "9").length > 0),
      ).toHaveLength(5);
      const full = await recorded("index/master.full-index.sample.idx");
      const ourFull = at.text("www.sec.gov/Archives/edgar/full-index/2025/QTR2/master.idx");
      expect(ourFull.split("\n").slice(4, 11)).toEqual(full.split("\n").slice(4, 11));
      const form = await recorded("index/form.empty.idx");
      const ourForm = at.text("www.sec.gov/Archives/edgar/full-index/2025/QTR2/form.idx").split("\n");
      expect(ourForm.slice(9, 11)).toEqual(form.split("\n").slice(8, 10));
    });

    test("the feed, element by element", async () => {
      const theirs = await recorded("atom/getcurrent_all_count40_start0_a.xml");
      const ours = at.text("www.sec.gov/cgi-bin/browse-edgar?action=getcurrent&count=40&output=atom");
      const elements = (text: string) =>
        [...text.slice(0, text.indexOf("</entry>")).matchAll(/<([?/]?[\w]+)|&lt;[^&]*&gt;|(\w+)="/g)].map(
          (m) => m[0],
        );
      expect(elements(ours)).toEqual(elements(theirs));
    });

    test("refusals: codes and titles", async () => {
      const codes = (text: string) => [...text.matchAll(/<(\/?[A-Za-z]+)>/g)].map((m) => m[1]);
      const code = (text: string) => /<Code>\w+<\/Code><Message>[^<]+/.exec(text)?.[0];
      for (const [name, address] of [
        [
          "full-index_missing_403_AccessDenied.xml",
          "www.sec.gov/Archives/edgar/full-index/2099/QTR1/form.gz",
        ],
        ["submissions_404_bad_cik.xml", "data.sec.gov/submissions/CIK-000000001.json"],
      ] as const) {
        const [theirs, ours] = [await recorded(`errors/${name}`), at.ask(address).body];
        expect([codes(ours), code(ours)]).toEqual([codes(theirs), code(theirs)]);
      }
      const title = (text: string) => /<title>([^<]+)/.exec(text)?.[1]?.replace("SEC.gov | ", "");
      const robot = at.ask("www.sec.gov/files/company_tickers.json", { "user-agent": "" }).body;
      expect(title(robot)).toBe(title(await recorded("errors/undeclared_automated_tool.html")));
      const deep = at.ask("www.sec.gov/cgi-bin/browse-edgar?action=getcurrent&output=atom&start=5100").body;
      expect(title(deep)).toBe(title(await recorded("errors/getcurrent_start_5100_503.html")));
    });
  });
}
