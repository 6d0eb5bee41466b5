// Listeners for changes of the manifest, so that the parts of a lake exist before the tasks that follow its
// changes.

export interface ChangeListeners {
  /** Adds a listener; the returned function removes it. */
  subscribe(listener: () => void): () => void;
  /** Calls every listener. */
  notify(): void;
}

export function changeListeners(): ChangeListeners {
  const listeners = new Set<() => void>();
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    notify: () => {
      for (const listener of listeners) listener();
    },
  };
}
