// Attention: page views of the encyclopedia and the news archive, whose rate limits persist across restarts.
import { attention } from "../capabilities/attention/index.ts";
import { persistentLimits } from "../platform/upstream/persistent-limits.ts";
import { ARCHIVE_FROM, articleQuery, classifyGdelt, gdelt, gdeltPolicy } from "../providers/gdelt/index.ts";
import { articleUrl, PROJECT, VIEWS_FROM, type Wikimedia } from "../providers/wikimedia/index.ts";
import { type Context, type Part, servicesFor } from "./context.ts";
import type { composeRegulator } from "./regulator.ts";

/** Composes attention; `companies` resolves tickers to companies. */
export function composeAttention(
  context: Context,
  encyclopedia: Wikimedia,
  companies: ReturnType<typeof composeRegulator>["companies"],
) {
  const { sqlite, clock, admin, connect } = context;
  const archive = gdelt(
    connect(gdeltPolicy, classifyGdelt, persistentLimits(gdeltPolicy, { store: sqlite, clock })),
  );
  const capability = attention({
    ...servicesFor(context, "attention"),
    encyclopedia: { ...encyclopedia, articleUrl, project: PROJECT, viewsFrom: VIEWS_FROM },
    archive: {
      ...archive,
      query: articleQuery,
      closedUntil: () => archive.health().breakerOpenUntil,
      archiveFrom: ARCHIVE_FROM,
    },
    resolve: companies.resolve,
    companyBehind: (ticker, signal) => companies.find(ticker, false, signal),
    admin,
  });
  const part: Part = {
    jobs: capability.jobs,
    providers: () => [{ ...archive.health(), name: "newsarchive" }],
  };
  return { attention: capability, part };
}
