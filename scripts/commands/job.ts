// `bun run cli job run`: runs a job now, as the schedule would, or for one day.
import { NotFound } from "../../src/platform/errors.ts";
import { withService } from "../session.ts";

export async function run(name: string, { date }: { date?: string }): Promise<void> {
  const isWhole = await withService(async ({ service: { jobs } }) => {
    const names = jobs.list().map((job) => job.name);
    if (!names.includes(name))
      throw new NotFound(
        "not_found",
        `There is no job named ${name}; the jobs are ${names.sort().join(", ")}.`,
      );
    const { run: begun, done } = jobs.request(name, date ?? null);
    console.log(`${name} runs as run ${begun.id}.`);
    const ended = await done;
    const rows = ended?.rows == null ? "" : `, ${ended.rows} rows`;
    console.log(`${name}: ${ended?.outcome ?? "its end could not be recorded"}${rows}.`);
    if (ended?.error) console.log(ended.error);
    if (ended?.outcome !== "succeeded") process.exitCode = 1;
  });
  if (!isWhole) process.exitCode = 1;
}
