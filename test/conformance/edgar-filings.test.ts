// Recorded headers, detail pages and whole submissions of EDGAR through the provider.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { type FilingHeader, type FilingIndex, readHeader } from "../../src/providers/edgar/index.ts";
import { answering, bytesOf, has, hasRecordings, listed, stampOf, textOf } from "./edgar-recordings.ts";

setDefaultTimeout(1_200_000);

if (!hasRecordings) test("skipped: no recordings", () => {});

const MISSING = { status: 404, body: "<Error><Code>NoSuchKey</Code></Error>" };
/** The accession number inside a recorded page or submission. */
const numberIn = (file: string): string => {
  const text = textOf(file);
  return (
    (/ACCESSION[ -]NUMBER[:>]\s*([\d-]{20})/.exec(text) ?? /([\d-]{20})\s*<\/div>/.exec(text))?.[1] ?? ""
  );
};
const indexOf = (file: string): Promise<FilingIndex> =>
  answering({ body: bytesOf(file) }).filingIndex({ accession_number: numberIn(file) });
const headerOf = (file: string): Promise<FilingHeader> =>
  answering({ body: bytesOf(file) }).filingHeader({ accession_number: numberIn(file) });

/** Returns the manifest's facts about a whole submission. */
function factsOf(file: string) {
  const [, part = ""] = textOf("MANIFEST.md").split(`**\`${file}\`**`);
  const line =
    part
      .split(/^- \*\*`/m)[0]
      ?.split("\n")
      .find((one) => one.includes("header items:")) ?? "";
  const [, name, accession, accepted, filed, period, items = "[]", types = "[]"] =
    /FACT: (.*); accession ([\d-]+); accepted (\d{14}|no .*?); filed (\d{8}); period of report (\d{8}); header items: (\[.*?\]); document types: (\[.*?\])/.exec(
      line,
    ) ?? [];
  const list = (text: string): string[] => JSON.parse(text.replaceAll("'", '"'));
  return name ? { name, accession, accepted, filed, period, items: list(items), types: list(types) } : null;
}
const dashes = (day = "") => `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`;

describe.if(hasRecordings)("whole 8-K submissions", () => {
  for (const file of listed("8k_full")) {
    test(file, async () => {
      const { header, documents } = await answering({ body: bytesOf(file) }).submissionText({
        accession_number: numberIn(file),
      });
      expect(documents.length).toBeGreaterThan(0);
      expect(documents.length).toBe(textOf(file).split(/^<DOCUMENT>/m).length - 1);
      const facts = factsOf(file);
      if (!facts) return;
      expect(header).toMatchObject({
        accession_number: facts.accession ?? "",
        form_type: "8-K",
        filing_date: dashes(facts.filed),
        report_date: dashes(facts.period),
      });
      expect(header.parties[0]).toMatchObject({ role: "filer", name: facts.name });
      expect(header.item_titles.length > 0 ? header.item_titles : header.items).toEqual(facts.items);
      // Of an .nc file the manifest counts the type in its header as a first document.
      const types = file.endsWith(".nc") ? facts.types.slice(1) : facts.types;
      expect(documents.slice(0, types.length).map((one) => one.type)).toEqual(types);
      if (/^\d/.test(facts.accepted ?? "")) {
        expect(header).toMatchObject({ precision: "second", source: "header" });
        expect(stampOf(header.accepted_at)).toBe(facts.accepted ?? "");
      } else expect(header).toMatchObject({ precision: "day", accepted_at: null, public_from: null });
    });

    test(`${file} cut off anywhere is refused, not read in part`, async () => {
      const bytes = bytesOf(file);
      for (const share of [0.3, 0.6, 0.95]) {
        const body = bytes.subarray(0, Math.floor(bytes.length * share));
        await expect(
          answering({ body }).submissionText({ accession_number: numberIn(file) }),
        ).rejects.toMatchObject({ name: expect.stringMatching(/Failed/) });
      }
    });
  }

  test.if(has("8k_full/JWN_0000072333-23-000015.txt"))("accepted at 17:29:21 keeps its day", () => {
    const header = readHeader(textOf("8k_full/JWN_0000072333-23-000015.txt"));
    expect(header).toMatchObject({
      accepted_at: "2023-03-06T22:29:21Z",
      filing_date: "2023-03-06",
      public_from: "2023-03-06T22:29:21Z",
      report_date: "2023-03-01",
    });
  });
});

describe.if(hasRecordings)("headers", () => {
  test.each(listed("index", /headers\.html$/))("%s", async (file) => {
    const header = await headerOf(file);
    const stamp = /ACCEPTANCE-DATETIME>(\d{14})/.exec(textOf(file))?.[1];
    expect(stampOf(header.accepted_at)).toBe(stamp ?? null);
    expect(header.parties.every((party) => party.cik && party.name)).toBe(true);
  });

  test.if(has("index/23AndMe.index-headers.html"))(
    "numbers and titles of items from the two spellings, names it had",
    async () => {
      expect(await headerOf("index/23AndMe.index-headers.html")).toMatchObject({
        accepted_at: "2024-06-03T12:06:02Z",
        items: ["7.01", "9.01"],
        item_titles: ["Regulation FD Disclosure", "Financial Statements and Exhibits"],
        public_document_count: 14,
        parties: [
          {
            role: "filer",
            cik: "0001804591",
            sic: "2834",
            fiscal_year_end: "03-31",
            former_names: [
              { changed_on: "2020-09-15" },
              { changed_on: "2020-09-09" },
              { changed_on: "2020-02-25" },
            ],
          },
        ],
      });
    },
  );

  test.if(has("index/form4.index-headers.html"))(
    "a Form 4 after 17:30 keeps its day, and owner and issuer are distinguished",
    async () => {
      expect(await headerOf("index/form4.index-headers.html")).toMatchObject({
        accepted_at: "2024-06-07T22:10:30Z",
        filing_date: "2024-06-07",
        public_from: "2024-06-07T22:10:30Z",
        parties: [
          { role: "reporting_owner", cik: "0001641388", name: "Hassett Joseph" },
          { role: "issuer", cik: "0000914156", name: "UFP TECHNOLOGIES INC" },
        ],
      });
    },
  );

  test.if(has("form4/legacy_text_0001094891-00-000193.full.txt"))(
    "before 2002 no time is made up, and the file's own day counts",
    () => {
      expect(readHeader(textOf("form4/legacy_text_0001094891-00-000193.full.txt"))).toMatchObject({
        accepted_at: null,
        precision: "day",
        filing_date: "2000-03-14",
        public_from: "2000-03-17T04:59:59Z",
        parties: [
          { role: "subject_company", cik: "0000911787" },
          { role: "reporting_owner", cik: "0001050609" },
        ],
      });
    },
  );
});

describe.if(hasRecordings)("detail pages", () => {
  test.each(listed("index", /-index\.html$/))("%s", async (file) => {
    const page = await indexOf(file);
    const shown = /Accepted<\/div>\s*<div class="info">([\d: -]+)</.exec(textOf(file))?.[1] ?? "";
    expect(stampOf(page.accepted_at)).toBe(/00:00:00$/.test(shown) ? null : shown.replaceAll(/\D/g, ""));
    expect(page.documents.some((one) => one.filename === `${page.accession_number}.txt`)).toBe(true);
    expect(page.documents.every((one) => one.filename === null || !one.filename.includes("/"))).toBe(true);
    expect(page.parties.length).toBeGreaterThan(0);
  });

  test.if(has("index/form4ish_0000950142-22-003095-index.html"))(
    "a Form 4 late in the evening, its raw file and not the rendering",
    async () => {
      const page = await indexOf("index/form4ish_0000950142-22-003095-index.html");
      expect(page).toMatchObject({
        form_type: "4",
        filing_date: "2022-11-04",
        accepted_at: "2022-11-05T01:03:43Z",
        report_date: "2022-09-28",
      });
      expect(page.documents.map((one) => one.filename)).toEqual([
        "es220296680_4-davis.xml",
        "0000950142-22-003095.txt",
      ]);
      expect(page.parties).toEqual([
        { cik: "0001300650", name: "Davis Anthony Lynn", role: "Reporting" },
        { cik: "0001609804", name: "Orion Engineered Carbons S.A.", role: "Issuer" },
      ]);
    },
  );

  test.if(has("index/JPM_0000019617-26-000241-index.html"))(
    "an 8-K: item, exhibit by type, the document behind its viewer",
    async () => {
      const page = await indexOf("index/JPM_0000019617-26-000241-index.html");
      expect(page).toMatchObject({ form_type: "8-K", items: ["5.02"], accepted_at: "2026-06-25T11:59:33Z" });
      expect(page.documents.slice(0, 2).map((one) => [one.sequence, one.type, one.filename])).toEqual([
        [1, "8-K", "jpm-20260624.htm"],
        [2, "EX-99.1", "jpmcpressrelease06252026.htm"],
      ]);
    },
  );

  test.if(has("index/CRR_0001564590-18-004771-index.html"))(
    "a 10-K with its data files, filed for the day after",
    async () => {
      const page = await indexOf("index/CRR_0001564590-18-004771-index.html");
      expect(page).toMatchObject({
        form_type: "10-K",
        filing_date: "2018-03-08",
        accepted_at: "2018-03-07T23:03:42Z",
        public_from: "2018-03-08T11:00:00Z",
      });
      expect(page.documents.find((one) => one.type === "EX-101.INS")?.filename).toBe("crr-20171231.xml");
      expect(page.documents).toHaveLength(18);
    },
  );
});

const OLD = {
  page: "index/AAPL_0000912057-00-023442-index.html",
  whole: "ex27/AAPL_10Q_0000912057-00-023442.full.txt",
};

describe.if(has(OLD.page) && has(OLD.whole))("a filing of 2000", () => {
  test("its EX-27 is cut out of the whole submission", async () => {
    const provider = answering(({ pathname }) => {
      if (pathname.endsWith("-index.html")) return { body: bytesOf(OLD.page) };
      return pathname.endsWith(".txt") ? { body: bytesOf(OLD.whole) } : MISSING;
    });
    const schedule = await provider.exhibit({ accession_number: numberIn(OLD.whole) }, "EX-27");
    const text = new TextDecoder().decode(schedule.bytes);
    expect(schedule).toMatchObject({ filename: null, type: "EX-27", content_type: "text/plain" });
    expect(text).toMatch(/<MULTIPLIER>\s+1,000,000/);
    expect(text).toMatch(/<TOTAL-REVENUES>\s+1,945/);
    expect(text).toMatch(/<EPS-DILUTED>\s+1\.28/);
  });
});
