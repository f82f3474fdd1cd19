import { describe, expect, test } from 'vitest';
import { DEVELOPMENT_KEYS, isStillWorking, type ProviderKeys, type Screening } from '../../src/screening/port.ts';
import { addressOf } from '../support/judge/judge-request.ts';
import { personOf, screeningOf, transferOf } from '../support/screening/simulated-providers.ts';

/** Duties of every implementation of the port. Each comes with a clean and a listed address of its own. */
const IMPLEMENTATIONS: {
  name: string;
  screening: () => Screening;
  keys: ProviderKeys;
  listed: string;
  clean: string;
}[] = [
  {
    name: 'simulated',
    screening: screeningOf,
    keys: DEVELOPMENT_KEYS,
    listed: addressOf('sanctioned-address'),
    clean: addressOf('taylor-robbins'),
  },
];

describe.each(IMPLEMENTATIONS)('$name', ({ screening: start, keys, listed, clean }) => {
  const party = { persons: [personOf('Nobody Inparticular')], asset: 'ETH', address: clean };
  const transfer = transferOf({ counterpartyAddress: clean });

  test('sanctions: a listed address has its listing, a clean one has none', async () => {
    const { sanction } = start();
    expect(await sanction.screen(keys, { asset: 'ETH', address: clean })).toEqual({ listing: null });
    expect(await sanction.screen(keys, { asset: 'ETH', address: listed })).toEqual({
      listing: { name: expect.any(String), description: expect.any(String), url: expect.stringMatching(/^https:/) },
    });
  });

  test('a wrong key is refused, whatever is asked', async () => {
    const { sanction, kyt, wco } = start();
    const wrong = { sanctionApiKey: 'wrong', kytApiKey: 'wrong', wcoApiKey: 'wrong', wcoGroupId: keys.wcoGroupId };
    for (const call of [
      () => sanction.screen(wrong, { asset: 'ETH', address: clean }),
      () => kyt.register(wrong, transfer, 1),
      () => kyt.result(wrong, 'any', transfer, 1),
      () => wco.register(wrong, party, 1),
      () => wco.result(wrong, 'any', party, 1),
    ])
      await expect(call()).rejects.toMatchObject({ why: 'ACCESS-REFUSED' });
  });

  test('each operation looks at its own key alone', async () => {
    const { sanction, kyt, wco } = start();
    const subject = { asset: 'ETH', address: clean };
    await sanction.screen({ ...keys, kytApiKey: 'x', wcoApiKey: 'x', wcoGroupId: 'x' }, subject);
    await kyt.register({ ...keys, sanctionApiKey: 'x', wcoApiKey: 'x', wcoGroupId: 'x' }, transfer, 1);
    const { reference } = await wco.register({ ...keys, sanctionApiKey: 'x', kytApiKey: 'x' }, party, 1);
    expect(reference).not.toBe('');
  });

  test('a right key with a wrong group: the group is not found', async () => {
    await expect(start().wco.register({ ...keys, wcoGroupId: 'wrong' }, party, 1)).rejects.toMatchObject({
      why: 'GROUP-NOT-FOUND',
    });
  });

  test('every registration has an identifier of its own', async () => {
    const { kyt, wco } = start();
    const references = [
      await kyt.register(keys, transfer, 1),
      await kyt.register(keys, transfer, 1),
      await wco.register(keys, party, 1),
      await wco.register(keys, party, 1),
    ].map(each => each.reference);
    expect(new Set(references).size).toBe(4);
  });

  test('the same question has the same finding, the identifiers of alerts apart', async () => {
    const { kyt, wco } = start();
    const risky = transferOf({ counterpartyAddress: listed });
    const levels = async () => {
      const { reference } = await kyt.register(keys, risky, 1);
      const answer = await kyt.result(keys, reference, risky, 1);
      if (isStillWorking(answer)) throw new Error('still working');
      return answer.alerts.map(({ alertId: _, ...alert }) => alert);
    };
    const first = await levels();
    expect(first).toMatchObject([{ alertLevel: 'SEVERE' }]);
    expect(await levels()).toEqual(first);
    const { reference } = await wco.register(keys, party, 1);
    expect(await wco.result(keys, reference, party, 1)).toEqual(await wco.result(keys, reference, party, 1));
  });
});
