import { afterAll, expect, test } from 'vitest';
import { endpointsAt } from '../../src/contract/vasp-api.ts';
import { directory } from '../../src/vasps/directory.ts';
import type { Registration } from '../../src/vasps/http-client.ts';
import { UUID } from '../support/contract/samples.ts';
import { json, startPeer } from '../support/vasp/peer.ts';
import { standInVasp } from '../support/vasp/stand-in-vasp.ts';

const peers = [await startPeer(), await startPeer()];
for (const peer of peers) peer.behave(json({ verificationUuid: UUID, transactionStatus: 'PENDING' }));
afterAll(() => Promise.all(peers.map(peer => peer.close())));

const deps = {
  timeoutMs: { verifyAccount: 1_000, verifyUser: 1_000, transactionStatus: 1_000, callback: 1_000 },
  now: () => 0,
  onExchange: () => {},
};
const registration = (url: string, updatedAt: number): Registration => ({
  vaspId: '2',
  name: 'Remote',
  endpoints: endpointsAt(url),
  authorization: { header: 'Authorization' },
  updatedAt,
});

test('a resident VASP is found in this process, a registered one at its addresses, nobody else', async () => {
  const resident = standInVasp();
  const vasps = directory(
    new Map([['1', resident]]),
    vaspId => (vaspId === '2' ? registration(peers[0]!.url, 1) : undefined),
    deps,
  );
  expect(vasps.find('1')).toBe(resident);
  expect(vasps.find('3')).toBeUndefined();
  expect(await vasps.find('2')!.transactionStatus({ verificationUuid: UUID })).toMatchObject({
    transactionStatus: 'PENDING',
  });
  expect(peers[0]!.asked).toHaveLength(1);
  expect(vasps.find('2')).toBe(vasps.find('2'));
  await vasps.close();
});

test('a registration that has changed counts from the next call on', async () => {
  let current = registration(peers[0]!.url, 1);
  const vasps = directory(new Map(), () => current, deps);
  const before = vasps.find('2')!;
  current = registration(peers[1]!.url, 2);
  const after = vasps.find('2')!;
  expect(after).not.toBe(before);
  await after.transactionStatus({ verificationUuid: UUID });
  expect(peers[1]!.asked).toHaveLength(1);
  await vasps.close();
});
