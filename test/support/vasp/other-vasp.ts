import type { Client } from '../../../src/client/client.ts';
import type { VerifyUserRequest } from '../../../src/contract/requests.ts';
import { userRequest } from '../../../src/contract/sample-requests.ts';
import type { World } from '../world/world.ts';
import { type Authorization, type TestedVasp, testedVasp } from './tested-vasp.ts';

/** Another tested VASP at the same server, with its own key. */
export interface OtherVasp {
  vaspId: string;
  apiKey: string;
  api: Client;
  vasp: TestedVasp;
  close(): Promise<void>;
}

export async function registerVasp(
  world: World,
  vaspId: string,
  authorization: Authorization = { header: 'Authorization' },
): Promise<OtherVasp> {
  const vasp = await testedVasp(authorization);
  world.hold(vasp);
  const registration = { name: `Exchange ${vaspId}`, endpoints: vasp.endpoints, authorization };
  const { apiKey } = await world.api.registerVasp(vaspId, registration);
  return { vaspId, apiKey: apiKey!, api: world.as(apiKey!), vasp, close: vasp.close };
}

/** A verification that the world's own tested VASP asks of the other one. */
export const verificationAt = (world: World, { vaspId }: OtherVasp): VerifyUserRequest => ({
  ...userRequest({
    robotVaspId: vaspId,
    user: world.user('taylor-robbins'),
    symbol: 'ETH',
    amount: world.amount(),
    from: '0x5811001506550d8356a215be229c15b6ef371a9b',
  }),
});
