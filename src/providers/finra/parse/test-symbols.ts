// The symbols exchanges test their systems with, whose prints are not trades.

/**
 * `ZVZZT`, `ZXZZT`, `ZTEST`, `ZBZX`, `NTEST.A`, `ATEST/B`: Nasdaq's and Cboe's begin with Z; those of the
 * NYSE markets end in TEST, with or without a class.
 */
const TEST_SYMBOL = /^(?:Z[A-Z]?(?:ZZT|TEST)|[ACMNP]TEST|ZBZX)(?:[./][A-Z]+)?$/;

export const isTestSymbol = (symbol: string): boolean => TEST_SYMBOL.test(symbol);
