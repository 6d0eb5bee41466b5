// The provider that the economic-data proxy needs, as types; composition passes it in.

export interface SourceEndpoint {
  readonly name: string;
  /** Parameters that the provider requires. */
  readonly needs: readonly string[];
  /** Which real-time parameters express a past time: both ends of the period, only its end, or none. */
  readonly realTime: "period" | "end" | "none";
}

/** `value` is null when the provider marks it as missing. */
export interface SourceObservation {
  readonly date: string;
  readonly value: number | null;
  readonly realtime_start: string;
  readonly realtime_end: string;
}

export interface SourceAnswer {
  /** The provider's answer, without any API key. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly records: number;
  /** The observations of series/observations with one row per observation; null for any other answer. */
  readonly observations: readonly SourceObservation[] | null;
  readonly receivedAtMs: number;
}

/**
 * The provider. `ask` throws NotConfigured without a key, InvalidRequest or NotFound with the provider's own
 * message when it refuses, Busy `daily_limit_reached` when the day's calls are used up, else Upstream*.
 */
export interface EconSource {
  readonly endpoints: readonly SourceEndpoint[];
  ask(
    endpoint: string,
    params: Readonly<Record<string, string>>,
    options: { readonly overQuota: boolean; readonly signal: AbortSignal },
  ): Promise<SourceAnswer>;
}
