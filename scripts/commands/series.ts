// `bun run cli series build|drop`: makes or removes the arrays of the lake's files; the server may run.
import { withService } from "../session.ts";

/** Does the work and says which arrays there are then. */
const run = (work: "fill" | "drop") =>
  withService(
    async ({ stores: { lake } }) => {
      await lake.arrays?.[work]();
      const stats = await lake.arrays?.stats();
      console.log(
        stats ? `${stats.files} files of arrays, ${stats.bytes} bytes.` : "Arrays are off (SERIES).",
      );
    },
    { existing: true },
  );

export const build = async () => void (await run("fill"));
export const drop = async () => void (await run("drop"));
