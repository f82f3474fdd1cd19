import { describe, expect, test } from 'vitest';
import { documentCheck, loadDocument, watchAnswers } from '../support/http/document-check.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

/** The check that every other world lives under has to find something where there is something to find. */

const world = await forFile(createWorld());
const check = documentCheck(await loadDocument(world.url));

const json = (status: number, body: unknown) => Response.json(body, { status });

describe('answers', () => {
  test.each([
    ['a member is missing', 'GET', '/v1/vasps/self', json(200, {}), /must have required property 'vaspId'/],
    ['a member is too many', 'GET', '/v1/vasps/self', json(200, { vaspId: '1', x: 1 }), /additional properties/],
    ['a value is of another form', 'GET', '/sandbox/v1/clock', json(200, { now: 'noon' }), /"date-time"/],
    [
      'a code that the operation does not know',
      'GET',
      '/v1/verifications/7',
      error(404, 'NOT-FOUND'),
      /NOT-FOUND, which is not among/,
    ],
    [
      'a status that it does not know',
      'GET',
      '/v1/vasps/self',
      error(409, 'EMBEDDED-ONLY'),
      /not among 200, 400, 401, 421/,
    ],
    ['a failure', 'GET', '/v1/vasps/self', error(500, 'INTERNAL-ERROR'), /not among/],
    ['an answer where nothing is', 'GET', '/v1/nothing', json(200, {}), /no operation is documented/],
    ['another method', 'PUT', '/v1/vasps/self', json(200, {}), /no operation is documented/],
    ['no JSON', 'GET', '/v1/vasps/self', new Response('hello'), /as text\/plain/],
  ])('%s', async (_what, method, path, response, problem) => {
    expect(await check.answer(method, path, response)).toMatch(problem);
  });

  test('right ones are left alone', async () => {
    expect(await check.answer('GET', '/v1/vasps/self', json(200, { vaspId: '1' }))).toBeUndefined();
    expect(await check.answer('GET', '/v1/verifications/7', error(404, 'VERIFICATION-NOT-FOUND'))).toBeUndefined();
    expect(await check.answer('PUT', '/v1/vasps/self', error(405, 'METHOD-NOT-ALLOWED'))).toBeUndefined();
  });
});

test.each([
  ['XRP', { amount: '20', delivered: '0.123456' }, true],
  ['XRP', { amount: '20', delivered: '0.1234567' }, false],
  ['XRP', { amount: '0.1234567' }, false],
  ['ETH', { amount: '0.1234567' }, true],
  ['ETH', { amount: '1', others: [{ address: 'x', amount: '0.123456789012345678' }] }, true],
  ['ETH', { amount: '1', others: [{ address: 'x', amount: '0.1234567890123456789' }] }, false],
])('the document knows the decimals of %s in %j: %s', (symbol, amounts, isAdmitted) => {
  const body = { symbol, address: 'x', ...amounts };
  const path = '/sandbox/v1/faucet';
  expect(check.admits({ method: 'POST', template: path, path: {}, query: {}, body })).toBe(isAdmitted);
});

function error(status: number, code: string): Response {
  return json(status, { code, message: 'text' });
}

describe('calls of the tested VASP', () => {
  const uuid = '8557f2b2-985e-431f-8d52-75c2e5a01e46';

  test('a callback, or a question, of another form', () => {
    expect(check.call('callback', { callbackType: 'TX_REPORT' })).toMatch(/required property 'data'/);
    const data = { verificationUuid: uuid, result: 'MAYBE', reason: 'X' };
    expect(check.call('callback', { callbackType: 'ERROR_REPORT', data } as object)).toMatch(/result must be/);
    expect(check.call('callback', { callbackType: 'HELLO' })).toMatch(/not documented/);
    expect(check.call('transactionStatus', {})).toMatch(/verificationUuid/);
    expect(check.call('transactionStatus', { verificationUuid: uuid } as object)).toBeUndefined();
  });

  test('fail the test at its end, all together', async () => {
    const { send, end } = watchAnswers(world.url);
    await expect(end([world.vasp])).resolves.toBeUndefined();
    const received = (operation: string) =>
      operation === 'callback' ? [{ operation, body: { callbackType: 'HELLO' } } as never] : [];
    await expect(end([{ received }])).rejects.toThrow(/got a callback that is no such: HELLO is not documented/);
    expect((await send(new Request(`${world.url}/v1/vasps/self`))).status).toBe(200);
  });
});
