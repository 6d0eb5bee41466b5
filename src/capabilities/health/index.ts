// Health: the state of this process and its last known state of the providers. No provider is asked.

import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { textOrNull } from "../../market/answer-fields.ts";
import type { Services } from "../../market/services.ts";
import { Answer } from "../../platform/answer.ts";
import { systemTimers } from "../../platform/clock.ts";
import { Busy, StorageUnavailable } from "../../platform/errors.ts";
import { documented } from "../../platform/route-doc.ts";
import type { UpstreamHealth } from "../../platform/upstream/policy.ts";

const instant = textOrNull("RFC 3339 UTC; null: never, or unknown.");

const Dependency = Type.Object({
  status: Type.String({ description: "healthy, degraded, down, unknown (not asked yet) or not_configured." }),
  detail: Type.Optional(textOrNull("What is wrong; null when nothing is wrong.")),
  latency_ms: Type.Optional(Type.Number({ description: "Response time, milliseconds." })),
  last_success_at: Type.Optional(instant),
  last_error: Type.Optional(textOrNull("The latest error; null: none since the start.")),
  last_error_at: Type.Optional(instant),
  last_misread: Type.Optional(
    Type.Union([
      Type.Object(
        {
          at: Type.String({ description: "RFC 3339 UTC." }),
          says: Type.String({ description: "What could not be read." }),
        },
        {
          description:
            "The latest answer that arrived but could not be read, because the provider changed its format or the answer was damaged.",
        },
      ),
      Type.Null({ description: "None since the start." }),
    ]),
  ),
  breaker: Type.Optional(Type.String({ description: "closed, open or half_open." })),
  configured: Type.Optional(Type.Boolean({ description: "Whether the required settings are present." })),
  entries: Type.Optional(Type.Integer({ description: "Cached answers." })),
  hits: Type.Optional(Type.Integer({ description: "Requests answered from the cache since the start." })),
  misses: Type.Optional(Type.Integer({ description: "Requests that the cache could not answer." })),
});

export const HealthCheckResponse = Type.Object({
  status: Type.String({
    description: "healthy, degraded (a dependency is not healthy) or unhealthy (503: the database is down).",
  }),
  version: Type.String({ description: "Version of the service." }),
  timestamp: Type.String({ description: "Time of this answer, RFC 3339 UTC." }),
  uptime_seconds: Type.Integer({ description: "Seconds since the process started." }),
  environment: Type.String({ description: "The configured ENVIRONMENT." }),
  dependencies: Type.Record(Type.String(), Dependency, {
    description: "By name: database, cache, lake, and each provider.",
  }),
  scheduler: Type.Object(
    {
      running: Type.Boolean({ description: "Whether this process runs jobs (JOBS)." }),
      jobs: Type.Array(
        Type.Object({
          name: Type.String({ description: "Name of the job." }),
          last_run_at: instant,
          last_status: textOrNull("running, succeeded, failed or interrupted; null: it never ran."),
          next_run_at: instant,
        }),
        { description: "Ordered by name; GET /scheduler/jobs has more." },
      ),
    },
    { description: "The scheduled jobs." },
  ),
});
export type HealthCheckResponse = Static<typeof HealthCheckResponse>;
type Dependency = Static<typeof Dependency>;

export interface HealthDeps extends Pick<Services, "clock"> {
  readonly version: string;
  readonly environment: string;
  readonly startedAtMs: number;
  /** Throws when the operational database does not answer. */
  pingDatabase(): void;
  /** The finding of the newest check of the operational database; null for none. */
  databaseDamage(): string | null;
  /** Descriptions of lake files that cannot be served. */
  lakeProblems(): string[];
  /** Why a store cannot be written now; null where it can. */
  unwritable(): Promise<{ readonly database: string | null; readonly lake: string | null }>;
  /** The caches, by kind of answer. */
  caches(): readonly { entries: number; hits: number; misses: number }[];
  /** `configured` is false when a required setting is missing. */
  upstreams(): readonly (UpstreamHealth & { readonly configured?: boolean })[];
  scheduler(): {
    running: boolean;
    jobs: readonly {
      name: string;
      last_run_at: string | null;
      last_status: string | null;
      next_run_at: string | null;
    }[];
  };
}

const notWritten = (reason: string | null): string | null =>
  reason === null ? null : `Nothing can be stored: ${reason}.`;

