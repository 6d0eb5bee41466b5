import { expect, test } from "bun:test";
import { bodyStart } from "./body-start.ts";

const start = (text: string, length = 100) => bodyStart({ bytes: new TextEncoder().encode(text) }, length);

test("decodes only the first bytes", () => {
  expect(start("abcdef", 3)).toBe("abc");
  expect(start("", 3)).toBe("");
});

test("removes a byte order mark and white space around the text", () => {
  expect(start("\ufeff{}")).toBe("{}");
  expect(start(" \r\n\ufeff {} \n")).toBe("{}");
  expect(start("\ufeff \n")).toBe("");
});

test("accepts a cut character and bytes that are not text", () => {
  expect(start("aé", 2)).toBe("a\ufffd");
  expect(bodyStart({ bytes: new Uint8Array([0xff, 0xfe]) }, 10)).toBe("\ufffd\ufffd");
});
