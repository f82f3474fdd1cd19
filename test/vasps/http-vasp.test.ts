import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { endpointsAt } from '../../src/contract/vasp-api.ts';
import { type HttpVasp, type HttpVaspDeps, httpVasp } from '../../src/vasps/directory.ts';
import type { Registration } from '../../src/vasps/http-client.ts';
import { BadAnswer, NoAnswer, type Vasp } from '../../src/vasps/port.ts';
import { VASP_PATHS } from '../../src/vasps/serve-vasp.ts';
import { UUID } from '../support/contract/samples.ts';
import { accountRequest, userRequest } from '../support/judge/judge-request.ts';
import { json, raw, startPeer } from '../support/vasp/peer.ts';

const NOW = 1_700_000_000_000;
const SHORT = { verifyAccount: 210, verifyUser: 220, transactionStatus: 230, callback: 240 };
const LONG = { verifyAccount: 15_000, verifyUser: 15_000, transactionStatus: 15_000, callback: 15_000 };

let exchanges: Parameters<HttpVaspDeps['onExchange']>[0][];
const open = new Set<HttpVasp>();
const peer = await startPeer();
beforeEach(() => {
  exchanges = [];
  peer.asked.length = 0;
});
afterAll(async () => {
  await peer.close();
  await Promise.all([...open].map(vasp => vasp.close()));
});

function vaspAt(change: Partial<Registration> = {}, timeoutMs = LONG): HttpVasp {
  const vasp = httpVasp(
    {
      vaspId: '42',
      name: 'Tested',
      endpoints: endpointsAt(peer.url),
      authorization: { header: 'Authorization' },
      updatedAt: 1,
      ...change,
    },
    { timeoutMs, now: () => NOW, onExchange: exchange => exchanges.push(exchange) },
  );
  open.add(vasp);
  return vasp;
}

const user = userRequest();
const account = accountRequest();
const callback = { callbackType: 'TX_REPORT', data: { verificationUuid: UUID, txHash: '0xab' } } as const;
const verified = {
  result: 'VERIFIED',
  reason: 'OK',
  message: '',
  version: '1.0',
  ivms101: { beneficiary: user.ivms101.beneficiary },
};

/** The four calls, each with an answer that is right. */
const CALLS = [
  {
    operation: 'verifyAccount',
    sent: account,
    right: { accountVerificationResult: 'VERIFIED', verifiedAt: '2022-03-03T12:45:34.085Z' },
    call: (vasp: Vasp) => vasp.verifyAccount(account),
    uuid: null,
  },
  { operation: 'verifyUser', sent: user, right: verified, call: (vasp: Vasp) => vasp.verifyUser(user, []), uuid: UUID },
  {
    operation: 'transactionStatus',
    sent: { verificationUuid: UUID },
    right: { verificationUuid: UUID, transactionStatus: 'PROCESSING', txHash: '0xab', vout: '1' },
    call: (vasp: Vasp) => vasp.transactionStatus({ verificationUuid: UUID }),
    uuid: UUID,
  },
  {
    operation: 'callback',
    sent: callback,
    right: { result: true },
    call: (vasp: Vasp) => vasp.callback(callback),
    uuid: UUID,
  },
] as const;
const ASKED = CALLS.filter(({ operation }) => operation !== 'callback');

describe.each(CALLS)('WIRE-3: $operation', ({ operation, sent, right, call, uuid }) => {
  test('is a POST of JSON to the address of its own', async () => {
    peer.behave(json(right));
    await call(vaspAt());
    expect(peer.asked).toHaveLength(1);
    const [asked] = peer.asked;
    expect(asked).toMatchObject({ method: 'POST', url: VASP_PATHS[operation] });
    expect(asked!.headers['content-type']).toBe('application/json');
    expect(JSON.parse(asked!.body)).toEqual(JSON.parse(JSON.stringify(sent)));
  });

  test('carries the authorization: Bearer by default, the bare token under another name, nothing without', async () => {
    peer.behave(json(right));
    await call(vaspAt({ authorization: { header: 'Authorization', token: 't0ken' } }));
    await call(vaspAt({ authorization: { header: 'X-Api-Key', token: 't0ken' } }));
    await call(vaspAt());
    const [bearer, bare, none] = peer.asked;
    expect(bearer!.headers.authorization).toBe('Bearer t0ken');
    expect(bare!.headers['x-api-key']).toBe('t0ken');
    expect(bare!.headers.authorization).toBeUndefined();
    expect(none!.headers.authorization).toBeUndefined();
  });

  test('late is NoAnswer, after its own time', async () => {
    peer.behave(() => {});
    const late = await call(vaspAt({}, SHORT)).catch(error => error);
    expect(late).toBeInstanceOf(NoAnswer);
    expect(late).toMatchObject({ timeoutMs: SHORT[operation], message: `timeout of ${SHORT[operation]}ms exceeded` });
  });

  test('a body that never ends is late too', async () => {
    peer.behave(response => void response.writeHead(200).write('{"result'));
    await expect(call(vaspAt({}, SHORT))).rejects.toBeInstanceOf(NoAnswer);
  });

  test('nobody listening, and no address, is BadAnswer', async () => {
    const gone = await startPeer();
    await gone.close();
    await expect(call(vaspAt({ endpoints: endpointsAt(gone.url) }))).rejects.toMatchObject({
      name: 'BadAnswer',
      message: expect.stringContaining('ECONNREFUSED'),
    });
    await expect(call(vaspAt({ endpoints: {} }))).rejects.toMatchObject({
      name: 'BadAnswer',
      message: expect.stringContaining(operation),
    });
  });

  test('a connection that breaks is BadAnswer', async () => {
    peer.behave(response => response.destroy());
    await expect(call(vaspAt())).rejects.toBeInstanceOf(BadAnswer);
    peer.behave(response => {
      response.writeHead(200, { 'content-length': '1000' }).write('{"re');
      setImmediate(() => response.destroy());
    });
    await expect(call(vaspAt())).rejects.toBeInstanceOf(BadAnswer);
  });

  test('an answer of more than 256 KiB is named, and decides nothing for a callback', async () => {
    peer.behave(raw(JSON.stringify({ ...right, filler: 'x'.repeat(300 * 1024) })));
    if (operation === 'callback') return expect(await call(vaspAt())).toMatchObject({ status: 200 });
    await expect(call(vaspAt())).rejects.toThrow('The answer of the VASP is longer than 256 KiB.');
  });

  test('every exchange is told, with the answer or why there is none', async () => {
    peer.behave(json(right));
    const secret = { authorization: { header: 'Authorization', token: 't0ken' } };
    await call(vaspAt(secret));
    peer.behave(() => {});
    await call(vaspAt(secret, SHORT)).catch(() => {});
    const common = { vaspId: '42', operation, url: peer.url + VASP_PATHS[operation], verificationUuid: uuid, at: NOW };
    expect(exchanges).toMatchObject([
      { ...common, status: 200, response: JSON.stringify(right), error: null },
      { ...common, status: null, response: null, error: `timeout of ${SHORT[operation]}ms exceeded` },
    ]);
    expect(exchanges[1]!.durationMs).toBeGreaterThanOrEqual(SHORT[operation] - 5);
    expect(JSON.stringify(exchanges)).not.toContain('t0ken');
  });
});

