import { describe, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { fakeClock } from "../../../../../test/support/fake-clock.ts";
import type { Clock } from "../../../../platform/clock.ts";
import { UpstreamFailed } from "../../../../platform/errors.ts";
import { decodeFiling, ParseBudget, ParseFailed, splitSubmission, toPlainText } from "./filing-text.ts";

setDefaultTimeout(1_200_000);

const budget = (limits = {}) => new ParseBudget(fakeClock("2026-01-05T15:00:00Z"), limits);
const plain = (html: string) => toPlainText(html, budget());
const page = (body: string) => `<html><body>${body}</body></html>`;

function reasonOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof ParseFailed) return error.reason;
    throw error;
  }
  return "none";
}

const document = (type: string, text: string, more = "") =>
  `<DOCUMENT>\n<TYPE>${type}\n<SEQUENCE>1\n${more}<TEXT>\n${text}\n</TEXT>\n</DOCUMENT>\n`;
const submission = (...documents: string[]) =>
  `<SEC-DOCUMENT>a.txt : 20200102\n<SEC-HEADER>\n<TYPE>8-K\n</SEC-HEADER>\n${documents.join("")}</SEC-DOCUMENT>\n`;

describe("a whole submission", () => {
  const split = (source: string) => splitSubmission(source, budget());

  test("gives its documents with type, sequence, name and description", () => {
    const more = "<FILENAME>a8k.htm\n<DESCRIPTION>FORM 8-K & MORE\n";
    const [body, release] = split(
      submission(
        document("8-k", "<XBRL>\n<p>Hi</p>\n</XBRL>", more),
        document("EX-99.1", "<XML>\n<a/></XML>"),
      ),
    );
    expect(body).toEqual({
      sequence: 1,
      type: "8-K",
      filename: "a8k.htm",
      description: "FORM 8-K & MORE",
      text: "<p>Hi</p>",
    });
    expect(release).toEqual({
      sequence: 1,
      type: "EX-99.1",
      filename: null,
      description: null,
      text: "<a/>",
    });
  });

  test("skips uuencoded parts and PDF", () => {
    const texts = split(
      submission(
        document("GRAPHIC", "begin 644 g1.jpg\nM_]C_\n`\nend"),
        document("EX-99.1", "<PDF>\nbegin 644 r.pdf\nM_\nend\n</PDF>"),
        document("8-K", "begin as we mean to go on"),
      ),
    ).map((d) => d.text);
    expect(texts).toEqual([null, null, "begin as we mean to go on"]);
  });

  test("takes a tag within a line for text, and reads the bulk feed's form", () => {
    const source = document("8-K", "the <DOCUMENT> tag").replace("<SEQUENCE>1", "<SEQUENCE>x");
    expect(split(`<SUBMISSION>\n${source}</SUBMISSION>`)).toMatchObject([
      { sequence: null, text: "the <DOCUMENT> tag" },
    ]);
  });

  test.each([
    ["an empty file", "", "no_documents"],
    ["an error page", "<html><body>undergoing maintenance</body></html>", "no_documents"],
    ["a header alone", "<SEC-DOCUMENT>a\n<SEC-HEADER>\n</SEC-HEADER>", "no_documents"],
    ["no end of the envelope", submission(document("8-K", "x")).replace("</SEC-DOCUMENT>", ""), "truncated"],
    ["no end of the feed's envelope", `<SUBMISSION>\n${document("8-K", "x")}`, "truncated"],
    ["a document that does not end", document("8-K", "x").replace("</DOCUMENT>", ""), "truncated"],
    ["a text that does not end", document("8-K", "x").replace("</TEXT>", ""), "truncated"],
    ["no text", "<DOCUMENT>\n<TYPE>8-K\n</DOCUMENT>\n", "truncated"],
    [
      "no text, though the next one has",
      `<DOCUMENT>\n<TYPE>8-K\n</DOCUMENT>\n${document("EX-1", "x")}`,
      "truncated",
    ],
    ["a document in a document", document("8-K", `x\n${document("EX-1", "y")}`), "truncated"],
  ])("fails on %s", (_, source, reason) => {
    expect(reasonOf(() => split(source))).toBe(reason);
  });

  test("a failure is an upstream failure of edgar", () => {
    const failure = new ParseFailed("truncated", "cut");
    expect(failure).toBeInstanceOf(UpstreamFailed);
    expect(failure.facts.upstream).toBe("edgar");
  });
});

