// `bun run cli backfill insiders`: trades of insiders for whole quarters, from the SEC's data sets. The data
// sets give the day of filing only, so such trades count as known from the end of that day. An interrupted
// run is simply started again.
import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { openZip } from "../../src/platform/zip.ts";
import { type Session, withService } from "../session.ts";

/** Unread filings that are listed; the rest is counted. */
const LISTED_MAX = 20;

async function ingestArchive({ service, signal }: Session, path: string): Promise<void> {
  const { size, mtimeMs } = await stat(path);
  const file = basename(path);
  const archive = await openZip(path);
  try {
    const name = `${file} ${size} ${Math.round(mtimeMs)}`;
    const result = await service.ownership.backfill.dataSet({ archive, name, signal }, (filings) =>
      process.stderr.write(`${file}: ${filings} filings\n`),
    );
    for (const line of result.unread.slice(0, LISTED_MAX)) console.log(line);
    console.log(
      `${file}: ${result.rows} new trades from ${result.filings} new filings; ${result.unread.length} filings cannot be read.`,
    );
  } finally {
    await archive.close();
  }
}

export async function run({ bulk }: { bulk: readonly string[] }): Promise<void> {
  await withService(async (session) => {
    for (const path of bulk) await ingestArchive(session, path);
  });
}
