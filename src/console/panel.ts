// Fills a panel once its content is there, and shows its state before that and where the request failed.
import { byId } from "./elements.ts";
import { failureLine, type PanelState, stateLine, stateOfFailure } from "./states.ts";

function show(box: HTMLElement, state: PanelState, ...content: readonly Node[]): void {
  box.dataset.state = state;
  box.replaceChildren(...content);
}

/**
 * Fills the panel `id` with what `make` gives; no content means that nothing is there, which `empty`
 * explains. A panel that has content keeps it while it is filled again.
 */
export async function fill(id: string, make: () => Promise<readonly Node[]>, empty = ""): Promise<void> {
  const box = byId(id);
  box.setAttribute("aria-busy", "true");
  if (box.dataset.state !== "ready") show(box, "loading", stateLine("loading"));
  try {
    const content = await make();
    if (content.length > 0) show(box, "ready", ...content);
    else show(box, "empty", stateLine("empty", empty));
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") return;
    show(box, stateOfFailure(error), failureLine(error));
  } finally {
    box.removeAttribute("aria-busy");
  }
}