describe("bytes", () => {
  test("are UTF-8, or else windows-1252", () => {
    expect(decodeFiling(new TextEncoder().encode("naïve “é”"))).toBe("naïve “é”");
    expect(decodeFiling(new Uint8Array([0x93, 0x41, 0x92, 0x94, 0x80]))).toBe("“A’”€");
    expect(decodeFiling(new Uint8Array())).toBe("");
  });
});

describe("plain text of HTML", () => {
  test.each([
    [
      "paragraphs and breaks",
      "<p>One\n two</p><p>three<br>four<br><br>five</p>",
      "One two\n\nthree\nfour\n\nfive",
    ],
    ["divs with empty ones between", "<div>a</div><div><br/></div><div>b</div><div>c</div>", "a\n\nb\nc"],
    ["text split over spans", "<p>It<b>em</b> 2.<span>02</span></p>", "Item 2.02"],
    ["blanks of all kinds", "<p>Item&nbsp;&#160;&#8195;5.02 \u00a0 x</p>", "Item 5.02 x"],
    ["unseen characters", "<p>It&#8203;em&shy;s\ufeff</p>", "Items"],
    [
      "entities",
      "<p>AT&amp;T &lt;b&gt; &#x2014; &rsquo;&eacute; &nosuch; R&D</p>",
      "AT&T <b> — ’é &nosuch; R&D",
    ],
    ["windows-1252 leftovers", "<p>&#147;A&#146;s&#148; \u0093b\u0094 \u0081x</p>", "“A’s” “b” x"],
    [
      "rows as lines",
      "<table><tr><th>Item</th><td><p>2.02</p></td></tr><tr><td>a<td>b</table>",
      "Item\t2.02\n\na\tb",
    ],
    ["empty cells left out", "<table><tr><td>&nbsp;</td><td>a</td><td></td><td>b</td></tr></table>", "a\tb"],
    [
      "one figure of several cells",
      "<table><tr><td>Net</td><td>$</td><td>(1,234</td><td>)</td><td>5</td><td>%</td></tr></table>",
      "Net\t$(1,234)\t5%",
    ],
    [
      "a table in a cell",
      "<table><tr><td>a<table><tr><td>b</td><td>c</td></tr></table></td><td>d</td></tr></table>",
      "a\n\nb\tc\n\nd",
    ],
    ["blocks in a cell", "<table><tr><td><p>a</p><p>b</p></td><td>c</td></tr></table>", "a\n\nb\tc"],
    ["preformatted text", "<pre>  a   b\n\n\n\nc</pre>d", "  a   b\n\nc\n\nd"],
    [
      "a footnote mark beside a figure",
      "<p>10.85<sup>1</sup> and <sup>2</sup>300, 1<sup>st</sup></p>",
      "10.85 1 and 2 300, 1st",
    ],
    [
      "a raised span",
      '<p>458<span style="position:relative;top:-3.5pt">(1)</span>7<span style="vertical-align:super">2</span></p>',
      "458(1)7 2",
    ],
    ["scripts, styles, titles", "<title>t</title><style>p{}</style><script>x<p>y</script><p>a</p>", "a"],
    [
      "hidden facts",
      '<div style="display: none"><ix:header><div>h</div><ix:hidden>i</ix:hidden></ix:header></div><p>a</p>',
      "a",
    ],
    ["facts shown", "<p>On <ix:nonNumeric name='dei:x'>March 1</ix:nonNumeric></p>", "On March 1"],
    ["an empty hidden element", '<div style="display:none"/><br style="display:none"><p>a</p>', "a"],
    ["a hidden paragraph left open", '<p style="display:none">h<p>a', "a"],
    ["a DOCTYPE", '<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01//EN"><p>a', "a"],
    ["a DOCTYPE that opens a comment", "<!--DOCTYPE html><html><p>a</p></html>", "a"],
    ["comments and instructions", "<?xml version='1.0'?><!-- <p>x</p> --><p>a</p>", "a"],
    [
      "absurd spans",
      '<table><tr><td colspan="376967340" rowspan="999999999">a</td><td>b</td></tr></table>',
      "a\tb",
    ],
    ["nothing", "", ""],
  ])("%s", (_, html, expected) => {
    expect(plain(html === "" ? "" : page(html))).toBe(expected);
  });

  test("ASCII keeps its lines and drops its few tags", () => {
    const ascii =
      "                 FORM 8-K\n<PAGE>\nItem 5.  Other Events   \n\n\n<TABLE>\n<S>    <C>\nNet    $1 < 2\n</TABLE>\n";
    expect(plain(ascii)).toBe("                 FORM 8-K\n\nItem 5.  Other Events\n\nNet    $1 < 2");
  });

  test("a boundary between chunks changes nothing, wherever it falls", () => {
    const tail = '<p style="display:none">no</p><p>AT&amp;T&#146;s <b>It</b>em&nbsp;2.02</p>';
    for (let pad = 65_536 - tail.length - 24; pad <= 65_536; pad += 1) {
      const text = plain(page(`${"x".repeat(pad)}${tail}`));
      expect(text.slice(pad)).toBe("\n\nAT&T’s Item 2.02");
    }
  });
});

