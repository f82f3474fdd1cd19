import { type FaultMode, type FaultTarget, modesOf } from '../../fault-injection/targets.ts';
import { scenarioId } from '../scenarios/schema.ts';

/** One target of each kind. `answer` and `callback` include their operations and types. */
const KINDS: readonly FaultTarget[] = [
  'answer',
  'robot.verifyUser',
  'robot.verifyAccount',
  'robot.transactionStatus',
  'callback',
];
const PARAMETERS: { readonly [M in FaultMode]?: object } = {
  delay: { delay: '500ms' },
  status: { status: 503 },
};

/** Entries of the catalogue: a fault and its effect. `user`: a user that is VERIFIED without a fault. */
export const faultScenarios = (user: string) =>
  KINDS.flatMap(target =>
    modesOf(target).map(({ mode, meaning }) => ({
      id: scenarioId('fault', `${target} ${mode}`),
      operation: target,
      user,
      how: meaning,
      fault: { target, mode, ...PARAMETERS[mode], times: 1 },
    })),
  );
