import { Hono } from 'hono';
import type * as z from 'zod';
import type { Callback } from '../../../src/contract/callbacks.ts';
import { parse } from '../../../src/contract/parse.ts';
import { VASP_API, type VaspOperation } from '../../../src/contract/vasp-api.ts';
import { BadAnswer, type CallbackReply, isPostponed, type Vasp } from '../../../src/vasps/port.ts';
import { type Registration, requestHeaders } from '../../../src/vasps/wire.ts';

/** WIRE-3: serves any `Vasp` over HTTP, at one path per operation. */
export const VASP_PATHS: { readonly [O in VaspOperation]: string } = {
  verifyUser: '/verify-user',
  verifyAccount: '/verify-account',
  transactionStatus: '/transaction-status',
  callback: '/callback',
};

/** Answers 401 to a caller without the registered token, and 500 when the VASP throws `BadAnswer`. */
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
  const answers = answersOf(vasp);
  for (const operation of Object.keys(VASP_PATHS) as VaspOperation[])
    app.post(VASP_PATHS[operation], async c => {
      const request = parse(VASP_API[operation].request, await c.req.json());
      const { status, body } = await answers[operation](request as never);
      return new Response(body, { status, headers: { 'content-type': 'application/json' } });
    });
  app.onError((error, c) => c.json({ error: error.message }, error instanceof BadAnswer ? 500 : 400));
  return app;
}

type Answers = {
  readonly [O in VaspOperation]: (
    request: z.output<(typeof VASP_API)[O]['request']>,
  ) => Promise<CallbackReply>;
};

const answersOf = (vasp: Vasp): Answers => ({
  verifyAccount: async request => ok(await vasp.verifyAccount(request)),
  async verifyUser(request) {
    const answer = await vasp.verifyUser(request, []);
    return ok(isPostponed(answer) ? answer.answer : answer);
  },
  transactionStatus: async request => ok(await vasp.transactionStatus(request)),
  callback: request => vasp.callback(request as Callback),
});

const ok = (body: object): CallbackReply => ({ status: 200, body: JSON.stringify(body) });

/** The addresses of a served VASP, for its registration. */
export const endpointsAt = (url: string): Record<VaspOperation, string> => ({
  verifyUser: url + VASP_PATHS.verifyUser,
  verifyAccount: url + VASP_PATHS.verifyAccount,
  transactionStatus: url + VASP_PATHS.transactionStatus,
  callback: url + VASP_PATHS.callback,
});
