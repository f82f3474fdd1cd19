import * as z from 'zod';
import { parseJson } from '../kernel/json.ts';
import type { Order } from './calls.ts';
import type { Client } from './client.ts';

const FORMAT = 'robot-vasp setup 1';

const Setup = z.strictObject({
  format: z.literal(FORMAT),
  users: z.record(z.string(), z.looseObject({})),
  faults: z.array(z.looseObject({})),
});

/** Users and faults of a VASP as one file. */
export type Setup = z.infer<typeof Setup>;

/** Undefined: the text is no such file. */
export const parseSetup = (text: string): Setup | undefined => Setup.safeParse(parseJson(text)).data;

export const setupText = (setup: Setup): string => `${JSON.stringify(setup, null, 2)}\n`;

/** The users that differ from the fixtures, and the faults that belong to no verification. */
export async function readSetup(api: Client): Promise<Setup> {
  const { users } = await api.users();
  const { faults } = await api.faults();
  const own = users.filter(({ source }) => source !== 'fixture');
  return {
    format: FORMAT,
    users: Object.fromEntries(own.map(({ id, kind, names, kyc, behaviour }) => [id, { kind, names, kyc, behaviour }])),
    faults: faults
      .filter(({ verificationUuid }) => verificationUuid === null)
      .map(({ target, mode, left, parameters }) => ({
        target,
        mode,
        ...(left === null ? {} : { times: left }),
        ...parameters,
      })),
  };
}

/** Adds to what is there. Throws `Refused` at the first entry that the API refuses. */
export async function applySetup(api: Client, { users, faults }: Setup): Promise<void> {
  for (const [id, user] of Object.entries(users)) await api.putUser(id, user as Order<'putUser'>);
  for (const fault of faults) await api.addFault(fault as Order<'addFault'>);
}
