// Requests of components: an answer or a failure as a signal, asked for again when the server is back.
import { type Signal, useSignal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import { fetchJson, pathOf } from "./api.ts";
import { returns } from "./connection.ts";
import { clockOf } from "./links.ts";

export type Answer<T> =
  | { readonly at: "loading" }
  | { readonly at: "ready"; readonly body: T }
  | { readonly at: "failed"; readonly error: unknown };

export type Query = Readonly<Record<string, string | number | boolean | null>>;

let pending = 0;

/**
 * Counts a request of the page. When none is left, after what the last answer leads to, the page is ready.
 */
async function counted<T>(work: Promise<T>): Promise<T> {
  pending += 1;
  document.body.dataset.ready = "false";
  try {
    return await work;
  } finally {
    pending -= 1;
    setTimeout(() => {
      if (pending === 0) document.body.dataset.ready = "true";
    });
  }
}

/** A path with its query under the clock of the page. */
export const underClock = (path: string, query: Query = {}): string =>
  pathOf(path, { ...clockOf(), ...query });

/** GET of JSON, counted among the requests of the page. */
export const asked = <T>(path: string): Promise<T> => counted(fetchJson<T>(path));

/**
 * Returns what `ask` gives for a key; asks again when the key changes or the server is back. Null asks
 * nothing.
 */
function useAsked<T>(key: string | null, ask: (key: string) => Promise<T>): Signal<Answer<T>> {
  const answer = useSignal<Answer<T>>({ at: "loading" });
  const round = returns.value;
  useLayoutEffect(() => {
    if (key === null) return;
    let isCurrent = true;
    answer.value = { at: "loading" };
    ask(key).then(
      (body) => {
        if (isCurrent) answer.value = { at: "ready", body };
      },
      (error: unknown) => {
        if (isCurrent) answer.value = { at: "failed", error };
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [key, round]);
  return answer;
}

/** Returns the answer of a path; null asks nothing. */
export const useAnswer = <T>(path: string | null): Signal<Answer<T>> => useAsked(path, asked<T>);

/** Returns the answers of several paths, in their order; failed as soon as one of them has failed. */
export const useAnswers = <T extends readonly unknown[]>(paths: readonly string[]): Signal<Answer<T>> =>
  useAsked(paths.join("\n"), async (key) => {
    const answers = await Promise.all(key === "" ? [] : key.split("\n").map(asked<unknown>));
    return answers as readonly unknown[] as T;
  });
