// Reads a provider's JSON field by field. A value of another shape than expected is refused with its path.
import { UpstreamMisread } from "../errors.ts";
import type { UpstreamAnswer } from "./policy.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** Whether it is an object with fields, not a list. */
export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The error for an answer of another shape than expected; nothing of such an answer is used. */
export const shapeChangedBy =
  (upstream: string) =>
  (document: string, path: string, expected: string): UpstreamMisread =>
    new UpstreamMisread(
      upstream,
      `${upstream} changed the shape of ${document}: ${path} should be ${expected}`,
    );

/**
 * One place in an answer. Only values that are read are checked. Subclasses add how their provider writes
 * values.
 */
export abstract class JsonPlace {
  constructor(
    readonly document: string,
    readonly path: string,
    readonly value: unknown,
  ) {}

  /** Name of the provider. */
  protected abstract get upstream(): string;

  /** True when the field is absent or null. */
  get isMissing(): boolean {
    return this.value === undefined || this.value === null;
  }

  /** The error for a value here that is not what was expected. */
  wrong(expected: string): UpstreamMisread {
    return shapeChangedBy(this.upstream)(this.document, this.path, expected);
  }

  /** A field of an object; throws when this is not an object. */
  at(key: string): this {
    return this.place(`${this.path}.${key}`, this.object()[key]);
  }

  /** The values of an object, in their order. */
  values(): this[] {
    return Object.entries(this.object()).map(([key, value]) => this.place(`${this.path}.${key}`, value));
  }

  /** The values of an object; none when it is absent. */
  valuesOrNone(): this[] {
    return this.isMissing ? [] : this.values();
  }

  /** The items of a list. */
  items(): this[] {
    return this.list().map((value, i) => this.place(`${this.path}[${i}]`, value));
  }

  /** The items of a list; none when it is absent. */
  itemsOrNone(): this[] {
    return this.isMissing ? [] : this.items();
  }

  /** The first item of a list, which may have none. */
  first(): this {
    return this.place(`${this.path}[0]`, this.list()[0]);
  }

  /** Trimmed; not blank. */
  text(): string {
    const text = this.textOrNull();
    if (text === null) throw this.wrong("text");
    return text;
  }

  /** Trimmed; null when absent or blank. */
  textOrNull(): string | null {
    if (this.isMissing) return null;
    if (typeof this.value !== "string") throw this.wrong("text");
    return this.value.trim() || null;
  }

  /** A finite number in any form this provider writes one; null when absent. */
  abstract numberOrNull(): number | null;

  number(): number {
    const number = this.numberOrNull();
    if (number === null) throw this.wrong("a number");
    return number;
  }

  protected list(): readonly unknown[] {
    if (!Array.isArray(this.value)) throw this.wrong("a list");
    return this.value;
  }

  private object(): Fields {
    if (!isFields(this.value)) throw this.wrong("an object");
    return this.value;
  }

  private place(path: string, value: unknown): this {
    const Place = this.constructor as new (document: string, path: string, value: unknown) => this;
    return new Place(this.document, path, value);
  }
}

/** The JSON of an answer. Throws UpstreamMisread when it cannot be parsed. */
export function jsonOf(upstream: string, document: string, { bytes, status }: UpstreamAnswer): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (cause) {
    throw new UpstreamMisread(upstream, `${upstream} sent a broken ${document}`, {
      upstreamStatus: status,
      cause,
    });
  }
}
