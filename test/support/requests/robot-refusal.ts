import type { Client } from '../../../src/client/client.ts';
import type { World } from '../world/world.ts';

const PREFIX = '/vega/robot/v1.0/action';

export interface Refusal {
  status: number;
  code: string;
  message: string;
}

/** Status and error object of one of the robot's actions. */
export async function robotRefusalOf(
  world: Pick<World, 'api'>,
  action: string,
  body: unknown,
  api: Client = world.api,
): Promise<Refusal> {
  const answer = await api.call<Omit<Refusal, 'status'>>('POST', `${PREFIX}/${action}`, body);
  return { status: answer.status, ...answer.body };
}

export const UNKNOWN_UUID = '00000000-0000-4000-8000-000000000000';
