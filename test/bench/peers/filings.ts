// Recorded filings read in this process beside edgartools in Python: time of each, and whether both read the
// same.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { selectStatements } from "../../../src/capabilities/financial/statements/select.ts";
import { systemClock } from "../../../src/platform/clock.ts";
import {
  isUnread,
  itemEra,
  itemOfTitle,
  normaliseFacts,
  ParseBudget,
  parseEightKFiling,
  parseOwnershipXml,
  splitSubmission,
} from "../../../src/providers/edgar/index.ts";
import { forEachSequential, type Measurement, ms } from "../measure.ts";
import { startPeer } from "./environment.ts";

const FOLDER = join(
  process.env.CONFORMANCE_DIR ?? resolve(import.meta.dir, "../../../../shared/real"),
  "edgar",
);
const WARMUPS = 2;
const ANNUAL = 12;

type Value = number | string;
type Reader = (source: string) => readonly Value[];

/** The annual net incomes of a company, after all three statements were made. */
function facts(source: string): number[] {
  const { facts } = normaliseFacts(JSON.parse(source));
  const { income_statement } = selectStatements(facts, { period_type: "annual" });
  return income_statement
    .filter(({ period_months }) => period_months === ANNUAL)
    .flatMap(({ items }) => items.net_income ?? [])
    .sort((a, b) => a - b);
}

/** The shares of each trade in the table of plain securities. */
function form4(source: string): number[] {
  const form = parseOwnershipXml(source);
  if (isUnread(form)) throw new Error(form.message);
  return form.transactions
    .filter(({ security_type }) => security_type === "non_derivative")
    .flatMap(({ shares }) => shares ?? [])
    .sort((a, b) => a - b);
}

/** The numbers of the items that the parser found in the text of a report. */
function eightk(source: string): string[] {
  const budget = new ParseBudget(systemClock);
  const header = source.slice(0, source.indexOf("<DOCUMENT>"));
  const filed = header.match(/(?:FILED AS OF DATE:\s+|<FILING-DATE>)(\d{4})(\d\d)(\d\d)/);
  const filing_date = filed ? filed.slice(1).join("-") : "2020-01-02";
  const numbers = [...header.matchAll(/^<ITEMS>(.+)$/gm)].map((match) => match[1] ?? "");
  const titles = [...header.matchAll(/^ITEM INFORMATION:\s+(.+)$/gm)].map((match) => match[1] ?? "");
  const items = [...numbers, ...titles.flatMap((title) => itemOfTitle(title, itemEra(filing_date)) ?? [])];
  const accession_number = "0000000000-00-000000";
  const parsed = parseEightKFiling(
    { accession_number, filing_date, items, documents: splitSubmission(source, budget) },
    budget,
  );
  return parsed.items.map(({ item_number }) => item_number).sort();
}

interface Kind {
  readonly what: string;
  readonly folder: string;
  readonly pattern: RegExp;
  readonly description: string;
  readonly figures: string;
  readonly read: Reader;
}

/** How many values stand in both lists, each as often as it stands in the shorter. */
function sharedOf(mine: readonly Value[], theirs: readonly Value[]): number {
  const left = [...theirs];
  return mine.filter((value) => {
    const at = left.indexOf(value);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  }).length;
}

const comparison = ({ what, folder, pattern, description, figures, read }: Kind): Measurement => ({
  name: `peer-${what}`,
  description,
  goal: { kind: "at most", ratio: 1 },
  async run({ tell }) {
    const whole = join(FOLDER, folder);
    if (!existsSync(whole)) {
      tell(`peer-${what}: left out, as ${whole} is not there`);
      return [];
    }
    const paths = readdirSync(whole)
      .filter((name) => pattern.test(name))
      .map((name) => join(whole, name));
    const peer = startPeer("filings.py", tell);
    const counts = { mine: 0, theirs: 0, both: 0 };
    const own = new Map<string, readonly Value[]>();
    try {
      const all = async (one: (path: string) => Promise<number>) => {
        let sum = 0;
        for (const path of paths) sum += await one(path);
        return sum;
      };
      const [mine, theirs] = await forEachSequential(
        [1, 2, 3, 4, 5],
        WARMUPS,
        () =>
          all(async (path) => {
            const started = performance.now();
            own.set(path, read(readFileSync(path, "utf8")));
            return performance.now() - started;
          }),
        () => all(async (path) => (await peer.ask<{ ms: number }>({ what, path })).ms),
      );
      for (const path of paths) {
        const { found } = await peer.ask<{ found: Value[] }>({ what, path });
        const ours = own.get(path) ?? [];
        counts.mine += ours.length;
        counts.theirs += found.length;
        counts.both += sharedOf(ours, found);
      }
      return [
        {
          what: `${ms(mine)} for ${paths.length} files, ${counts.mine} ${figures}`,
          against: `${ms(theirs)} of edgartools, ${counts.theirs} ${figures}, ${counts.both} of them equal`,
          ratio: mine / theirs,
        },
      ];
    } finally {
      await peer.stop();
    }
  },
});

export const peerFacts = comparison({
  what: "facts",
  folder: "companyfacts",
  pattern: /\.json$/,
  description: "recorded company facts into three annual statements",
  figures: "annual net incomes",
  read: facts,
});

export const peerForm4 = comparison({
  what: "form4",
  folder: "form4",
  pattern: /\.xml$/,
  description: "recorded Forms 4 into trades",
  figures: "trades of plain securities",
  read: form4,
});

export const peerEightK = comparison({
  what: "8k",
  folder: "8k_full",
  pattern: /./,
  description: "recorded 8-Ks into items",
  figures: "items",
  read: eightk,
});
