// Colours of the style sheet, for what is drawn on a canvas.

/** The value of a custom property of the page, in the theme that is shown. */
export const colour = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/**
 * Colours of lines in one graph, the page's own first; `.line-0` and so on in the style sheet are the same.
 */
export const LINES = ["--accent", "--warn", "--good", "--bad", "--quiet"] as const;
