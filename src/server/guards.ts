// Guards that hang on route groups: what they protect is what is mounted in them, never a path's text.
import { Elysia } from "elysia";
import type { Config } from "../config.ts";
import { Forbidden } from "../platform/errors.ts";
import { requireAdmin } from "./auth.ts";
import { requestContextOf } from "./request-context.ts";

/** Whom a group of routes is kept for: the admin, or once the server takes keys the one who runs it. */
export type Guard = "admin" | "operator";

const marked = <F extends object>(guard: F, kept: Guard) => Object.assign(guard, { kept });

/** The guard that stands before a route, told from its hooks: what the documentation says is what is checked. */
export function guardOf(hooks: unknown): Guard | null {
  const { transform } = Object(hooks) as { transform?: readonly { fn?: { kept?: Guard } }[] };
  return transform?.map(({ fn }) => fn?.kept).find((kept) => kept !== undefined) ?? null;
}

/** Routes mounted below serve the admin only. Runs before validation, so that a stranger learns nothing of the route. */
export function adminGroup(config: Config) {
  const guard = ({ request }: { request: Request }) => {
    requireAdmin(config, request.headers, requestContextOf(request).peer);
  };
  return new Elysia({ name: "admin-group" }).onTransform({ as: "scoped" }, marked(guard, "admin"));
}

/** Routes mounted below tell of the service itself: once it takes keys, they are the admin's. */
export function operatorGroup(config: Config) {
  const guard = ({ request }: { request: Request }) => {
    if (config.apiKeys.length > 0) requireAdmin(config, request.headers, requestContextOf(request).peer);
  };
  return new Elysia({ name: "operator-group" }).onTransform({ as: "scoped" }, marked(guard, "operator"));
}

/** Whether a request comes from the admin. */
export function isAdmin(config: Config, request: Request): boolean {
  try {
    requireAdmin(config, request.headers, requestContextOf(request).peer);
    return true;
  } catch (error) {
    if (!(error instanceof Forbidden)) throw error;
    return false;
  }
}
