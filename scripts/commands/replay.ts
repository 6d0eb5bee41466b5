// `bun run cli replay <folder>`: answers upstream requests from a folder of recordings, for UPSTREAM_GATEWAY.
import { serveReplay } from "../replay/serve.ts";

export async function run(folder: string, { host, port }: { host: string; port: number }): Promise<void> {
  const replay = await serveReplay({ folder, hostname: host, port, log: (line) => console.error(line) });
  console.log(`replay ready at ${replay.url} (${replay.recordings} recordings of ${folder})`);
  const stop = () => void replay.stop().then(() => process.exit(0));
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
}
