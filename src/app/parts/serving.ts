import { Hono } from 'hono';
import { cors } from 'hono/cors';
import * as z from 'zod';
import { toCoins } from '../../contract/assets.ts';
import { asCaller, hasRole, NOT_SERVED, type ServedBy, serves } from '../../contract/tenancy.ts';
import type { Renaming } from '../../contract/vasps.ts';
import { countBy, countUndelivered } from '../../db/count.ts';
import { transfers } from '../../db/schema/robot.ts';
import { timers } from '../../db/schema/runtime.ts';
import { devnetRoutes } from '../../devnet/mount.ts';
import { faultyAnswer } from '../../fault-injection/faulty-vasp.ts';
import { identityOnly, incomingOf } from '../../http/body.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import type { EventStream } from '../../http/event-stream.ts';
import { healthRoutes, metricsRoutes, type Series } from '../../http/monitoring.ts';
import { openApiRoutes } from '../../http/openapi.ts';
import type { RefusedCalls } from '../../http/refused-calls.ts';
import { allowOnly, mount, mountNotServed } from '../../http/serve.ts';
import { nextTurn } from '../../kernel/clock.ts';
import { version } from '../../kernel/program.ts';
import { onceMade } from '../../kernel/turns.ts';
import type { ChainFigures, SandboxDeps } from '../../sandbox/deps.ts';
import { requestExamples } from '../../sandbox/scenarios.ts';
import type { Callers } from '../callers/callers.ts';
import type { ChainSupervisor } from '../chains/supervisor.ts';
import type { Config } from '../config/config.ts';
import type { Base } from './base.ts';

/** The same endpoints, with the configured provider names in paths, queries, fault orders and answers. */
function renameProviders(endpoints: readonly Endpoint[], names: Renaming): Endpoint[] {
  return endpoints.map(endpoint => ({
    ...endpoint,
    path: names.text(endpoint.path),
    summary: names.text(endpoint.summary),
    ...(endpoint.query ? { query: z.preprocess(query => withType(query, names), endpoint.query) } : {}),
    ...(endpoint.operation === 'sandbox' && endpoint.body
      ? { body: z.preprocess(body => withTarget(body, names), endpoint.body) }
      : {}),
    run: renamedRun(endpoint, names),
  }));
}

function renamedRun({ run, isEventStream }: Endpoint, names: Renaming): Endpoint['run'] {
  if (isEventStream) return (input, caller) => renamedEvents(run(input, caller) as EventStream, names);
  return async (input, caller) => names.body(await run(input, caller));
}

async function* renamedEvents(events: EventStream, names: Renaming): EventStream {
  for await (const event of events) yield event && { ...event, data: names.body(event.data) };
}

function withType(query: unknown, names: Renaming): unknown {
  const { type } = query as { type?: unknown };
  return typeof type === 'string' ? { ...(query as object), type: names.callbackType(type) } : query;
}

function withTarget(body: unknown, names: Renaming): unknown {
  const { target } = body as { target?: unknown };
  const [, type] = /^callback\.(.+)$/.exec(typeof target === 'string' ? target : '') ?? [];
  return type === undefined ? body : { ...(body as object), target: `callback.${names.callbackType(type)}` };
}

/** Requests since the start, by operation and status. */
type Served = ReturnType<typeof countServed>;

function countServed() {
  const counts = new Map<string, { labels: Record<string, string>; value: number }>();
  return {
    count(operation: string, status: number): void {
      const key = `${operation} ${status}`;
      const entry = counts.get(key) ?? { labels: { operation, status: String(status) }, value: 0 };
      entry.value += 1;
      counts.set(key, entry);
    },
    values: () => [...counts.values()],
  };
}

/** The figures of `/metrics`, collected for each request. */
async function collectMetrics({ db, machineClock }: Base, watch: ChainSupervisor, served: Served): Promise<Series[]> {
  const chains = await watch.figures();
  return [
    gauge('ready', '1 when the sandbox is ready.', [{ labels: {}, value: watch.missing().length === 0 ? 1 : 0 }]),
    ...chainSeries(chains, machineClock.now()),
    gauge('timers_pending', 'Pending timers by kind.', countBy(db, timers, ['kind'])),
    gauge('callbacks_undelivered', 'Callbacks that are not delivered, by status.', countUndelivered(db)),
    gauge('transfers', 'Transfers of the robot by status.', countBy(db, transfers, ['symbol', 'status'])),
    { ...gauge('http_requests_total', 'Requests since the start.', served.values()), kind: 'counter' },
  ];
}

function chainSeries(chains: ChainFigures[], now: number): Series[] {
  /** Undefined: the chain has no such figure. */
  const perChain = (name: string, help: string, of: (chain: ChainFigures) => number | undefined): Series =>
    gauge(
      name,
      help,
      chains.flatMap(chain => {
        const value = of(chain);
        return value === undefined ? [] : [{ labels: { chain: chain.symbol }, value }];
      }),
    );
  const calls = chains.flatMap(({ symbol, calls: counted }) =>
    [...counted].map(([method, value]) => ({ labels: { chain: symbol, method }, value })),
  );
  const spendable = chains.flatMap(({ symbol, funds }) =>
    funds ? { labels: { chain: symbol, account: funds.account }, value: Number(toCoins(symbol, funds.spendable)) } : [],
  );
  return [
    perChain('chain_reader_up', '1 when the chain is read up to its head.', ({ isRead }) => (isRead ? 1 : 0)),
    perChain('chain_head_height', 'Newest block or validated ledger.', ({ head }) => head?.height),
    perChain(
      'chain_head_age_seconds',
      'Age of the newest block or validated ledger.',
      ({ head }) => head && Math.max(0, now - head.at) / 1000,
    ),
    { ...gauge('chain_calls_total', 'Calls to the node or server since the start.', calls), kind: 'counter' },
    perChain(
      'chain_call_budget',
      'Most calls in a minute, of ETH_RPC_BUDGET.',
      ({ callBudget }) => callBudget?.perMinute,
    ),
    perChain(
      'chain_calls_last_minute',
      'Calls of the last minute, where ETH_RPC_BUDGET limits them.',
      ({ callBudget }) => callBudget?.lastMinute,
    ),
    gauge(
      'account_spendable',
      'Spendable balance of a robot account on a chain reached by URL, in whole coins.',
      spendable,
    ),
  ];
}

const gauge = (name: string, help: string, values: Series['values']): Series => ({
  name: `robot_vasp_${name}`,
  help,
  kind: 'gauge',
  values,
});

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
  const { config, names, networks, isHosted, clock, faults, stopping } = base;
  const app = new Hono();
  const renamed = renameProviders(endpoints, names);
  app.use('*', refused.middleware);
  // Before the key is asked for: a browser asks first whether it may send one.
  if (config.origins.length > 0)
    app.use('/devnet/*', cors({ origin: [...config.origins], allowMethods: ['POST'], maxAge: 600 }));
  if (callers.entry) app.use('*', callers.entry);
  app.route('/', healthRoutes({ missing: sandbox.missing, isHosted }));
  const served = countServed();
  const metrics = metricsRoutes(() => collectMetrics(base, watch, served));
  app.route('/', metrics);
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
  app.use('/docs/*', allowOnly('GET', 'HEAD'));
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
