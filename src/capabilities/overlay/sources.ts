// What the overlay needs from outside, as types.

/** Where faults go that no caller waits for. */
export interface OverlayLog {
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
}
