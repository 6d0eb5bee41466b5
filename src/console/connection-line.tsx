// Says that the market is fictional, and that the server is gone.
import { isGone, isSample, lastAnswer } from "./connection.ts";
import { minute } from "./format.ts";

export function ConnectionLine() {
  const last = lastAnswer.value;
  return (
    <>
      <p id="mode" class="mode" role="note" hidden={!isSample.value}>
        {isSample.value ? "Sample market: every company and figure here is fictional." : ""}
      </p>
      <p id="connection" class="connection" role="status" hidden={!isGone.value}>
        <strong>The server does not answer.</strong>
        {last === null
          ? ""
          : ` Its last answer was at ${minute(last.at)}${last.clock === "browser" ? ", by this browser's clock" : ""}.`}
      </p>
    </>
  );
}
