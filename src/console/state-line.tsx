// The states of a panel as a component.
import { inWords, labelOf, type PanelState, stateOfFailure } from "./states.ts";

/** A line that names a state and says more about it. */
export function StateLine({ state, text = "" }: { state: Exclude<PanelState, "ready">; text?: string }) {
  return (
    <p class={`state ${state}`}>
      <strong>{labelOf(state)}</strong>
      {text === "" ? "" : ` ${inWords(text)}`}
    </p>
  );
}

/** The line of a failed request. */
export const FailureLine = ({ error }: { error: unknown }) => (
  <StateLine state={stateOfFailure(error)} text={error instanceof Error ? error.message : String(error)} />
);
