// Source text taken apart for the tests of style: what is code, what is comment, and what a file imports.

/**
 * A source file with comments and the insides of strings blanked out, positions unchanged; and its comments.
 */
export interface SourceText {
  readonly text: string;
  readonly code: string;
  readonly comments: readonly { readonly line: number; readonly text: string }[];
}

/** One import or export-from of a file. */
export interface Import {
  /** As written, e.g. `../market/date.ts` or `elysia`. */
  readonly from: string;
  /** The text before `from`, e.g. `type { AnyElysia }`. */
  readonly clause: string;
  readonly line: number;
}

/** The text after which a `/` begins a regular expression and is no division. */
const BEFORE_REGEX =
  /(^|[(,=:[!&|?{};+\-*%<>~^\n]|\b(return|typeof|case|in|of|do|else|yield|await|void))\s*$/;

export const lineOf = (text: string, at: number) => text.slice(0, at).split("\n").length;

/** Where the string that begins at `from` with `quote` ends, its closing quote excluded. */
function endOfString(text: string, from: number, quote: string): number {
  let i = from;
  while (i < text.length && text[i] !== quote) i += text[i] === "\\" ? 2 : 1;
  return i;
}

function endOfRegex(text: string, from: number): number {
  let inClass = false;
  for (let i = from; i < text.length; i++) {
    const c = text[i];
    if (c === "\n") return i;
    if (c === "\\") i++;
    else if (c === "[") inClass = true;
    else if (c === "]") inClass = false;
    else if (c === "/" && !inClass) return i;
  }
  return text.length;
}

/** Takes a TypeScript source apart. */
export function sourceText(text: string): SourceText {
  const out = [...text].length === text.length ? [...text] : text.split("");
  const comments: { line: number; text: string }[] = [];
  const blank = (from: number, to: number) => {
    for (let i = from; i < to && i < out.length; i++) if (out[i] !== "\n") out[i] = " ";
  };
  /** Depths of braces at which a `}` goes back into a template. */
  const templates: number[] = [];
  let depth = 0;
  let i = 0;
  const template = (from: number) => {
    let j = from;
    while (j < text.length && text[j] !== "`" && !(text[j] === "$" && text[j + 1] === "{"))
      j += text[j] === "\\" ? 2 : 1;
    blank(from, j);
    if (text[j] === "$") {
      templates.push(depth);
      depth++;
      i = j + 2;
    } else i = j + 1;
  };
  while (i < text.length) {
    const c = text[i] ?? "";
    const next = text[i + 1];
    if (c === "/" && (next === "/" || next === "*")) {
      const found = next === "/" ? text.indexOf("\n", i) : text.indexOf("*/", i + 2);
      const end = found < 0 ? text.length : next === "/" ? found : found + 2;
      comments.push({ line: lineOf(text, i), text: text.slice(i, end) });
      blank(i, end);
      i = end;
    } else if (c === '"' || c === "'") {
      const end = endOfString(text, i + 1, c);
      blank(i + 1, end);
      i = end + 1;
    } else if (c === "`") template(i + 1);
    else if (c === "/" && BEFORE_REGEX.test(out.slice(Math.max(0, i - 40), i).join(""))) {
      const end = endOfRegex(text, i + 1);
      blank(i + 1, end);
      i = end + 1;
    } else if (c === "}" && templates.at(-1) === depth - 1) {
      templates.pop();
      depth--;
      template(i + 1);
    } else {
      if (c === "{") depth++;
      else if (c === "}") depth--;
      i++;
    }
  }
  return { text, code: out.join(""), comments };
}

/** Returns the text of each comment without its marks; `//` lines below one another are one comment. */
export function commentsOf({ text, comments }: SourceText): { line: number; text: string }[] {
  const lines = text.split("\n");
  const isLine = (line: number) => /^\s*\/\//.test(lines[line - 1] ?? "");
  const found: { line: number; text: string }[] = [];
  for (const comment of comments) {
    const words = comment.text.replaceAll(/^[ \t]*(\/\/+|\/?\*+\/?)|\*\/$/gm, "").replaceAll(/\s+/g, " ");
    const last = found.at(-1);
    if (last && isLine(comment.line) && isLine(comment.line - 1)) last.text += ` ${words.trim()}`;
    else found.push({ line: comment.line, text: words.trim() });
  }
  return found;
}

/** Returns a file's imports, also those that it exports from or imports while it runs. */
export function importsOf({ text, code }: SourceText): Import[] {
  const found: Import[] = [];
  for (const match of code.matchAll(
    /\b(?:(?:import|export)\b([^;"'()]*?)\bfrom\s*|import\s*\(\s*|import\s+)(["'])/g,
  )) {
    const at = match.index + match[0].length;
    found.push({
      from: text.slice(at, endOfString(text, at, match[2] ?? '"')),
      clause: (match[1] ?? "").replace(/\s+/g, " ").trim(),
      line: lineOf(text, match.index),
    });
  }
  return found;
}

/**
 * Positions at which the free function `name` is called: no method of that name, and no definition of one.
 */
export function callsOf({ code }: SourceText, name: string): number[] {
  const calls: number[] = [];
  for (const match of code.matchAll(new RegExp(`(?<![.\\w$])${name}\\s*\\(`, "g"))) {
    if (/\bfunction\s*\*?\s*$/.test(code.slice(0, match.index))) continue;
    let depth = 1;
    let i = match.index + match[0].length;
    for (; i < code.length && depth > 0; i++) {
      if (code[i] === "(") depth++;
      else if (code[i] === ")") depth--;
    }
    // A method's definition or signature goes on with its body or its type.
    if (
      /^\s*(\{|:(?!:))/.test(code.slice(i)) &&
      !/\?[^;]*$/.test(code.slice(0, match.index).split("\n").at(-1) ?? "")
    )
      continue;
    calls.push(match.index);
  }
  return calls;
}
