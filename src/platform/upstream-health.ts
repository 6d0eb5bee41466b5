// What is known of a provider from the requests made to it anyway: for /health and /metrics.
import type { Breaker } from "./breaker.ts";
import type { Clock } from "./clock.ts";
import type { UpstreamHealth } from "./upstream-policy.ts";

export interface HealthTally {
  asked(): void;
  succeeded(): void;
  failed(message: string): void;
  health(load: { active: number; waiting: number }): UpstreamHealth;
}

export function healthTally(name: string, guard: Breaker, clock: Clock): HealthTally {
  let requestsTotal = 0;
  let failuresTotal = 0;
  let lastSuccessAt: string | null = null;
  let lastErrorAt: string | null = null;
  let lastError: string | null = null;
  let lastWent: "well" | "wrong" | null = null;

  const status = (): UpstreamHealth["status"] => {
    const breaker = guard.state();
    if (breaker === "open") return "down";
    if (breaker === "half_open" || lastWent === "wrong") return "degraded";
    return lastWent === null ? "unknown" : "healthy";
  };
  return {
    asked: () => {
      requestsTotal++;
    },
    succeeded: () => {
      lastWent = "well";
      lastSuccessAt = clock.now().toString();
    },
    failed: (message) => {
      failuresTotal++;
      lastWent = "wrong";
      lastErrorAt = clock.now().toString();
      lastError = message;
    },
    health: ({ active, waiting }) => ({
      name,
      status: status(),
      breaker: guard.state(),
      breakerOpenUntil: guard.openUntil()?.toString() ?? null,
      lastSuccessAt,
      lastErrorAt,
      lastError,
      activeRequests: active,
      waitingRequests: waiting,
      requestsTotal,
      failuresTotal,
    }),
  };
}
