// Walks EDGAR's own pages and feeds as a stream of tags and text. Entities of a DOCTYPE are never expanded.
import { Parser } from "htmlparser2";

/** Told what is met, in order. */
export interface Walk {
  readonly open?: (name: string, attributes: Readonly<Record<string, string>>) => void;
  readonly text?: (text: string) => void;
  readonly close?: (name: string) => void;
}

/** Reads `source` from its beginning to its end. */
export function walkMarkup(source: string, walk: Walk, options: { readonly xml?: boolean } = {}): void {
  const parser = new Parser(
    {
      onopentag: (name, attributes) => walk.open?.(name, attributes),
      ontext: (text) => walk.text?.(text),
      onclosetag: (name) => walk.close?.(name),
    },
    { xmlMode: options.xml === true, decodeEntities: true },
  );
  parser.end(source);
}

/** Runs of white space, the no-break space too, as one blank; trimmed. */
export const oneSpaced = (text: string): string => text.replace(/[\s\u00a0]+/g, " ").trim();

/** Item numbers at the heads of lines: `Item 5.02: Departure of …`, before August 2004 `Item 5: …`. */
export function itemNumbers(text: string): string[] {
  const numbers = [...text.matchAll(/^\s*Item\s+(\d{1,2}(?:\.\d{2})?)\b/gim)].map((match) => match[1] ?? "");
  return [...new Set(numbers)];
}
