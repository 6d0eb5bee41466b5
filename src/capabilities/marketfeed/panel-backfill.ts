// The backfill of the point-in-time panel: one at a time, in the background, resumed where it was
// interrupted.
import type { Calendar } from "../../market/calendar.ts";
import { newYorkDate } from "../../market/calendar.ts";
import { addDays, earlierDay, laterDay } from "../../market/date.ts";
import type { Services } from "../../market/services.ts";
import { Busy, NotFound } from "../../platform/errors.ts";
import type { Job } from "../../platform/jobs/job.ts";
import { ulid } from "../../platform/lake/ulid.ts";
import type { BackfillLedger, BackfillReport } from "./backfill-ledger.ts";
import type { PanelItems } from "./panel-items.ts";
import { type PanelPlan, panelPlan, symbolCount } from "./panel-plan.ts";
import { panelWork } from "./panel-work.ts";
import type { BackfillAccepted, BackfillRequest, BackfillStatus } from "./schema.ts";
import type { PanelCloses, PanelFill, PanelSymbols } from "./sources.ts";

export const BACKFILL_JOB = "marketfeed-backfill-pit";

export interface PanelBackfillDeps extends Pick<Services, "clock" | "calendar" | "runNow"> {
  readonly symbols: PanelSymbols;
  readonly fill: PanelFill;
  readonly closes: PanelCloses;
  readonly ledger: BackfillLedger;
  readonly items: PanelItems;
  /** First day of the feed's history. */
  readonly historyFrom: string;
  isConfigured(): boolean;
  demandKeys(): void;
}

/** A backfill that has begun. `done` never rejects; its status is how it ended. */
export interface StartedBackfill {
  readonly accepted: BackfillAccepted;
  readonly done: Promise<unknown>;
}

/** Called with the number of symbols as they are finished. */
export type OnSymbols = (count: number) => void;

/** Days the scheduled run fills: more than the 21 sessions that scores look back on. */
const RECENT_DAYS = 45;

export function panelBackfill(deps: PanelBackfillDeps) {
  const { symbols, ledger, clock, runNow, historyFrom, calendar } = deps;
  const work = panelWork(deps);

  const insertRow = (job_id: string, plan: PanelPlan): number => {
    const total = symbolCount(plan);
    ledger.begin(job_id, { start_date: plan.start, end_date: plan.end, total });
    return total;
  };

  const run = async (
    job_id: string,
    plan: PanelPlan,
    options: { readonly resume: boolean; readonly signal: AbortSignal },
    onSymbols: OnSymbols = () => {},
  ): Promise<{ rows: number }> => {
    const rows = await ledger.run(job_id, options.signal, (toLedger) => {
      const report: BackfillReport = {
        failed: toLedger.failed,
        done(count, stored) {
          toLedger.done(count, stored);
          onSymbols(count);
        },
      };
      return work(plan, report, options);
    });
    return { rows };
  };

  return {
    /** The scheduled run: the last settled sessions, as far as short-volume files are stored. */
    async recent({ signal }: { readonly signal: AbortSignal }): Promise<{ rows: number }> {
      const range = deps.isConfigured() ? await symbols.range() : null;
      if (range === null) return { rows: 0 };
      const settled = calendar.previousSession(calendar.latestSession(clock.now()));
      const end_date = earlierDay(range.last, settled);
      const start_date = laterDay(range.first, addDays(end_date, -RECENT_DAYS));
      if (end_date < laterDay(start_date, historyFrom)) return { rows: 0 };
      const plan = await panelPlan({ start_date, end_date }, symbols, historyFrom);
      const job_id = ulid(clock.nowMs());
      insertRow(job_id, plan);
      return run(job_id, plan, { resume: true, signal });
    },

    /**
     * Starts a backfill. Throws NotConfigured, NotFound `no_data`, InvalidRequest, Busy `already_running`.
     */
    async begin(request: BackfillRequest, onSymbols?: OnSymbols): Promise<StartedBackfill> {
      deps.demandKeys();
      const plan = await panelPlan(request, symbols, historyFrom);
      const job_id = ulid(clock.nowMs());
      const started = runNow(BACKFILL_JOB, ({ signal }) =>
        run(job_id, plan, { resume: request.resume ?? true, signal }, onSymbols),
      );
      if (!started.started) {
        const other = ledger.running();
        throw new Busy(
          "already_running",
          `A backfill of the panel is running already${other ? ` (job ${other})` : ""}.`,
          { hint: `GET /api/v1/marketfeed/admin/backfill-pit/${other ?? "latest"} shows its progress.` },
        );
      }
      // The run itself begins in a later turn of the event loop.
      const accepted = {
        job_id,
        status: "started" as const,
        symbols: insertRow(job_id, plan),
        start_date: plan.start,
        end_date: plan.end,
      };
      return { accepted, done: started.done };
    },

    /** Throws NotFound `not_found` for an id no backfill has. */
    progress(job_id: string): BackfillStatus {
      const found = ledger.find(job_id);
      if (found) return found;
      throw new NotFound("not_found", `There is no backfill with the id ${job_id}.`);
    },

    /** Throws NotFound `not_found` before the first backfill. */
    latest(): BackfillStatus {
      const found = ledger.latest();
      if (found) return found;
      throw new NotFound("not_found", "There has been no backfill of the panel.", {
        hint: "POST /api/v1/marketfeed/admin/backfill-pit begins one.",
      });
    },
  };
}

export type PanelBackfill = ReturnType<typeof panelBackfill>;

/** Fills the last sessions each day; the history before them is filled on request. */
export const backfillJob = (backfill: PanelBackfill, calendar: Calendar): Job => ({
  name: BACKFILL_JOB,
  description:
    "Fills the daily bars of the panel's last sessions from the brokerage feed, when its keys are set; the admin route and the command line fill more days.",
  // An hour after the open, when the bars of the session before are settled and its short-volume file is
  // published.
  schedule: "30 10 * * 1-5",
  zone: "America/New_York",
  gate: (at) => calendar.isSession(newYorkDate(at)),
  deadlineMs: 24 * 60 * 60_000,
  catchUp: "once",
  fills: ["bars_daily"],
  // Its files say which symbols the panel has.
  after: ["short-volume"],
  run: (context) => backfill.recent(context),
});
