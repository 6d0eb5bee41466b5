// Health: what this process knows of itself and its providers. No provider is asked for it.
import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { Answer } from "../../platform/answer.ts";
import type { Clock } from "../../platform/clock.ts";
import { Busy, StorageUnavailable } from "../../platform/errors.ts";
import { documented } from "../../platform/route-doc.ts";
import type { UpstreamHealth } from "../../platform/upstream/policy.ts";

const orNull = (description: string) => Type.Union([Type.String({ description }), Type.Null()]);
const instant = Type.Union([
  Type.String({ description: "RFC 3339 UTC; null: never, or not known." }),
  Type.Null(),
]);

const Dependency = Type.Object({
  status: Type.String({ description: "healthy, degraded, down, unknown (not asked yet) or not_configured." }),
  detail: Type.Optional(orNull("What is wrong; null when nothing is.")),
  latency_ms: Type.Optional(Type.Number({ description: "Time of its answer, milliseconds." })),
  last_success_at: Type.Optional(instant),
  last_error: Type.Optional(orNull("What went wrong last; null: nothing since the start.")),
  last_error_at: Type.Optional(instant),
  last_misread: Type.Optional(
    Type.Union([
      Type.Object(
        {
          at: Type.String({ description: "RFC 3339 UTC." }),
          says: Type.String({ description: "What it is." }),
        },
        {
          description:
            "The newest answer that came and could not be read, since the provider changed its shape or it arrived broken.",
        },
      ),
      Type.Null({ description: "None since the start." }),
    ]),
  ),
  breaker: Type.Optional(Type.String({ description: "closed, open or half_open." })),
  configured: Type.Optional(Type.Boolean({ description: "Whether the settings it needs are there." })),
  entries: Type.Optional(Type.Integer({ description: "Answers remembered." })),
  hits: Type.Optional(Type.Integer({ description: "Requests answered from memory since the start." })),
  misses: Type.Optional(Type.Integer({ description: "Requests that memory could not answer." })),
});

export const HealthCheckResponse = Type.Object({
  status: Type.String({
    description: "healthy, degraded (something behind it is not) or unhealthy (503: the store is down).",
  }),
  version: Type.String({ description: "Version of the service." }),
  timestamp: Type.String({ description: "When this was told, RFC 3339 UTC." }),
  uptime_seconds: Type.Integer({ description: "Seconds since the process started." }),
  environment: Type.String({ description: "ENVIRONMENT of the configuration." }),
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
          last_status: orNull("running, succeeded, failed or interrupted; null: it never ran."),
          next_run_at: instant,
        }),
        { description: "By name; GET /scheduler/jobs says more." },
      ),
    },
    { description: "The scheduled jobs." },
  ),
});
type HealthCheckResponse = Static<typeof HealthCheckResponse>;
type Dependency = Static<typeof Dependency>;

export interface HealthNeeds {
  readonly clock: Clock;
  readonly version: string;
  readonly environment: string;
  readonly startedAtMs: number;
  /** Throws when the operational database does not answer. */
  pingDatabase(): void;
  /** Files of the lake that cannot be served, in words. */
  lakeProblems(): string[];
  /** What is remembered, by kind of answer. */
  caches(): readonly { entries: number; hits: number; misses: number }[];
  /** `configured` is false where a needed setting is missing. */
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

function database(needs: HealthNeeds): Dependency {
  const started = performance.now();
  try {
    needs.pingDatabase();
    return {
      status: "healthy",
      latency_ms: Math.round((performance.now() - started) * 100) / 100,
      detail: null,
    };
  } catch (error) {
    return {
      status: "down",
      latency_ms: Math.round((performance.now() - started) * 100) / 100,
      detail: error instanceof StorageUnavailable ? error.message : "does not answer",
    };
  }
}

function cache(caches: ReturnType<HealthNeeds["caches"]>): Dependency {
  const total = (read: (memory: (typeof caches)[number]) => number) =>
    caches.reduce((sum, memory) => sum + read(memory), 0);
  return {
    status: "healthy",
    entries: total((m) => m.entries),
    hits: total((m) => m.hits),
    misses: total((m) => m.misses),
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

function check(needs: HealthNeeds): HealthCheckResponse {
  const store = database(needs);
  const problems = needs.lakeProblems();
  const lake: Dependency = {
    status: problems.length === 0 ? "healthy" : "degraded",
    detail: problems[0] ?? null,
  };
  const upstreams = Object.fromEntries(needs.upstreams().map((u) => [u.name, upstream(u)]));
  const dependencies = { database: store, cache: cache(needs.caches()), lake, ...upstreams };
  const isDegraded = Object.values(dependencies).some((d) => d.status === "degraded" || d.status === "down");
  const { running, jobs } = needs.scheduler();
  return {
    status: store.status === "down" ? "unhealthy" : isDegraded ? "degraded" : "healthy",
    version: needs.version,
    timestamp: needs.clock.now().toString(),
    uptime_seconds: Math.floor((needs.clock.nowMs() - needs.startedAtMs) / 1000),
    environment: needs.environment,
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
  summary: "Status of the service and what it depends on",
  description:
    "200 also when degraded; 503, with the same body, only when the store is down. Tells last known states: no provider is asked.",
  answer: HealthCheckResponse,
  answerDescription: "The state of things.",
});
HEALTH.responses[503] = {
  ...HEALTH.responses[200],
  description: "The store is down: `status` is unhealthy.",
} as (typeof HEALTH.responses)[string];

const Alive = Type.Object({
  status: Type.Literal("alive", { description: "The process answers." }),
});
const Ready = Type.Object({
  status: Type.Literal("ready", { description: "Requests are welcome." }),
});

/** Routes below /health. They are served even when all seats are taken. */
export function health(needs: HealthNeeds & { isStopping(): boolean }) {
  const routes = new Elysia({ name: "health", prefix: "/health" })
    .get(
      "",
      () => {
        const answer = check(needs);
        return new Answer(() => answer, { status: answer.status === "unhealthy" ? 503 : 200 });
      },
      {
        detail: HEALTH,
      },
    )
    .get("/live", () => ({ status: "alive" as const }), {
      detail: documented({
        ...common,
        summary: "Whether the process answers",
        description: "Always 200 while it does.",
        answer: Alive,
        answerDescription: "It does.",
      }),
    })
    .get(
      "/ready",
      () => {
        if (needs.isStopping()) throw new Busy("server_busy", "The server is stopping.", { retryAfterS: 5 });
        needs.pingDatabase();
        return { status: "ready" as const };
      },
      {
        detail: documented({
          ...common,
          summary: "Whether requests are welcome",
          description: "503 while starting, stopping, or without a store.",
          answer: Ready,
          answerDescription: "They are.",
          errors: [503],
        }),
      },
    );
  return { routes };
}
