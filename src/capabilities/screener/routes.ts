// The screener's routes: each handler only hands the request to its use case.
import { Elysia } from "elysia";
import type { ScreenerAnswers } from "./answers.ts";
import { PRESET, PRESET_LIST, SCREEN } from "./docs.ts";
import { PresetPath, PresetQuery, ScreenQuery, ScreenRequest } from "./schema.ts";

/** The routes below /screener. */
export function screenerRoutes(answers: ScreenerAnswers) {
  return new Elysia({ name: "screener", prefix: "/screener" })
    .get("/screen", ({ query, request }) => answers.screen(query, request.signal), {
      query: ScreenQuery,
      detail: SCREEN,
    })
    .post("/screen", ({ body, request }) => answers.screen(body, request.signal), {
      body: ScreenRequest,
      detail: SCREEN,
    })
    .get("/presets", () => answers.presets(), { detail: PRESET_LIST })
    .get(
      "/preset/:name",
      ({ params, query, request }) => answers.preset(params.name, query, request.signal),
      { params: PresetPath, query: PresetQuery, detail: PRESET },
    );
}
