import { Hono } from 'hono';

/** `/healthcheck`: liveness. `/readyz`: readiness, with the list of missing parts. */
export const healthRoutes = (deps: { missing(): string[] }): Hono =>
  new Hono()
    .get('/healthcheck', c => c.json({ status: 'UP' }))
    .get('/readyz', c => {
      const missing = deps.missing();
      return missing.length === 0
        ? c.json({ status: 'READY' })
        : c.json({ status: 'NOT-READY', missing }, 503);
    });
