// The symbols exchanges test their systems with: prints of them are no trades.

/**
 * `ZVZZT`, `ZXZZT`, `ZTEST`, `ZBZX`, `NTEST.A`, `ATEST/B`: Nasdaq's and Cboe's begin with Z, those of the NYSE
 * markets end in TEST, with a class or without.
 */
const TEST_SYMBOL = /^(?:Z[A-Z]?(?:ZZT|TEST)|[ACMNP]TEST|ZBZX)(?:[./][A-Z]+)?$/;

export const isTestSymbol = (symbol: string): boolean => TEST_SYMBOL.test(symbol);
