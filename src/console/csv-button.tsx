// A button that saves the rows of a list, as the service writes them.
import { useSignal } from "@preact/signals";
import { render } from "preact";
import { download } from "./api.ts";
import { FailureLine } from "./state-line.tsx";

/** A path in another format. */
const inCsv = (path: string): string => `${path}${path.includes("?") ? "&" : "?"}format=csv`;

/** The name of the file: the page's address and the list. */
function fileName(label: string): string {
  const words = `${decodeURIComponent(location.pathname)} ${label}`.toLowerCase();
  return `${words.replace(/[^a-z0-9.]+/g, "-").replace(/^-/, "")}.csv`;
}

/** `label` names the list. `note` says what the file leaves out. */
export function CsvButton({ path, label, note = "" }: { path: string; label: string; note?: string }) {
  const failure = useSignal<unknown>(null);
  const save = async () => {
    failure.value = null;
    await download(inCsv(path), fileName(label)).catch((error: unknown) => {
      failure.value = error;
    });
  };
  return (
    <>
      <button
        type="button"
        class="csv"
        aria-label={`${label} as csv ${note}`.trim()}
        onClick={() => void save()}
      >
        csv{note === "" ? "" : ` ${note}`}
      </button>
      {failure.value === null ? null : <FailureLine error={failure.value} />}
    </>
  );
}

/** Draws the button on a page that is not made of components. */
export const showCsvButton = (box: HTMLElement, path: string, label: string): void =>
  render(<CsvButton path={path} label={label} />, box);
