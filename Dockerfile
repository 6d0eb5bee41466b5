# docker build -t asof . && docker run -p 127.0.0.1:8000:8000 -v asof:/data --env-file .env asof
FROM oven/bun:1.4.5-slim AS packages
WORKDIR /app
COPY package.json bun.lock bunfig.toml ./
RUN bun install --frozen-lockfile --production

FROM oven/bun:1.4.5-slim
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
COPY package.json bun.lock tsconfig.json ./
COPY src ./src
COPY scripts ./scripts
RUN bun scripts/bundle.ts
RUN mkdir /data && chown bun:bun /data
USER bun
# Inside the container loopback is the container's own; who may reach the port is decided where it is published.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8000 DATA_DIR=/data
VOLUME /data
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=3s --start-period=10s \
  CMD ["bun", "-e", "const r = await fetch('http://127.0.0.1:' + process.env.PORT + '/api/v1/health/live'); process.exit(r.ok ? 0 : 1)"]
CMD ["bun", "src/main.ts"]
