// Names of countries from the regulator's codes, and of exchanges from the price provider's codes.

/** The regulator's codes of US states and territories. Addresses with these codes name no country. */
const US_CODES = new Set(
  (
    "AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH " +
    "OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY PR GU VI AS MP X1"
  ).split(" "),
);

/**
 * The country of an address as the regulator writes it: the code of a US state, or a code of its own with a
 * description ("M0" "Japan", "A6" "Ontario, Canada"). Null when it has neither.
 */
export function countryOf(code: string | null, description: string | null): string | null {
  if (code !== null && US_CODES.has(code)) return "United States";
  const named = description?.split(",").at(-1)?.trim() ?? "";
  // A description that only repeats the code names no country.
  return named === "" || named === code ? null : named;
}

/** US exchanges by the price provider's code, with the regulator's name where it has one. */
const EXCHANGES: Readonly<Record<string, string>> = {
  NMS: "Nasdaq",
  NGM: "Nasdaq",
  NCM: "Nasdaq",
  NYQ: "NYSE",
  ASE: "NYSE American",
  PCX: "NYSE Arca",
  BTS: "CBOE",
  BATS: "CBOE",
  PNK: "OTC",
  OQB: "OTC",
  OQX: "OTC",
  OEM: "OTC",
  OGM: "OTC",
};

/** The exchange's name; the provider's own for those outside the US. */
export function exchangeOf(code: string | null, name: string | null): string | null {
  return (code === null ? undefined : EXCHANGES[code]) ?? name ?? code;
}

/**
 * Minor units for which the provider is known to report market values in the major unit (a London share,
 * 2025-02-24).
 */
const MINOR_UNITS: Readonly<Record<string, string>> = { GBp: "GBP", GBX: "GBP" };
/** Agorot and fils: minor units whose codes look like currencies. */
const UNKNOWN_UNITS = new Set(["ILA", "KWF"]);

/**
 * Currency of a market value whose price is in `currency`. Null for a minor unit whose market values are in
 * an unknown unit.
 */
export function wholeCurrency(currency: string | null): string | null {
  if (currency === null || UNKNOWN_UNITS.has(currency)) return null;
  return MINOR_UNITS[currency] ?? (/^[A-Z]{3}$/.test(currency) ? currency : null);
}
