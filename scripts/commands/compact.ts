// `bun run cli compact`: merges the lake's small files; the server may run meanwhile.
import { DATASETS } from "../../src/datasets/index.ts";
import { withService } from "../session.ts";

export async function run({ dataset, force }: { dataset?: string; force: boolean }): Promise<void> {
  if (dataset !== undefined && !DATASETS.some(({ name }) => name === dataset))
    throw new RangeError(`--dataset is "${dataset}"; docs/catalogue.md lists the datasets.`);
  await withService(
    async ({ stores }) => {
      const merged = await stores.lake.compact({ ...(dataset ? { dataset } : {}), force });
      for (const { dataset: name, partition, inputs, rows, kind } of merged)
        console.log(`${name} ${partition}: ${inputs} files, ${rows} rows → one ${kind}`);
      if (merged.length === 0) console.log("Nothing to merge.");
    },
    { existing: true },
  );
}
