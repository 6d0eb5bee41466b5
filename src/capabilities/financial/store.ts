// Reported figures in the lake, and in the operational database whose they are and as of which report.
import { and, asc, eq, isNull } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import { financialFacts } from "../../datasets/financial-facts.ts";
import type { RowOf } from "../../platform/dataset.ts";
import { batchOf, type Lake } from "../../platform/lake.ts";
import type { Store } from "../../platform/sqlite.ts";
import { company_tickers, financial_filers } from "../../platform/tables.ts";
import type { FactFlag, FinancialFact, FiscalPeriod } from "../../providers/edgar/parse/facts-records.ts";
import { knownAt } from "../../providers/edgar/parse/facts-vintage.ts";

type FactRow = RowOf<typeof financialFacts>;

/** What is stored of a filer. */
export interface FilerState
  extends Omit<typeof financial_filers.$inferSelect, "warnings" | "schedule_warnings"> {
  readonly warnings: readonly string[];
  readonly schedule_warnings: readonly string[];
}

/** Figures kept in memory over all filers: some 60 MB. */
const FACTS_IN_MEMORY = 200_000;

/** The period as one word: part of the key, where no column may be null. */
export function periodWord({ period_start, period_end, period_months }: FinancialFact): string {
  if (period_start !== null) return `${period_start}/${period_end}`;
  return period_months === null ? period_end : `${period_months}M/${period_end}`;
}

function rowOf(fact: FinancialFact, symbol: string | null): FactRow {
  const { flags, ...plain } = fact;
  return {
    ...plain,
    symbol,
    period: periodWord(fact),
    known_at: knownAt(fact)?.replace(/(\.\d{3})\d+/, "$1") ?? null,
    flags: flags.length === 0 ? null : flags.join(","),
  };
}

function factOf({ symbol: _s, period: _p, known_at: _k, flags, ...row }: FactRow): FinancialFact {
  return {
    ...row,
    line: row.line as FinancialFact["line"],
    statement: row.statement as FinancialFact["statement"],
    fiscal_period: row.fiscal_period as FiscalPeriod | null,
    period_months: row.period_months as FinancialFact["period_months"],
    revision: row.revision as FinancialFact["revision"],
    source: row.source as FinancialFact["source"],
    flags: flags === null ? [] : (flags.split(",") as FactFlag[]),
  };
}

/**
 * Reads filers' figures, all that are asked for within a moment in one query: opening the files costs more than the
 * rows of one filer, and a bulk request asks for a hundred.
 */
function readTogether(lake: Lake) {
  let waiting: { ciks: Set<string>; read: Promise<Map<string, FinancialFact[]>> } | null = null;
  const start = async () => {
    // A whole turn of the event loop: whoever is about to ask is in.
    await new Promise((resolve) => setImmediate(resolve));
    const ciks = [...(waiting?.ciks ?? [])];
    waiting = null;
    const rows = await lake.query<FactRow>(
      "SELECT * FROM financial_facts WHERE cik = ANY($ciks) ORDER BY known_at NULLS FIRST, filed_date, accession_number",
      { ciks },
    );
    return Map.groupBy(rows.map(factOf), (fact) => fact.cik);
  };
  return {
    async of(cik: string): Promise<readonly FinancialFact[]> {
      waiting ??= { ciks: new Set(), read: start() };
      waiting.ciks.add(cik);
      return (await waiting.read).get(cik) ?? [];
    },
  };
}

export function financialStore({ lake, sqlite }: { readonly lake: Lake; readonly sqlite: Store }) {
  const memory = new LRUCache<string, readonly FinancialFact[]>({
    maxSize: FACTS_IN_MEMORY,
    sizeCalculation: (facts) => facts.length + 1,
  });

  /** The main symbol of a filer: the first of the regulator's list that is an ordinary share. */
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

  const state = (cik: string): FilerState | null => {
    const row = sqlite.use((db) =>
      db.select().from(financial_filers).where(eq(financial_filers.cik, cik)).get(),
    );
    if (!row) return null;
    return {
      ...row,
      warnings: JSON.parse(row.warnings),
      schedule_warnings: JSON.parse(row.schedule_warnings),
    };
  };

  /** Changes with every write: what was read into memory before it is not found any more. */
  const memoryKey = (cik: string): string => {
    const held = state(cik);
    return `${cik} ${held?.read_at} ${held?.schedules_read_at}`;
  };

  const keep = (key: string, facts: readonly FinancialFact[]) => {
    memory.set(key, facts);
    return facts;
  };
  const together = readTogether(lake);

  return {
    state,

    /** Every filer of whom something is stored, ascending. */
    filers: (): string[] =>
      sqlite
        .use((db) =>
          db.select({ cik: financial_filers.cik }).from(financial_filers).orderBy(financial_filers.cik).all(),
        )
        .map((row) => row.cik),

    /** Stores figures that are new; one that is stored stays. Of many filers at once at the cost of one. */
    async append(facts: readonly FinancialFact[]): Promise<number> {
      const symbols = new Map([...new Set(facts.map((f) => f.cik))].map((cik) => [cik, symbolOf(cik)]));
      const rows = facts.map((fact) => rowOf(fact, symbols.get(fact.cik) ?? null));
      const [done] = await lake.append([batchOf(financialFacts, rows)]);
      return done?.written ?? 0;
    },

    /** Notes what is stored of a filer; what is not given stays. To be called after `append`. */
    saveState(
      cik: string,
      told: Partial<Omit<FilerState, "cik">> & Pick<FilerState, "status" | "read_at">,
    ): void {
      const { warnings, schedule_warnings, ...plain } = told;
      const set = {
        ...plain,
        ...(warnings ? { warnings: JSON.stringify(warnings) } : {}),
        ...(schedule_warnings ? { schedule_warnings: JSON.stringify(schedule_warnings) } : {}),
      };
      sqlite.write((db) =>
        db
          .insert(financial_filers)
          .values({ cik, facts: 0, warnings: "[]", ...set })
          .onConflictDoUpdate({ target: financial_filers.cik, set })
          .run(),
      );
    },

    /** All stored figures of filers, oldest report first. */
    async facts(ciks: readonly string[], signal?: AbortSignal): Promise<readonly FinancialFact[]> {
      const held = await Promise.all(
        ciks.map((cik) => {
          const key = memoryKey(cik);
          return memory.get(key) ?? together.of(cik).then((facts) => keep(key, facts));
        }),
      );
      signal?.throwIfAborted();
      return held.length === 1 ? (held[0] ?? []) : held.flat();
    },
  };
}

export type FinancialStore = ReturnType<typeof financialStore>;
