// Earnings: surprises, and when companies report. Its face: what it needs, and what it gives.
import { EARNINGS_CACHE_S, UNKNOWN_TICKER_CACHE_S } from "../../limits.ts";
import { newYorkDate } from "../../market/calendar.ts";
import { addDays } from "../../market/date.ts";
import { parseAsOf } from "../../market/known-at.ts";
import { type CacheDeps, createCache } from "../../platform/cache/cache.ts";
import type { Clock } from "../../platform/clock.ts";
import { InvalidRequest } from "../../platform/errors.ts";
import type { Job } from "../../platform/jobs/job.ts";
import type { Lake } from "../../platform/lake/lake.ts";
import type { Log } from "../../platform/log.ts";
import type { Store } from "../../platform/sqlite/sqlite.ts";
import { earningsCollector, type Reading } from "./collect.ts";
import { companyCalendar } from "./company-calendar.ts";
import { marketCalendar } from "./market-calendar.ts";
import { earningsRoutes } from "./routes.ts";
import type { CompanyBehind, EarningsSource, NextReportSource } from "./sources.ts";
import { earningsStore } from "./store.ts";
import { surpriseHistory } from "./surprise-history.ts";
import { earningsWatch } from "./watch.ts";

export interface EarningsNeeds {
  readonly source: EarningsSource;
  readonly next: NextReportSource;
  readonly companyBehind: CompanyBehind;
  readonly lake: Lake;
  readonly sqlite: Store;
  readonly clock: Clock;
  readonly log: Pick<Log, "warn">;
  readonly cacheDeps: CacheDeps;
}

/** Of days long past little changes any more. */
const PAST_DAYS = 7;
const PAST_CACHE_S = 7 * 24 * 3600;

/** The moment `as_of` means; its form was checked with the request. */
function asOf(text: string | undefined): Temporal.Instant | null {
  if (text === undefined) return null;
  const parsed = parseAsOf(text);
  if (!parsed.ok) throw new InvalidRequest("bad_request", parsed.detail);
  return parsed.at;
}

const memoryOf = (name: string, cacheDeps: CacheDeps, ttlS: number | ((value: Reading) => number)) =>
  createCache<Reading>({ name, ttlS, negativeS: UNKNOWN_TICKER_CACHE_S, entriesMax: 2_000 }, cacheDeps);

function answersOf(needs: EarningsNeeds) {
  const { source, companyBehind, clock, cacheDeps } = needs;
  const store = earningsStore(needs);
  const collector = earningsCollector({ ...needs, store });
  const surprises = memoryOf("earnings_surprises", cacheDeps, EARNINGS_CACHE_S);
  const next = memoryOf("earnings_next", cacheDeps, EARNINGS_CACHE_S);
  const days = memoryOf("earnings_days", cacheDeps, EARNINGS_CACHE_S);
  const pastDays = memoryOf("earnings_past_days", cacheDeps, PAST_CACHE_S);
  const isPast = (day: string) => day < addDays(newYorkDate(clock.now()), -PAST_DAYS);
  const dayMemory = {
    ...days,
    get: (day: string, ...rest: [Parameters<typeof days.get>[1], Parameters<typeof days.get>[2]?]) =>
      (isPast(day) ? pastDays : days).get(day, ...rest),
  };
  const main = source.name;
  const shared = { collector, surprises, next, store, clock, main, asOf };
  const company = companyCalendar(shared);
  return {
    answers: {
      surprise: surpriseHistory({ ...shared, companyBehind }),
      calendar: company.one,
      bulk: company.bulk,
      market: marketCalendar({ ...shared, days: dayMemory }),
    },
    watch: earningsWatch({
      store,
      clock,
      log: needs.log,
      async readDay(day, signal) {
        let rows = 0;
        const load = async (s: AbortSignal) => {
          const reading = await collector.readDay(day, s);
          rows = reading.rows;
          return reading;
        };
        await dayMemory.get(day, load, { force: true, signal });
        return rows;
      },
      async readSymbol(symbol, signal) {
        const how = { force: true, signal };
        await surprises.get(symbol, (s) => collector.readSurprises(symbol, s), how);
        await next.get(symbol, (s) => collector.readNext(symbol, s), how);
      },
    }),
  };
}

export type EarningsAnswers = ReturnType<typeof answersOf>["answers"];

/** Composes the capability: its routes and its job. */
export function earnings(needs: EarningsNeeds) {
  const { answers, watch } = answersOf(needs);
  const jobs: readonly Job[] = [watch];
  return { routes: earningsRoutes(answers), jobs };
}
