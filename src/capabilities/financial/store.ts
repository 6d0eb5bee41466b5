// Stores reported figures in the lake, and the state of each filer in the operational database.
import { and, asc, eq, isNull } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import { financialFacts } from "../../datasets/financial-facts.ts";
import { company_tickers } from "../../datasets/tables.ts";
import type { Services } from "../../market/services.ts";
import { batcher } from "../../platform/batcher.ts";
import type { AsofError } from "../../platform/errors.ts";
import { batchOf, type Lake } from "../../platform/lake/lake.ts";
import { currentReading, isReplaying } from "../../platform/reading.ts";
import type { FinancialFact } from "../../providers/edgar/index.ts";
import { type FactRow, factRow } from "./fact-rows.ts";
import { filerStates } from "./filer-states.ts";
import { readFacts } from "./read-facts.ts";
import { dataLossError, type FactsUpdate, replacedReports } from "./replaced-reports.ts";

/** The result of storing figures, by filer. */
export interface WriteResult {
  /** Reports whose stored figures were replaced. */
  readonly replaced: ReadonlyMap<string, readonly string[]>;
  /** Filers whose figures were refused, with the reason. */
  readonly refused: ReadonlyMap<string, AsofError>;
}

/** Reports that were read again, and their figures now. */
class Rereading {
  readonly groups: string[][] = [];
  readonly rows: FactRow[] = [];
}

/** Figures cached in memory over all filers: about 60 MB. */
const FACTS_CACHED = 200_000;

/** The figures read of a filer, and whether all of them were there. */
interface ReadOfFiler {
  readonly facts: readonly FinancialFact[];
  readonly isWhole: boolean;
}

/**
 * Reads filers' figures; reads requested at about the same time share one query. Opening the files costs more
 * than the rows of one filer, and a bulk request needs a hundred filers.
 */
function batchedRead(lake: Lake) {
  return batcher<string, ReadOfFiler>({
    async run(ciks) {
      const facts = await readFacts(lake, [...new Set(ciks)]);
      const isWhole = !currentReading()?.damage.size;
      return ciks.map((cik) => ({ facts: facts.get(cik) ?? [], isWhole }));
    },
  });
}

export function financialStore({ lake, sqlite }: Pick<Services, "lake" | "sqlite">) {
  const cache = new LRUCache<string, { readonly state: string; readonly facts: readonly FinancialFact[] }>({
    maxSize: FACTS_CACHED,
    sizeCalculation: ({ facts }) => facts.length + 1,
  });

  const reads = batchedRead(lake);

  /** The main symbol of a filer: the first ordinary share in the regulator's list. */
  const symbolOf = (cik: string): string | null => {
    const rows = sqlite.use((db) =>
      db
        .select({ symbol: company_tickers.symbol })
        .from(company_tickers)
        .where(
          and(
            eq(company_tickers.cik, cik),
            eq(company_tickers.kind, "company"),
            isNull(company_tickers.gone_at),
          ),
        )
        .orderBy(asc(company_tickers.position))
        .all(),
    );
    return (rows.find(({ symbol }) => !/[.-]/.test(symbol)) ?? rows[0])?.symbol ?? null;
  };

  const states = filerStates(sqlite);

  /**
   * Changes with every write, also one by another process, so that figures cached before it are no longer
   * served.
   */
  const stateKey = (cik: string): string => {
    const filer = states.state(cik);
    return `${filer?.read_at} ${filer?.reading} ${filer?.schedules_read_at} ${filer?.schedules_reading}`;
  };

  const cachedFacts = async (cik: string): Promise<readonly FinancialFact[]> => {
    if (isReplaying()) return (await reads.add(cik)).facts;
    const state = stateKey(cik);
    const cached = cache.get(cik);
    if (cached?.state === state) return cached.facts;
    const { facts, isWhole } = await reads.add(cik);
    // The note of a loss is with the request that read, so that each has to read.
    if (isWhole) cache.set(cik, { state, facts });
    return facts;
  };

  return {
    ...states,

    /**
     * Stores figures of any number of filers in one write: adds new figures, and replaces reports whose
     * figures differ. Refuses an update that lost most of its filer's figures.
     */
    async write(readings: readonly FactsUpdate[]): Promise<WriteResult> {
      const known = readings.filter(({ cik }) => states.state(cik) !== null).map(({ cik }) => cik);
      const stored = known.length === 0 ? new Map<string, FinancialFact[]>() : await readFacts(lake, known);
      const replaced = new Map<string, string[]>();
      const refused = new Map<string, AsofError>();
      const again = { our_reading: new Rereading(), source_changed: new Rereading() };
      const added: FactRow[] = [];
      for (const reading of readings) {
        const { cik, facts } = reading;
        const own = stored.get(cik) ?? [];
        const reports = replacedReports(reading, own);
        const error = reports.length > 0 ? dataLossError(reading, own) : null;
        if (error) {
          refused.set(cik, error);
          continue;
        }
        if (reports.length > 0) replaced.set(cik, reports);
        // A newer reader replaces; the regulator's file may have changed too, which cannot be distinguished
        // then.
        const rereading = again[reading.mode === "replace" ? "our_reading" : "source_changed"];
        rereading.groups.push(...reports.map((report) => [cik, report]));
        const leaving = new Set(reports);
        const symbol = symbolOf(cik);
        for (const fact of facts)
          (leaving.has(fact.accession_number) ? rereading.rows : added).push(factRow(fact, symbol));
      }
      for (const cause of ["our_reading", "source_changed"] as const) {
        const { rows, groups } = again[cause];
        const by = ["cik", "accession_number"];
        if (groups.length > 0) await lake.append([batchOf(financialFacts, rows, { by, groups, cause })]);
      }
      await lake.append([batchOf(financialFacts, added)]);
      for (const { cik } of readings) cache.delete(cik);
      return { replaced, refused };
    },

    /** All stored figures of filers, oldest report first. */
    async facts(ciks: readonly string[], signal?: AbortSignal): Promise<readonly FinancialFact[]> {
      const facts = await Promise.all(ciks.map(cachedFacts));
      signal?.throwIfAborted();
      return facts.length === 1 ? (facts[0] ?? []) : facts.flat();
    },
  };
}

export type FinancialStore = ReturnType<typeof financialStore>;
