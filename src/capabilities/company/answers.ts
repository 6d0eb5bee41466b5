// The company routes' answers: records under the ticker as the client wrote it, one or many.
import { answerEach } from "../../market/bulk.ts";
import { canonical, parseTickers, type TickerRequest } from "../../market/ticker.ts";
import { Answer } from "../../platform/answer.ts";
import { NotFound } from "../../platform/errors.ts";
import type { Found, Lookup } from "./lookup.ts";
import { lastUpdated } from "./record.ts";
import type { BulkCompanyResponse, CompanyInfo } from "./schema.ts";

/** Tickers of a bulk request worked on at once. */
const BULK_CONCURRENCY = 25;

function infoOf(ticker: string, { record, source, warnings }: Found, isCached: boolean): CompanyInfo {
  const { symbol: _symbol, former_names, share_classes, predecessor_ciks, ...fields } = record;
  return {
    ticker,
    ...fields,
    former_names: former_names.map(({ name, from, to }) => ({ name, from, to })),
    share_classes: [...share_classes],
    predecessor_ciks: [...predecessor_ciks],
    source: isCached ? "cache" : source,
    last_updated: lastUpdated(record),
    warnings: [...warnings],
  };
}

/** The same error, its ticker as the client wrote it: work is shared by symbol, whoever asked first. */
function retold(error: unknown, { ticker, symbol }: TickerRequest): unknown {
  if (!(error instanceof NotFound)) return error;
  return new NotFound(error.code, error.message.replace(symbol, ticker), { ...error.facts, ticker });
}

export function companyAnswers(lookup: Lookup) {
  const find = async (request: TickerRequest, force: boolean, signal: AbortSignal) => {
    try {
      const entry = await lookup(request.symbol, force, signal);
      return { entry, info: infoOf(request.ticker, entry.value, entry.state !== "MISS") };
    } catch (error) {
      throw retold(error, request);
    }
  };

  return {
    /** The company behind a ticker, for other capabilities. Throws as the route answers. */
    async find(ticker: string, force: boolean, signal: AbortSignal): Promise<CompanyInfo> {
      return (await find({ ticker, symbol: canonical(ticker) }, force, signal)).info;
    },

    async one(given: string, force: boolean, signal: AbortSignal): Promise<Answer<CompanyInfo>> {
      const ticker = given.trim();
      const { entry, info } = await find({ ticker, symbol: canonical(ticker) }, force, signal);
      const { state, storedAtMs, expiresAtMs } = entry;
      return new Answer(() => info, { cache: { state, storedAtMs, expiresAtMs } });
    },

    async bulk(
      tickers: readonly string[],
      force: boolean,
      signal: AbortSignal,
    ): Promise<BulkCompanyResponse> {
      const requests = parseTickers(tickers).tickers;
      return answerEach(requests, async (request) => (await find(request, force, signal)).info, {
        concurrency: BULK_CONCURRENCY,
        signal,
      });
    },
  };
}

export type CompanyAnswers = ReturnType<typeof companyAnswers>;
