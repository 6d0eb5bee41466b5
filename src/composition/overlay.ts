// The overlay scores: made of what the lake holds, nothing is asked of anybody.
import { overlay } from "../capabilities/overlay/index.ts";
import type { Context, Part } from "./context.ts";

export function composeOverlay(context: Context) {
  const { config, lake, sqlite, clock, calendar, log, admin } = context;
  const scores = overlay({
    weights: config.overlayWeights,
    log: log.child({ capability: "overlay" }),
    ...{ lake, sqlite, clock, calendar, admin },
  });
  const part: Part = { jobs: scores.jobs };
  return { scores, part };
}
