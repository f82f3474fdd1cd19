import { Hono } from 'hono';
import type { Callback } from '../contract/callbacks.ts';
import { parse } from '../contract/parse.ts';
import { VASP_API, type VaspOperation } from '../contract/vasp-api.ts';
import { BadAnswer, isPostponed, type Vasp } from './port.ts';
import { type Registration, requestHeaders } from './wire.ts';

/** WIRE-3: a VASP behind HTTP, at one path per operation. Serves any `Vasp`. */
export const VASP_PATHS: { readonly [O in VaspOperation]: string } = {
  verifyUser: '/verify-user',
  verifyAccount: '/verify-account',
  transactionStatus: '/transaction-status',
  callback: '/callback',
};

/** Refuses callers without the agreed header with 401; what the VASP throws as `BadAnswer` becomes 500. */
export function serveVasp(vasp: Vasp, authorization: Registration['authorization']): Hono {
  const app = new Hono();
  const { token } = authorization;
  const header = authorization.header.toLowerCase();
  const expected = requestHeaders(authorization)[header];
  app.use(async (c, next) =>
    token === undefined || c.req.header(header) === expected
      ? next()
      : c.json({ error: 'unauthorized' }, 401),
  );
  app.post(VASP_PATHS.verifyAccount, async c =>
    c.json(await vasp.verifyAccount(parse(VASP_API.verifyAccount.request, await c.req.json()))),
  );
  app.post(VASP_PATHS.verifyUser, async c => {
    const answer = await vasp.verifyUser(parse(VASP_API.verifyUser.request, await c.req.json()));
    return c.json(isPostponed(answer) ? answer.answer : answer);
  });
  app.post(VASP_PATHS.transactionStatus, async c =>
    c.json(await vasp.transactionStatus(parse(VASP_API.transactionStatus.request, await c.req.json()))),
  );
  app.post(VASP_PATHS.callback, async c => {
    const { status, body } = await vasp.callback(
      parse(VASP_API.callback.request, await c.req.json()) as Callback,
    );
    return new Response(body, { status, headers: { 'content-type': 'application/json' } });
  });
  app.onError((error, c) => c.json({ error: error.message }, error instanceof BadAnswer ? 500 : 400));
  return app;
}

/** The full addresses of a served VASP, as its registration names them. */
export const endpointsAt = (url: string): Required<Registration['endpoints']> => ({
  verifyUser: url + VASP_PATHS.verifyUser,
  verifyAccount: url + VASP_PATHS.verifyAccount,
  transactionStatus: url + VASP_PATHS.transactionStatus,
  callback: url + VASP_PATHS.callback,
});
