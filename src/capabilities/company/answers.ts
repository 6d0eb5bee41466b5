// Answers of the company routes: records under the ticker as the client wrote it, for one ticker or many.
import { answerEach } from "../../market/bulk.ts";
import { throwWithClientTicker } from "../../market/client-ticker.ts";
import { canonical, parseTickers, type TickerRequest } from "../../market/ticker.ts";
import { Answer } from "../../platform/answer.ts";
import type { Lookup, LookupResult } from "./lookup.ts";
import { lastUpdated } from "./record.ts";
import type { BulkCompanyResponse, CompanyInfo } from "./schema.ts";

/** Tickers of a bulk request worked on at once. */
const BULK_CONCURRENCY = 25;

function infoOf(ticker: string, { record, source, warnings }: LookupResult, isCached: boolean): CompanyInfo {
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

export function companyAnswers({ lookup }: { readonly lookup: Lookup }) {
  const find = async (request: TickerRequest, force: boolean, signal: AbortSignal) => {
    const entry = await lookup(request.symbol, force, signal).catch(throwWithClientTicker(request));
    return { entry, info: infoOf(request.ticker, entry.value, entry.state !== "MISS") };
  };

  return {
    /** The company behind a ticker, for other capabilities. Throws the errors the route answers with. */
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