function database(deps: HealthDeps, unwritable: string | null): Dependency {
  const started = systemTimers.elapsedMs();
  try {
    deps.pingDatabase();
    const damage = deps.databaseDamage();
    const detail = notWritten(unwritable) ?? (damage && `The file is damaged: ${damage}.`);
    return {
      status: detail === null ? "healthy" : "degraded",
      latency_ms: Math.round((systemTimers.elapsedMs() - started) * 100) / 100,
      detail,
    };
  } catch (error) {
    return {
      status: "down",
      latency_ms: Math.round((systemTimers.elapsedMs() - started) * 100) / 100,
      detail: error instanceof StorageUnavailable ? error.message : "does not answer",
    };
  }
}

function cache(caches: ReturnType<HealthDeps["caches"]>): Dependency {
  const total = (read: (each: (typeof caches)[number]) => number) =>
    caches.reduce((sum, each) => sum + read(each), 0);
  return {
    status: "healthy",
    entries: total((each) => each.entries),
    hits: total((each) => each.hits),
    misses: total((each) => each.misses),
  };
}

const upstream = (health: UpstreamHealth & { readonly configured?: boolean }): Dependency => ({
  status: health.configured === false ? "not_configured" : health.status,
  ...(health.configured === undefined ? {} : { configured: health.configured }),
  breaker: health.breaker,
  last_success_at: health.lastSuccessAt,
  last_error: health.lastError,
  last_error_at: health.lastErrorAt,
  last_misread: health.lastMisread,
});

/** The state of this process, its stores and its providers. */
export async function healthOf(deps: HealthDeps): Promise<HealthCheckResponse> {
  const unwritable = await deps.unwritable();
  const store = database(deps, unwritable.database);
  const [first, ...more] = deps.lakeProblems();
  const damage = first && `${first}${more.length > 0 ? `; and ${more.length} more` : ""}`;
  const problem = notWritten(unwritable.lake) ?? damage ?? null;
  const lake: Dependency = { status: problem === null ? "healthy" : "degraded", detail: problem };
  const upstreams = Object.fromEntries(deps.upstreams().map((u) => [u.name, upstream(u)]));
  const dependencies = { database: store, cache: cache(deps.caches()), lake, ...upstreams };
  const isDegraded = Object.values(dependencies).some((d) => d.status === "degraded" || d.status === "down");
  const { running, jobs } = deps.scheduler();
  return {
    status: store.status === "down" ? "unhealthy" : isDegraded ? "degraded" : "healthy",
    version: deps.version,
    timestamp: deps.clock.now().toString(),
    uptime_seconds: Math.floor((deps.clock.nowMs() - deps.startedAtMs) / 1000),
    environment: deps.environment,
    dependencies,
    scheduler: {
      running,
      jobs: jobs.map(({ name, last_run_at, last_status, next_run_at }) => ({
        name,
        last_run_at,
        last_status,
        next_run_at,
      })),
    },
  };
}

const common = { tag: "health", outsideConcurrencyLimit: true, open: true } as const;

const HEALTH = documented({
  ...common,
  summary: "Status of the service and its dependencies",
  description:
    "200 also when degraded; 503, with the same body, only when the database is down. Shows the last known states; no provider is asked.",
  answer: HealthCheckResponse,
  answerDescription: "The status.",
});
HEALTH.responses[503] = {
  ...HEALTH.responses[200],
  description: "The database is down: `status` is unhealthy.",
} as (typeof HEALTH.responses)[string];

const Alive = Type.Object({
  status: Type.Literal("alive", { description: "The process responds." }),
});
const Ready = Type.Object({
  status: Type.Literal("ready", { description: "The service accepts requests." }),
});

/** The routes below /health. They bypass the concurrency limit. */
export function health(deps: HealthDeps & { isStopping(): boolean }) {
  const routes = new Elysia({ name: "health", prefix: "/health" })
    .get(
      "",
      async () => {
        const answer = await healthOf(deps);
        return new Answer(() => answer, { status: answer.status === "unhealthy" ? 503 : 200 });
      },
      {
        detail: HEALTH,
      },
    )
    .get("/live", () => ({ status: "alive" as const }), {
      detail: documented({
        ...common,
        summary: "Whether the process responds",
        description: "Always 200 while the process runs.",
        answer: Alive,
        answerDescription: "The process responds.",
      }),
    })
    .get(
      "/ready",
      () => {
        if (deps.isStopping()) throw new Busy("server_busy", "The server is stopping.", { retryAfterS: 5 });
        deps.pingDatabase();
        return { status: "ready" as const };
      },
      {
        detail: documented({
          ...common,
          summary: "Whether the service accepts requests",
          description: "503 while the service starts or stops, or when the database is down.",
          answer: Ready,
          answerDescription: "The service accepts requests.",
          errors: [503],
        }),
      },
    );
  return { routes };
}
