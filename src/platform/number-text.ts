// Numbers as text, as the lake's engine writes a DOUBLE: its shortest digits, and a decimal point where it is
// whole.

/** The engine writes smaller numbers, and these and larger ones, with an exponent in CSV. */
const CSV_PLAIN_MIN = 1e-4;
const CSV_EXPONENT_MIN = 1e16;

const withPoint = (text: string) => (/[.e]/.test(text) ? text : `${text}.0`);

const textOf = (value: number) => (Object.is(value, -0) ? "-0" : String(value));

/** A DOUBLE in CSV. */
export function csvDouble(value: number): string {
  const size = Math.abs(value);
  if (size === 0 || (size >= CSV_PLAIN_MIN && size < CSV_EXPONENT_MIN)) return withPoint(textOf(value));
  return value.toExponential().replace(/(e[+-])(\d)$/, "$10$2");
}

/** A DOUBLE in JSON. */
export const jsonDouble = (value: number): string => withPoint(textOf(value).replace("e+", "e"));
