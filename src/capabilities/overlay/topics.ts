// Topics: what a theme is called, by which words and articles it is found, and which tickers belong to it.
import { parseTickers } from "../../market/ticker.ts";
import type { Clock } from "../../platform/clock.ts";
import { InvalidRequest } from "../../platform/errors.ts";
import type { OverlayStore, Topic } from "./store.ts";

export interface TopicInput {
  readonly name: string;
  readonly keywords?: readonly string[] | undefined;
  readonly tickers?: readonly string[] | undefined;
  readonly encyc_titles?: readonly string[] | undefined;
}

/** What is seeded when the request names none. A start; whoever runs the service names their own. */
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

function topicOf(wish: TopicInput): Topic {
  const name = wish.name.trim();
  const topic_id = topicIdOf(name);
  if (topic_id === "")
    throw new InvalidRequest("bad_request", "The name of a topic has a letter or a digit in it.");
  const { tickers, invalid } = parseTickers(wish.tickers ?? []);
  if (invalid.length > 0)
    throw new InvalidRequest("bad_request", `Topic ${topic_id}: ${invalid.length} of its tickers are none.`);
  return {
    topic_id,
    name,
    keywords: texts(wish.keywords),
    encyc_titles: texts(wish.encyc_titles),
    tickers: tickers.map(({ symbol }) => symbol),
  };
}

export function overlayTopics({ store, clock }: { readonly store: OverlayStore; readonly clock: Clock }) {
  return {
    list(): { count: number; data: Topic[] } {
      const data = store.topics();
      return { count: data.length, data };
    },

    /** Throws InvalidRequest; then nothing is changed. */
    seed(inputs: readonly TopicInput[] | undefined, replace: boolean) {
      // The same topic twice counts as its last mention.
      const topics = new Map(
        (inputs ?? STARTING_TOPICS).map(topicOf).map((topic) => [topic.topic_id, topic]),
      );
      const { created, updated } = store.saveTopics([...topics.values()], replace, clock.nowMs());
      return { created, updated, total: store.topics().length };
    },

    /** Names of the topics by ticker. */
    byTicker(): ReadonlyMap<string, readonly string[]> {
      const found = new Map<string, string[]>();
      for (const { topic_id, tickers } of store.topics())
        for (const ticker of tickers) found.set(ticker, [...(found.get(ticker) ?? []), topic_id]);
      return found;
    },
  };
}

export type OverlayTopics = ReturnType<typeof overlayTopics>;