describe.each(ASKED)('$operation: an answer that counts', ({ right, call }) => {
  test('is returned as it came, unknown members aside', async () => {
    peer.behave(json({ ...right, extra: 1 }));
    expect(await call(vaspAt())).toEqual(right);
  });

  test.each([201, 204, 302, 400, 401, 404, 500, 503])('status %i is BadAnswer, whatever the body', async status => {
    peer.behave(response =>
      status === 204
        ? response.writeHead(204).end()
        : response.writeHead(status, { location: `${peer.url}/elsewhere` }).end(JSON.stringify(right)),
    );
    await expect(call(vaspAt())).rejects.toMatchObject({
      name: 'BadAnswer',
      message: `The VASP answered with status ${status} instead of 200.`,
    });
    expect(peer.asked).toHaveLength(1);
  });

  test.each([
    ['empty', '', 'has no body'],
    ['no JSON', '<html>hello</html>', 'is not JSON'],
    ['cut off', '{"result":', 'is not JSON'],
    [
      'a member twice',
      '{"result":"VERIFIED","reason":"OK","result":"DENIED"}',
      'is not valid: `result` came twice. Send it once',
    ],
    ['not UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), 'is not UTF-8: byte 0xFF at position 1'],
  ])('%s is BadAnswer', async (_, body, problem) => {
    peer.behave(raw(body));
    await expect(call(vaspAt())).rejects.toMatchObject({
      name: 'BadAnswer',
      message: `The answer of the VASP ${problem}.`,
    });
  });

  test.each([
    ['null', 'null'],
    ['an array', '[]'],
    ['a number', '7'],
    ['no members', '{}'],
  ])('%s is not valid: BadAnswer', async (_, body) => {
    peer.behave(raw(body));
    await expect(call(vaspAt())).rejects.toMatchObject({
      name: 'BadAnswer',
      message: expect.stringMatching(/^The answer of the VASP is not valid: /),
    });
  });

  test('every required member that is missing, null or of another type is named, its value never', async () => {
    for (const member of Object.keys(right).filter(name => !['message', 'txHash', 'vout'].includes(name)))
      for (const value of [undefined, null, { secret: 'Robbins' }, ['Robbins'], 7, true]) {
        peer.behave(json({ ...right, [member]: value }));
        const error = await call(vaspAt()).catch(failure => failure);
        expect(error, `${member}: ${JSON.stringify(value)}`).toBeInstanceOf(BadAnswer);
        expect(error.message).toContain(`\`${member}`);
        expect(error.message).not.toContain('Robbins');
      }
  });
});

describe('a callback: every HTTP answer is returned, whatever its status', () => {
  test.each([200, 201, 400, 401, 500])('status %i', async status => {
    peer.behave(json({ any: 'thing' }, status));
    expect(await vaspAt().callback(callback)).toMatchObject({ status, body: `{"any":"thing"}` });
  });
});

test('64 requests go out side by side, and a slow one delays no other', async () => {
  const waiting: (() => void)[] = [];
  peer.behave(response => {
    waiting.push(() => json(CALLS[2].right)(response, peer.asked[0]!));
    if (waiting.length === 64) for (const answer of waiting) answer();
  });
  const vasp = httpVasp(
    {
      vaspId: '42',
      name: '',
      endpoints: endpointsAt(peer.url),
      authorization: { header: 'Authorization' },
      updatedAt: 1,
    },
    { timeoutMs: LONG, now: () => NOW, onExchange: () => {} },
  );
  open.add(vasp);
  const answers = await Promise.all(
    Array.from({ length: 64 }, () => vasp.transactionStatus({ verificationUuid: UUID })),
  );
  expect(answers).toHaveLength(64);
});
