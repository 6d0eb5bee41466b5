// The screener: US shares by what is known of them now. Its face: what it needs, and what it gives.
import type { CacheDeps } from "../../platform/cache/cache.ts";
import { screenerAnswers } from "./answers.ts";
import { screenerRoutes } from "./routes.ts";
import { screens } from "./screen.ts";
import type { ScreenSource } from "./sources.ts";

export interface ScreenerNeeds {
  readonly source: ScreenSource;
  readonly cacheDeps: CacheDeps;
}

/** Composes the capability: its routes. */
export function screener(needs: ScreenerNeeds) {
  return { routes: screenerRoutes(screenerAnswers(screens(needs))) };
}
