// Forms 4 read into trades, against saxes walking the same files with handlers that only count.
import { SaxesParser } from "saxes";
import { parseOwnershipXml } from "../../src/providers/edgar/index.ts";
import { type ExampleTrade, formXml } from "../support/ownership-forms.ts";
import { forEachSequential, type Measurement, timed } from "./measure.ts";

const FILES = 2_000;
/** Rounds before the measurement, in which the just-in-time compiler settles on both sides. */
const WARMUPS = 4;
const WORDS =
  "Common Stock sold in several trades at prices within a range that the reporting person will tell on request";

/** One to eight lots, some under a plan, with the footnotes real forms carry. */
function file(n: number): string {
  const trades = Array.from({ length: 1 + (n % 8) }, (_, i): ExampleTrade => {
    const sale = n % 3 === 0;
    return {
      code: sale ? "S" : "P",
      way: sale ? "D" : "A",
      shares: String(100 + i),
      price: `${10 + (n % 90)}.${10 + i}`,
      after: String(10_000 + 100 * i),
      notes: { price: "F1", ...(sale ? { title: "F2" } : {}) },
    };
  });
  return formXml({
    trades,
    owners: [{ officer: "1", title: "Executive Vice President and Chief Financial Officer" }],
    footnotes: { F1: `${WORDS}. ${WORDS}.`, F2: "Effected pursuant to a Rule 10b5-1 trading plan." },
  });
}

function walk(source: string, count: () => void): void {
  const parser = new SaxesParser();
  parser.on("opentag", count);
  parser.on("text", count);
  parser.on("closetag", count);
  parser.write(source).close();
}

export const form4: Measurement = {
  name: "form4",
  description: `${FILES} generated Forms 4 read into trades, files a second`,
  // Both sides run the same parser; the difference is the records and the trades made of its events. Speed
  // does not matter beyond that: EDGAR allows a filing every 125 ms, and reading one takes less than a
  // millisecond.
  goal: { kind: "at least", ratio: 0.6 },
  async run({ quick }) {
    const files = Array.from({ length: FILES }, (_, n) => file(n));
    const [ours, theirs] = await forEachSequential(
      Array.from({ length: WARMUPS + (quick ? 4 : 8) }, (_, i) => i),
      WARMUPS,
      () =>
        timed(async () => {
          for (const source of files)
            if ("failed" in parseOwnershipXml(source)) throw new Error("a form was not read");
        }),
      () =>
        timed(async () => {
          let events = 0;
          for (const source of files) walk(source, () => void events++);
          if (events === 0) throw new Error("nothing was walked");
        }),
    );
    const speed = (ms: number) => `${Math.round((FILES * 1000) / ms)} files a second`;
    return [
      {
        what: speed(ours),
        against: `${speed(theirs)} of saxes with handlers that only count`,
        ratio: theirs / ours,
      },
    ];
  },
};
