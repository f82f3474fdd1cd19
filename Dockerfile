# Debian, not Alpine: the Ethereum development node wants glibc 2.35 or newer (bookworm has 2.36).
FROM node:26-bookworm AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# From Node.js 22 on, SQLite is ready-made: nothing is compiled.
RUN npm ci --ignore-scripts
COPY tsconfig.json ./
COPY src ./src
# Bundled: the list of networks, and an empty database with all migrations.
COPY fixtures ./fixtures
COPY drizzle ./drizzle
RUN npm run build && npm prune --omit=dev

FROM node:26-bookworm-slim
LABEL org.opencontainers.image.title="robot-vasp" \
  org.opencontainers.image.description="The test counterpart for Travel Rule integrations" \
  org.opencontainers.image.version="0.2.0" \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.source="https://github.com/robot-vasp/robot-vasp"
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATABASE_PATH=/data/robot.sqlite
WORKDIR /app
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY package.json LICENSE ./
COPY drizzle ./drizzle
COPY fixtures ./fixtures
# Keeps the compiled functions in dist/compiled, where the user node cannot write.
RUN (PORT=0 DATABASE_PATH=/tmp/first/robot.sqlite timeout 10 node dist/cli.js serve || true) && rm -r /tmp/first && ls dist/compiled
# Group 0: OpenShift runs a container with any user id and this group.
RUN mkdir /data && chown node:0 /data && chmod 770 /data
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "dist/deploy/health.mjs"]
CMD ["node", "dist/cli.js", "serve"]
