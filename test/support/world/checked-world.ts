import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Order } from '../../../src/client/calls.ts';
import type { Answers } from '../../../src/client/client.ts';
import { endpointsAt } from '../../../src/contract/vasp-api.ts';
import { SAMPLE_UUID } from '../../../src/sandbox/probes.ts';
import { scratchDatabase } from '../db/scratch-database.ts';
import { type Behave, json, type Peer, startPeer } from '../vasp/peer.ts';
import { type ChainlessWorld, createChainlessWorld } from './chainless-world.ts';

/** A world whose VASP is a peer of the test, for the check of its four endpoints. */

export type Check = Answers['checkVasp']['checks'][number];
export const TOKEN = 't0p-secret-of-check';

/** `limitMs`: of an answer. Patient enough for a busy machine. */
export function checkedWorld(limitMs = 20_000, limitOfUserMs = limitMs) {
  const at = scratchDatabase();
  let world: ChainlessWorld;
  let peer: Peer;
  beforeAll(async () => {
    peer = await startPeer();
    world = await createChainlessWorld(at('check.sqlite'), {
      VASP_TIMEOUT_ACCOUNT: `${limitMs}ms`,
      VASP_TIMEOUT_USER: `${limitOfUserMs}ms`,
      VASP_TIMEOUT_TRANSACTION: `${limitMs}ms`,
      VASP_TIMEOUT_CALLBACK: `${limitMs}ms`,
    });
  });
  beforeEach(async () => {
    peer.asked.length = 0;
    await is({});
  });
  afterAll(async () => {
    await world.close();
    await peer.close();
  });
  const is = (change: Partial<Order<'registerVasp'>>) =>
    world.api.registerVasp(world.vaspId, {
      name: 'Tested VASP',
      endpoints: endpointsAt(peer.url),
      authorization: { header: 'Authorization', token: TOKEN },
      ...change,
    });
  const check = async (...endpoints: Check['endpoint'][]): Promise<Check[]> =>
    (await world.api.checkVasp(world.vaspId, endpoints.length === 0 ? {} : { endpoints })).checks;
  return {
    get world() {
      return world;
    },
    get peer() {
      return peer;
    },
    /** Changes the registration of the VASP. */
    is,
    check,
    checkOne: async (endpoint: Check['endpoint']): Promise<Check> => (await check(endpoint))[0]!,
  };
}

const ACCOUNT = ['0x000000000000000000000000000000000000dead'];
export const denied = { result: 'DENIED', reason: 'UNKNOWN-ADDRESS', message: ACCOUNT[0], version: '1.0' };
export const verified = {
  result: 'VERIFIED',
  reason: 'OK',
  version: '1.0',
  ivms101: { beneficiary: { accountNumber: ACCOUNT } },
};
export const accountDenied = {
  accountVerificationResult: 'DENIED',
  reason: 'UNKNOWN-ADDRESS',
  verifiedAt: '2026-07-15T10:00:00.000Z',
};
export const RIGHT = {
  '/verify-user': denied,
  '/verify-account': accountDenied,
  '/transaction-status': { verificationUuid: SAMPLE_UUID, transactionStatus: 'PENDING' },
  '/callback': { result: true },
} as Record<string, object>;
export const right: Behave = (response, asked) => json(RIGHT[asked.url])(response, asked);
