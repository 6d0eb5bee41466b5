// Makes 8-K submissions in the many layouts that filers use, with what a reader must find in them.
import { itemTitle } from "../../src/providers/edgar/index.ts";

export interface Generated8K {
  readonly accession_number: string;
  readonly filing_date: string;
  /** The items the filing lists. */
  readonly items: readonly string[];
  /** The first and last word under each heading, marks that stand nowhere else. */
  readonly marks: ReadonlyMap<string, readonly [string, string]>;
  /** The press release's first word; null without one. */
  readonly release: string | null;
  /** The whole submission. */
  readonly source: string;
  /** The layout that was chosen, for the message of a failing test. */
  readonly layout: string;
}

/** Numbers that look random, the same for the same seed. */
function randomOf(seed: number) {
  let state = (seed + 1) * 0x9e3779b9;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    below: (limit: number) => Math.floor(next() * limit),
    chance: (share: number) => next() < share,
    pick: <T>(list: readonly [T, ...T[]]): T => list[Math.floor(next() * list.length)] ?? list[0],
  };
}
type Random = ReturnType<typeof randomOf>;

const MODERN =
  "1.01 1.02 1.05 2.01 2.02 2.03 2.05 2.06 3.01 3.02 4.01 4.02 5.02 5.03 5.07 6.02 7.01 8.01".split(" ");
const LEGACY = "1 2 3 4 5 6 8 9 12".split(" ");
const WORDS =
  "harbor ledger maple quarter river stone timber valley window yard amber bridge copper delta ember field".split(
    " ",
  );
const MENTIONS = [
  "as described in Item 8.01 above",
  "the information in this Item 2.02 of this Current Report",
  "(see Item 7.01 below)",
  "under “Item 5.02 Departure of Directors or Certain Officers”",
  "in Item 5 of our Form 10-K",
  "pursuant to Item 601(b) of Regulation S-K",
  "in accordance with Item 9.01, Item 1.01 and Item 2.03 hereof",
] as const;

function sentence(random: Random, count: number): string {
  const words = Array.from({ length: count }, () => random.pick(["harbor", ...WORDS]));
  if (random.chance(0.6)) words.splice(random.below(words.length), 0, random.pick(MENTIONS));
  return words.join(" ");
}

/** How blocks become a document. */
interface Carrier {
  readonly name: string;
  readonly heading: (label: string, title: string) => string;
  readonly paragraph: (text: string) => string;
  readonly wrap: (blocks: readonly string[]) => string;
}

const page = (body: string) => `<html><head><title>form8-k</title></head><body>\n${body}\n</body></html>`;
const joined = (blocks: readonly string[]) => page(blocks.join("\n"));
const p = (text: string) => `<P STYLE="margin:0"><FONT SIZE="2">${text}</FONT></P>`;
const div = (text: string) =>
  `<div style="margin-top:9pt"><span style="font-weight:400">${text}</span></div>`;
const encoded = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("“", "&#147;").replaceAll("”", "&rdquo;");

/** Lines of at most 78 characters, as filings had before HTML. */
function wrapLines(text: string): string {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length > 77) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.join("\n");
}

const CARRIERS: readonly [Carrier, ...Carrier[]] = [
  {
    name: "paragraphs",
    heading: (label, title) => p(`<b>${label}</b>&nbsp;&nbsp;${encoded(title)}`),
    paragraph: (text) => p(encoded(text)),
    wrap: joined,
  },
  {
    name: "inline XBRL in divs",
    heading: (label, title) =>
      `<div><span style="font-weight:700">${label.replace(".", ".</span><span>")}</span><span>&#160;${encoded(title)}</span></div>`,
    paragraph: (text) => `${div(encoded(text))}<div><br/></div>`,
    wrap: (blocks) =>
      page(`<div style="display:none"><ix:header><ix:hidden>Item 1.03 Bankruptcy</ix:hidden></ix:header></div>
${blocks.join("\n")}`),
  },
  {
    name: "heading tables",
    heading: (label, title) =>
      `<table><tr><td>&nbsp;</td><td><p>${label}</p></td><td><p>${encoded(title)}</p></td></tr></table>`,
    paragraph: (text) => p(encoded(text)),
    wrap: joined,
  },
  {
    name: "number and title in rows",
    heading: (label, title) => `<table><tr><td>${label}</td></tr><tr><td>${encoded(title)}</td></tr></table>`,
    paragraph: (text) => div(encoded(text)),
    wrap: joined,
  },
  {
    name: "Item and number in cells",
    heading: (label, title) =>
      `<table><tr><td>${label.replace(" ", "</td><td>")}</td><td>${encoded(title)}</td></tr></table>`,
    paragraph: (text) => p(encoded(text)),
    wrap: joined,
  },
  {
    name: "one cell, line breaks",
    heading: (label, title) => `<b>${label} ${encoded(title)}</b><br><br>`,
    paragraph: (text) => `${encoded(text)}<br><br>`,
    wrap: (blocks) =>
      page(`<table width="100%"><tr><td colspan="376967340">${blocks.join("\n")}</td></tr></table>`),
  },
  {
    name: "PRE",
    heading: (label, title) => `${label}   ${encoded(title)}\n`,
    paragraph: (text) => `${wrapLines(encoded(text))}\n`,
    wrap: (blocks) => page(`<pre>${blocks.join("\n")}</pre>`),
  },
  {
    name: "ASCII",
    heading: (label, title) => `${label}    ${title}\n`,
    paragraph: (text) => `${wrapLines(`     ${text}`)}\n`,
    wrap: (blocks) => `${blocks.join("\n")}\n<PAGE>\n`,
  },
];

