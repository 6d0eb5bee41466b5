import { describe, expect, test } from "bun:test";
import { fakeClock } from "../../../../test/support/fake-clock.ts";
import { type FakeReply, fakeUpstream, fakeVault } from "../../../../test/support/fake-edgar.ts";
import {
  AsofError,
  InvalidRequest,
  NotFound,
  UpstreamFailed,
  UpstreamTimeout,
} from "../../../platform/errors.ts";
import { edgar } from "../index.ts";

const ACCESSION = "0001234567-26-000089";
const REF = { accession_number: ACCESSION, cik: "4711" };
const FOLDER = "https://www.sec.gov/Archives/edgar/data/4711/000123456726000089/";

function open(files: Record<string, FakeReply | string>, clock = fakeClock("2026-03-10T15:00:00Z")) {
  const upstream = fakeUpstream(clock, ({ pathname }) => {
    const file = files[pathname.slice(pathname.lastIndexOf("/") + 1)];
    if (file === undefined) return { status: 404, body: "<Error><Code>NoSuchKey</Code></Error>" };
    return typeof file === "string" ? { body: file } : file;
  });
  const vault = fakeVault();
  const provider = edgar({ upstream, vault, clock, userAgent: "Z z@z.example" });
  return {
    provider,
    vault,
    upstream,
    asked: () => upstream.requests.map(({ url }) => url.replace(FOLDER, "")),
  };
}
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

const HEADER = `<SEC-HEADER>${ACCESSION}.hdr.sgml : 20260306
<ACCEPTANCE-DATETIME>20260306164618
<ACCESSION-NUMBER>${ACCESSION}
<TYPE>8-K
<FILING-DATE>20260306
</SEC-HEADER>
`;
const row = (seq: number, href: string, type: string) =>
  `<tr><td>${seq}</td><td></td><td><a href="${href}">x</a></td><td>${type}</td><td>9</td></tr>`;
const page = (...rows: string[]) =>
  `<div id="formName"><strong>Form 8-K</strong></div><div id="secNum">${ACCESSION}</div><div class="infoHead">Filing Date</div><div class="info">2026-03-06</div><table class="tableFile">${rows.join("")}</table>`;
const PATH = new URL(FOLDER).pathname;
const document = (sequence: number, type: string, content: string) =>
  `<DOCUMENT>\n<TYPE>${type}\n<SEQUENCE>${sequence}\n<DESCRIPTION>x\n<TEXT>\n${content}\n</TEXT>\n</DOCUMENT>\n`;
const submission = (...documents: string[]) =>
  `<SEC-DOCUMENT>${ACCESSION}.txt : 20260306\n${HEADER}${documents.join("")}</SEC-DOCUMENT>\n`;

describe("fetched once in its life", () => {
  test("a document requested under two parties is fetched once", async () => {
    const { provider, asked, vault } = open({ "d8k.htm": "<html>8-K</html>" });
    const first = await provider.document(REF, "d8k.htm");
    const again = await provider.document({ ...REF, cik: "815" }, "d8k.htm");
    expect(asked()).toEqual(["d8k.htm"]);
    expect(first).toMatchObject({
      filename: "d8k.htm",
      content_type: "text/html",
      url: `${FOLDER}d8k.htm`,
      from_vault: false,
    });
    expect(again).toMatchObject({ sha256: first.sha256, from_vault: true });
    expect(text(again.bytes)).toBe("<html>8-K</html>");
    expect(vault.keys()).toEqual([`edgar:${ACCESSION}/d8k.htm`]);
  });

  test("refresh asks again; a lost file is fetched again", async () => {
    const { provider, asked, vault } = open({ "x.txt": "x" });
    await provider.document(REF, "x.txt");
    await provider.document(REF, "x.txt", { refresh: true });
    vault.lose();
    expect((await provider.document(REF, "x.txt")).from_vault).toBe(false);
    expect(asked()).toEqual(["x.txt", "x.txt", "x.txt"]);
  });

  test("an unreadable file is not stored", async () => {
    const files: Record<string, string> = {
      [`${ACCESSION}.txt`]: submission(document(1, "8-K", "body")).slice(0, -60),
    };
    const { provider, vault } = open(files);
    await expect(provider.submissionText(REF)).rejects.toBeInstanceOf(UpstreamFailed);
    expect(vault.keys()).toEqual([]);
    files[`${ACCESSION}.txt`] = submission(document(1, "8-K", "body"));
    expect((await provider.submissionText(REF)).documents.map((d) => [d.type, d.text])).toEqual([
      ["8-K", "body"],
    ]);
    expect(vault.keys()).toEqual([`edgar:${ACCESSION}/${ACCESSION}.txt`]);
  });

  test("nothing is stored after a failure", async () => {
    const { provider, vault } = open({
      "a.htm": { status: 503 },
      "b.htm": { body: "<title>SEC.gov | File Unavailable</title>" },
    });
    await expect(provider.document(REF, "a.htm")).rejects.toBeInstanceOf(UpstreamFailed);
    await expect(provider.document(REF, "b.htm")).rejects.toBeInstanceOf(UpstreamFailed);
    await expect(provider.document(REF, "c.htm")).rejects.toBeInstanceOf(NotFound);
    expect(vault.keys()).toEqual([]);
  });
});

