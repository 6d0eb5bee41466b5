// The type of the whole API for clients in TypeScript: the request of each route and the body of its answer.
import type { Elysia } from "elysia";
import type { Answer } from "../platform/answer.ts";
import type { composeService } from "./service.ts";

type Groups = ReturnType<typeof composeService>["routes"][number]["~Routes"];

/** The intersection of a union's members. */
type IntersectionOf<U> = (U extends unknown ? (member: U) => void : never) extends (all: infer All) => void
  ? All
  : never;

/** The routes as a client sees them: each Answer is replaced by its body. */
type WithBodies<R> =
  R extends Answer<infer Body>
    ? Body
    : R extends (...given: never) => unknown
      ? R
      : R extends object
        ? { [K in keyof R]: WithBodies<R[K]> }
        : R;

/** For Eden's `treaty<Api>(address)`. */
export type Api = Elysia<
  "",
  {
    decorator: Record<never, never>;
    store: Record<never, never>;
    derive: Record<never, never>;
    resolve: Record<never, never>;
  },
  { typebox: Record<never, never>; error: Record<never, never> },
  {
    schema: Record<never, never>;
    standaloneSchema: Record<never, never>;
    macro: Record<never, never>;
    macroFn: Record<never, never>;
    parser: Record<never, never>;
    response: Record<never, never>;
  },
  { api: { v1: WithBodies<IntersectionOf<Groups>> } }
>;
