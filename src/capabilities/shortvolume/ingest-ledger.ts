// Requested ingests in the operational database, with their progress.

import type { Static } from "@sinclair/typebox";
import { desc, eq } from "drizzle-orm";
import type { Services } from "../../market/services.ts";
import { instantMs, instantText } from "../../platform/instant-text.ts";
import { doneIn, type IngestReport, sorted } from "./report.ts";
import type { IngestAnswer } from "./schema.ts";
import type { Facility } from "./sources.ts";
import { short_volume_ingests } from "./tables.ts";

/** An ingest as the routes show it. */
export interface IngestState extends IngestReport, Omit<Static<typeof IngestAnswer>, keyof IngestReport> {}

export type IngestRow = typeof short_volume_ingests.$inferSelect;

/** A run that has not written its progress for this long has lost its process. */
// Last heard of nine minutes ago it runs, eleven minutes ago it is interrupted.
const SILENT_MS_MAX = 10 * 60_000;

export class IngestLedger {
  readonly #sqlite: Services["sqlite"];
  readonly #clock: Services["clock"];

  constructor({ sqlite, clock }: Pick<Services, "sqlite" | "clock">) {
    this.#sqlite = sqlite;
    this.#clock = clock;
  }

  save(row: IngestRow): void {
    this.#sqlite.use((db) =>
      db
        .insert(short_volume_ingests)
        .values(row)
        .onConflictDoUpdate({ target: short_volume_ingests.job_id, set: row })
        .run(),
    );
  }

  /** A new row of a run that has just begun. */
  begin(job_id: number, facility: Facility, report: IngestReport): IngestRow {
    const now = instantText(this.#clock.nowMs());
    const row: IngestRow = {
      job_id,
      facility,
      status: "running",
      started_at: now,
      updated_at: now,
      finished_at: null,
      error: null,
      report: JSON.stringify(report),
    };
    this.save(row);
    return row;
  }

  /** An ingest by its number, or the newest; null if there is none. */
  find(jobId: number | "latest"): IngestRow | null {
    const row = this.#sqlite.use((db) => {
      const from = db.select().from(short_volume_ingests);
      return jobId === "latest"
        ? from.orderBy(desc(short_volume_ingests.job_id)).limit(1).get()
        : from.where(eq(short_volume_ingests.job_id, jobId)).get();
    });
    return row ?? null;
  }

  stateOf(row: IngestRow): IngestState {
    const report = sorted(JSON.parse(row.report) as IngestReport);
    const silentMs = this.#clock.nowMs() - instantMs(row.updated_at);
    return {
      job_id: row.job_id,
      status: row.status === "running" && silentMs > SILENT_MS_MAX ? "interrupted" : row.status,
      facility: row.facility as Facility,
      processed: doneIn(report),
      total: report.requested_dates.length,
      started_at: row.started_at,
      finished_at: row.finished_at,
      error: row.error,
      ...report,
    };
  }
}
