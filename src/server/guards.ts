// Guards that hang on route groups: what they protect is what is mounted in them, never a path's text.
import { Elysia } from "elysia";
import type { Config } from "../config.ts";
import { Forbidden } from "../platform/errors.ts";
import { requireAdmin } from "./auth.ts";
import { factsOf } from "./request-facts.ts";

/** Routes mounted below serve the admin only. Runs before validation, so that a stranger learns nothing of the route. */
export function adminGroup(config: Config) {
  return new Elysia({ name: "admin-group" }).onTransform({ as: "scoped" }, ({ request }) => {
    requireAdmin(config, request.headers, factsOf(request).peer);
  });
}

/** Routes mounted below tell of the service itself: once it takes keys, they are the admin's. */
export function operatorGroup(config: Config) {
  return new Elysia({ name: "operator-group" }).onTransform({ as: "scoped" }, ({ request }) => {
    if (config.apiKeys.length > 0) requireAdmin(config, request.headers, factsOf(request).peer);
  });
}

/** Whether a request comes from the admin. */
export function isAdmin(config: Config, request: Request): boolean {
  try {
    requireAdmin(config, request.headers, factsOf(request).peer);
    return true;
  } catch (error) {
    if (!(error instanceof Forbidden)) throw error;
    return false;
  }
}
