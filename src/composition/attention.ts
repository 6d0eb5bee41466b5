// Attention: the encyclopedia, which the lists ask too, and the news archive, whose manners outlive the process.
import { attention } from "../capabilities/attention/index.ts";
import { persistentLimits } from "../platform/upstream/persistent-limits.ts";
import { ARCHIVE_FROM, articleQuery, classifyGdelt, gdelt, gdeltPolicy } from "../providers/gdelt/index.ts";
import { articleUrl, PROJECT, VIEWS_FROM, type Wikimedia } from "../providers/wikimedia/index.ts";
import type { Context, Part } from "./context.ts";
import type { composeRegulator } from "./regulator.ts";

/** Companies come from the regulator's side, with the price provider's word where that has none. */
export function composeAttention(
  context: Context,
  encyclopedia: Wikimedia,
  companies: ReturnType<typeof composeRegulator>["companies"],
) {
  const { sqlite, lake, clock, log, cacheDeps, admin, runNow, connect } = context;
  const archive = gdelt(
    connect(gdeltPolicy, classifyGdelt, persistentLimits(gdeltPolicy, { store: sqlite, clock })),
  );
  const watched = attention({
    encyclopedia: { ...encyclopedia, articleUrl, project: PROJECT, viewsFrom: VIEWS_FROM },
    archive: {
      ...archive,
      query: articleQuery,
      closedUntil: () => archive.health().breakerOpenUntil,
      archiveFrom: ARCHIVE_FROM,
    },
    companyBehind: (ticker, signal) => companies.find(ticker, false, signal),
    ...{ lake, sqlite, clock, cacheDeps, admin, runNow },
    log: log.child({ capability: "attention" }),
  });
  const part: Part = {
    jobs: watched.jobs,
    providers: () => [{ ...archive.health(), name: "newsarchive" }],
  };
  return { attention: watched, part };
}
