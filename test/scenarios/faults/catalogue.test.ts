import { expect, test } from 'vitest';
import type { Order } from '../../../src/client/calls.ts';
import { countsOf, seenBy } from '../../support/http/observed-call.ts';
import { verifiedForRobot } from '../../support/requests/from-robot.ts';
import { accountOf, verificationOf } from '../../support/requests/from-tested-vasp.ts';
import { forFile } from '../../support/world/for-file.ts';
import { createWorld } from '../../support/world/world.ts';

const world = await forFile(createWorld({ env: { PROVIDER_A_NAME: 'acme' } }));

/** An event of the kind that an entry speaks of; answers what came of it. */
const EVENTS: Record<string, (user: string) => Promise<unknown>> = {
  answer: () => seenBy(world, { method: 'GET', path: '/v1/vasps/self' }, 1_000),
  async 'robot.verifyUser'(user) {
    const { verificationUuid } = await world.api.verifyUser(verificationOf(world, { user }));
    await world.advance('5s');
    const { result, reason } = await world.api.verification(verificationUuid);
    return `${result} / ${reason}`;
  },
  async 'robot.verifyAccount'(user) {
    const { accountVerificationResult, reason } = await world.api.verifyAccount(accountOf(world, { user }));
    return `${accountVerificationResult} / ${reason}`;
  },
  async 'robot.transactionStatus'() {
    const { uuid } = await verifiedForRobot(world);
    return (await world.api.inquireTransaction(uuid)).transactionStatus;
  },
  devnet: () =>
    seenBy(
      world,
      { method: 'POST', path: '/devnet/ethereum', body: { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] } },
      1_000,
    ),
  async callback(user) {
    const { verificationUuid } = await world.api.verifyUser(verificationOf(world, { user }));
    await world.advance('0s');
    const atOnce = world.vasp.callbacks(verificationUuid).length;
    await world.advance('10m');
    return `${atOnce} at once, ${world.vasp.callbacks(verificationUuid).length} in the end`;
  },
};

test('PROD-4: each fault of the catalogue does what it says', async () => {
  const entries = (await world.api.scenarios()).scenarios.filter(({ id }) => id.startsWith('fault: '));
  expect(entries).toHaveLength(5 + 5 + 5 + 6 + 4 + 7);
  const seen: Record<string, unknown> = {};
  for (const { id, operation, user, how, fault } of entries) {
    const { meaning } = await world.api.addFault(fault as Order<'addFault'>);
    expect(meaning).toBe(how);
    const outcome = await EVENTS[operation]!(user).catch(error => (error as { code?: string }).code);
    seen[id.slice('fault: '.length)] = typeof outcome === 'object' ? (outcome as { status: number }).status : outcome;
    // Nothing is CONFIRMED before a payment, so it waits.
    const waits = fault?.mode === 'outdated' ? ['robot.transactionStatus outdated 0 1'] : [];
    expect(await countsOf(world), id).toEqual(waits);
    await world.api.removeFaults();
  }
  const lost = 'DENIED / UNDEFINED-ERROR';
  expect(seen).toEqual({
    'answer delay': 200,
    'answer drop': 'closed',
    'answer status': 503,
    'answer malformed': 200,
    'answer never-answer': 'silent',
    'robot.verifyUser delay': 'VERIFIED / OK',
    'robot.verifyUser drop': lost,
    'robot.verifyUser status': lost,
    'robot.verifyUser malformed': lost,
    'robot.verifyUser never-answer': 'ERROR / REQUEST-TIMEOUT',
    'robot.verifyAccount delay': 'VERIFIED / undefined',
    'robot.verifyAccount drop': lost,
    'robot.verifyAccount status': lost,
    'robot.verifyAccount malformed': lost,
    'robot.verifyAccount never-answer': 'REQUEST-TIMEOUT',
    'robot.transactionStatus delay': 'PENDING',
    'robot.transactionStatus drop': 'REQUEST-TIMEOUT',
    'robot.transactionStatus status': 'REQUEST-TIMEOUT',
    'robot.transactionStatus malformed': 'REQUEST-TIMEOUT',
    'robot.transactionStatus never-answer': 'REQUEST-TIMEOUT',
    'robot.transactionStatus outdated': 'PENDING',
    'devnet delay': 200,
    'devnet drop': 'closed',
    'devnet never-answer': 'silent',
    'devnet error': 200,
    'callback delay': '0 at once, 1 in the end',
    'callback drop': '0 at once, 0 in the end',
    'callback status': '1 at once, 2 in the end',
    'callback malformed': '0 at once, 1 in the end',
    'callback duplicate': '2 at once, 2 in the end',
    'callback reorder': '0 at once, 1 in the end',
    'callback never-answer': '1 at once, 2 in the end',
  });
});

test('targets are shown with the configured provider names, and accepted with both', async () => {
  for (const target of ['callback.ACME_KYT_RESULT', 'callback.PROVIDER_A_KYT_RESULT']) {
    const entry = await world.api.addFault({ target, mode: 'drop' } as Order<'addFault'>);
    expect(entry.target).toBe('callback.ACME_KYT_RESULT');
  }
  const { faults, targets } = await world.api.faults();
  expect(faults).toHaveLength(1);
  expect(JSON.stringify(targets)).not.toContain('PROVIDER_A');
  await world.api.removeFaults();
});
