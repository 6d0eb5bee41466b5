// The pages for readers are short enough to be read: no cell of a table over 160 characters, no sentence over
// 30 words, those that are generated from the code included.
import { expect, test } from "bun:test";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "..");
const CELL_MAX = 160;
const WORDS_MAX = 30;
/** Cells of measurements are read beside each other, so they are shorter. */
const CELL_MAX_OF: Readonly<Record<string, number>> = { "docs/performance.md": 90 };

const pages = ["*.md", "{data,docs,python,src}/*.md"]
  .flatMap((of) => [...new Bun.Glob(of).scanSync({ cwd: ROOT })])
  .sort();

const withoutCode = (text: string) => text.replace(/^```[\s\S]*?^```$/gm, "");
const cellsOf = (text: string) =>
  withoutCode(text)
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .flatMap((line) => line.split(/(?<!\\)\|/).slice(1, -1))
    .map((cell) => cell.trim());

/** Sentences of paragraphs, items and cells. What stands between backticks counts as one word. */
function sentencesOf(text: string): string[] {
  const prose = withoutCode(text)
    .split("\n")
    .map((line) => (/^[|#]/.test(line) ? "" : line))
    .join("\n");
  return [...prose.split(/\n\s*\n|\n(?=\s*(?:-|\d+\.) )/), ...cellsOf(text)].flatMap((part) =>
    part
      .replace(/\s+/g, " ")
      .replace(/\]\([^)]*\)/g, "]")
      .replace(/`[^`]*`/g, "code")
      .trim()
      .split(/(?<=[.?!]\)?(?:\*\*)?)\s+/),
  );
}
const wordsIn = (sentence: string) => sentence.split(" ").filter((word) => /\w/.test(word)).length;

test("long cells and sentences are found, links and code counted as what is read", () => {
  expect(cellsOf("| a | `b\\|c` |\n|---|---|\n```\n| not | this |\n```\n")).toContain("`b\\|c`");
  const sentence = `One ${"word ".repeat(WORDS_MAX - 2)}[last](http://a.example/b/c/d).`;
  expect(sentencesOf(`${sentence} \`a b c d e f\` is one.`).map(wordsIn)).toEqual([WORDS_MAX, 3]);
});

test.each(pages)("%s has no long cell and no long sentence", async (page) => {
  const text = await Bun.file(join(ROOT, page)).text();
  const cellMax = CELL_MAX_OF[page] ?? CELL_MAX;
  expect({
    cells: cellsOf(text).filter((cell) => cell.length > cellMax),
    sentences: sentencesOf(text).filter((sentence) => wordsIn(sentence) > WORDS_MAX),
  }).toEqual({ cells: [], sentences: [] });
});

/** First cells of the table below a heading. */
const firstCells = (text: string, heading: string) => {
  const below = text.slice(text.indexOf(`${heading}\n`)).split("\n");
  const from = below.findIndex((line) => line.startsWith("|"));
  const rows = below.slice(from, from + below.slice(from).findIndex((line) => !line.startsWith("|")));
  return rows.slice(2).map((row) => row.split(" | ")[0]);
};

test.each(pages)("%s keeps no marks of a merge", async (page) => {
  const text = await Bun.file(join(ROOT, page)).text();
  expect(text.split("\n").filter((line) => /^(?:<{7}|={7}|>{7})(?: |$)/.test(line))).toEqual([]);
});

test("each kind of data says from when it counts, and has an example", async () => {
  const page = await Bun.file(join(ROOT, "docs/as-of.md")).text();
  const kinds = firstCells(page, "## From when each kind of data counts");
  expect(kinds).toContain("| daily bars, settled panel prices");
  expect(firstCells(page, "### An example of each")).toEqual(kinds);
});
