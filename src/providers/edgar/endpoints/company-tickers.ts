// company_tickers*.json: which entity trades under which ticker today. Delisted and renamed tickers are not in it.

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

/** `{"0":{cik_str, ticker, title}, …}`, by size of the company; `cik_str` is a number. */
export function readTickers(body: Wire): TickerRow[] {
  return body.values().flatMap((row) => {
    const ticker = upper(row.at("ticker"));
    return ticker ? [{ cik: cik(row.at("cik_str")), ticker, name: row.at("title").textOrNull() ?? "" }] : [];
  });
}

/** `{fields:[…], data:[[…], …]}`: the rows as a way from field name to value. Throws when a field is not there. */
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
    const ids = { series_id: cell("seriesId").text(), class_id: cell("classId").text() };
    return [{ cik: cik(cell("cik")), ...ids, ticker }];
  });
}

/** An empty list is no list of tickers: it would make every company unknown. */
function someOf<T>(rows: T[], body: Wire): readonly T[] {
  if (rows.length === 0) throw body.wrong("a list of tickers, not an empty one");
  return rows;
}

/** The three files, each kept with what EDGAR calls its version: asked again, an unchanged file is not sent again. */
export function tickerFiles(upstream: Upstream) {
  const kept = new Map<File, { validators: Validators; rows: readonly unknown[] }>();
  const fetch = async <T>(file: File, read: (body: Wire) => T[], signal: AbortSignal | undefined) => {
    const before = kept.get(file);
    const request = { ...conditional(tickersUrl(file), before?.validators), signal };
    return fetchDecoded(upstream, request, (answer) => {
      if (before && isUnchanged(answer)) return before.rows as readonly T[];
      const body = readJson(`${file}.json`, answer);
      const rows = someOf(read(body), body);
      kept.set(file, { validators: validatorsOf(answer), rows });
      return rows;
    });
  };
  return {
    tickers: (signal?: AbortSignal) => fetch("company_tickers", readTickers, signal),
    listedTickers: (signal?: AbortSignal) => fetch("company_tickers_exchange", readListedTickers, signal),
    fundTickers: (signal?: AbortSignal) => fetch("company_tickers_mf", readFundTickers, signal),
  };
}
