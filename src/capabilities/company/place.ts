// Where a company is and trades, in words: countries from the regulator's codes, exchanges from the price provider's.

/** The regulator's codes of US states and territories; it names no country with them. */
const US_CODES = new Set(
  (
    "AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH " +
    "OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY PR GU VI AS MP X1"
  ).split(" "),
);

/**
 * The country of an address as the regulator writes it: a US state, or a country or Canadian province of its own
 * list ("M0" "Japan", "A6" "Ontario, Canada"). Null when it says neither.
 */
export function countryOf(code: string | null, description: string | null): string | null {
  if (code !== null && US_CODES.has(code)) return "United States";
  const named = description?.split(",").at(-1)?.trim() ?? "";
  // Codes of countries have a digit; a description that repeats the code says nothing.
  return named === "" || named === code ? null : named;
}

/** US exchanges by the price provider's code, in the regulator's words where it has one. */
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

/** Hundredths of which the provider is known to give market values in whole units (a London share, 2025-02-24). */
const HUNDREDTHS: Readonly<Record<string, string>> = { GBp: "GBP", GBX: "GBP" };
/** Agorot and fils look like currencies. */
const NO_CURRENCIES = new Set(["ILA", "KWF"]);

/** Currency of a market value whose price is in `currency`. Null for minor units of which it is not known. */
export function wholeCurrency(currency: string | null): string | null {
  if (currency === null || NO_CURRENCIES.has(currency)) return null;
  return HUNDREDTHS[currency] ?? (/^[A-Z]{3}$/.test(currency) ? currency : null);
}
