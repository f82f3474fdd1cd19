import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { verificationOf } from '../support/requests/from-tested-vasp.ts';
import { type OtherVasp, registerVasp, verificationAt } from '../support/vasp/other-vasp.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

const world = await forFile(createWorld());

const HASHES = ['11', '22', '33'].map(byte => `0x${byte.repeat(32)}`) as [string, string, string];
/** D-13. */
const RETRY_AFTER_S = [1, 5, 30, 120, 600, 1_800, 3_600];

async function callbackOf(uuid: string) {
  const { callbacks } = await world.api.callbacks({ verificationUuid: uuid });
  expect(callbacks).toHaveLength(1);
  return callbacks[0]!;
}
const open = async () => {
  const request = verificationOf(world);
  return { request, ...(await world.api.verifyUser(request)) };
};

describe('D-13: retries', () => {
  test('at once, then after 1 s, 5 s, 30 s, 2 min, 10 min, 30 min and 1 h, up to 10 % later; then GIVEN-UP', async () => {
    world.vasp.script('callback', undefined, { status: 500, body: {} });
    const { verificationUuid: uuid } = await open();
    await world.advance('4h');
    const { status, attempts } = await callbackOf(uuid);
    expect(status).toBe('GIVEN-UP');
    const sent = world.vasp.callbacks(uuid);
    expect(sent).toEqual(Array(RETRY_AFTER_S.length + 1).fill(sent[0]));
    expect(attempts).toHaveLength(RETRY_AFTER_S.length + 1);
    for (const [i, seconds] of RETRY_AFTER_S.entries()) {
      const waited = (Date.parse(attempts[i + 1]!.at) - Date.parse(attempts[i]!.at)) / 1_000;
      expect(waited).toBeGreaterThanOrEqual(seconds);
      expect(waited).toBeLessThanOrEqual(seconds * 1.1 + 0.001);
    }
    expect(attempts.map(each => each.error)).toEqual(attempts.map(() => 'answered with status 500 instead of 200'));
    await world.advance('48h');
    expect(world.vasp.callbacks(uuid)).toHaveLength(RETRY_AFTER_S.length + 1);

    world.vasp.script('callback', undefined, 'ordinary');
    await world.api.replay((await callbackOf(uuid)).id);
    await world.idle();
    expect(await callbackOf(uuid)).toMatchObject({ status: 'DELIVERED' });
    expect(world.vasp.callbacks(uuid)).toHaveLength(RETRY_AFTER_S.length + 2);
  });
});

describe('D-13: the order of one verification', () => {
  let other: OtherVasp;
  beforeEach(async () => {
    world.vasp.script('callback', undefined, 'ordinary');
    other = await registerVasp(world, String(2_000_000 + Math.round(performance.now())));
  });
  afterEach(() => other.vasp.close());

  const types = (uuid: string) => other.vasp.callbacks(uuid).map(each => each.callbackType);

  async function verifiedAtOther(): Promise<string> {
    const { verificationUuid: uuid } = await world.api.verifyUser(verificationAt(world, other));
    const result = await world.vasp.ordinary.callbackOf(uuid, 'VERIFICATION_RESULT');
    expect(result.verificationResult).toBe('VERIFIED');
    return uuid;
  }

  test('a failing callback holds later ones back, and they follow at once', async () => {
    const uuid = await verifiedAtOther();
    const down = { status: 503, body: {} };
    other.vasp.script('callback', uuid, down, down, 'ordinary');
    for (const txHash of HASHES) await world.api.reportTransaction(uuid, txHash);
    await world.api.reportError(uuid, 'ERROR', 'USER-CANCELED', 'given up');
    await other.api.advance('1s');
    expect(new Set(types(uuid))).toEqual(new Set(['TX_REPORT']));
    await other.api.advance('10s');
    expect(other.vasp.callbacks(uuid).slice(2)).toEqual([
      ...HASHES.map(txHash => ({ callbackType: 'TX_REPORT', data: { verificationUuid: uuid, txHash } })),
      {
        callbackType: 'ERROR_REPORT',
        data: { verificationUuid: uuid, result: 'ERROR', reason: 'USER-CANCELED', message: 'given up' },
      },
    ]);
  });

  test('later callbacks pass one that was given up', async () => {
    const uuid = await verifiedAtOther();
    other.vasp.script('callback', uuid, ...Array(8).fill({ status: 500, body: {} }), 'ordinary');
    await world.api.reportTransaction(uuid, HASHES[0]);
    await world.api.reportTransaction(uuid, HASHES[1]);
    await other.api.advance('4h');
    const { callbacks } = await other.api.callbacks({ verificationUuid: uuid });
    expect(callbacks.map(each => each.status)).toEqual(['GIVEN-UP', 'DELIVERED']);
  });
});
