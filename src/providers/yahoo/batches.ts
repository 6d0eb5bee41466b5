// Requests many symbols in batches, and requests missing ones once more.

/** The answer to one batch: rows by Yahoo's spelling in upper case. */
export type AskBatch<Row> = (spellings: readonly string[]) => Promise<ReadonlyMap<string, Row>>;

function chunk<T>(items: readonly T[], size: number): T[][] {
  const chunks: T[][] = [];
  for (let i = 0; i < items.length; i += size) chunks.push(items.slice(i, i + size));
  return chunks;
}

async function askAll<Row>(
  spellings: readonly string[],
  size: number,
  ask: AskBatch<Row>,
): Promise<Map<string, Row>> {
  const answers = await Promise.all(chunk(spellings, size).map((batch) => ask(batch)));
  return new Map(answers.flatMap((rows) => [...rows]));
}

/**
 * Fetches the rows of all `spellings`, in batches of `size`. Yahoo leaves out unknown symbols, and sometimes
 * known ones too (on 2025-03-13 only the last symbol of a batch came back). So missing symbols are requested
 * once more, in two halves; those still missing are left out. Rejects when any request fails.
 */
export async function askInBatches<Row>(
  spellings: readonly string[],
  size: number,
  ask: AskBatch<Row>,
): Promise<Map<string, Row>> {
  const rows = await askAll(spellings, size, ask);
  const missing = spellings.filter((spelling) => !rows.has(spelling));
  // A symbol requested alone has already had its answer.
  if (missing.length === 0 || spellings.length === 1) return rows;
  const half = Math.min(size, Math.ceil(missing.length / 2));
  return new Map([...rows, ...(await askAll(missing, half, ask))]);
}
