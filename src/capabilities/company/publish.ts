// Writes company records to the lake: one more vintage whenever something has changed.
import { companies } from "../../datasets/companies.ts";
import type { Services } from "../../market/services.ts";
import { batchOf } from "../../platform/lake/lake.ts";
import { type CompanyRecord, lastUpdated } from "./record.ts";
import type { CompanyRegistry } from "./registry.ts";
import type { CompanyLog } from "./sources.ts";

/** Source name under which the registry stores the record published last. */
const PUBLISHED = "lake";

/** A record without the times at which it was read. Two records with the same content are one vintage. */
function contentOf(record: CompanyRecord): string {
  const { regulator_updated_at, profile_updated_at, market_cap_as_of, ...content } = record;
  return JSON.stringify(content);
}

const json = (list: readonly unknown[]) => (list.length === 0 ? null : JSON.stringify(list));

function recordRow(record: CompanyRecord, known_at: string) {
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

export interface PublisherDeps extends Pick<Services, "lake"> {
  readonly registry: CompanyRegistry;
  readonly log: CompanyLog;
}

/**
 * Never throws: a lake that cannot be written must not fail an answer. The next lookup publishes the record.
 */
export function publisher({ lake, registry, log }: PublisherDeps) {
  return async (record: CompanyRecord): Promise<void> => {
    const known_at = lastUpdated(record);
    const content = contentOf(record);
    // A record made only of the list of tickers has no time at which it was read, so it is not published.
    if (known_at === null || registry.storedAnswer<string>(PUBLISHED, record.symbol)?.body === content)
      return;
    try {
      await lake.append([batchOf(companies, [recordRow(record, known_at)])]);
      registry.saveAnswer(PUBLISHED, record.symbol, { body: content, read_at: known_at });
    } catch (error) {
      log.warn("a company record could not be published", { symbol: record.symbol, error });
    }
  };
}

export type Publish = ReturnType<typeof publisher>;
