import { expect, test } from 'vitest';
import { assess, KINDS, type Kind, outgoing, type RiskAnswer, results } from '../support/requests/risk.ts';
import { data } from '../support/screening/simulated-providers.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

const world = await forFile(createWorld());

/** The body that ends it: an answer of an error, of sanction screening, or what was called back last. */
async function ending(kind: Kind, uuid: string): Promise<RiskAnswer | object | undefined> {
  const { status, body } = await assess(world.api, kind, { verificationUuid: uuid });
  if (status !== 200 || kind === 'sanction') return body;
  await world.advance('1m');
  const type = kind === 'kyt' ? 'PROVIDER_A_KYT_RESULT' : 'PROVIDER_B_WCO_RESULT';
  return results(world, uuid, type).at(-1)?.riskAssessment;
}

test.each(data.scenarios)('$operation: $outcome, by $user', async ({ operation, user, expect: expected }) => {
  const uuid = await outgoing(world, { user });
  expect(await ending(operation.replace('assess-', '') as Kind, uuid)).toMatchObject(expected);
});

test('the catalogue has scenarios for all three assessments', () => {
  const operations = data.scenarios.map(each => each.operation);
  expect(new Set(operations)).toEqual(new Set(KINDS.map(kind => `assess-${kind}`)));
});
