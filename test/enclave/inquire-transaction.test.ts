import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TRANSACTION_STATUSES } from '../../src/contract/transaction-status.ts';
import { scratchDatabase } from '../support/db/scratch-database.ts';
import type { Reply } from '../support/vasp/tested-vasp.ts';
import {
  type ChainlessWorld,
  createChainlessWorld,
  type RegisteredVasp,
  toVasp,
  verifiedBy,
} from '../support/world/chainless-world.ts';

const at = scratchDatabase();
let world: ChainlessWorld;
let other: RegisteredVasp;
let stranger: RegisteredVasp;
let uuid: string;
beforeAll(async () => {
  world = await createChainlessWorld(at('inquire.sqlite'), { VASP_TIMEOUT_TRANSACTION: '300ms' });
  other = await world.register('7001');
  stranger = await world.register('7002');
  uuid = await verifiedBy(world, toVasp(world, other.vaspId));
});
afterAll(() => world.close());

/** The tested VASP is the originating VASP and answers like this; the other one asks. */
const asked = (reply: Reply, as: RegisteredVasp = other, of = uuid) => {
  world.vasp.script('transactionStatus', of, reply);
  return as.api.call('POST', '/v1/verifications/tx/inquiry', { verificationUuid: of });
};

describe('REF-4.5: the answer of the originating VASP', () => {
  test.each(Object.keys(TRANSACTION_STATUSES))(
    '%s comes through, with hash and index where it has them',
    async transactionStatus => {
      for (const more of [{}, { txHash: '0xab' }, { txHash: '0xab', vout: '1' }, { txHash: '' }]) {
        const body = { verificationUuid: uuid, transactionStatus, ...more };
        const { status, body: answer } = await asked({ body });
        expect([status, answer]).toEqual([200, body]);
      }
    },
  );

  test('members that are null count as left out, unknown ones too', async () => {
    const { body } = await asked({
      body: { verificationUuid: uuid, transactionStatus: 'PENDING', txHash: null, vout: null, extra: 1 },
    });
    expect(body).toEqual({ verificationUuid: uuid, transactionStatus: 'PENDING' });
  });

  test('WIRE-3.3: it is asked with the uuid and nothing else, each time anew', async () => {
    const before = world.vasp.received('transactionStatus', uuid).length;
    for (let i = 0; i < 2; i++)
      await asked({ body: { verificationUuid: uuid, transactionStatus: 'PENDING' } });
    const received = world.vasp.received('transactionStatus', uuid).slice(before);
    expect(received.map(({ body }) => body)).toEqual([
      { verificationUuid: uuid },
      { verificationUuid: uuid },
    ]);
  });

  test('an inquiry changes nothing of the verification', async () => {
    const stored = await world.api.verification(uuid);
    await asked({ body: { verificationUuid: uuid, transactionStatus: 'CONFIRMED', txHash: '0xcd' } });
    expect(await world.api.verification(uuid)).toEqual(stored);
  });
});

describe('D-16: the originating VASP late or faulty is 408 REQUEST-TIMEOUT', () => {
  const right = { verificationUuid: '', transactionStatus: 'PENDING' };
  test.each<[string, Reply]>([
    ['late', 'never'],
    ['status 500', { status: 500, body: {} }],
    ['status 404', { status: 404, body: right }],
    ['no JSON', { body: 'hello' }],
    ['an answer that is not valid', { body: { transactionStatus: 'PENDING' } }],
    ['a status of nobody', { body: { ...right, transactionStatus: 'MINED' } }],
    [
      'about another verification',
      { body: { ...right, verificationUuid: '00000000-0000-4000-8000-000000000000' } },
    ],
  ])('%s', async (_, reply) => {
    const { status, body } = await asked(reply);
    expect([status, body]).toEqual([408, { code: 'REQUEST-TIMEOUT', message: 'timeout of 300ms exceeded' }]);
  });

  test('nobody listens', async () => {
    await world.vasp.down();
    const { status, body } = await asked('ordinary');
    await world.vasp.up();
    expect([status, body]).toMatchObject([408, { code: 'REQUEST-TIMEOUT' }]);
  });

  test('each one stands in the timeline', async () => {
    const { timeline } = await world.api.timeline(uuid);
    const causes = timeline.filter(({ event }) => event === 'transaction-inquired').map(({ cause }) => cause);
    expect(causes).toContain('CONFIRMED 0xcd');
    expect(causes).toContain('timeout of 300ms exceeded');
    expect(causes.join()).toMatch(/status 500.*not JSON.*another verification/);
  });
});

describe('REF-7: who may ask, and of what', () => {
  const notMatched = {
    code: 'VASP-NOT-MATCHED',
    message: 'You are not the beneficiary VASP for the verification',
  };

  test('inquiry by a VASP that is not the beneficiary answers 400 VASP-NOT-MATCHED', async () => {
    const before = world.vasp.received('transactionStatus').length;
    for (const tester of [world, stranger])
      expect(await asked('ordinary', tester)).toMatchObject({ status: 400, body: notMatched });
    expect(world.vasp.received('transactionStatus')).toHaveLength(before);
  });

  test('one that is not VERIFIED is 400 NOT-VERIFIED, and nobody is asked', async () => {
    other.vasp.script(
      'verifyUser',
      undefined,
      { body: { result: 'DENIED', reason: 'NOT-ALLOWED', version: '1.0' } },
      'ordinary',
    );
    const denied = await verifiedBy(world, toVasp(world, other.vaspId));
    expect(await asked('ordinary', other, denied)).toMatchObject({
      status: 400,
      body: { code: 'NOT-VERIFIED' },
    });
    expect(world.vasp.received('transactionStatus', denied)).toEqual([]);
  });

  test('one that was ended by an error report may still be asked for', async () => {
    const ended = await verifiedBy(world, toVasp(world, other.vaspId));
    await world.api.reportError(ended, 'ERROR', 'USER-CANCELED');
    const body = { verificationUuid: ended, transactionStatus: 'CANCELED' };
    expect(await asked({ body }, other, ended)).toMatchObject({ status: 200, body });
  });
});
