// Insiders: trades of officers, directors and large owners, and figures over them. Its face.
import type { Clock } from "../../platform/clock.ts";
import type { Lake } from "../../platform/lake/lake.ts";
import { insiderAnswers } from "./answers.ts";
import { insiderRoutes } from "./routes.ts";
import type { FilingKnowledge, ResolveIssuer, SymbolsOf } from "./sources.ts";
import { insiderTrades } from "./trades.ts";

export interface InsiderNeeds {
  readonly resolve: ResolveIssuer;
  readonly symbolsOf: SymbolsOf;
  /** The index of the filings, which is brought up to a question before it is answered. */
  readonly knowledge: FilingKnowledge;
  readonly lake: Lake;
  readonly clock: Clock;
}

export function insider({ lake, ...needs }: InsiderNeeds) {
  const answers = insiderAnswers({ ...needs, trades: insiderTrades(lake) });
  return { routes: insiderRoutes(answers) };
}
