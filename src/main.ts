// The entry point: runs the bundle of these sources if there is one, which starts faster, otherwise the
// sources.
import { dlopen } from "bun:ffi";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";

/** Each connection of the engine may block one, and reading files and compressing need more. */
const WORKER_THREADS_MIN = 16;

/**
 * Bun runs the engine's queries on as many worker threads as there are cores: on two cores two heavy reads
 * would keep every other one waiting until they end. It takes another number from the process's environment
 * alone, which `process.env` does not change, when it loads the first module that is not its own. A number
 * that is set stays.
 */
function useMoreWorkerThreads(): void {
  const threads = Math.max(WORKER_THREADS_MIN, availableParallelism());
  try {
    const library = process.platform === "darwin" ? "libSystem.B.dylib" : "libc.so.6";
    const { symbols } = dlopen(library, {
      setenv: { args: ["cstring", "cstring", "i32"], returns: "i32" },
    });
    const isReplaced = 0;
    symbols.setenv(Buffer.from("UV_THREADPOOL_SIZE\0"), Buffer.from(`${threads}\0`), isReplaced);
  } catch (error) {
    process.stderr.write(
      `Queries run on as many worker threads as there are cores. Start with UV_THREADPOOL_SIZE=${threads} for more: ${error}\n`,
    );
  }
}

useMoreWorkerThreads();
const { useProduction } = await import("./config.ts");
const { madeBundle } = await import("./platform/bundle.ts");
useProduction();
await import(madeBundle(resolve(import.meta.dir, "..")) ?? "./process.ts");
