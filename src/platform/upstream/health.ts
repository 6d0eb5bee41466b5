// What is known of a provider from the requests made to it anyway: for /health and /metrics.

import type { Clock } from "../clock.ts";
import type { Breaker } from "./breaker.ts";
import type { UpstreamHealth } from "./policy.ts";

export interface HealthTally {
  asked(): void;
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
    // The provider is up, so the breaker is not told.
    misread: (says) => {
      lastWent = "wrong";
      lastMisread = { at: clock.now().toString(), says };
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
