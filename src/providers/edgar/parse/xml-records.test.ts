// Reading a form's XML: records, broken syntax, and what is refused.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { isUnread } from "../ownership-records.ts";
import { readXmlRecords, rootElement } from "./xml-records.ts";

setDefaultTimeout(1_200_000);

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

  test("the five entities, and an id in quotes of either kind", () => {
    const { records, lenient } = read(
      `<f>\n <line><a.b>AT&amp;T &lt;&gt;&quot;&apos;</a.b><footnoteId id = 'F-2' >é</footnoteId></line><e /></f>`,
    );
    expect(lenient).toBe(false);
    expect(records[0]?.first("a.b")).toBe("AT&T <>\"'");
    expect(records[0]?.notes).toEqual(["F-2"]);
  });

  test.each([
    ["another attribute", `<f a="1"/>`, false],
    ["two attributes of one name", `<f id="1" id="1"/>`, true],
    ["an attribute without quotes", "<f id=1/>", true],
    ["an attribute without value", "<f id/>", true],
    ["an attribute with an entity", `<f id="&amp;"/>`, false],
    ["a slash in a tag", "<f / >x</f>", true],
    ["two slashes", "<f//>", true],
    ["a tag in a tag", "<f <a>></a></f>", true],
    ["words behind the name of a closing tag", "<f></f a>", true],
    ["a closing tag without a name", "<f></></f>", true],
    ["a closing tag of another element", "<f><a></f></a>", true],
    ["a missing closing tag", "<f><a></f>", true],
    ["two roots", "<f></f><f></f>", true],
    ["text after the root", "<f></f>x", true],
    ["text before the root", "x<f></f>", true],
    ["an ampersand without its semicolon", "<f>&amp</f>", true],
    ["a character by number", "<f>&#146;</f>", false],
    ["the end of CDATA", "<f>]]></f>", true],
    ["a comment", "<f><!-- x --></f>", false],
    ["an instruction", "<?xml version='1.0'?><f/>", false],
    ["a carriage return", "<f>\r\n</f>", false],
    ["a forbidden character", "<f>\u0001</f>", true],
    ["half a character", "<f>\ud83d</f>", true],
    ["nothing", "", true],
  ])("%s is read, and counts as broken only when XML forbids it", (_what, source, isBroken) => {
    expect(read(source).lenient).toBe(isBroken);
  });

  test("any mixture of tags and text is read or refused, and never throws", () => {
    const piece = fc.constantFrom(
      ...["<line>", "</line>", "<b>", "</b>", "<b />", "<", ">", "/", "</", "<b ", " ", "x", 'id="F1"', "="],
      ...["&amp;", "&", ";", "]]>", "<f:a>", "</f:a>", "\u00a0", "<!DOCTYPE", "<!--", "<footnoteId", "0"],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const result = readXmlRecords(`<f>${pieces.join("")}</f>`, RECORDS);
        if (isUnread(result)) expect(result.failed).toBe("forbidden_declaration");
        else expect(result.records.every(({ name }) => RECORDS.has(name))).toBe(true);
      }),
      { numRuns: 3_000 },
    );
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
