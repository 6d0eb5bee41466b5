// Guards that hang on route groups: what they protect is what is mounted in them, never a path's text.
import { Elysia } from "elysia";
import type { Config } from "../config.ts";
import { requireAdmin } from "./auth.ts";
import { factsOf } from "./request-facts.ts";

/** Routes mounted below serve the admin only. Runs before validation, so that a stranger learns nothing of the route. */
export function adminGroup(config: Config) {
  return new Elysia({ name: "admin-group" }).onTransform({ as: "scoped" }, ({ request }) => {
    requireAdmin(config, request.headers, factsOf(request).peer);
  });
}
