// Filers as the regulator describes them, by CIK: stored while fresh, else fetched.
import { and, eq, inArray } from "drizzle-orm";
import { operationalStates } from "../../datasets/operational-states.ts";
import { COMPANY_CACHE_S } from "../../limits.ts";
import type { Services } from "../../market/services.ts";
import { NotFound } from "../../platform/errors.ts";
import { instantMs } from "../../platform/instant-text.ts";
import { isReplaying } from "../../platform/reading.ts";
import { readOfOneVersion } from "../../platform/sqlite/one-version.ts";
import { recordedStates } from "../../platform/sqlite/recorded-states.ts";
import type { CompanyRegistry } from "./registry.ts";
import type { StoredAnswer } from "./source-answers.ts";
import type { Regulator, SourceEntity } from "./sources.ts";
import { company_facts } from "./tables.ts";

/** The regulator's name as a source of stored answers and of errors. */
export const REGULATOR = "edgar";
/** Source name of stored first filing dates, which never change. */
const FIRST_FILING = "edgar_first_filing";

interface FilersDeps extends Pick<Services, "clock" | "lake" | "sqlite"> {
  readonly regulator: Regulator;
  readonly registry: CompanyRegistry;
}

/** Records the stored state of a filer for earlier versions. When it was read decides nothing there. */
const recordsOf = (deps: Pick<FilersDeps, "clock" | "lake" | "sqlite">) =>
  recordedStates(
    { ...deps, dataset: operationalStates },
    {
      kind: "filer",
      tables: [
        {
          table: company_facts,
          rowsOf: (db, cik) =>
            db
              .select({ source: company_facts.source, key: company_facts.key, body: company_facts.body })
              .from(company_facts)
              .where(
                and(inArray(company_facts.source, [REGULATOR, FIRST_FILING]), eq(company_facts.key, cik)),
              )
              .orderBy(company_facts.source)
              .all(),
        },
      ],
    },
  );

export function filers({ regulator, registry, clock, lake, sqlite }: FilersDeps) {
  const records = recordsOf({ clock, lake, sqlite });
  const sources = [records];
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

    /** Loads the records of filers of the version that the request is answered from. */
    async load(ciks: readonly string[]): Promise<void> {
      if (isReplaying()) await records.load(ciks);
    },

    /** Notes that an answer uses the records of filers, so that its version has them. */
    note: (ciks: readonly string[]): Promise<void> =>
      readOfOneVersion({ lake, sqlite }, sources, ciks, () => undefined),
    isFresh: ({ read_at }: StoredAnswer<unknown>) =>
      clock.nowMs() - instantMs(read_at) < COMPANY_CACHE_S * 1000,

    /**
     * Whether one of these filers had filed anything by a day. Throws Upstream* when that cannot be found
     * out.
     */
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
