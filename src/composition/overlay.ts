// The overlay scores, computed from the lake without any upstream request.
import { overlay } from "../capabilities/overlay/index.ts";
import { type Context, type Part, servicesFor } from "./context.ts";

export function composeOverlay(context: Context) {
  const scores = overlay({
    ...servicesFor(context, "overlay"),
    weights: context.config.overlayWeights,
    admin: context.admin,
  });
  const part: Part = { jobs: scores.jobs };
  return { scores, part };
}
