// Insiders: trades of officers, directors and large owners, and figures computed from them.

import type { Services } from "../../market/services.ts";
import { type InsiderDeps, insiderAnswers } from "./answers.ts";
import { insiderRoutes } from "./routes.ts";
import { insiderTrades } from "./trades.ts";

export function insider({ lake, ...deps }: Omit<InsiderDeps, "trades"> & Pick<Services, "lake">) {
  const answers = insiderAnswers({ ...deps, trades: insiderTrades(lake) });
  return { routes: insiderRoutes(answers) };
}
