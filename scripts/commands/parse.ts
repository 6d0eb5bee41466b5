// `bun run cli parse`: reads the current reports (8-K) that are pending, newest first. A stopped run goes on where it was.
import { defineCommand } from "citty";
import { withFilings } from "../filing-session.ts";
import { progress } from "../progress.ts";

export default defineCommand({
  meta: { name: "parse", description: "Read pending current reports (8-K) for their events" },
  args: {
    limit: { type: "string", description: "Filings at most; default: all that are pending" },
  },
  async run({ args }) {
    const limit = args.limit === undefined ? Number.MAX_SAFE_INTEGER : Number(args.limit);
    if (!Number.isSafeInteger(limit) || limit < 1)
      throw new RangeError(`--limit is "${args.limit}"; it must be a whole number from 1`);
    let isClean = true;
    const isWhole = await withFilings(async ({ ingest, signal }) => {
      const bar = progress(Math.min(ingest.pendingCount(), limit), "filings");
      const unread: string[] = [];
      try {
        const { parsed, failed } = await ingest.parse(
          limit,
          (accession, error) => {
            if (error) unread.push(`${accession}: ${error.message}`);
            bar.step(accession);
          },
          signal,
        );
        isClean = failed === 0;
        for (const line of unread) console.log(line);
        console.log(
          `${parsed - failed} of ${parsed} filings were read, ${ingest.pendingCount()} are pending.`,
        );
      } finally {
        bar.end();
      }
    });
    process.exitCode = isClean && isWhole ? 0 : 1;
  },
});
