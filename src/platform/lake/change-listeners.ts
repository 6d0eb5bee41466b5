// Listeners for changes of the manifest, so that the parts of a lake exist before the tasks that follow its changes.

export interface ChangeListeners {
  subscribe(listener: () => void): void;
  /** Calls every listener. */
  notify(): void;
}

export function changeListeners(): ChangeListeners {
  const listeners: (() => void)[] = [];
  return {
    subscribe: (listener) => void listeners.push(listener),
    notify: () => {
      for (const listener of listeners) listener();
    },
  };
}
