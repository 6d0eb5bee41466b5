// The type of the whole API, for clients in TypeScript: what each route takes, and the body it answers with.
import type { Elysia } from "elysia";
import type { Answer } from "../platform/answer.ts";
import type { composeService } from "./service.ts";

type Groups = ReturnType<typeof composeService>["routes"][number]["~Routes"];

/** All of a union's members at once. */
type Together<U> = (U extends unknown ? (member: U) => void : never) extends (all: infer All) => void
  ? All
  : never;

/** The routes as a client meets them: the body of an Answer in place of the Answer. */
type Reported<R> =
  R extends Answer<infer Body>
    ? Body
    : R extends (...given: never) => unknown
      ? R
      : R extends object
        ? { [K in keyof R]: Reported<R[K]> }
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
  { api: { v1: Reported<Together<Groups>> } }
>;
