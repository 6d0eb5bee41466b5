// What the economic-data proxy needs from its provider and of the server, as types; composition hands them in.

export interface SourceEndpoint {
  readonly name: string;
  /** Parameters without which the provider refuses. */
  readonly needs: readonly string[];
  /** Which real-time parameters stand for a moment of the past: both ends of the period, its end alone, or none. */
  readonly realTime: "period" | "end" | "none";
}

/** `value` is null where the provider says that it is missing. */
export interface SourceObservation {
  readonly date: string;
  readonly value: number | null;
  readonly realtime_start: string;
  readonly realtime_end: string;
}

export interface SourceAnswer {
  /** As the provider sent it, without any key. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly records: number;
  /** Of series/observations with one row for each observation; null of anything else. */
  readonly observations: readonly SourceObservation[] | null;
  readonly receivedAtMs: number;
}

/**
 * The provider. `ask` throws NotConfigured without a key, InvalidRequest or NotFound in the provider's own words where
 * it refused, Busy `daily_limit_reached` when the calls of its day are used up, else Upstream*.
 */
export interface EconSource {
  readonly endpoints: readonly SourceEndpoint[];
  ask(
    endpoint: string,
    params: Readonly<Record<string, string>>,
    options: { readonly overQuota: boolean; readonly signal: AbortSignal },
  ): Promise<SourceAnswer>;
}

export interface EconLog {
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
}
