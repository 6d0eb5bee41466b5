// The range of data in each dataset: for one ticker, and for all rows by month.

import type { Static } from "@sinclair/typebox";
import { ifEmpty } from "../../market/absence.ts";
import type { ResolveHolder } from "../../market/issuer.ts";
import type { Services } from "../../market/services.ts";
import { canonical } from "../../market/ticker.ts";
import { NotConfigured, NotFound } from "../../platform/errors.ts";
import { type Dataset, literal, quoted } from "../../platform/lake/dataset.ts";
import type { Coverage, MonthlyCoverage } from "./schema.ts";

/** The filer behind a ticker. Throws NotFound when none is known. */
export type ResolveFiler = ResolveHolder<"cik">;

/** Columns that identify the owner of a row; the first that a dataset has counts. */
const BY_SYMBOL = ["symbol", "ticker"] as const;
const BY_FILER = ["issuer_cik", "cik"] as const;

const firstOf = (dataset: Dataset, names: readonly string[]) => names.find((name) => dataset.columns[name]);

/** The column with the day that a row is about. */
function dayColumn({ partition, columns }: Dataset): string | null {
  if (partition.by !== "none") return partition.column;
  return Object.keys(columns).find((name) => columns[name]?.type === "DATE") ?? null;
}

const asDay = (column: string) => `strftime(CAST(${quoted(column)} AS DATE), '%Y-%m-%d')`;

function statement(dataset: Dataset, owner: string): string {
  const day = dayColumn(dataset);
  const known = dataset.columns.known_at ? "max(known_at)" : "NULL::TIMESTAMPTZ";
  return `SELECT ${literal(dataset.name)} AS dataset, count(*) AS rows,
    ${day ? `min(${asDay(day)})` : "NULL::VARCHAR"} AS first_date,
    ${day ? `max(${asDay(day)})` : "NULL::VARCHAR"} AS last_date, ${known} AS last_updated
    FROM ${quoted(dataset.name)} WHERE ${quoted(owner)} = `;
}

type CoverageRow = Static<typeof Coverage>["data"][number];

export interface CoverageDeps extends Pick<Services, "lake"> {
  readonly datasets: readonly Dataset[];
  readonly resolve: ResolveFiler;
}

export function coverageAnswers({ lake, datasets, resolve }: CoverageDeps) {
  const cikOf = async (symbol: string, signal: AbortSignal): Promise<string | null> => {
    try {
      return (await resolve(symbol, null, signal)).cik;
    } catch (error) {
      if (error instanceof NotFound || error instanceof NotConfigured) return null;
      throw error;
    }
  };

  return {
    async ofTicker(ticker: string, signal: AbortSignal): Promise<Static<typeof Coverage>> {
      const symbol = canonical(ticker.trim());
      const cik = await cikOf(symbol, signal);
      const parts = datasets.flatMap((dataset) => {
        const bySymbol = firstOf(dataset, BY_SYMBOL);
        // A dataset of filings is identified by filer; its symbol is only the filer's symbol when the row was
        // written.
        const byFiler = firstOf(dataset, BY_FILER);
        if (byFiler !== undefined && cik !== null) return [`${statement(dataset, byFiler)}$cik`];
        return bySymbol === undefined ? [] : [`${statement(dataset, bySymbol)}$symbol`];
      });
      const text = parts.join("\nUNION ALL\n");
      const params = {
        ...(text.includes("$symbol") ? { symbol } : {}),
        ...(text.includes("$cik") ? { cik } : {}),
      };
      const data = await lake.query<CoverageRow>(`${text}\nORDER BY dataset`, params, { signal });
      if (cik === null && data.every(({ rows }) => rows === 0))
        throw new NotFound("unknown_ticker", `Nothing is known about ${ticker.trim()}.`, { ticker });
      return { ticker: ticker.trim(), symbol, cik, data };
    },

    /** Rows of each dataset by the month they are about. */
    async byMonth(signal: AbortSignal): Promise<Static<typeof MonthlyCoverage>> {
      const parts = datasets.flatMap((dataset) => {
        const day = dayColumn(dataset);
        if (day === null) return [];
        return [
          `SELECT ${literal(dataset.name)} AS dataset, left(${asDay(day)}, 7) AS month, count(*) AS rows
          FROM ${quoted(dataset.name)} WHERE ${quoted(day)} IS NOT NULL GROUP BY ALL`,
        ];
      });
      const data = await lake.query<Static<typeof MonthlyCoverage>["data"][number]>(
        `${parts.join("\nUNION ALL\n")}\nORDER BY dataset, month`,
        {},
        { signal, heavy: true },
      );
      return {
        count: data.length,
        warnings: ifEmpty(data, "not_read", "Nothing is stored yet; requests and jobs store what they read."),
        data,
      };
    },
  };
}
