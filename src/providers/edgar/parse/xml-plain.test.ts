// What is read plainly is what a parser that knows all rules reads, and nothing that such a parser refuses.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { SaxesParser } from "saxes";
import { readPlainly } from "./xml-plain.ts";

type Events = string[];

/** Null where the source is not plain. Text between two tags is one text. */
function plainly(source: string): Events | null {
  const events: Events = [];
  let text = "";
  const tag = (event: string) => {
    if (text !== "") events.push(`text ${text}`);
    text = "";
    events.push(event);
  };
  try {
    readPlainly(source, {
      open: (name, id) => tag(`open ${name} ${id}`),
      text: (piece) => {
        text += piece;
      },
      close: () => tag("close"),
    });
    return events;
  } catch {
    return null;
  }
}

function strictly(source: string): Events {
  const events: Events = [];
  const parser = new SaxesParser({ xmlns: false, position: false });
  parser.on("opentag", ({ name, attributes }) => events.push(`open ${name} ${attributes.id}`));
  parser.on("text", (text) => events.push(`text ${text}`));
  parser.on("closetag", () => events.push("close"));
  parser.on("error", (error) => {
    throw error;
  });
  parser.write(source).close();
  return events;
}

test("a form as most are is plain: tags, values, footnotes, the five entities", () => {
  const source = `<f>\n <a.b:c>AT&amp;T &lt;</a.b:c><n id="F1"/><n id = 'F-2' >é</n><e /></f>`;
  const events = plainly(source);
  expect(events).toEqual(strictly(source));
  expect(events).toContain("text AT&T <");
});

test.each([
  ["another attribute", `<f a="1"/>`],
  ["two attributes", `<f id="1" id="1"/>`],
  ["an attribute without quotes", "<f id=1/>"],
  ["an attribute without value", "<f id/>"],
  ["an attribute with an entity", `<f id="&amp;"/>`],
  ["a slash in a tag", "<f / >x</f>"],
  ["two slashes", "<f//>"],
  ["a tag in a tag", "<f <a>></a></f>"],
  ["words behind the name of an end", "<f></f a>"],
  ["an end without a name", "<f></></f>"],
  ["an end of another tag", "<f><a></f></a>"],
  ["an end that is missing", "<f><a></f>"],
  ["two roots", "<f></f><f></f>"],
  ["text beside the root", "<f></f>x"],
  ["text before the root", "x<f></f>"],
  ["a bare ampersand", "<f>AT&T</f>"],
  ["an ampersand without its end", "<f>&amp</f>"],
  ["a character by number", "<f>&#146;</f>"],
  ["the end of CDATA", "<f>]]></f>"],
  ["CDATA", "<f><![CDATA[x]]></f>"],
  ["a comment", "<f><!-- x --></f>"],
  ["an instruction", "<?xml version='1.0'?><f/>"],
  ["a declaration", "<!DOCTYPE f><f/>"],
  ["a carriage return", "<f>\r\n</f>"],
  ["a forbidden character", "<f>\u0001</f>"],
  ["half a character", "<f>\ud83d</f>"],
  ["nothing", ""],
])("%s is left to a parser", (_what, source) => {
  expect(plainly(source)).toBeNull();
});

test("whatever is plain a parser reads the same", () => {
  const piece = fc.constantFrom(
    ...["<a>", "</a>", "<b>", "</b>", "<a/>", "<b />", "<", ">", "/", "</", "<a ", "<b", "a", " ", "\n", "x"],
    ...[
      'id="F1"',
      " id='2'",
      "=",
      '"',
      "&amp;",
      "&lt;",
      "&",
      ";",
      "]]>",
      "é",
      "<f:a>",
      "</f:a>",
      "\u00a0",
      "0",
    ],
  );
  let plain = 0;
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const source = `<f>${pieces.join("")}</f>`;
      const events = plainly(source);
      if (events === null) return;
      plain += 1;
      expect(events).toEqual(strictly(source));
    }),
    { numRuns: 3_000 },
  );
  expect(plain).toBeGreaterThan(0);
});
