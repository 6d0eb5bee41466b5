// `bun run cli version name` and `version list`: names for versions of the stored data; the server may run
// meanwhile.
import { withService } from "../session.ts";

export async function name(
  given: string,
  { note, dataVersion }: { note?: string; dataVersion?: number },
): Promise<void> {
  await withService(
    async ({ service: { versionNames } }) => {
      const named = await versionNames.give({ name: given, note, data_version: dataVersion });
      console.log(`${named.name} is the data version ${named.data_version}.`);
    },
    { existing: true },
  );
}

export async function list({ all, limit }: { all: boolean; limit: number }): Promise<void> {
  await withService(
    async ({ service: { versionNames }, stores: { lake } }) => {
      const names = Map.groupBy(versionNames.list(), ({ data_version }) => data_version);
      const { commits } = await lake.commits({ only: all ? undefined : [...names.keys()], limit });
      for (const { generation, recorded_at } of commits) {
        const own = (names.get(generation) ?? []).map((each) =>
          [each.name, each.note].filter(Boolean).join(": "),
        );
        const line = [String(generation), recorded_at ?? "time unknown", own.join("; ")];
        console.log(line.filter(Boolean).join("  "));
      }
      if (commits.length === 0) console.log("No version has a name yet; `version name NAME` gives one.");
    },
    { existing: true },
  );
}
