import { expect, test } from 'vitest';
import type { VerifyUserRequest } from '../../src/contract/requests.ts';
import { scratchDatabase } from '../support/db/scratch-database.ts';
import { createChainlessWorld, toRobot, verifiedBy } from '../support/world/chainless-world.ts';
import { forFile } from '../support/world/for-file.ts';

/**
 * The robot answers in the transaction of the question, or later by a timer. Both ways leave the same timeline, but for the
 * time limit of an answer that comes later.
 */

/** Header `date` of the tested VASP's answers: real time. */
const HTTP_DATE = /\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT/g;

const at = scratchDatabase();
const world = await forFile(createChainlessWorld(at('one-turn.sqlite')));

const isOfTimeLimit = ({ detail }: { detail?: Record<string, unknown> | undefined }) =>
  detail?.kind === 'enclave.verification.time-out';

async function story(request: VerifyUserRequest) {
  const uuid = await verifiedBy(world, request);
  await world.api.advance('0s');
  const { timeline: entries, pending } = await world.api.timeline(uuid);
  const lines = entries
    .filter(line => !isOfTimeLimit(line))
    .map(({ detail, ...line }) => ({
      ...line,
      detail: detail && { ...detail, durationMs: undefined, connectMs: undefined, exchangeId: undefined },
    }));
  const text = JSON.stringify({ lines, pending }).replaceAll(uuid, 'UUID').replace(HTTP_DATE, 'DATE');
  return JSON.parse(text);
}

const STORIES: Record<string, (request: VerifyUserRequest) => void> = {
  VERIFIED: () => {},
  'UNKNOWN-ADDRESS': ({ payload }) => {
    payload.ivms101.beneficiary.accountNumber = [`0x${'0'.repeat(37)}bad`];
  },
  'a name that is wrong': ({ payload }) => {
    const { beneficiary } = payload.ivms101;
    Object.assign(beneficiary, JSON.parse(JSON.stringify(beneficiary).replaceAll('Robbins', 'Nobody')));
  },
  'a network that is wrong': ({ assetInfo }) => {
    assetInfo.network = 'ripple';
  },
  'a wrong threshold, with a finding': ({ assetInfo }) => {
    Object.assign(assetInfo, { isExceedingThreshold: true, tradePrice: '1', tradeCurrency: 'KRW' });
  },
};

const requestOf = (change: (request: VerifyUserRequest) => void, user?: string) => {
  const request = toRobot(world, user);
  change(request);
  return request;
};

/** A fault that hits nothing here: with any fault the robot answers later. */
async function later<T>(act: () => Promise<T>): Promise<T> {
  const { id } = await world.api.addFault({ target: 'robot.transactionStatus', mode: 'drop' });
  try {
    return await act();
  } finally {
    await world.api.removeFault(id);
  }
}

test.each(Object.keys(STORIES))('both ways leave the same timeline: %s', async name => {
  const request = requestOf(STORIES[name]!);
  const [now, byTimer] = [await story(request), await later(() => story(request))];
  expect(now).toEqual(byTimer);
});

test.each(['ethan-cook', 'changes-account-number', 'unknown'])(
  'both ways leave the same timeline for the user %s',
  async user => {
    const found = world.info.users.find(({ id, behaviour }) => id === user || behaviour === user.toUpperCase());
    const request = requestOf(() => {}, found!.id);
    const [now, byTimer] = [await story(request), await later(() => story(request))];
    expect(now).toEqual(byTimer);
  },
);
