import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import * as z from 'zod';
import { type DriverAction, DriverRequest, NOT_SUPPORTED } from '../contract/driver.ts';
import { parse } from '../contract/parse.ts';
import { Refusal, refusals } from '../contract/refusals.ts';
import { VASP_API } from '../contract/vasp-api.ts';
import { isSameSecret } from '../kernel/secrets.ts';
import { takeCallback, transactionStatus, verifyAccount, verifyUser } from './answers.ts';
import type { VaspDeps } from './deps.ts';
import { ACTIONS } from './driver.ts';
import { withdraw } from './withdrawals/run.ts';
import * as withdrawals from './withdrawals/store.ts';
import { Order } from './withdrawals/withdrawal.ts';

const LONGEST_BODY = 256 * 1024;

/** The endpoints of the VASP, below its address. */
export const PATHS = {
  verifyUser: '/verify-user',
  verifyAccount: '/verify-account',
  transactionStatus: '/transaction-status',
  callback: '/callback',
  driver: '/driver',
} as const;

const AnyCallback = z.looseObject({ callbackType: z.string().min(1), data: z.looseObject({}) });
const AnyAction = z.looseObject({ action: z.string().min(1) });
const WithdrawalRequest = Order.omit({ goal: true, customer: true, omit: true, kinds: true }).extend({
  customerId: z.string(),
});

/** The routes of the VASP. Every request needs the token. */
export function vaspRoutes(deps: VaspDeps, token: string): Hono {
  const app = new Hono();
  app.use(async (c, next) =>
    isSameSecret(c.req.header('authorization') ?? '', `Bearer ${token}`)
      ? next()
      : c.json({ code: 'UNAUTHORIZED', message: 'The token is missing or wrong.' }, 401),
  );
  app.use(
    bodyLimit({
      maxSize: LONGEST_BODY,
      onError: c => c.json({ code: 'BAD-REQUEST', message: 'The body is too long.' }, 413),
    }),
  );
  app.post(PATHS.verifyAccount, async c =>
    c.json(verifyAccount(deps, parse(VASP_API.verifyAccount.request, await bodyOf(c.req.raw)))),
  );
  app.post(PATHS.verifyUser, async c =>
    c.json(await verifyUser(deps, parse(VASP_API.verifyUser.request, await bodyOf(c.req.raw)))),
  );
  app.post(PATHS.transactionStatus, async c => {
    const { verificationUuid } = parse(VASP_API.transactionStatus.request, await bodyOf(c.req.raw));
    const status = await transactionStatus(deps, verificationUuid);
    if (status) return c.json(status);
    return c.json({ code: 'VERIFICATION-NOT-FOUND', message: 'We have not sent this verification.' }, 404);
  });
  app.post(PATHS.callback, async c => {
    takeCallback(deps, parse(AnyCallback, await bodyOf(c.req.raw)));
    return c.json({ result: true });
  });
  app.route('/', driverRoutes(deps));
  app.route('/', ownRoutes(deps));
  app.onError((error, c) => {
    if (error instanceof Refusal) return c.json({ code: 'BAD-REQUEST', message: error.message }, 400);
    deps.log.warn({ err: error }, 'a request failed');
    return c.json({ code: 'UNDEFINED-ERROR', message: 'The request failed.' }, 500);
  });
  return app;
}

function driverRoutes(deps: VaspDeps): Hono {
  const app = new Hono();
  app.get(PATHS.driver, c => {
    const clock = deps.clock.isFollowing() ? { clock: 'sandbox' } : {};
    return c.json({ actions: Object.keys(ACTIONS), customers: deps.customers, ...clock });
  });
  app.post(PATHS.driver, async c => {
    const body = await bodyOf(c.req.raw);
    const { action } = parse(AnyAction, body);
    if (!Object.hasOwn(ACTIONS, action)) return c.json({ code: NOT_SUPPORTED }, 501);
    const { parameters } = parse(DriverRequest, body);
    const answer = ACTIONS[action as DriverAction](deps, parameters);
    return c.json(answer, answer.value === undefined ? 202 : 200);
  });
  return app;
}

/** The VASP's own interface, by which its customers pay. */
function ownRoutes(deps: VaspDeps): Hono {
  const { store, customers } = deps;
  const app = new Hono();
  app.post('/withdrawals', async c => {
    const { customerId, ...order } = parse(WithdrawalRequest, await bodyOf(c.req.raw));
    const customer = customers.customers.find(({ id }) => id === customerId);
    if (!customer) return c.json({ code: 'NOT-FOUND', message: `There is no customer ${customerId}.` }, 404);
    return c.json({ id: withdraw(deps, { ...order, customer, goal: 'report' }) }, 201);
  });
  app.get('/withdrawals/:id', c => {
    const withdrawal = withdrawals.find(store, c.req.param('id'));
    if (!withdrawal) return c.json({ code: 'NOT-FOUND', message: 'There is no such withdrawal.' }, 404);
    const { id, state, uuid, signed, note } = withdrawal;
    return c.json({ id, state, note, verificationUuid: uuid ?? null, txHash: signed?.hash ?? null });
  });
  return app;
}

async function bodyOf(request: Request): Promise<unknown> {
  const text = await request.text();
  try {
    return JSON.parse(text);
  } catch {
    throw refusals.notJson();
  }
}
