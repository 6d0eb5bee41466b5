// Finds and fills in the consent form that Yahoo shows to European addresses.

const NAMED: Readonly<Record<string, string>> = { amp: "&", quot: '"', apos: "'", lt: "<", gt: ">" };

/** Attribute text with its entities resolved; unknown entities stay. */
function decodeEntities(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]{2,5}));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return NAMED[String(name).toLowerCase()] ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

function attribute(tag: string, name: string): string | null {
  const match = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, "i").exec(tag);
  return match ? decodeEntities(match[1] ?? match[2] ?? match[3] ?? "") : null;
}

/** The hidden fields of the page's forms, in order. */
export function hiddenFields(html: string): [name: string, value: string][] {
  const fields: [string, string][] = [];
  // Bounded, so that a page of unclosed `<input` is not scanned again and again.
  for (const [tag] of html.matchAll(/<input\b[^>]{0,4096}>/gi)) {
    const name = attribute(tag, "name");
    if (name && attribute(tag, "type")?.toLowerCase() === "hidden")
      fields.push([name, attribute(tag, "value") ?? ""]);
  }
  return fields;
}

/** The request body that agrees to the form on this page; null when the page has no consent form. */
export function agreement(html: string): string | null {
  const fields = hiddenFields(html);
  const names = new Set(fields.map(([name]) => name));
  if (!names.has("csrfToken") || !names.has("sessionId")) return null;
  // The page's own script sends `agree` twice.
  return new URLSearchParams([...fields, ["agree", "agree"], ["agree", "agree"]]).toString();
}
