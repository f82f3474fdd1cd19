import { type Context, Hono } from 'hono';
import type { Registry } from 'prom-client';
import { admissionOf } from './caller.ts';
import { HEALTHY } from './server.ts';

/** `/healthcheck`: liveness. `/readyz`: readiness, with the list of missing parts; in hosted mode for the operator. */
export function healthRoutes(deps: { missing(): string[]; isHosted: boolean }): Hono {
  const mayKnow = (c: Context) => !deps.isHosted || admissionOf(c)?.caller?.role === 'operator';
  return new Hono()
    .get('/healthcheck', c => c.json(HEALTHY))
    .get('/readyz', c => {
      const missing = deps.missing();
      return missing.length === 0
        ? c.json({ status: 'READY' })
        : c.json({ status: 'NOT-READY', ...(mayKnow(c) ? { missing } : {}) }, 503);
    });
}

/** One metric with its current values. */
export interface Series {
  name: string;
  help: string;
  /** A counter never decreases while the process runs. */
  kind: 'gauge' | 'counter';
  values: { labels: Record<string, string>; value: number }[];
}

/** `/metrics` in the text format of Prometheus. The library is loaded at the first scrape, to keep the start fast. */
export function metricsRoutes(collect: () => Promise<Series[]>): Hono {
  let process: Registry | undefined;
  return new Hono().get('/metrics', async c => {
    const { default: prometheus } = await import('prom-client');
    if (!process) {
      process = new prometheus.Registry();
      prometheus.collectDefaultMetrics({ register: process });
    }
    const ours = new prometheus.Registry();
    for (const { kind, name, help, values } of await collect()) {
      const labelNames = [...new Set(values.flatMap(({ labels }) => Object.keys(labels)))];
      const settings = { name, help, labelNames, registers: [ours] };
      if (kind === 'counter') {
        const counter = new prometheus.Counter(settings);
        for (const { labels, value } of values) counter.inc(labels, value);
      } else {
        const gauge = new prometheus.Gauge(settings);
        for (const { labels, value } of values) gauge.set(labels, value);
      }
    }
    const text = (await ours.metrics()) + (await process.metrics());
    return c.body(text, 200, { 'content-type': prometheus.Registry.PROMETHEUS_CONTENT_TYPE });
  });
}
