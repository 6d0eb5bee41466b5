// Filers as the regulator describes them, by CIK: stored while fresh, else fetched.
import { COMPANY_CACHE_S } from "../../limits.ts";
import type { Services } from "../../market/services.ts";
import { NotFound } from "../../platform/errors.ts";
import { instantMs } from "../../platform/instant-text.ts";
import type { CompanyRegistry } from "./registry.ts";
import type { StoredAnswer } from "./source-answers.ts";
import type { Regulator, SourceEntity } from "./sources.ts";

/** The regulator's name as a source of stored answers and of errors. */
export const REGULATOR = "edgar";
/** Source name of stored first filing dates, which never change. */
const FIRST_FILING = "edgar_first_filing";

interface FilersDeps extends Pick<Services, "clock"> {
  readonly regulator: Regulator;
  readonly registry: CompanyRegistry;
}

export function filers({ regulator, registry, clock }: FilersDeps) {
  const stored = (cik: string) => registry.storedAnswer<SourceEntity>(REGULATOR, cik);

  /** Fetches and stores a filer. Null when the regulator has no such CIK. */
  const fetch = async (
    cik: string,
    signal: AbortSignal | undefined,
  ): Promise<StoredAnswer<SourceEntity> | null> => {
    const answer = await regulator.submissions(cik, signal).catch((error: unknown) => {
      if (error instanceof NotFound) return null;
      throw error;
    });
    if (!answer) return null;
    const { received_at: read_at, first_filing_date } = answer;
    const entity = { body: storedFields(answer.entity), read_at };
    registry.saveAnswer(REGULATOR, cik, entity);
    if (first_filing_date !== null)
      registry.saveAnswer(FIRST_FILING, cik, { body: first_filing_date, read_at });
    return entity;
  };

  return {
    stored,
    fetch,
    isFresh: ({ read_at }: StoredAnswer<unknown>) =>
      clock.nowMs() - instantMs(read_at) < COMPANY_CACHE_S * 1000,

    /** Whether one of these filers had filed anything by a day. Throws Upstream* when that cannot be found out. */
    async hasFiledBy(ciks: readonly string[], day: string, signal?: AbortSignal): Promise<boolean> {
      for (const cik of ciks) {
        if (!registry.storedAnswer<string>(FIRST_FILING, cik)) await fetch(cik, signal);
        const first = registry.storedAnswer<string>(FIRST_FILING, cik)?.body ?? null;
        if (first !== null && first <= day) return true;
      }
      return false;
    },
  };
}

export type Filers = ReturnType<typeof filers>;

/** The fields of an entity that the registry stores; the provider's record has more. */
function storedFields(entity: SourceEntity): SourceEntity {
  return {
    cik: entity.cik,
    name: entity.name,
    sic: entity.sic,
    sic_description: entity.sic_description,
    tickers: entity.tickers,
    description: entity.description,
    website: entity.website,
    fiscal_year_end: entity.fiscal_year_end,
    state_of_incorporation: entity.state_of_incorporation,
    business_address: entity.business_address,
    former_names: entity.former_names,
    predecessor_ciks: entity.predecessor_ciks,
  };
}
