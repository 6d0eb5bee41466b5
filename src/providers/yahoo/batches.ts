// Many symbols in few requests: asked in batches, and what did not come back is asked for once more.

/** One batch's answer: rows by Yahoo's spelling, upper case. */
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
 * Rows of all `spellings`, in batches of `size`. Yahoo leaves unknown symbols out, and at bad times known ones too
 * (of a batch only its last symbol came back on 2025-03-13): what is missing is asked for once more in two halves,
 * and whatever then still is missing is missing. Fails as a whole when a request fails.
 */
export async function askInBatches<Row>(
  spellings: readonly string[],
  size: number,
  ask: AskBatch<Row>,
): Promise<Map<string, Row>> {
  const rows = await askAll(spellings, size, ask);
  const missing = spellings.filter((spelling) => !rows.has(spelling));
  // A symbol that was asked for alone has had its answer.
  if (missing.length === 0 || spellings.length === 1) return rows;
  const half = Math.min(size, Math.ceil(missing.length / 2));
  return new Map([...rows, ...(await askAll(missing, half, ask))]);
}
