// Tables of articles as rectangles of text: spans, footnotes, hidden keys, tables within tables, broken
// markup.
import { expect, test } from "bun:test";
import { readTables } from "./tables.ts";

const only = (html: string) => {
  const tables = readTables(html);
  if (tables.length !== 1 || !tables[0]) throw new Error(`${tables.length} tables`);
  return tables[0];
};

test("cells are text without markup, entities decoded, white space collapsed", () => {
  const table = only(
    '<table id="t"><tr><th>A&amp;B</th><th>C\n D</th></tr><tr><td><a href="/x">Brown–Forman</a>\n</td><td>x&#160;&nbsp; y<br>z</td></tr></table>',
  );
  expect(table).toEqual({
    id: "t",
    headerRows: 1,
    rows: [
      ["A&B", "C D"],
      ["Brown–Forman", "x y z"],
    ],
  });
});

test("removes footnote marks, as elements and as text; other superscripts stay", () => {
  const { rows } = only(
    '<table><tr><td>Industry<sup id="c" class="reference"><a>&#91;14&#93;</a></sup></td><td>ICB Subsector[14]</td><td>m<sup>2</sup></td><td>1902 [a] [citation needed]</td><td>X [note 2]</td></tr></table>',
  );
  expect(rows).toEqual([["Industry", "ICB Subsector", "m2", "1902", "X"]]);
});

test("hidden sort keys, styles and scripts are not text", () => {
  const { rows } = only(
    '<table><tr><td><span style="display:none">0001</span>1<style>.a{b}</style><script>if (a < b) c();</script></td><td><span style="display: none;"><b>k<br>ey</b></span>two</td></tr></table>',
  );
  expect(rows).toEqual([["1", "two"]]);
});

test("repeats cells that span rows and columns in every place", () => {
  const { rows, headerRows } = only(
    '<table><tr><th rowspan="2">Date</th><th colspan="2">Added</th></tr><tr><th>Ticker</th><th>Name</th></tr><tr><td rowspan="2">May 7</td><td>VEEV</td><td>Veeva</td></tr><tr><td>CTRA</td><td>Coterra</td></tr></table>',
  );
  expect(headerRows).toBe(2);
  expect(rows).toEqual([
    ["Date", "Added", "Added"],
    ["Date", "Ticker", "Name"],
    ["May 7", "VEEV", "Veeva"],
    ["May 7", "CTRA", "Coterra"],
  ]);
});

test("limits a span beyond the table and ignores an invalid one", () => {
  const { rows } = only(
    '<table><tr><td rowspan="99999999" colspan="x">a</td><td colspan="-3">b</td></tr></table>',
  );
  expect(rows).toEqual([["a", "b"]]);
  const wide = only('<table><tr><td colspan="376967340">a</td></tr></table>');
  expect(wide.rows[0]).toHaveLength(1_000);
});

test("a table within a cell is a separate table", () => {
  const tables = readTables(
    '<table id="outer"><tr><td>before<table id="inner"><tr><td>x</td></tr></table>after</td><td>y</td></tr></table>',
  );
  expect(tables.map(({ id, rows }) => [id, rows])).toEqual([
    ["inner", [["x"]]],
    ["outer", [["beforeafter", "y"]]],
  ]);
});

test("accepts no tables, unclosed rows, a truncated page", () => {
  expect(readTables("<p>nothing</p>")).toEqual([]);
  expect(readTables("")).toEqual([]);
  expect(only("<table><tr><td>a<td>b<tr><td>c").rows).toEqual([["a", "b"], ["c"]]);
});
