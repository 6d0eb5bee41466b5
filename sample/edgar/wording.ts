// Invented, plainly fictional wording: what each item of a current report says.
import { uniform } from "../randomness.ts";
import { nameOn } from "./filers.ts";
import type { Filing } from "./filing.ts";
import { figuresOf } from "./results.ts";
import { MODERN } from "./titles.ts";

const THINGS = [
  "teapot",
  "umbrella",
  "kazoo",
  "snow globe",
  "doorbell",
  "rocking horse",
  "yo-yo",
  "lampshade",
];
const PEOPLE = ["Orla Pimmelstock", "Barnaby Thrum", "Wilhelmina Quork", "Ignatius Fobb", "Dorothea Plinth"];
const DUTIES = ["Biscuits", "Puddles", "Echoes", "Shadows", "Buttons"];
const EVENTS = ["Fair of Small Noises", "Congress of Odd Socks", "Festival of Lost Gloves"];

/** By hand: a formatter of the runtime takes longer than all the rest of a filing. */
const MONTHS = "January February March April May June July August September October November December".split(
  " ",
);

const pick = (list: readonly string[], key: number, n: number) =>
  list[Math.floor(uniform(key, n) * list.length)] ?? "";

/** Text as it stands in markup. */
export const asMarkup = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** `March 6, 2026`. */
export function longDate(date: string): string {
  return `${MONTHS[Number(date.slice(5, 7)) - 1]} ${Number(date.slice(8))}, ${date.slice(0, 4)}`;
}

/** Everything the sentences are made of. */
function partsOf({ filer, filingDate, period, key, exhibits }: Filing) {
  return {
    name: nameOn(filer, filingDate),
    city: filer.place.city,
    day: longDate(period || filingDate),
    thing: pick(THINGS, key, 50),
    other: pick(THINGS, key, 51),
    person: pick(PEOPLE, key, 52),
    follower: pick(PEOPLE, key, 53),
    duty: pick(DUTIES, key, 54),
    event: pick(EVENTS, key, 55),
    count: 100 + Math.floor(uniform(key, 56) * 900),
    released: exhibits.some((type) => type.startsWith("EX-99")),
  };
}
type Parts = ReturnType<typeof partsOf>;

const SENTENCES: Readonly<Record<string, (p: Parts) => string[]>> = {
  "1.01": (p) => [
    `On ${p.day}, ${p.name} agreed with ${p.person} to swap ${p.count} ${p.thing}s for as many ${p.other}s each month until the well runs dry.`,
  ],
  "1.03": (p) => [
    `On ${p.day}, ${p.name} asked the court of ${p.city} for shelter from ${p.count} creditors, all of them imaginary.`,
  ],
  "2.02": (p) => [
    `On ${p.day}, ${p.name} informed the town of ${p.city} of its quarterly results. The press release is furnished as Exhibit 99.1 to this report.`,
  ],
  "2.03": (p) => [
    `Under the agreement with ${p.person}, ${p.name} owes ${p.count} buttons, payable in ${p.thing}s.`,
  ],
  "2.05": (p) => [
    `${p.name} will close its ${p.thing} workshop in ${p.city} and expects to give away ${p.count} ${p.other}s.`,
  ],
  "3.01": (p) => [
    `On ${p.day}, the exchange notified ${p.name} that its shares will be delisted because no one could spell them.`,
  ],
  "3.03": (p) => [
    `Each share of the predecessor became one share of ${p.name}. The ${p.thing} dividend goes on as before.`,
  ],
  "4.02": (p) => [
    `The board of ${p.name} found on ${p.day} that ${p.count} ${p.thing}s were counted twice; the statements of the year before should not be relied upon.`,
  ],
  "5.01": (p) => [`By the exchange of shares ${p.name} has a new parent of the same name, in ${p.city}.`],
  "5.02": (p) => [
    `On ${p.day}, ${p.person} left as Chief ${p.duty} Officer of ${p.name} to keep ${p.thing}s.`,
    `${p.follower} takes over the same day for a salary of ${p.count} ${p.other}s.`,
  ],
  "5.03": (p) => [
    `The articles of ${p.name} were amended on ${p.day}: meetings now begin with a ${p.thing}.`,
  ],
  "5.07": (p) => [
    `The holders of ${p.name} met in ${p.city} on ${p.day} and voted as follows.`,
    `For the ${p.thing}: ${p.count * 1000}. Against: ${p.count * 7}. Abstained: ${p.count}.`,
  ],
  "7.01": (p) => [
    `${p.name} will show its ${p.thing} at the ${p.event}.${p.released ? " A press release is furnished as Exhibit 99.1." : ""}`,
  ],
  "8.01": (p) => [
    `The town of ${p.city} has named a roundabout after the ${p.thing} of ${p.name}.${p.released ? " A press release about it is attached as Exhibit 99.1." : ` ${p.person} cut a ribbon ${p.count} feet long.`}`,
  ],
};

/** The paragraphs of an item; of 9.01 (and its old number) the list of exhibits. */
export function paragraphsOf(filing: Filing, item: string): string[] {
  const parts = partsOf(filing);
  const modern = MODERN[item] ?? item;
  if (modern === "9.01")
    return ["(d) Exhibits.", ...filing.exhibits.map((type) => `${type.slice(3)} ${exhibitTitle(type)}`)];
  const paragraphs = SENTENCES[modern]?.(parts) ?? [];
  if (filing.layout !== "prose") return paragraphs;
  return [
    ...paragraphs,
    `What is said under Item 1.01 above and in Item 8.01 of the report of an earlier day is repeated here. There is nothing to tell under Item 404(a) of Regulation S-K, and the signatures of both sides are dry.`,
  ];
}

/** Returns an exhibit's title in lists. */
export function exhibitTitle(type: string): string {
  if (type.startsWith("EX-99.2")) return "Slides";
  if (type.startsWith("EX-99")) return "Press release";
  if (type === "EX-27") return "EX-27";
  return type.startsWith("EX-3") ? "Articles as amended" : "Agreement";
}

/** The press release: headline and paragraphs. */
export function releaseOf(filing: Filing): { headline: string; paragraphs: string[] } {
  const p = partsOf(filing);
  const aboutResults = filing.items.some((item) => (MODERN[item] ?? item) === "2.02");
  if (!aboutResults)
    return {
      headline: `${p.name} Is Pleased About Its ${p.thing}`,
      paragraphs: [
        `${p.city}, ${p.day}. ${p.name} is pleased.`,
        `"No one saw this ${p.thing} coming," said ${p.person}, Chief ${p.duty} Officer.`,
      ],
    };
  const { revenue, netIncome, earningsPerShare } = figuresOf(filing);
  const money = (dollars: number) => `$${(dollars / 1e6).toFixed(1)} million`;
  return {
    headline: `${p.name} Reports a Quarter`,
    paragraphs: [
      `${p.city}, ${p.day}. ${p.name} reports revenue of ${money(revenue)} and net income of ${money(netIncome)}, or $${earningsPerShare.toFixed(2)} a share.`,
      `"We sold ${p.count} ${p.thing}s more than ${p.other}s," said ${p.person}, Chief ${p.duty} Officer.`,
    ],
  };
}
