// Topics: themes with their keywords, encyclopedia articles and tickers.
import { ifEmpty } from "../../market/absence.ts";
import type { Services } from "../../market/services.ts";
import { parseTickers } from "../../market/ticker.ts";
import { InvalidRequest } from "../../platform/errors.ts";
import type { OverlayStore, Topic } from "./store.ts";

export interface TopicInput {
  readonly name: string;
  readonly keywords?: readonly string[] | undefined;
  readonly tickers?: readonly string[] | undefined;
  readonly encyc_titles?: readonly string[] | undefined;
}

/** The topics that are seeded when the request names none; operators replace them with their own. */
export const STARTING_TOPICS: readonly TopicInput[] = [
  {
    name: "Artificial intelligence",
    keywords: ["artificial intelligence", "machine learning", "large language model"],
    encyc_titles: ["Artificial intelligence", "Large language model"],
    tickers: ["NVDA", "MSFT", "GOOGL", "META", "AMD", "PLTR"],
  },
  {
    name: "Semiconductors",
    keywords: ["semiconductor", "chipmaker", "foundry"],
    encyc_titles: ["Semiconductor industry"],
    tickers: ["NVDA", "AMD", "INTC", "AVGO", "MU", "TXN", "QCOM"],
  },
  {
    name: "Electric vehicles",
    keywords: ["electric vehicle", "EV charging"],
    encyc_titles: ["Electric car"],
    tickers: ["TSLA", "RIVN", "LCID", "GM", "F"],
  },
  {
    name: "Weight-loss drugs",
    keywords: ["GLP-1", "semaglutide", "tirzepatide"],
    encyc_titles: ["GLP-1 receptor agonist", "Semaglutide"],
    tickers: ["LLY", "VKTX", "AMGN"],
  },
  {
    name: "Cybersecurity",
    keywords: ["cybersecurity", "ransomware", "data breach"],
    encyc_titles: ["Computer security"],
    tickers: ["CRWD", "PANW", "FTNT", "ZS"],
  },
  {
    name: "Nuclear energy",
    keywords: ["nuclear power", "small modular reactor", "uranium"],
    encyc_titles: ["Nuclear power", "Small modular reactor"],
    tickers: ["CEG", "CCJ", "SMR", "VST"],
  },
];

/** "Weight-loss drugs" → "weight-loss-drugs"; "" for a name without letters and digits. */
export const topicIdOf = (name: string): string =>
  name
    .toLowerCase()
    .normalize("NFKD")
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "");

const texts = (given: readonly string[] | undefined): string[] => [
  ...new Set((given ?? []).map((text) => text.trim()).filter(Boolean)),
];

function topicOf(input: TopicInput): Topic {
  const name = input.name.trim();
  const topic_id = topicIdOf(name);
  if (topic_id === "")
    throw new InvalidRequest("bad_request", "The name of a topic must contain a letter or a digit.");
  const { tickers, invalid } = parseTickers(input.tickers ?? []);
  if (invalid.length > 0)
    throw new InvalidRequest(
      "bad_request",
      `Topic ${topic_id}: ${invalid.length} of its tickers are not valid tickers.`,
    );
  return {
    topic_id,
    name,
    keywords: texts(input.keywords),
    encyc_titles: texts(input.encyc_titles),
    tickers: tickers.map(({ symbol }) => symbol),
  };
}

export function overlayTopics({ store, clock }: { readonly store: OverlayStore } & Pick<Services, "clock">) {
  return {
    list(): { count: number; warnings: string[]; data: Topic[] } {
      const data = store.topics();
      const warnings = ifEmpty(
        data,
        "not_read",
        "No topic is stored; POST /api/v1/overlay/admin/seed-topics stores the starting ones.",
      );
      return { count: data.length, warnings, data };
    },

    /** Throws InvalidRequest before anything is changed. */
    seed(inputs: readonly TopicInput[] | undefined, replace: boolean) {
      // When a topic is given twice, the last one counts.
      const topics = new Map(
        (inputs ?? STARTING_TOPICS).map(topicOf).map((topic) => [topic.topic_id, topic]),
      );
      const { created, updated } = store.saveTopics([...topics.values()], replace, clock.nowMs());
      return { created, updated, total: store.topics().length };
    },

    /** The topic_ids of each ticker. */
    byTicker(): ReadonlyMap<string, readonly string[]> {
      const found = new Map<string, string[]>();
      for (const { topic_id, tickers } of store.topics())
        for (const ticker of tickers) found.set(ticker, [...(found.get(ticker) ?? []), topic_id]);
      return found;
    },
  };
}

export type OverlayTopics = ReturnType<typeof overlayTopics>;
