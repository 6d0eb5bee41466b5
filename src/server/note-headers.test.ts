import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { notesOf } from "../platform/row-notes.ts";
import { noteHeaders } from "./note-headers.ts";

setDefaultTimeout(1_200_000);

const headersOf = (body: unknown) => {
  const headers = new Headers();
  noteHeaders(headers, notesOf(body));
  return Object.fromEntries(headers);
};

describe("warnings and errors in headers", () => {
  test("none where there is nothing to say", () => {
    expect(headersOf({ warnings: [], errors: {}, data: [] })).toEqual({});
    expect(headersOf([])).toEqual({});
    expect(headersOf({ errors: { company: null } })).toEqual({});
  });
  test("texts as JSON in ASCII", () => {
    const headers = headersOf({
      warnings: ["Données — incomplete."],
      errors: { NOPE: "Unknown.", filings: { code: "upstream_error", detail: "EDGAR is down." } },
    });
    expect(headers["x-warnings"]).toMatch(/^[\x20-\x7e]+$/);
    expect(JSON.parse(headers["x-warnings"] ?? "")).toEqual(["Données — incomplete."]);
    expect(JSON.parse(headers["x-errors"] ?? "")).toEqual({ NOPE: "Unknown.", filings: "EDGAR is down." });
  });
  test("too many are cut, with their number", () => {
    const errors = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`T${i}`, "No such ticker."]));
    const header = headersOf({ errors })["x-errors"] ?? "";
    expect(header.length).toBeLessThanOrEqual(4_000);
    const shown = JSON.parse(header) as Record<string, string>;
    const kept = Object.keys(shown).length - 1;
    expect(kept).toBeGreaterThan(50);
    expect(shown["…"]).toBe(`${500 - kept} more; see format=json`);
  });
});
