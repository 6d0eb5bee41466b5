// Fetches company_tickers*.json: the entity of each ticker today. Delisted and renamed tickers are missing.

import { fetchDecoded } from "../../../platform/upstream/decode.ts";
import type { Upstream } from "../../../platform/upstream/policy.ts";
import { readCik } from "../accession.ts";
import { tickersUrl } from "../address.ts";
import { conditional, isUnchanged, validatorsOf } from "../ask.ts";
import type { FundTickerRow, ListedTickerRow, TickerRow, Validators } from "../records.ts";
import { readJson, shapeChanged, type Wire } from "../wire.ts";

type File = "company_tickers" | "company_tickers_exchange" | "company_tickers_mf";

const cik = (place: Wire): string => place.as(readCik, "a CIK");
const upper = (place: Wire): string | null => place.textOrNull()?.toUpperCase() ?? null;

/** Reads `{"0":{cik_str, ticker, title}, …}`, sorted by the company's size; `cik_str` is a number. */
export function readTickers(body: Wire): TickerRow[] {
  return body.values().flatMap((row) => {
    const ticker = upper(row.at("ticker"));
    return ticker ? [{ cik: cik(row.at("cik_str")), ticker, name: row.at("title").textOrNull() ?? "" }] : [];
  });
}

/**
 * Reads `{fields:[…], data:[[…], …]}`. Each row is a function from field name to value. Throws when a field
 * is missing.
 */
function readTable(body: Wire, names: readonly string[]): ((name: string) => Wire)[] {
  const fields = body.at("fields").items();
  const places = new Map(fields.map((field, i) => [field.text(), i]));
  const absent = names.find((name) => !places.has(name));
  if (absent) throw shapeChanged(body.document, `${body.path}.fields`, `a list that has "${absent}"`);
  return body
    .at("data")
    .items()
    .map((row) => {
      const cells = row.items();
      if (cells.length !== fields.length) throw row.wrong(`a list of ${fields.length}`);
      return (name) => cells[places.get(name) ?? -1] ?? row;
    });
}

export function readListedTickers(body: Wire): ListedTickerRow[] {
  return readTable(body, ["cik", "name", "ticker", "exchange"]).flatMap((cell) => {
    const ticker = upper(cell("ticker"));
    if (!ticker) return [];
    const name = cell("name").textOrNull() ?? "";
    return [{ cik: cik(cell("cik")), ticker, name, exchange: cell("exchange").textOrNull() }];
  });
}

export function readFundTickers(body: Wire): FundTickerRow[] {
  return readTable(body, ["cik", "seriesId", "classId", "symbol"]).flatMap((cell) => {
    const ticker = upper(cell("symbol"));
    if (!ticker) return [];
    const [series_id, class_id] = [cell("seriesId").text(), cell("classId").text()];
    return [{ cik: cik(cell("cik")), series_id, class_id, ticker }];
  });
}

/** Refuses an empty list, which would make every company unknown. */
function someOf<T>(rows: T[], body: Wire): readonly T[] {
  if (rows.length === 0) throw body.wrong("a list of tickers, not an empty one");
  return rows;
}

/**
 * Fetches the three files. Each is cached with its validators, so that EDGAR does not send an unchanged file
 * again.
 */
export function tickerFiles(upstream: Upstream) {
  const cached = new Map<File, { validators: Validators; rows: readonly unknown[] }>();
  const fetch = async <T>(file: File, read: (body: Wire) => T[], signal: AbortSignal | undefined) => {
    const before = cached.get(file);
    const request = { ...conditional(tickersUrl(file), before?.validators), signal };
    return fetchDecoded(upstream, request, (answer) => {
      if (before && isUnchanged(answer)) return before.rows as readonly T[];
      const body = readJson(`${file}.json`, answer);
      const rows = someOf(read(body), body);
      cached.set(file, { validators: validatorsOf(answer), rows });
      return rows;
    });
  };
  return {
    tickers: (signal?: AbortSignal) => fetch("company_tickers", readTickers, signal),
    listedTickers: (signal?: AbortSignal) => fetch("company_tickers_exchange", readListedTickers, signal),
    fundTickers: (signal?: AbortSignal) => fetch("company_tickers_mf", readFundTickers, signal),
  };
}