describe("no way out of the folder", () => {
  test.each(["../x.htm", "..%2fx.htm", "a/b.htm", "https://evil.example/x", "", "x.htm?y"])(
    "%p is not requested",
    async (name) => {
      const { provider, asked } = open({});
      await expect(provider.document(REF, name)).rejects.toBeInstanceOf(InvalidRequest);
      expect(asked()).toEqual([]);
    },
  );

  test.each([
    "https://www.sec.gov/Archives/edgar/data/4711/000123456726000090/d8k.htm",
    "https://www.sec.gov/index.htm",
    "https://data.sec.gov/submissions/CIK0000004711.json",
  ])("a redirect that ended at %p is refused and not stored", async (url) => {
    const { provider, vault } = open({ "d8k.htm": { body: "{}", url } });
    await expect(provider.document(REF, "d8k.htm")).rejects.toBeInstanceOf(UpstreamFailed);
    expect(vault.keys()).toEqual([]);
  });

  test("a redirect to another party's folder of the same filing is followed", async () => {
    const url = FOLDER.replace("/4711/", "/815/");
    const { provider } = open({ "d8k.htm": { body: "x", url: `${url}d8k.htm` } });
    expect(text((await provider.document(REF, "d8k.htm")).bytes)).toBe("x");
  });

  test("a page of another filing is refused", async () => {
    const { provider } = open({
      [`${ACCESSION}-index.html`]: page(row(1, `${PATH}a.htm`, "8-K")).replaceAll("000089", "000090"),
    });
    await expect(provider.filingIndex(REF)).rejects.toThrow(
      "EDGAR sent filing 0001234567-26-000090 instead of 0001234567-26-000089",
    );
  });
});

describe("limits", () => {
  test("5 MB to the byte", async () => {
    const { provider } = open({ "a.htm": "x".repeat(5_000_000), "b.htm": "x".repeat(5_000_001) });
    expect((await provider.document(REF, "a.htm")).bytes.byteLength).toBe(5_000_000);
    await expect(provider.document(REF, "b.htm")).rejects.toMatchObject({ code: "exhibit_too_large" });
    expect((await provider.document(REF, "b.htm", { bytesMax: 6_000_000 })).bytes.byteLength).toBe(5_000_001);
    // From the vault too.
    await expect(provider.document(REF, "b.htm")).rejects.toMatchObject({ code: "exhibit_too_large" });
  });

  test("25 s, the waiting included", async () => {
    const clock = fakeClock("2026-03-10T15:00:00Z");
    const upstream = fakeUpstream(clock, async (_url, request) => {
      await clock.sleep(60_000, request.signal);
      return { body: "late" };
    });
    const provider = edgar({ upstream, vault: fakeVault(), clock, userAgent: "Z z@z.example" });
    const late = provider.document(REF, "a.htm").catch((error: unknown) => error);
    await Promise.resolve();
    clock.advance(25_000);
    const error = await late;
    expect(error).toBeInstanceOf(UpstreamTimeout);
    expect((error as Error).message).toContain("25 s");
  });

  test("the caller may leave sooner", async () => {
    const caller = new AbortController();
    const { provider } = open({ "a.htm": "x" });
    caller.abort(new Error("gone"));
    await expect(provider.document(REF, "a.htm", { signal: caller.signal })).rejects.toThrow("gone");
  });
});

describe("headers", () => {
  test("from the page that has both spellings, else from the header file", async () => {
    const { provider, asked } = open({ [`${ACCESSION}.hdr.sgml`]: HEADER });
    expect(await provider.filingHeader(REF)).toMatchObject({
      accepted_at: "2026-03-06T21:46:18Z",
      form_type: "8-K",
    });
    expect(asked()).toEqual([`${ACCESSION}-index-headers.html`, `${ACCESSION}.hdr.sgml`]);
  });
  test("a filing that is not there", async () => {
    await expect(open({}).provider.filingHeader(REF)).rejects.toBeInstanceOf(NotFound);
    await expect(open({}).provider.filingIndex({ accession_number: ACCESSION })).rejects.toBeInstanceOf(
      NotFound,
    );
  });
});

