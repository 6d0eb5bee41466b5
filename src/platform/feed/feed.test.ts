// Complete and broken feeds.
import { expect, test } from "bun:test";
import { FeedBroken, feedText, fieldOf, fieldsOf, linkOf, readFeed } from "./feed.ts";

const RSS = `<?xml version="1.0"?>
<rss version="2.0"><channel><title>A feed</title><language>en-US</language><image><title>logo</title></image>
<item><title><![CDATA[Up & away <b>]]></title><link>https://a.example/1</link><category domain="d">X</category>
<category>Y</category><guid isPermaLink="false"> 1 </guid></item><item><title>A &amp; B &#233;</title></item></channel></rss>`;

test("rss: items with their fields in order, and the fields of the feed itself", () => {
  const feed = readFeed(RSS);
  expect(feed.kind).toBe("rss");
  expect([fieldOf(feed.about, "title"), fieldOf(feed.about, "language")]).toEqual(["A feed", "en-US"]);
  const [first, second] = feed.entries;
  if (!first || !second) throw new Error("two items were written");
  expect(fieldOf(first, "title")).toBe("Up & away <b>");
  expect(linkOf(first)).toBe("https://a.example/1");
  expect(fieldOf(first, "guid")).toBe("1");
  expect(fieldsOf(first, "category").map(({ text, attributes }) => [text, attributes.domain])).toEqual([
    ["X", "d"],
    ["Y", undefined],
  ]);
  expect(fieldOf(second, "title")).toBe("A & B é");
  expect(linkOf(second)).toBeNull();
});

test("atom: entries, the link of the article, the name within the author", () => {
  const feed = readFeed(
    '<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><entry><id>i</id><title>H</title><author><name>N</name></author>' +
      '<link rel="self" href="https://a.example/self"/><link href="https://a.example/h"/></entry></feed>',
  );
  const [entry] = feed.entries;
  if (!entry) throw new Error("an entry was written");
  expect([feed.kind, linkOf(entry), fieldOf(entry, "name")]).toEqual(["atom", "https://a.example/h", "N"]);
});

test("title, id and link of an entry come before those of its nested elements", () => {
  const taken =
    '<source><id>theirs</id><title>Their feed</title><link href="https://b.example/feed"/><updated>2020-01-01T00:00:00Z</updated></source>';
  const [entry] = readFeed(
    `<feed><entry>${taken}<id>i</id><title>H</title><link href="https://a.example/h"/></entry></feed>`,
  ).entries;
  const [item] = readFeed(
    "<rss><channel><item><image><title>logo</title><link>https://b.example/logo</link></image><title>H</title>" +
      '<link>https://a.example/h</link><source url="https://c.example">C</source></item></channel></rss>',
  ).entries;
  if (!entry || !item) throw new Error("an entry and an item were written");
  expect([fieldOf(entry, "id"), fieldOf(entry, "title"), linkOf(entry)]).toEqual([
    "i",
    "H",
    "https://a.example/h",
  ]);
  expect(fieldOf(entry, "updated")).toBeNull();
  expect([fieldOf(item, "title"), linkOf(item), fieldOf(item, "source")]).toEqual([
    "H",
    "https://a.example/h",
    "C",
  ]);
});

const BROKEN: readonly (readonly [what: string, source: string])[] = [
  ["nothing", ""],
  ["cut off", RSS.slice(0, RSS.length - 30)],
  ["a page", "<html><body>Just a moment</body></html>"],
  ["text", "Access denied"],
  ["JSON", '{"items":[]}'],
  ["a document type", `<!DOCTYPE rss [<!ENTITY a "b">]>${RSS.slice(RSS.indexOf("<rss"))}`],
  ["tags that cross", RSS.replace("</guid></item>", "</item></guid>")],
  ["nesting without end", `<rss><channel>${"<a>".repeat(100)}`],
  ["too many elements", `<rss><channel>${"<a/>".repeat(60_000)}</channel></rss>`],
];

for (const [what, source] of BROKEN)
  test(`refused: ${what}`, () => {
    expect(() => readFeed(source)).toThrow(FeedBroken);
  });

test("ampersands that begin no XML entity are text", () => {
  const source = RSS.replace("A &amp; B", "A&nbsp;&B &rsquo; &amp;").replace(
    "a.example/1",
    "a.example/1?a=1&copy=2&amp;c=3",
  );
  const [first, second] = readFeed(source).entries;
  if (!first || !second) throw new Error("two items were written");
  expect(linkOf(first)).toBe("https://a.example/1?a=1&copy=2&c=3");
  // Text in a CDATA part stays as it is.
  expect(fieldOf(first, "title")).toBe("Up & away <b>");
  expect(fieldOf(second, "title")).toBe("A&nbsp;&B &rsquo; & é");
});

test("the declared encoding is used", () => {
  const latin = Uint8Array.from(
    [...'<?xml version="1.0" encoding="ISO-8859-1"?><rss>é</rss>'].map((c) => c.charCodeAt(0)),
  );
  expect(feedText(latin)).toContain("<rss>é</rss>");
  expect(feedText(new TextEncoder().encode("\ufeff\n<rss>é</rss>"))).toBe("<rss>é</rss>");
  expect(() => feedText(new TextEncoder().encode('<?xml version="1.0" encoding="klingon"?><rss/>'))).toThrow(
    FeedBroken,
  );
});
