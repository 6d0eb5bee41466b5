// 8-K reports read into events, against htmlparser2 merely walking the same bytes.
import { Parser } from "htmlparser2";
import { systemClock } from "../../src/platform/clock.ts";
import { ParseBudget, parseEightKFiling, splitSubmission } from "../../src/providers/edgar/index.ts";
import { generate8K } from "../support/generated-8k.ts";
import { forEachSequential, type Measurement, timed } from "./measure.ts";

const FILINGS = 500;
/** Real reports carry about so many kilobytes of styled paragraphs around their items. */
const PADDING = `<p style="margin:0pt;font:10pt Times New Roman"><span style="font-weight:bold">The quick</span> report&#160;says &amp; repeats.</p>\n`;
const PADDING_TIMES = 250;

function parse(filing: ReturnType<typeof generate8K>): void {
  const budget = new ParseBudget(systemClock);
  const { accession_number, filing_date, items, source } = filing;
  parseEightKFiling(
    { accession_number, filing_date, items: [...items], documents: splitSubmission(source, budget) },
    budget,
  );
}

export const eightk: Measurement = {
  name: "eightk",
  description: `${FILINGS} generated 8-Ks read into events, bytes a second`,
  goal: { kind: "at least", ratio: 0.5 },
  async run({ quick }) {
    const filings = Array.from({ length: FILINGS }, (_, seed) => {
      const filing = generate8K(seed);
      return {
        ...filing,
        source: filing.source.replace("</body>", `${PADDING.repeat(PADDING_TIMES)}</body>`),
      };
    });
    const bytes = filings.reduce((sum, { source }) => sum + source.length, 0);
    const [ours, theirs] = await forEachSequential(
      Array.from({ length: quick ? 4 : 8 }, (_, i) => i),
      1,
      () =>
        timed(async () => {
          for (const filing of filings) parse(filing);
        }),
      () =>
        timed(async () => {
          let events = 0;
          for (const { source } of filings) {
            const count = () => {
              events += 1;
            };
            const parser = new Parser({ onopentag: count, ontext: count, onclosetag: count });
            parser.write(source);
            parser.end();
          }
          if (events === 0) throw new Error("nothing was walked");
        }),
    );
    const speed = (ms: number) => `${(bytes / 1e3 / ms).toFixed(0)} MB/s`;
    return [
      {
        what: `${speed(ours)}, ${Math.round((FILINGS * 1000) / ours)} reports a second`,
        against: `${speed(theirs)} of htmlparser2's parser with handlers that only count`,
        ratio: theirs / ours,
      },
    ];
  },
};
