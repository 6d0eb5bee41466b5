// ULIDs: names that are unique and sort by the moment they were given.

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

function encode(value: bigint, length: number): string {
  let text = "";
  for (let rest = value; text.length < length; rest >>= 5n) text = `${ALPHABET[Number(rest & 31n)]}${text}`;
  return text;
}

/** 26 characters: 48 bits of the moment (ms since 1970), 80 bits of chance. */
export function ulid(nowMs: number): string {
  const chance = crypto.getRandomValues(new Uint8Array(10)).toHex();
  return encode(BigInt(Math.floor(nowMs)), 10) + encode(BigInt(`0x${chance}`), 16);
}