describe("attacks on one document", () => {
  test.each([
    ["an internal subset", '<!DOCTYPE x [<!ENTITY a "b">]><p>&a;</p>', "forbidden_declaration"],
    ["an entity outside of one", '<p>a</p><!ENTITY a SYSTEM "file:///etc/passwd">', "forbidden_declaration"],
    ["an endless DOCTYPE", `<!DOCTYPE ${"x".repeat(5_000)}><p>a</p>`, "forbidden_declaration"],
    ["depth", page("<div>".repeat(1_001)), "too_deep"],
    ["depth of unknown tags", page("<a:b>".repeat(1_001)), "too_deep"],
  ])("%s", (_, html, reason) => {
    expect(reasonOf(() => plain(html))).toBe(reason);
  });

  test("the limits hold at their edge", () => {
    expect(plain(page(`${"<div>".repeat(1_000)}a`))).toBe("a");
    expect(plain(page(`${"<p>a".repeat(5_000)}`)).split("\n\n").length).toBe(5_000);
    expect(reasonOf(() => toPlainText("<p>abc", budget({ documentCharsMax: 5 })))).toBe("too_large");
    expect(toPlainText("<p>ab", budget({ documentCharsMax: 5 }))).toBe("ab");
    expect(reasonOf(() => toPlainText("<p><p><p>a", budget({ nodesMax: 2 })))).toBe("too_many_nodes");
    expect(toPlainText("<p><p>a", budget({ nodesMax: 2 }))).toBe("a");
  });

  test("tables 26 deep are read", () => {
    const deep = `${"<table><tr><td>".repeat(26)}inmost${"</td></tr></table>".repeat(26)}`;
    expect(plain(page(`<p>a</p>${deep}<p>b</p>`))).toBe("a\n\ninmost\n\nb");
  });

  test("the time is watched while reading, also inside one long tag", () => {
    let nowMs = 0;
    const passing: Clock = { ...fakeClock("2026-01-05T15:00:00Z"), nowMs: () => (nowMs += 100) };
    for (const html of [
      "<p>a</p>".repeat(100_000),
      `<p ${"a=b ".repeat(100_000)}`,
      `<!--${" ".repeat(9_000_000)}`,
    ]) {
      nowMs = 0;
      expect(reasonOf(() => toPlainText(html, new ParseBudget(passing, { msMax: 300 })))).toBe("too_slow");
    }
    expect(toPlainText("<p>a", new ParseBudget(passing, { msMax: 300 }))).toBe("a");
  });

  test("any markup gives text or a failure of its own kind, in steps that follow its length", () => {
    const piece = fc.constantFrom(
      "<p>",
      "</p>",
      "<table>",
      "<td",
      ">",
      "<",
      "&",
      "&#",
      ";",
      '"',
      "'",
      "=",
      "style=",
      "display:none",
      "<!--",
      "-->",
      "<!DOCTYPE",
      "<![CDATA[",
      "]]>",
      "<?",
      "<title>",
      "<pre>",
      "\u0093",
      "\ud800",
      "a ",
      "\n",
      "5",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 200 }), (pieces) => {
        const source = pieces.join("");
        const spent = budget();
        expect(["none", "forbidden_declaration"]).toContain(reasonOf(() => toPlainText(source, spent)));
        expect(spent.steps).toBeLessThan(10_000 + 3 * source.length);
      }),
      { numRuns: 300 },
    );
  });
});
