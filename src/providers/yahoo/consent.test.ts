import { expect, test } from "bun:test";
import { agreement, hiddenFields } from "./consent.ts";

test("fills in the form with all its hidden fields, entities resolved", () => {
  const html = `<form method="post"><input type="text" name="q" value="no">
    <INPUT TYPE='hidden' NAME='csrfToken' VALUE='t&#x2F;1&#43;2'><input name=sessionId type=hidden value=s_1>
    <input type="hidden" name="originalDoneUrl" value="https://finance.yahoo.com/?a=1&amp;b=2">
    <input type="hidden" name="namespace"></form>`;
  const body = agreement(html);
  expect([...new URLSearchParams(body ?? "")]).toEqual([
    ["csrfToken", "t/1+2"],
    ["sessionId", "s_1"],
    ["originalDoneUrl", "https://finance.yahoo.com/?a=1&b=2"],
    ["namespace", ""],
    ["agree", "agree"],
    ["agree", "agree"],
  ]);
});

test("a page without the two fields of a consent form has none", () => {
  expect(agreement("")).toBeNull();
  expect(agreement('<input type="hidden" name="csrfToken" value="1">')).toBeNull();
  expect(agreement('<input type="text" name="csrfToken"><input type="text" name="sessionId">')).toBeNull();
});

test("a hostile page takes linear time; unknown entities stay", () => {
  expect(hiddenFields("<input ".repeat(20_000))).toEqual([]);
  expect(hiddenFields('<input type="hidden" name="a" value="&nope;&#x110000;&#x41;">')).toEqual([
    ["a", "&nope;&#x110000;A"],
  ]);
});
