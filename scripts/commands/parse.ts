// `bun run cli parse`: reads the pending current reports (8-K), newest first. A stopped run resumes where it
// was.
import { progress } from "../progress.ts";
import { withService } from "../session.ts";

export async function run({ limit = Number.MAX_SAFE_INTEGER }: { limit?: number }): Promise<void> {
  let failures = 0;
  const isWhole = await withService(async ({ service, signal }) => {
    const { ingest } = service.filings;
    const bar = progress(Math.min(ingest.pendingCount(), limit), "filings");
    const unread: string[] = [];
    try {
      const onStep = (accession: string, error: Error | null) => {
        if (error) unread.push(`${accession}: ${error.message}`);
        bar.step(accession);
      };
      const { parsed, failed } = await ingest.parse(limit, onStep, signal);
      failures = failed;
      for (const line of unread) console.log(line);
      console.log(`${parsed - failed} of ${parsed} filings were read, ${ingest.pendingCount()} are pending.`);
    } finally {
      bar.end();
    }
  });
  process.exitCode = failures === 0 && isWhole ? 0 : 1;
}
