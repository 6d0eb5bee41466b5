// Listeners for changes, of the manifest and of what is stored, so that the parts of a lake exist before the
// tasks that follow its changes.

export interface ChangeListeners<Change = void> {
  /** Adds a listener; the returned function removes it. */
  subscribe(listener: (change: Change) => void): () => void;
  /** Calls every listener. */
  notify(change: Change): void;
}

export function changeListeners<Change = void>(): ChangeListeners<Change> {
  const listeners = new Set<(change: Change) => void>();
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    notify: (change) => {
      for (const listener of listeners) listener(change);
    },
  };
}
