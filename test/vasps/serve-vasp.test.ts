import { describe, expect, test } from 'vitest';
import { standInVasp } from '../../src/demo/stand-in-vasp.ts';
import { serveVasp, VASP_PATHS } from '../../src/vasps/serve-vasp.ts';
import { UUID } from '../support/contract/samples.ts';
import { accountRequest, userRequest } from '../support/judge/judge-request.ts';

const REQUESTS = {
  verifyUser: userRequest(),
  verifyAccount: accountRequest(),
  transactionStatus: { verificationUuid: UUID },
  callback: { callbackType: 'ERROR_REPORT', data: { verificationUuid: UUID, result: 'ERROR', reason: 'X' } },
};

function served(authorization: { header: string; token?: string } = { header: 'Authorization' }) {
  const vasp = standInVasp();
  vasp.setStatus(UUID, 'CONFIRMED', '0xab');
  const app = serveVasp(vasp, authorization);
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    app.request(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  return { vasp, post };
}

describe.each(Object.entries(REQUESTS))('WIRE-3: %s', (operation, request) => {
  const path = VASP_PATHS[operation as keyof typeof REQUESTS];

  test('is answered with 200 and JSON', async () => {
    const answer = await served().post(path, request);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/json/);
    expect(await answer.json()).toBeTypeOf('object');
  });

  test('is refused with 401 without the agreed header, and never reaches the VASP', async () => {
    const bearer = served({ header: 'Authorization', token: 't' });
    const bare = served({ header: 'X-Key', token: 't' });
    const refused = [
      bearer.post(path, request),
      bearer.post(path, request, { authorization: 't' }),
      bearer.post(path, request, { authorization: 'Bearer other' }),
      bare.post(path, request, { 'x-key': 'Bearer t' }),
      bare.post(path, request, { authorization: 'Bearer t' }),
    ];
    for (const answer of refused) expect((await answer).status).toBe(401);
    expect([...bearer.vasp.callbacks, ...bare.vasp.callbacks]).toEqual([]);
    expect((await bearer.post(path, request, { authorization: 'Bearer t' })).status).toBe(200);
    expect((await bare.post(path, request, { 'x-key': 't' })).status).toBe(200);
  });

  test('is refused with 400 when it is not JSON or not valid', async () => {
    for (const body of ['', 'x', '[]', '{}', 'null'])
      expect((await served().post(path, body)).status).toBe(400);
  });
});

test('what the VASP cannot answer is 500', async () => {
  const { post } = served();
  const unknown = { verificationUuid: '00000000-0000-4000-8000-000000000000' };
  expect((await post(VASP_PATHS.transactionStatus, unknown)).status).toBe(500);
});
