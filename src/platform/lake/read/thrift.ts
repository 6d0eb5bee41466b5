// Reads and writes Thrift's compact protocol, in which a Parquet file describes itself, without knowing the
// fields' meaning.

/** A value with the type code that the protocol gives it. */
export type ThriftValue =
  | { readonly type: 1 | 2 }
  | { readonly type: 3 | 4 | 5 | 6; value: bigint }
  | { readonly type: 7; readonly value: Uint8Array }
  | { readonly type: 8; readonly value: Uint8Array }
  | { readonly type: 9 | 10; readonly of: number; values: ThriftValue[] }
  | { readonly type: 12; readonly fields: ThriftStruct };

/** The fields of a struct by their number. */
export type ThriftStruct = Map<number, ThriftValue>;

const TRUE = 1;
const FALSE = 2;
const BYTE = 3;
const DOUBLE = 7;
const BINARY = 8;
const LIST = 9;
const SET = 10;
const STRUCT = 12;
const DOUBLE_BYTES = 8;
/** A list of more values says their number after its first byte. */
const SHORT_LIST_MAX = 14;
const FIELD_STEP_MAX = 15;

const zigzag = (value: bigint) => BigInt.asUintN(64, (value << 1n) ^ (value >> 63n));
const unzigzag = (value: bigint) => (value >> 1n) ^ -(value & 1n);

class Reader {
  private at = 0;
  constructor(private readonly bytes: Uint8Array) {}

  private byte(): number {
    const value = this.bytes[this.at++];
    if (value === undefined) throw new Error("the Thrift text ends too early");
    return value;
  }

  private varint(): bigint {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.byte();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  }

  private take(count: number): Uint8Array {
    const taken = this.bytes.slice(this.at, this.at + count);
    if (taken.length < count) throw new Error("the Thrift text ends too early");
    this.at += count;
    return taken;
  }

  private list(type: 9 | 10): ThriftValue {
    const head = this.byte();
    const short = head >> 4;
    const count = short > SHORT_LIST_MAX ? Number(this.varint()) : short;
    const of = head & 0x0f;
    return { type, of, values: Array.from({ length: count }, () => this.value(of, true)) };
  }

  private value(type: number, isListed = false): ThriftValue {
    switch (type) {
      case TRUE:
      case FALSE:
        // A boolean of a list is a byte of its own; that of a field is in the type.
        return isListed ? { type: this.byte() === TRUE ? TRUE : FALSE } : { type };
      case BYTE:
        return { type, value: BigInt.asIntN(8, BigInt(this.byte())) };
      case 4:
      case 5:
      case 6:
        return { type, value: unzigzag(this.varint()) };
      case DOUBLE:
        return { type, value: this.take(DOUBLE_BYTES) };
      case BINARY:
        return { type, value: this.take(Number(this.varint())) };
      case LIST:
      case SET:
        return this.list(type);
      case STRUCT:
        return { type, fields: this.struct() };
      default:
        throw new Error(`the Thrift type ${type} is not expected in a Parquet file`);
    }
  }

  struct(): ThriftStruct {
    const fields: ThriftStruct = new Map();
    let id = 0;
    for (;;) {
      const head = this.byte();
      if (head === 0) return fields;
      const step = head >> 4;
      id = step === 0 ? Number(unzigzag(this.varint())) : id + step;
      fields.set(id, this.value(head & 0x0f));
    }
  }
}

class Writer {
  readonly bytes: number[] = [];

  private varint(value: bigint): void {
    let left = value;
    for (; left >= 0x80n; left >>= 7n) this.bytes.push(Number(left & 0x7fn) | 0x80);
    this.bytes.push(Number(left));
  }

  private value(value: ThriftValue, isListed: boolean): void {
    switch (value.type) {
      case TRUE:
      case FALSE:
        if (isListed) this.bytes.push(value.type);
        return;
      case BYTE:
        this.bytes.push(Number(BigInt.asUintN(8, value.value)));
        return;
      case 4:
      case 5:
      case 6:
        this.varint(zigzag(value.value));
        return;
      case DOUBLE:
        this.bytes.push(...value.value);
        return;
      case BINARY:
        this.varint(BigInt(value.value.length));
        for (const byte of value.value) this.bytes.push(byte);
        return;
      case LIST:
      case SET: {
        const { length } = value.values;
        this.bytes.push((Math.min(length, SHORT_LIST_MAX + 1) << 4) | value.of);
        if (length > SHORT_LIST_MAX) this.varint(BigInt(length));
        for (const each of value.values) this.value(each, true);
        return;
      }
      case STRUCT:
        this.struct(value.fields);
    }
  }

  struct(fields: ThriftStruct): void {
    let last = 0;
    for (const [id, value] of [...fields].sort(([a], [b]) => a - b)) {
      const step = id - last;
      if (step > FIELD_STEP_MAX) {
        this.bytes.push(value.type);
        this.varint(zigzag(BigInt(id)));
      } else this.bytes.push((step << 4) | value.type);
      this.value(value, false);
      last = id;
    }
    this.bytes.push(0);
  }
}

export const readThrift = (bytes: Uint8Array): ThriftStruct => new Reader(bytes).struct();

export function writeThrift(fields: ThriftStruct): Uint8Array {
  const writer = new Writer();
  writer.struct(fields);
  return Uint8Array.from(writer.bytes);
}
