// Preloaded into the process: writes NODE_ENV as the process left it.
process.on("exit", () => {
  process.stdout.write(`NODE_ENV at the end: ${process.env.NODE_ENV}\n`);
});
