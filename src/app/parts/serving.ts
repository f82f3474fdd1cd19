import { Hono } from 'hono';
import { cors } from 'hono/cors';
import { asCaller, hasRole, NOT_SERVED, type ServedBy, serves } from '../../contract/tenancy.ts';
import { devnetRoutes } from '../../devnet/mount.ts';
import { faultyAnswer } from '../../fault-injection/faulty-answer.ts';
import { identityOnly, incomingOf } from '../../http/body.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import { healthRoutes, metricsRoutes } from '../../http/monitoring.ts';
import { allowOnly, mount, mountNotServed } from '../../http/mount.ts';
import { openApiRoutes } from '../../http/openapi.ts';
import type { RefusedCalls } from '../../http/refused-calls.ts';
import { renameProviders } from '../../http/rename-providers.ts';
import { nextTurn } from '../../kernel/clock.ts';
import { version } from '../../kernel/program.ts';
import { onceMade } from '../../kernel/turns.ts';
import type { SandboxDeps } from '../../sandbox/deps.ts';
import { requestExamples } from '../../sandbox/scenarios/examples.ts';
import type { Callers } from '../callers/callers.ts';
import type { ChainSupervisor } from '../chains/supervisor.ts';
import type { Config } from '../config/config.ts';
import { collectMetrics, countServed } from '../metrics.ts';
import type { Base } from './base.ts';

interface ToServe {
  endpoints: readonly Endpoint[];
  /** Those that another process serves. */
  notServed: readonly (readonly [ServedBy, readonly Endpoint[]])[];
  callers: Callers;
  refused: RefusedCalls;
  sandbox: SandboxDeps;
  watch: ChainSupervisor;
  jwks(): Promise<object>;
}

const JWKS = '/.well-known/jwks.json';

export function serving(base: Base, { endpoints, notServed, callers, refused, sandbox, watch, jwks }: ToServe): Hono {
  const { config, db, names, networks, isHosted, clock, machineClock, faults, stopping } = base;
  const app = new Hono();
  const renamed = renameProviders(endpoints, names);
  app.use('*', refused.middleware);
  // Before the key is asked for: a browser asks first whether it may send one.
  if (config.origins.length > 0)
    app.use('/devnet/*', cors({ origin: [...config.origins], allowMethods: ['POST'], maxAge: 600 }));
  if (callers.entry) app.use('*', callers.entry);
  app.route('/', healthRoutes({ missing: sandbox.missing, isHosted }));
  const served = countServed();
  app.route(
    '/',
    metricsRoutes(() => collectMetrics({ db, clock: machineClock, watch, served })),
  );
  const examples = async () =>
    hasRole(config.roles, 'robot') ? requestExamples(sandbox, asCaller(config.vasp.vaspId)) : {};
  const hasPath = (path: string) =>
    serves(path.startsWith('/devnet') ? 'robot' : path === JWKS ? 'both' : 'all', config.roles);
  app.route('/', openApiRoutes({ endpoints, version, examples, rename: names.text, isHosted, hasPath }));
  if (hasRole(config.roles, 'robot')) {
    app.use('/devnet/*', identityOnly);
    app.route('/devnet', devnetRoutes(networks, callers.devnetCaller));
  } else mountNotServed(app, '/devnet/*', NOT_SERVED.robot);
  if (config.roles === 'both') app.get(JWKS, async c => c.json(await jwks()));
  mountPages(app, config, { version, endpoints: renamed }, callers);
  mount(app, renamed, {
    ...base,
    now: clock.now,
    callerOf: callers.callerOf,
    onServed: served.count,
    faultyAnswer: faultyAnswer(faults, stopping.signal),
  });
  for (const [servedBy, paths] of notServed)
    for (const { path } of paths) mountNotServed(app, path, NOT_SERVED[servedBy as keyof typeof NOT_SERVED]);
  return app;
}

/** The web pages. Each part is loaded when somebody opens it: a container in CI never pays for it. */
function mountPages(
  app: Hono,
  config: Config,
  api: { version: string; endpoints: readonly Endpoint[] },
  { whoHas, devnetCaller }: Callers,
): void {
  const { roles, publicUrl } = config;
  const consoleApp = onceMade(async () =>
    (await import('../../console/routes.tsx')).consoleRoutes({
      send: (request, bindings) => app.fetch(request, bindings),
      nextTurn: c => incomingOf(c)?.nextTurn?.() ?? nextTurn(),
      publicUrl,
      roles,
      whoHas,
      hasTrials: config.registration === 'trial',
    }),
  );
  app.get('/', c => c.redirect('/console'));
  const readApi = async (request: Request) => app.fetch(request);
  app.all('/docs/*', async c => (await import('../../console/docs.tsx')).docs(readApi, roles).fetch(c.req.raw, c.env));
  app.use('/guide/*', allowOnly('GET', 'HEAD'));
  app.all('/guide/*', async c =>
    (await import('../../guide/routes.tsx')).guide.fetch(c.req.raw, { ...Object(c.env), readApi, roles, publicUrl }),
  );
  for (const path of ['/llms.txt', '/llms-full.txt'])
    app.get(path, async c => (await import('../../guide/routes.tsx')).llms.fetch(c.req.raw, { publicUrl }));
  const mcpApp = onceMade(async () =>
    (await import('../../mcp/routes.ts')).mcpRoutes({ ...api, send: readApi, publicUrl, callerOf: devnetCaller }),
  );
  app.use('/mcp', allowOnly('POST'));
  app.post('/mcp', async c => (await mcpApp()).fetch(c.req.raw, c.env));
  app.use('/console/*', allowOnly('GET', 'HEAD', 'POST'));
  app.all('/console/*', async c => (await consoleApp()).fetch(c.req.raw, c.env));
}
