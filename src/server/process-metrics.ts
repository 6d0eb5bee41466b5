// Metrics of the process, under the names that Prometheus' client libraries share. The library's default ones
// count each object of the heap, which stops the process for 0.2 s at 400 MB, and start a timer of 10 ms that
// nothing ends.
import { readdirSync } from "node:fs";
import { Counter, Gauge, type Registry } from "prom-client";

const MICROS = 1_000_000;

/** The number of open files; null where the system does not list them. */
function openFiles(): number | null {
  try {
    return readdirSync("/proc/self/fd").length;
  } catch {
    return null;
  }
}

const startS = () => Math.round(performance.timeOrigin / 1000);

/** Adds the metrics of the process. A figure that the system does not give is left out. */
export function processMetrics(registers: Registry[]): void {
  const seconds = (name: string, help: string, read: (usage: NodeJS.CpuUsage) => number) =>
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(read(process.cpuUsage()) / MICROS);
      },
    });
  const gauge = (name: string, help: string, read: () => number | null) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        const value = read();
        if (value === null) this.remove();
        else this.set(value);
      },
    });
  seconds("process_cpu_user_seconds_total", "User time of the processor.", ({ user }) => user);
  seconds("process_cpu_system_seconds_total", "System time of the processor.", ({ system }) => system);
  seconds("process_cpu_seconds_total", "User and system time of the processor.", (u) => u.user + u.system);
  gauge("process_start_time_seconds", "When the process started, in Unix seconds.", startS);
  gauge("process_resident_memory_bytes", "Resident memory.", () => process.memoryUsage.rss());
  gauge("process_open_fds", "Open files.", openFiles);
}