describe("the whole submission in place of what is not there", () => {
  const titled = (...titles: string[]) =>
    submission(
      document(1, "8-K", "<p>body</p>").replace("<TEXT>", "<FILENAME>d8k.htm\n<TEXT>"),
      document(2, "EX-99.1", "<p>release</p>").replace("<TEXT>", "<FILENAME>ex991.htm\n<TEXT>"),
    ).replace(
      "<FILING-DATE>",
      `${titles.map((title) => `ITEM INFORMATION:\t\t${title}\n`).join("")}<FILING-DATE>`,
    );
  const whole = titled("Results of Operations and Financial Condition", "Financial Statements and Exhibits");

  test.each([
    ["none", {}],
    ["of another shape", { [`${ACCESSION}-index.html`]: "<html><body>New layout</body></html>" }],
  ])("an index page: %s", async (_, files) => {
    const { provider } = open({ ...files, [`${ACCESSION}.txt`]: whole });
    expect(await provider.filingIndex(REF)).toEqual({
      accession_number: ACCESSION,
      form_type: "8-K",
      filing_date: "2026-03-06",
      report_date: null,
      accepted_at: "2026-03-06T21:46:18Z",
      precision: "second",
      source: "header",
      public_from: "2026-03-06T21:46:18Z",
      items: ["2.02", "9.01"],
      documents: [
        { sequence: 1, type: "8-K", description: "x", filename: "d8k.htm", size: null },
        { sequence: 2, type: "EX-99.1", description: "x", filename: "ex991.htm", size: null },
      ],
      parties: [],
    });
    await expect(provider.filingIndex(REF, { pageOnly: true })).rejects.toBeInstanceOf(AsofError);
  });

  test("an unknown title leaves the list empty instead of incomplete", async () => {
    const { provider } = open({ [`${ACCESSION}.txt`]: titled("Other Events", "An item of next year") });
    expect((await provider.filingIndex(REF)).items).toEqual([]);
  });

  test("an exhibit the page names is cut out of it", async () => {
    const { provider } = open({
      [`${ACCESSION}-index.html`]: page(
        row(1, `${PATH}d8k.htm`, "8-K"),
        row(2, `${PATH}ex991.htm`, "EX-99.1"),
      ),
      [`${ACCESSION}.txt`]: whole,
    });
    const exhibit = await provider.exhibit(REF, "EX-99.1");
    expect(exhibit).toMatchObject({
      filename: "ex991.htm",
      type: "EX-99.1",
      content_type: "text/html",
      url: `${FOLDER}${ACCESSION}.txt`,
    });
    expect(text(exhibit.bytes)).toBe("<p>release</p>");
  });

  test("without a whole submission the first error is thrown, and an outage stays an outage", async () => {
    const page404 = open({ [`${ACCESSION}.txt`]: "<html>no submission</html>" }).provider.filingIndex(REF);
    await expect(page404).rejects.toBeInstanceOf(NotFound);
    const down = open({ [`${ACCESSION}.txt`]: { status: 503 } }).provider.filingIndex(REF);
    await expect(down).rejects.not.toBeInstanceOf(NotFound);
  });
});

describe("exhibits by their type", () => {
  const index = page(
    row(1, `${PATH}d8k.htm`, "8-K"),
    row(2, `${PATH}first.htm`, "EX-99.1"),
    row(3, `${PATH}second.htm`, "EX-99.1"),
    row(4, `${PATH}x.htm`, "EX-99"),
  );
  const files = {
    [`${ACCESSION}-index.html`]: index,
    "first.htm": "first",
    "second.htm": "second",
    "x.htm": "x",
  };

  test("the first of its type, exactly", async () => {
    const { provider } = open(files);
    const exhibit = await provider.exhibit(REF, "ex-99.1");
    expect(exhibit).toMatchObject({ filename: "first.htm", type: "EX-99.1", content_type: "text/html" });
    expect(text(exhibit.bytes)).toBe("first");
    expect((await provider.exhibit(REF, "EX-99")).filename).toBe("x.htm");
    await expect(provider.exhibit(REF, "EX-10.1")).rejects.toThrow("has no document of type EX-10.1");
  });

  test("before 2001: cut out of the whole, the limit for the exhibit and not for the whole", async () => {
    const whole = submission(document(1, "10-Q", "y".repeat(300)), document(2, "EX-27", "<CASH> 1,662"));
    const { provider, asked } = open({
      [`${ACCESSION}-index.html`]: page(row(1, PATH, "10-Q"), row(2, PATH, "EX-27")),
      [`${ACCESSION}.txt`]: whole,
    });
    const schedule = await provider.exhibit(REF, "EX-27", { bytesMax: 100 });
    expect(schedule).toMatchObject({
      filename: null,
      type: "EX-27",
      content_type: "text/plain",
      url: `${FOLDER}${ACCESSION}.txt`,
    });
    expect(text(schedule.bytes)).toBe("<CASH> 1,662");
    await expect(provider.exhibit(REF, "10-Q", { bytesMax: 100 })).rejects.toMatchObject({
      code: "exhibit_too_large",
    });
    expect(asked()).toEqual([`${ACCESSION}-index.html`, `${ACCESSION}.txt`]);
  });

  test("N-PORT's own name", async () => {
    const { provider, asked } = open({ "primary_doc.xml": "<edgarSubmission/>" });
    expect((await provider.nport(REF)).content_type).toBe("application/xml");
    expect(asked()).toEqual(["primary_doc.xml"]);
  });
});
