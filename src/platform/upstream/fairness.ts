// Fair queueing: all work of one request or job carries one key, and a queue serves its keys in turn.
import { AsyncLocalStorage } from "node:async_hooks";

const currentKey = new AsyncLocalStorage<object>();

/** Runs `work` under a key, by default one of its own, or under the surrounding key where there is one. */
export const withFairnessKey = <T>(work: () => T, key: object = {}): T =>
  currentKey.getStore() ? work() : currentKey.run(key, work);

/** The key of the current work; undefined where none was set. */
export const fairnessKey = (): object | undefined => currentKey.getStore();
