// Guards of route groups. A guard protects the routes mounted in its group and never matches on path text.
import { Elysia } from "elysia";
import type { Config } from "../config.ts";
import { Forbidden } from "../platform/errors.ts";
import { requireAdmin } from "./auth.ts";
import { requestContextOf } from "./request-context.ts";

/** `admin` routes serve the admin only; `operator` routes do so once the server requires keys. */
export type Guard = "admin" | "operator";

const marked = <F extends object>(hook: F, guard: Guard) => Object.assign(hook, { guard });

/** The guard of a route, read from its hooks, so that the documentation states exactly what is checked. */
export function guardOf(hooks: unknown): Guard | null {
  const { transform } = Object(hooks) as { transform?: readonly { fn?: { guard?: Guard } }[] };
  return transform?.map(({ fn }) => fn?.guard).find((guard) => guard !== undefined) ?? null;
}

/**
 * A group whose routes serve the admin only. The guard runs before validation, so it reveals nothing about
 * the route.
 */
export function adminGroup(config: Config) {
  const guard = ({ request }: { request: Request }) => {
    requireAdmin(config, request.headers, requestContextOf(request).peer);
  };
  return new Elysia({ name: "admin-group" }).onTransform({ as: "scoped" }, marked(guard, "admin"));
}

/** A group for routes about the service itself. They serve the admin only once the server requires keys. */
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
