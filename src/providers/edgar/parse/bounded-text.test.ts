// Names that no form allows: 30 MB in a report of holdings, an owner, a schedule.
import { expect, test } from "bun:test";
import { formXml } from "../../../../test/support/ownership-forms.ts";
import { FILED_TEXT_CHARS_MAX } from "../../../limits.ts";
import { isUnread } from "../ownership-records.ts";
import { boundedText, withBoundedTexts } from "./bounded-text.ts";
import { parseNport } from "./funds/nport.ts";
import { parseOwnershipXml } from "./ownership/ownership.ts";

const long = (letter: string) => letter.repeat(FILED_TEXT_CHARS_MAX + 1);
const cut = (letter: string) => `${letter.repeat(FILED_TEXT_CHARS_MAX - 1)}…`;

test("a text of the limit stays whole, and a longer one shows that it is cut", () => {
  const whole = "a".repeat(FILED_TEXT_CHARS_MAX);
  expect(boundedText(whole)).toBe(whole);
  expect(boundedText(long("a"))).toBe(cut("a"));
  const record = { name: "A", lines: [{ title: long("b"), shares: 7, none: null }] };
  expect(withBoundedTexts(record)).toEqual({
    name: "A",
    lines: [{ title: cut("b"), shares: 7, none: null }],
  });
  const short = { names: ["A"] };
  expect(withBoundedTexts(short)).toBe(short);
});

test("a holding's name of 30 MB is stored as the beginning of it", async () => {
  const holding = `<invstOrSec><name>${"x".repeat(30_000_000)}</name><title>T</title><identifiers><isin value="${long("y")}"/></identifiers><valUSD>5</valUSD></invstOrSec>`;
  const report = `<edgarSubmission><headerData><submissionType>NPORT-P</submissionType></headerData><formData><genInfo><repPdDate>2026-06-30</repPdDate></genInfo><invstOrSecs>${holding}</invstOrSecs></formData></edgarSubmission>`;
  const read = await parseNport(new TextEncoder().encode(report));
  if (isUnread(read)) throw new Error(read.message);
  expect(read.holdings[0]).toMatchObject({
    name: cut("x"),
    isin: cut("Y"),
    title: "T",
    value_usd: 5,
  });
});

test("so is an owner's name", () => {
  const read = parseOwnershipXml(formXml({ owners: [{ name: long("n") }], trades: [{}] }));
  if (isUnread(read)) throw new Error(read.message);
  expect(read.owners[0]?.name).toBe(cut("n"));
});
