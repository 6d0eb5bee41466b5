// ULIDs: unique names that sort by the time they were made.

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

function encode(value: bigint, length: number): string {
  let text = "";
  for (let rest = value; text.length < length; rest >>= 5n) text = `${ALPHABET[Number(rest & 31n)]}${text}`;
  return text;
}

/** A ULID of 26 characters: 48 bits of time (ms since 1970) and 80 random bits. */
export function ulid(nowMs: number): string {
  const random = crypto.getRandomValues(new Uint8Array(10)).toHex();
  return encode(BigInt(Math.floor(nowMs)), 10) + encode(BigInt(`0x${random}`), 16);
}
