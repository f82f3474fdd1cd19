import type { Answers } from '../../../src/client/client.ts';

export type Entry = Answers['verifications']['verifications'][number];

/** The result of a scenario. `why`: the reason why it was not played. */
export type Outcome = { got: unknown } | { why: string };

/** Why the robot does not pay. */
export const notVerified = (entry: Entry | undefined): string =>
  `your VASP has not verified the payment: ${entry?.result ?? 'OPEN'} ${entry?.reason ?? ''}`.trim();
