// The fields of a request that may be answered before all of its tickers are read.
import { Type } from "@sinclair/typebox";
import { PRICES_FIRST_PART_S, PRICES_WAIT_S_MAX, PRICES_WHOLE_MAX } from "../../limits.ts";
import { wholeNumber } from "../../market/params.ts";

export const waitField = wholeNumber(
  `Seconds that the answer waits for bars that are not stored; tickers not read by then are in \`not_read\` and \`errors\`, and are read in the background. Default: ${PRICES_FIRST_PART_S} where more than ${PRICES_WHOLE_MAX} tickers are to be read, else until all are read. Not with force_refresh, which waits for all.`,
  { minimum: 0, maximum: PRICES_WAIT_S_MAX, examples: [PRICES_FIRST_PART_S] },
);

export const notReadField = Type.Array(Type.String(), {
  description:
    "Present only in an incomplete answer: the symbols whose missing days are still being read in the background. Ask again for them, or with a longer wait.",
});
