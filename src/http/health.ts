import { Hono } from 'hono';

/** `/healthcheck`: it listens. `/readyz`: what a test needs is there, or what is missing. */
export const healthRoutes = (deps: { missing(): string[] }): Hono =>
  new Hono()
    .get('/healthcheck', c => c.json({ status: 'UP' }))
    .get('/readyz', c => {
      const missing = deps.missing();
      return missing.length === 0
        ? c.json({ status: 'READY' })
        : c.json({ status: 'NOT-READY', missing }, 503);
    });
