// Light, dark, or as the system has it: chosen by the reader, kept in the browser, and set before the first
// paint.

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const KEY = "asof-theme";
/** Sent to the document whenever other colours are shown. */
const CHANGED = "asof-theme";

/** A browser may refuse to store anything; the page then follows the system. */
export function chosenTheme(): Theme {
  try {
    const stored = localStorage.getItem(KEY);
    return THEMES.find((each) => each === stored) ?? "system";
  } catch {
    return "system";
  }
}

const systemDark = window.matchMedia("(prefers-color-scheme: dark)");

/** Shows the chosen theme. */
function apply(theme: Theme): void {
  const shown = theme === "system" ? (systemDark.matches ? "dark" : "light") : theme;
  const { dataset } = document.documentElement;
  if (dataset.theme === shown) return;
  dataset.theme = shown;
  document.dispatchEvent(new Event(CHANGED));
}

/** Shows the chosen theme, and another one as soon as the system or another tab changes it. */
export function followTheme(): void {
  apply(chosenTheme());
  systemDark.addEventListener("change", () => apply(chosenTheme()));
  window.addEventListener("storage", () => apply(chosenTheme()));
}

export function chooseTheme(theme: Theme): void {
  try {
    if (theme === "system") localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme);
  } catch {
    // Then it holds for this page alone.
  }
  apply(theme);
}

/** Calls whenever other colours are shown; returns what ends that. */
export function onTheme(listener: () => void): () => void {
  document.addEventListener(CHANGED, listener);
  return () => document.removeEventListener(CHANGED, listener);
}
