// Routes about the service itself: its logs, what it has stored and how that changed, queries in SQL, and its
// widgets for OpenBB Workspace.
import { changes } from "../capabilities/changes/index.ts";
import { database } from "../capabilities/database/index.ts";
import { logs } from "../capabilities/logs/index.ts";
import { queryRunner, sql } from "../capabilities/sql/index.ts";
import { versionNames, versions } from "../capabilities/versions/index.ts";
import { workspace } from "../capabilities/workspace/index.ts";
import { DATASETS, MACROS } from "../datasets/index.ts";
import type { ListedHolders, ResolveHolder } from "../market/issuer.ts";
import { type Context, servicesFor } from "./context.ts";

/** The tickers that widgets show at first, on the real market and on the sample market. */
const FIRST_SYMBOL = "AAPL";
const SAMPLE_SYMBOL = "ZORP";

interface OperationDeps {
  /** Map a ticker to its filer. */
  readonly companies: { readonly resolve: ResolveHolder; readonly listedHolders: ListedHolders };
  /** Writes the buffered log rows. */
  flushLogs(): void;
}

export function composeOperation(context: Context, { companies, flushLogs }: OperationDeps) {
  const { operator, admin, caches, isAdmin, storage } = context;
  const names = versionNames(servicesFor(context, "versions"));
  return {
    versionNames: names,
    logs: logs({ ...servicesFor(context, "logs"), operator, isAdmin, flush: flushLogs }),
    changes: changes({
      ...servicesFor(context, "changes"),
      datasets: DATASETS,
      generationOf: names.generationOf,
      listedHolders: companies.listedHolders,
    }),
    versions: versions({ ...servicesFor(context, "versions"), names, admin }),
    database: database({
      ...servicesFor(context, "database"),
      operator,
      caches,
      storage,
      resolve: companies.resolve,
      datasets: DATASETS,
      macros: MACROS,
    }),
    sql: sql({
      runQuery: queryRunner({
        dataDir: context.config.dataDir,
        extraClosures: context.config.extraClosures,
      }),
      lake: context.lake,
      admin,
    }),
    workspace: workspace({
      ...servicesFor(context, "workspace"),
      symbol: context.config.dataMode === "sample" ? SAMPLE_SYMBOL : FIRST_SYMBOL,
    }),
  };
}
