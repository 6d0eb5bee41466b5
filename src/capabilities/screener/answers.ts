// Answers of the screener routes: turns requests into screens, and pages into answers with a table.
import type { Static } from "@sinclair/typebox";
import { SCREENER_PAGE_ROWS } from "../../limits.ts";
import { nameIn, wordsOf } from "../../market/params.ts";
import { STOCK_COLUMNS, tableOf } from "../../market/stock-row.ts";
import type { Exchange } from "../../market/stock-screen.ts";
import { Answer } from "../../platform/answer.ts";
import type { Filters } from "./filters.ts";
import { PRESETS, presetOf } from "./presets.ts";
import type { PresetQuery, ScreenQuery, ScreenRequest, ScreenResponse } from "./schema.ts";
import type { Screen, Screens } from "./screen.ts";
import { type Kind, SECTORS, type Sector } from "./sources.ts";

type ScreenFields = Static<typeof ScreenQuery> | Static<typeof ScreenRequest>;

const COLUMNS = [
  ...STOCK_COLUMNS,
  ["dollar_volume", "DOUBLE"],
  ["beta", "DOUBLE"],
  ["dividend_yield", "DOUBLE"],
  ["sector", "VARCHAR"],
  ["industry", "VARCHAR"],
] as const;

/** The excluded kinds, already checked by the schema; an empty list excludes none. */
function kindsOf(given: string | readonly string[] | undefined): { exclude_types?: Kind[] } {
  const kinds = given === undefined ? [] : wordsOf(given);
  return kinds.length === 0 ? {} : { exclude_types: kinds as Kind[] };
}

function filtersOf(given: ScreenFields): Filters {
  const { exchange, sector, country: _country, exclude_types, ...rest } = given;
  const { sort_by, sort_order, page, page_size, force_refresh, ...plain } = rest;
  const { format: _format, ...filters } = plain as typeof plain & { format?: string };
  return {
    ...(exchange === undefined ? {} : { exchange: wordsOf(exchange) as Exchange[] }),
    ...(sector === undefined ? {} : { sector: nameIn(SECTORS, sector) as Sector }),
    ...filters,
    ...kindsOf(exclude_types),
  };
}

const pageNumbers = ({
  page = 1,
  page_size = SCREENER_PAGE_ROWS,
}: {
  page?: number;
  page_size?: number;
}) => ({
  page,
  page_size,
});

export function screenerAnswers(screens: Screens) {
  const answer = async (
    name: string,
    request: Screen,
    force: boolean,
    signal: AbortSignal,
  ): Promise<Answer<ScreenResponse>> => {
    const { body, cache } = await screens(request, force, signal);
    const hasNext = body.total_pages !== null && body.page < body.total_pages;
    return new Answer(() => body, {
      cache,
      table: tableOf(name, COLUMNS, body.data),
      page: { total: body.total_available, next: hasNext ? { page: body.page + 1 } : null },
    });
  };

  return {
    screen(given: ScreenFields, signal: AbortSignal) {
      const { sort_by = "market_cap", sort_order = "desc", force_refresh = false } = given;
      const request = { filters: filtersOf(given), sort_by, sort_order, ...pageNumbers(given) };
      return answer("screen", request, force_refresh, signal);
    },

    presets: () => PRESETS.map((preset) => ({ ...preset })),

    /** Throws NotFound for an unknown preset. */
    preset(name: string, given: Static<typeof PresetQuery>, signal: AbortSignal) {
      const { filters, sort_by, sort_order } = presetOf(name);
      const { exclude_types, min_dollar_volume, force_refresh = false } = given;
      const { exclude_types: own, ...plain } = filters;
      const request = {
        filters: {
          ...plain,
          ...(min_dollar_volume === undefined ? {} : { min_dollar_volume }),
          ...(exclude_types === undefined ? (own ? { exclude_types: own } : {}) : kindsOf(exclude_types)),
        },
        sort_by,
        sort_order,
        ...pageNumbers(given),
      };
      return answer(name, request, force_refresh, signal);
    },
  };
}

export type ScreenerAnswers = ReturnType<typeof screenerAnswers>;
