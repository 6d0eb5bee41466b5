// Text of titles and summaries as feeds write them.
import { expect, test } from "bun:test";
import { htmlText, shortened } from "./html-text.ts";

const CASES: readonly (readonly [html: string | null, text: string | null])[] = [
  ["R&amp;D &#8212; it&#39;s &quot;up&quot; 5&nbsp;%", 'R&D — it\'s "up" 5 %'],
  ["Plain R&D spending", "Plain R&D spending"],
  ["<p>First.</p><p>Second &amp; <b>th</b>ird.</p>", "First. Second & third."],
  ["One<br/>two", "One two"],
  ["P/E <5 and A<B rated", "P/E <5 and A<B rated"],
  ["\n\tTabs and\n\n lines\n", "Tabs and lines"],
  ["<script>alert(1)</script>Headline", "Headline"],
  ['<img src="https://pixel.example/1.gif">', null],
  ["caf&eacute; \u0007bell \ufeff", "café bell"],
  ["   ", null],
  [null, null],
];

for (const [html, text] of CASES)
  test(`${JSON.stringify(html)} says ${JSON.stringify(text)}`, () => {
    expect(htmlText(html)).toBe(text);
  });

test("a long text is cut at a word", () => {
  expect(shortened("one two three", 13)).toBe("one two three");
  expect(shortened("one two three", 10)).toBe("one two…");
  expect(shortened("x".repeat(30), 10)).toBe(`${"x".repeat(9)}…`);
  expect([...shortened("😀".repeat(30), 10)]).toHaveLength(10);
});
