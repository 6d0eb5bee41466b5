// A company's article as the routes return it.
import type { Static } from "@sinclair/typebox";
import type { EntityRecord, MappedEntity } from "./entity-store.ts";
import type { EntityAnswer, Mapping } from "./schema.ts";

/** The article inside an event's answer. */
export function mappingOf(
  entity: MappedEntity,
  articleUrl: (title: string) => string,
): Static<typeof Mapping> {
  const { encyc_title, page_id, wikidata_id, confidence, resolution_method, is_manual_override } = entity;
  return {
    encyc_title,
    encyc_url: articleUrl(encyc_title),
    page_id,
    wikidata_id,
    confidence: confidence ?? 0,
    resolution_method,
    is_manual_override,
    resolved_at: entity.known_at,
  };
}

/** The article as its own answer, with the candidates. */
export function entityAnswer(
  ticker: string,
  record: EntityRecord,
  articleUrl: (title: string) => string,
  warnings: readonly string[] = [],
): Static<typeof EntityAnswer> {
  const { encyc_title } = record;
  return {
    ticker,
    encyc_title,
    encyc_url: encyc_title === null ? null : articleUrl(encyc_title),
    page_id: record.page_id,
    wikidata_id: record.wikidata_id,
    description: record.description,
    confidence: record.confidence,
    resolution_method: record.resolution_method,
    is_manual_override: record.is_manual_override,
    note: record.note,
    company_name: record.company_name,
    cik: record.cik,
    resolved_at: record.known_at,
    candidates: record.candidates.map((candidate) => ({ ...candidate })),
    warnings: [...warnings],
  };
}
