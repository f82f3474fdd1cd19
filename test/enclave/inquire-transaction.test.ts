import { describe, expect, test } from 'vitest';
import { TRANSACTION_STATUSES } from '../../src/contract/verification.ts';
import type { Reply } from '../support/vasp/tested-vasp.ts';
import { type RegisteredVasp, toVasp, verifiedBy } from '../support/world/chainless-world.ts';
import { chainlessForFile } from '../support/world/for-file.ts';

const world = await chainlessForFile({ VASP_TIMEOUT_TRANSACTION: '1500ms' });
const other = await world.register('7001');
const stranger = await world.register('7002');
const uuid = await verifiedBy(world, toVasp(world, other.vaspId));

/** The tested VASP is the originating VASP and answers like this; the other one asks. */
const inquire = (reply: Reply, as: RegisteredVasp = other, of = uuid) => {
  world.vasp.script('transactionStatus', of, reply);
  return as.api.call('POST', '/v1/verifications/tx/inquiry', { verificationUuid: of });
};

describe('REF-4.5: the answer of the originating VASP', () => {
  test.each(Object.keys(TRANSACTION_STATUSES))(
    '%s is passed on, with hash and index if present',
    async transactionStatus => {
      for (const more of [{}, { txHash: '0xab' }, { txHash: '0xab', vout: '1' }, { txHash: '' }]) {
        const body = { verificationUuid: uuid, transactionStatus, ...more };
        const { status, body: answer } = await inquire({ body });
        expect([status, answer]).toEqual([200, body]);
      }
    },
  );

  test('null and unknown members are left out', async () => {
    const { body } = await inquire({
      body: { verificationUuid: uuid, transactionStatus: 'PENDING', txHash: null, vout: null, extra: 1 },
    });
    expect(body).toEqual({ verificationUuid: uuid, transactionStatus: 'PENDING' });
  });

  test('WIRE-3.3: each inquiry sends the uuid and nothing else', async () => {
    const before = world.vasp.received('transactionStatus', uuid).length;
    for (let i = 0; i < 2; i++) await inquire({ body: { verificationUuid: uuid, transactionStatus: 'PENDING' } });
    const received = world.vasp.received('transactionStatus', uuid).slice(before);
    expect(received.map(({ body }) => body)).toEqual([{ verificationUuid: uuid }, { verificationUuid: uuid }]);
  });

  test('an inquiry does not change the verification', async () => {
    const stored = await world.api.verification(uuid);
    await inquire({ body: { verificationUuid: uuid, transactionStatus: 'CONFIRMED', txHash: '0xcd' } });
    expect(await world.api.verification(uuid)).toEqual(stored);
  });
});

type Own = { vasps: { endpoints: { transactionStatus: string } }[] };

describe('D-16: a late or wrong answer of the originating VASP is 408 REQUEST-TIMEOUT', () => {
  const right = { verificationUuid: '', transactionStatus: 'PENDING' };
  test.each<[string, Reply, RegExp]>([
    ['late', 'never', /^timeout of 1500ms exceeded$/],
    ['status 500', { status: 500, body: {} }, /status 500 instead of 200/],
    ['status 404', { status: 404, body: right }, /status 404 instead of 200/],
    ['no JSON', { body: 'hello' }, /is not JSON/],
    ['an answer that is not valid', { body: { transactionStatus: 'PENDING' } }, /`verificationUuid`/],
    [
      'a status of nobody',
      { body: { ...right, verificationUuid: 'x', transactionStatus: 'MINED' } },
      /`transactionStatus`/,
    ],
    [
      'about another verification',
      { body: { ...right, verificationUuid: '00000000-0000-4000-8000-000000000000' } },
      /another verification/,
    ],
  ])('%s', async (_, reply, message) => {
    const { status, body } = await inquire(reply);
    expect([status, body]).toEqual([408, { code: 'REQUEST-TIMEOUT', message: expect.stringMatching(message) }]);
  });

  test('without an address nothing was called, and the message says so', async () => {
    const path = `/sandbox/v1/vasps/${world.vaspId}`;
    const { body: before } = await world.api.call<Own>('GET', '/sandbox/v1/vasps');
    await world.api.call('PATCH', path, { endpoints: { transactionStatus: null } });
    const { status, body } = await inquire('ordinary');
    const { transactionStatus } = before.vasps[0]!.endpoints;
    await world.api.call('PATCH', path, { endpoints: { transactionStatus } });
    expect([status, body]).toEqual([
      408,
      {
        code: 'REQUEST-TIMEOUT',
        message:
          'The VASP has no transactionStatus endpoint configured. Set `endpoints.transactionStatus` of its registration.',
      },
    ]);
  });

  test('the connection is refused', async () => {
    await world.vasp.down();
    const { status, body } = await inquire('ordinary');
    await world.vasp.up();
    expect([status, body]).toMatchObject([408, { code: 'REQUEST-TIMEOUT' }]);
  });

  test('the timeline shows each inquiry', async () => {
    const { timeline } = await world.api.timeline(uuid);
    const causes = timeline.filter(({ event }) => event === 'transaction-inquired').map(({ cause }) => cause);
    expect(causes).toContain('CONFIRMED 0xcd');
    expect(causes).toContain('timeout of 1500ms exceeded');
    expect(causes.join()).toMatch(/status 500.*not JSON.*another verification/);
  });
});

describe('REF-7: refused inquiries', () => {
  const notMatched = { code: 'VASP-NOT-MATCHED', message: 'You are not the beneficiary VASP for the verification' };

  test('inquiry by a VASP that is not the beneficiary answers 400 VASP-NOT-MATCHED', async () => {
    const before = world.vasp.received('transactionStatus').length;
    for (const tester of [world, stranger])
      expect(await inquire('ordinary', tester)).toMatchObject({ status: 400, body: notMatched });
    expect(world.vasp.received('transactionStatus')).toHaveLength(before);
  });

  test('an inquiry about a verification that is not VERIFIED is 400 NOT-VERIFIED, and no VASP is called', async () => {
    other.vasp.script(
      'verifyUser',
      undefined,
      { body: { result: 'DENIED', reason: 'NOT-ALLOWED', version: '1.0' } },
      'ordinary',
    );
    const denied = await verifiedBy(world, toVasp(world, other.vaspId));
    expect(await inquire('ordinary', other, denied)).toMatchObject({ status: 400, body: { code: 'NOT-VERIFIED' } });
    expect(world.vasp.received('transactionStatus', denied)).toEqual([]);
  });

  test('an inquiry is still possible after an error report', async () => {
    const ended = await verifiedBy(world, toVasp(world, other.vaspId));
    await world.api.reportError(ended, 'ERROR', 'USER-CANCELED');
    const body = { verificationUuid: ended, transactionStatus: 'CANCELED' };
    expect(await inquire({ body }, other, ended)).toMatchObject({ status: 200, body });
  });
});
