// Short volume: FINRA's daily files, the panel and short interest.
import { shortVolume } from "../capabilities/shortvolume/index.ts";
import { classifyFinra, finra, finraPolicy } from "../providers/finra/index.ts";
import { type Context, type Part, servicesFor } from "./context.ts";

export function composeShortVolume(context: Context) {
  const source = finra(context.connect(finraPolicy, classifyFinra));
  const shortVolumes = shortVolume({
    ...servicesFor(context, "shortvolume"),
    source,
    admin: context.admin,
  });
  const part: Part = {
    jobs: shortVolumes.jobs,
    providers: () => [{ ...source.health(), name: "shortvolume" }],
  };
  return { shortVolumes, part };
}
