// Company records in the lake: one more vintage whenever something has changed.
import { companies } from "../../datasets/companies.ts";
import { batchOf, type Lake } from "../../platform/lake/lake.ts";
import { type CompanyRecord, lastUpdated } from "./record.ts";
import type { CompanyRegistry } from "./registry.ts";
import type { CompanyLog } from "./sources.ts";

/** Under this name the registry keeps what was published last. */
const PUBLISHED = "lake";

/** A record without the times at which it was read: when that is the same, nothing is new. */
function contentOf(record: CompanyRecord): string {
  const { regulator_updated_at, profile_updated_at, market_cap_as_of, ...content } = record;
  return JSON.stringify(content);
}

const json = (list: readonly unknown[]) => (list.length === 0 ? null : JSON.stringify(list));

function rowOf(record: CompanyRecord, known_at: string) {
  const { share_classes, former_names, predecessor_ciks, ...rest } = record;
  const { ipo_date, regulator_updated_at, profile_updated_at, ...plain } = rest;
  return {
    ...plain,
    former_names: json(former_names),
    share_classes: json(share_classes.map(({ ticker }) => ticker)),
    predecessor_ciks: json(predecessor_ciks),
    known_at,
  };
}

/** Never throws: an answer does not wait for a lake that cannot be written; the next reading publishes it. */
export function publisher(deps: {
  readonly lake: Lake;
  readonly registry: CompanyRegistry;
  readonly log: CompanyLog;
}) {
  const { lake, registry, log } = deps;
  return async (record: CompanyRecord): Promise<void> => {
    const known_at = lastUpdated(record);
    const content = contentOf(record);
    // Without a source there is no vintage: a line of the list of tickers alone is none.
    if (known_at === null || registry.facts<string>(PUBLISHED, record.symbol)?.body === content) return;
    try {
      await lake.append([batchOf(companies, [rowOf(record, known_at)])]);
      registry.saveFacts(PUBLISHED, record.symbol, { body: content, read_at: known_at });
    } catch (error) {
      log.warn("a company record could not be published", { symbol: record.symbol, error });
    }
  };
}

export type Publish = ReturnType<typeof publisher>;