const LABELS: readonly [(n: string) => string, ...((n: string) => string)[]] = [
  (n) => `Item ${n}`,
  (n) => `ITEM ${n}.`,
  (n) => `Item ${n}:`,
  (n) => `Item ${n} -`,
  (n) => `Item ${n.replace(".", ". ")}`,
  (n) => `--------Item ${n}`,
];
const TITLES: readonly [(t: string) => string, ...((t: string) => string)[]] = [
  (t) => t,
  (t) => `${t}.`,
  (t) => t.toUpperCase(),
  (t) => t.split(";")[0] ?? t,
];

function chooseItems(random: Random, isLegacy: boolean): string[] {
  const all = isLegacy ? LEGACY : MODERN;
  const chosen = new Set(
    Array.from({ length: 1 + random.below(3) }, () => all[random.below(all.length)] ?? "8.01"),
  );
  if (random.chance(0.7)) chosen.add(isLegacy ? "7" : "9.01");
  return [...chosen].sort((a, b) => Number(a) - Number(b));
}

/** Headings and texts of the items; two neighbours sometimes share one heading. */
function itemBlocks(
  random: Random,
  carrier: Carrier,
  items: readonly string[],
  marks: Map<string, [string, string]>,
) {
  const [label, title] = [random.pick(LABELS), random.pick(TITLES)];
  const blocks: string[] = [];
  for (let i = 0; i < items.length; i += 1) {
    const number = items[i] ?? "";
    const partner = items[i + 1];
    const mark: [string, string] = [`Firstword${i}x`, `lastword${i}x`];
    marks.set(number, mark);
    if (number.includes(".") && random.chance(0.3))
      blocks.push(carrier.paragraph(`Section ${number[0]} – Of This Form`));
    const isShared = partner !== undefined && partner !== "9.01" && partner !== "7" && random.chance(0.15);
    if (isShared) {
      marks.set(partner, mark);
      i += 1;
      blocks.push(carrier.heading(`Items ${number} and ${partner}.`, itemTitle(number)));
    } else {
      blocks.push(carrier.heading(label(number), title(itemTitle(number))));
    }
    blocks.push(carrier.paragraph(`${mark[0]} ${sentence(random, 30)}. ${sentence(random, 20)}.`));
    blocks.push(carrier.paragraph(`The ${sentence(random, 25)} ${mark[1]}`));
    if (random.chance(0.3)) blocks.push(carrier.paragraph(String(2 + i)));
  }
  return blocks;
}

function submission(body: string, release: string | null, isHtml: boolean): string {
  const document = (type: string, sequence: number, text: string) =>
    `<DOCUMENT>\n<TYPE>${type}\n<SEQUENCE>${sequence}\n<FILENAME>d${sequence}.${isHtml ? "htm" : "txt"}\n<TEXT>\n${text}\n</TEXT>\n</DOCUMENT>\n`;
  const parts = [document("8-K", 1, body)];
  if (release !== null)
    parts.push(document("EX-99.1", 2, `<html><body><p>${release} Item 8.01 Other Events</p></body></html>`));
  parts.push(document("GRAPHIC", 3, "begin 644 logo.jpg\nM_]C_X``02D9)\n`\nend"));
  return `<SEC-DOCUMENT>x.txt : 20200102\n<SEC-HEADER>\n</SEC-HEADER>\n${parts.join("")}</SEC-DOCUMENT>\n`;
}

/** The 8-K of this seed: the same seed gives the same filing. */
export function generate8K(seed: number): Generated8K {
  const random = randomOf(seed);
  const isLegacy = random.chance(0.2);
  const carrier = random.pick(CARRIERS);
  const items = chooseItems(random, isLegacy);
  const marks = new Map<string, [string, string]>();
  const blocks = ["UNITED STATES SECURITIES AND EXCHANGE COMMISSION", "FORM 8-K", "CURRENT REPORT"].map(
    carrier.paragraph,
  );
  const hasContents = random.chance(0.2);
  if (hasContents) {
    for (const number of items)
      blocks.push(carrier.paragraph(`Item ${number} ${itemTitle(number)} ........ 2`));
    blocks.push(carrier.paragraph("SIGNATURES 3"), carrier.paragraph("EXHIBIT INDEX 4"));
  }
  blocks.push(...itemBlocks(random, carrier, items, marks));
  if (random.chance(0.3))
    blocks.push(carrier.paragraph("EXHIBIT INDEX"), carrier.paragraph("99.1 Press release, Item 2.02"));
  blocks.push(
    carrier.paragraph(random.pick(["SIGNATURES", "SIGNATURE", "S I G N A T U R E S", "Signature(s)"])),
  );
  blocks.push(
    carrier.paragraph(
      "Pursuant to the requirements of the Securities Exchange Act of 1934, the registrant has duly caused this report to be signed on its behalf.",
    ),
    carrier.paragraph("Item 8.01 Other Events"),
  );
  const release = random.chance(0.5) ? "Releaseword" : null;
  return {
    accession_number: `0000000001-20-${String(seed).padStart(6, "0")}`,
    filing_date: isLegacy ? "2004-08-20" : "2020-01-02",
    items,
    marks,
    release,
    source: submission(carrier.wrap(blocks), release, carrier.name !== "ASCII"),
    layout: `seed ${seed}: ${carrier.name}${hasContents ? ", contents" : ""}`,
  };
}
