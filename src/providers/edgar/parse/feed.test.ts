import { describe, expect, test } from "bun:test";
import { UpstreamFailed } from "../../../platform/errors.ts";
import { readFeed } from "./feed.ts";

const entry = (
  more: Partial<Record<"title" | "updated" | "id" | "summary" | "term", string>> = {},
) => `<entry>
<title>${more.title ?? "8-K - O&apos;DOE &amp; SONS (OLD) (0000004711) (Filer)"}</title>
<link rel="alternate" href="https://www.sec.gov/x-index.htm"/>
<summary type="html">
 ${more.summary ?? "&lt;b&gt;Filed:&lt;/b&gt; 2025-12-15 &lt;b&gt;AccNo:&lt;/b&gt; 0001234567-25-000089 &lt;b&gt;Size:&lt;/b&gt; 13 KB\n&lt;br&gt;Item 2.02: Results\n&lt;br&gt;Item 9.01: Exhibits, see Item 5.02"}
</summary>
<updated>${more.updated ?? "2025-12-12T18:02:10-05:00"}</updated>
<category scheme="https://www.sec.gov/" label="form type" term="${more.term ?? "8-K"}"/>
<id>${more.id ?? "urn:tag:sec.gov,2008:accession-number=0001234567-25-000089"}</id>
</entry>`;
const feed = (...entries: string[]) => `<?xml version="1.0" encoding="ISO-8859-1" ?>
<feed xmlns="http://www.w3.org/2005/Atom">
<title>Latest Filings</title>
<author><name>Webmaster</name></author>
<updated>2025-12-12T18:02:34-05:00</updated>
${entries.join("\n")}
</feed>
`;

test("an entry: the offset of its time, the date of filing after the close, the items of its summary", () => {
  const { entries, updatedAt } = readFeed(feed(entry()));
  expect(updatedAt.toString()).toBe("2025-12-12T23:02:34Z");
  expect(entries).toEqual([
    {
      accepted_at: "2025-12-12T23:02:10Z",
      filing_date: "2025-12-15",
      precision: "second",
      source: "feed",
      public_from: "2025-12-15T11:00:00Z",
      accession_number: "0001234567-25-000089",
      form_type: "8-K",
      cik: "0000004711",
      company_name: "O'DOE & SONS (OLD)",
      role: "Filer",
      items: ["2.02", "9.01"],
    },
  ]);
});

test("summer time is in the offset", () => {
  const [one] = readFeed(feed(entry({ updated: "2025-07-11T16:02:10-04:00" }))).entries;
  expect(one?.accepted_at).toBe("2025-07-11T20:02:10Z");
});

test("names with hyphens and brackets, titles without a role or a CIK", () => {
  const titles = ["4 - X - Y (Z) Corp (0000000012) (Reporting)", "4 - Plain (0000000012)", "4 - Nameless"];
  const { entries } = readFeed(
    feed(...titles.map((title) => entry({ title, term: "4", summary: "Filed: 2025-12-12" }))),
  );
  expect(entries.map(({ company_name, cik, role }) => [company_name, cik, role])).toEqual([
    ["X - Y (Z) Corp", "0000000012", "Reporting"],
    ["Plain", "0000000012", null],
    ["Nameless", null, null],
  ]);
});

test("a feed without entries", () => expect(readFeed(feed()).entries).toEqual([]));

describe("another shape is refused", () => {
  test.each([
    ["cut off between entries", feed(entry()).replace("</feed>", "")],
    ["cut off in an entry", feed(entry()).slice(0, 600)],
    ["no time of its own", feed(entry()).replace(/<updated>2025-12-12T18:02:34.*\n/, "")],
    ["a time without an offset", feed(entry({ updated: "2025-12-12T18:02:10" }))],
    ["no accession number", feed(entry({ id: "urn:x" }))],
    ["no form", feed(entry({ term: "" }))],
    ["no filing date", feed(entry({ summary: "AccNo: 1" }))],
    ["a page", "<html></html>"],
    ["nothing", ""],
  ])("%s", (_what, source) => expect(() => readFeed(source)).toThrow(UpstreamFailed));
});

test("entities of a DOCTYPE are not expanded", () => {
  const bomb = `<!DOCTYPE feed [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>`;
  const source = feed(entry({ title: "8-K - &b; (0000004711) (Filer)" })).replace("<feed", `${bomb}<feed`);
  expect(readFeed(source).entries[0]?.company_name).toBe("&b;");
});
