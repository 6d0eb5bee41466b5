// Reads EDGAR's own pages and feeds as a stream of tags and text. Entities of a DOCTYPE are never expanded.
import { Parser } from "htmlparser2";

/** Handlers that are called in the order of the document. */
export interface Walk {
  readonly open?: (name: string, attributes: Readonly<Record<string, string>>) => void;
  readonly text?: (text: string) => void;
  readonly close?: (name: string) => void;
}

/** Calls the handlers for all of `source`. */
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

/** Replaces runs of white space, including no-break spaces, by one blank, and trims. */
export const oneSpaced = (text: string): string => text.replace(/[\s\u00a0]+/g, " ").trim();

/** Item numbers at the start of lines: `Item 5.02: Departure of …`, before August 2004 `Item 5: …`. */
export function itemNumbers(text: string): string[] {
  const numbers = [...text.matchAll(/^\s*Item\s+(\d{1,2}(?:\.\d{2})?)\b/gim)].map((match) => match[1] ?? "");
  return [...new Set(numbers)];
}
