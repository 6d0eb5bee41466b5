// Which reports of a fund were listed and read, and what the price provider says of funds: noted in the lake
// when an answer uses it, and loaded for an earlier version.
import { asc, eq, isNotNull } from "drizzle-orm";
import { operationalStates } from "../../datasets/operational-states.ts";
import type { Services } from "../../market/services.ts";
import { isReplaying } from "../../platform/reading.ts";
import { readOfOneVersion } from "../../platform/sqlite/one-version.ts";
import { recordedStates, type StateTable } from "../../platform/sqlite/recorded-states.ts";
import { etf_profiles, etf_reports, etf_series } from "./tables.ts";

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

/**
 * Under which ticker a fund passed as one. When its list was read last changes with each reading, and decides
 * nothing.
 */
const SERIES: StateTable = {
  table: etf_series,
  rowsOf: (db, series_id) =>
    db
      .select({ series_id: etf_series.series_id, symbol: etf_series.symbol })
      .from(etf_series)
      .where(eq(etf_series.series_id, series_id))
      .all(),
};

/** The price provider's profile of a fund. */
const PROFILE: StateTable = {
  table: etf_profiles,
  rowsOf: (db, symbol) => db.select().from(etf_profiles).where(eq(etf_profiles.symbol, symbol)).all(),
};

/** The issuers of all funds whose profile is stored. */
const ISSUERS: StateTable = {
  table: etf_profiles,
  rowsOf: (db) =>
    db
      .select({ symbol: etf_profiles.symbol, issuer: etf_profiles.issuer })
      .from(etf_profiles)
      .where(isNotNull(etf_profiles.issuer))
      .orderBy(asc(etf_profiles.symbol))
      .all(),
};

/** The subject of the issuers of all funds. */
const ALL = "all";

export function fundVersions({ lake, sqlite, clock }: Pick<Services, "lake" | "sqlite" | "clock">) {
  const services = { lake, sqlite, clock, dataset: operationalStates };
  const funds = recordedStates(services, { kind: "fund_reports", tables: [REPORTS, SERIES] });
  const profiles = recordedStates(services, { kind: "fund_profile", tables: [PROFILE] });
  const issuers = recordedStates(services, { kind: "fund_issuers", tables: [ISSUERS] });
  const sources = [funds];
  const ofProfile = [profiles];
  const ofIssuers = [issuers];
  return {
    /** Reads a part of an answer that depends on the reports of a fund. */
    read: <T>(seriesId: string, read: () => T): Promise<T> =>
      readOfOneVersion({ lake, sqlite }, sources, [seriesId], read),

    /**
     * Loads the reports of a fund of the version that the request is answered from. Throws `not_replayable`
     * where it has none.
     */
    async load(seriesId: string): Promise<void> {
      if (isReplaying()) await funds.require(seriesId, "which of the fund's reports were read");
    },

    /** Reads the profile of a fund, a canonical symbol. */
    readProfile: <T>(symbol: string, read: () => T): Promise<T> =>
      readOfOneVersion({ lake, sqlite }, ofProfile, [symbol], read),

    /**
     * Loads the profile of a fund of the version that the request is answered from. Throws `not_replayable`
     * where it has none.
     */
    loadProfile: (symbol: string): Promise<void> =>
      profiles.require(symbol, "the price provider's profile of the fund"),

    /**
     * Reads the issuers of all funds, in an earlier version those that it has. Throws `not_replayable` where
     * it has none.
     */
    async readIssuers<T>(read: () => T): Promise<T> {
      await issuers.require(ALL, "the issuers of funds");
      return readOfOneVersion({ lake, sqlite }, ofIssuers, [ALL], read);
    },
  };
}

export type FundVersions = ReturnType<typeof fundVersions>;
