// Health of a provider as seen in the requests made to it, for /health and /metrics. Sends no request of its
// own.

import type { Clock } from "../clock.ts";
import type { Breaker } from "./breaker.ts";
import type { UpstreamHealth } from "./policy.ts";

export interface HealthTally {
  sent(): void;
  succeeded(): void;
  failed(message: string): void;
  misread(message: string): void;
  health(load: { active: number; waiting: number }): UpstreamHealth;
}

export function healthTally(name: string, guard: Breaker, clock: Clock): HealthTally {
  let requestsTotal = 0;
  let failuresTotal = 0;
  let lastSuccessAt: string | null = null;
  let lastErrorAt: string | null = null;
  let lastError: string | null = null;
  let lastMisread: UpstreamHealth["lastMisread"] = null;
  let lastOutcome: "ok" | "failed" | null = null;

  const status = (): UpstreamHealth["status"] => {
    const breaker = guard.state();
    if (breaker === "open") return "down";
    if (breaker === "half_open" || lastOutcome === "failed") return "degraded";
    return lastOutcome === null ? "unknown" : "healthy";
  };
  return {
    sent: () => {
      requestsTotal++;
    },
    succeeded: () => {
      lastOutcome = "ok";
      lastSuccessAt = clock.now().toString();
    },
    failed: (message) => {
      failuresTotal++;
      lastOutcome = "failed";
      lastErrorAt = clock.now().toString();
      lastError = message;
    },
    // The provider is up, so the breaker does not count it.
    misread: (message) => {
      lastOutcome = "failed";
      lastMisread = { at: clock.now().toString(), says: message };
    },
    health: ({ active, waiting }) => ({
      name,
      status: status(),
      breaker: guard.state(),
      breakerOpenUntil: guard.openUntil()?.toString() ?? null,
      lastSuccessAt,
      lastErrorAt,
      lastError,
      lastMisread,
      activeRequests: active,
      waitingRequests: waiting,
      requestsTotal,
      failuresTotal,
    }),
  };
}
