// Reading a form's XML: records, broken syntax, and what is refused.
import { describe, expect, test } from "bun:test";
import { isUnread } from "../ownership-records.ts";
import { readXmlRecords, rootElement } from "./xml-records.ts";

const RECORDS = new Set(["line", "note"]);
function read(source: string) {
  const records = readXmlRecords(source, RECORDS);
  if (isUnread(records)) throw new Error(records.failed);
  return records;
}

describe("readXmlRecords", () => {
  test("leaves by their names, a wrapped value under the name of its wrapper", () => {
    const { top, records, lenient } = read(
      `<f><kind> 4 </kind><line><a><b><value>7</value><footnoteId id="F1"/></b></a><c>x<footnoteId id="F2"/>y</c></line>
      <note id="F1">one &amp; two</note><line/></f>`,
    );
    expect(lenient).toBe(false);
    expect(top.first("kind")).toBe("4");
    expect(records.map(({ name }) => name)).toEqual(["line", "note", "line"]);
    expect(records[0]?.first("b")).toBe("7");
    expect(records[0]?.first("c")).toBe("xy");
    expect(records[0]?.notesOf("b")).toEqual(["F1"]);
    expect(records[0]?.notes).toEqual(["F1", "F2"]);
    expect([records[1]?.id, records[1]?.text]).toEqual(["F1", "one & two"]);
    expect(records[2]?.first("b")).toBeNull();
  });

  test("prefixes and CDATA mean nothing, blank values are none", () => {
    const { top } = read(
      `<x:f xmlns:x="u"><x:a><![CDATA[1 < 2]]></x:a><b>  </b><com:c xmlns:com="v">z</com:c></x:f>`,
    );
    expect(top.first("a")).toBe("1 < 2");
    expect(top.first("b")).toBeNull();
    expect(top.first("c")).toBe("z");
  });

  test.each([
    ["a bare ampersand", "<f><a>AT&T</a><line><b>1</b></line></f>"],
    ["a tag that is never closed", "<f><a>AT&amp;T<line><b>1</b></line></f>"],
    ["crossed tags", "<f><a>AT&amp;T</a><line><b>1</line></b></f>"],
    ["an unknown entity", "<f><a>AT&T</a><line><b>1</b>&nbsp;</line></f>"],
  ])("%s is read leniently", (_what, source) => {
    const { records, lenient } = read(source);
    expect(lenient).toBe(true);
    expect(records[0]?.first("b")).toBe("1");
  });

  test.each([
    ["a document type", `<!DOCTYPE f><f/>`],
    ["entities", `<!DOCTYPE f [<!ENTITY a "b">]><f>&a;</f>`],
    ["a broken document type", `<f><a>AT&T</a><!DOCTYPE f></f>`],
    ["an external entity", `<!DOCTYPE f [<!ENTITY a SYSTEM "file:///etc/passwd">]><f>&a;</f>`],
  ])("%s is refused", (_what, source) => {
    expect(readXmlRecords(source, RECORDS)).toMatchObject({ failed: "forbidden_declaration" });
  });

  test("depth, elements and size are bounded", () => {
    const deep = `${"<a>".repeat(200_000)}${"</a>".repeat(200_000)}`;
    expect(readXmlRecords(deep, RECORDS)).toMatchObject({ failed: "too_deep" });
    expect(readXmlRecords(`<f>${"<a/>".repeat(500_001)}</f>`, RECORDS)).toMatchObject({
      failed: "too_many_nodes",
    });
    expect(readXmlRecords(`<f>${"x".repeat(16_000_000)}</f>`, RECORDS)).toMatchObject({
      failed: "too_large",
    });
  });
});

describe("rootElement", () => {
  test("from the first to the last character of the root", () => {
    expect(rootElement("\uFEFF \n<?xml version='1.0'?><!-- c --><n:f a='1'>x</n:f >\n</TEXT>", "f")).toBe(
      "<n:f a='1'>x</n:f >",
    );
    expect(rootElement("<ff></ff>", "f")).toBeNull();
    expect(rootElement("<f><a>", "f")).toMatchObject({ failed: "truncated" });
    expect(rootElement("<!doctype f [<!ENTITY a 'b'>]><f></f>", "f")).toMatchObject({
      failed: "forbidden_declaration",
    });
  });
});
