// Which reports of a fund were listed and read: noted in the lake when an answer uses it, and loaded for an earlier version.
import { asc, eq } from "drizzle-orm";
import { operationalStates } from "../../datasets/operational-states.ts";
import type { Services } from "../../market/services.ts";
import { isReplaying } from "../../platform/reading.ts";
import { readOfOneVersion } from "../../platform/sqlite/one-version.ts";
import { recordedStates, type StateTable } from "../../platform/sqlite/recorded-states.ts";
import { etf_reports, etf_series } from "./tables.ts";

const REPORTS: StateTable = {
  table: etf_reports,
  rowsOf: (db, series_id) =>
    db
      .select()
      .from(etf_reports)
      .where(eq(etf_reports.series_id, series_id))
      .orderBy(asc(etf_reports.accession_number))
      .all(),
};

/** Under which ticker a fund passed as one. When its list was read last changes with each reading, and decides nothing. */
const SERIES: StateTable = {
  table: etf_series,
  rowsOf: (db, series_id) =>
    db
      .select({ series_id: etf_series.series_id, symbol: etf_series.symbol })
      .from(etf_series)
      .where(eq(etf_series.series_id, series_id))
      .all(),
};

export function fundVersions({ lake, sqlite, clock }: Pick<Services, "lake" | "sqlite" | "clock">) {
  const services = { lake, sqlite, clock, dataset: operationalStates };
  const funds = recordedStates(services, { kind: "fund_reports", tables: [REPORTS, SERIES] });
  const sources = [funds];
  return {
    /** Reads a part of an answer that depends on the reports of a fund. */
    read: <T>(seriesId: string, read: () => T): Promise<T> =>
      readOfOneVersion({ lake, sqlite }, sources, [seriesId], read),

    /** Loads the reports of a fund of the version that the request is answered from. Throws `not_replayable` where it has none. */
    async load(seriesId: string): Promise<void> {
      if (isReplaying()) await funds.require(seriesId, "which of the fund's reports were read");
    },
  };
}

export type FundVersions = ReturnType<typeof fundVersions>;
