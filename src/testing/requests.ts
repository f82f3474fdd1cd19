import type { RobotUser } from '../client/answers.ts';
import { robotUserRequest, userRequest } from '../contract/sample-requests.ts';
import { FOREIGN } from '../sandbox/scenarios/provocations.ts';
import { type NamesOf, requireKnown } from './known-names.ts';
import type { RequestInput, RobotRequests } from './robot.ts';

const INPUT: NamesOf<RequestInput> = { symbol: true, amount: true, user: true, with: true };
const USER = 'taylor-robbins';
const AMOUNT = '0.024';

interface Parties {
  vaspId: string;
  robotVaspId: string;
  user(id: string): RobotUser;
}

export const requestsOf = ({ vaspId, robotVaspId, user }: Parties): RobotRequests => ({
  withdrawal(input = {}) {
    requireKnown('requests.withdrawal', input, { ...INPUT, from: true });
    const { symbol = 'ETH', amount = AMOUNT, user: id = USER, from = FOREIGN[symbol], with: changes } = input;
    return changed(userRequest({ robotVaspId, user: user(id), symbol, amount, from }), changes);
  },
  deposit(input = {}) {
    requireKnown('requests.deposit', input, { ...INPUT, to: true });
    const { symbol = 'ETH', amount = AMOUNT, user: id = USER, to = FOREIGN[symbol], with: changes } = input;
    return changed(robotUserRequest({ vaspId, user: user(id), symbol, amount, to }), changes);
  },
});

/** Changes members of a request by their paths, such as `assetInfo.network` or `originator.originatorPersons[0]`. */

const SHORT: Record<string, string> = {
  originator: 'payload.ivms101.originator',
  beneficiary: 'payload.ivms101.beneficiary',
};
type Container = Record<string, unknown>;

/** `undefined` removes the member. Throws `RangeError` where the path leads nowhere: a mistyped change would test nothing. */
function changed<R extends object>(request: R, changes: Readonly<Record<string, unknown>> = {}): R {
  const copy = structuredClone(request);
  for (const [path, value] of Object.entries(changes)) change(copy as Container, path, value);
  return copy;
}

function change(request: Container, path: string, value: unknown): void {
  const names = namesOf(path);
  const last = names.pop()!;
  const container = names.reduce<unknown>((part, name) => {
    const inside = isContainer(part) ? part[name] : undefined;
    if (isContainer(inside)) return inside;
    const members = isContainer(part) ? Object.keys(part).join(', ') : 'none';
    throw new RangeError(`with: \`${path}\` leads nowhere. Instead of \`${name}\` there is: ${members}`);
  }, request) as Container;
  if (value === undefined) delete container[last];
  else container[last] = structuredClone(value);
}

function namesOf(path: string): string[] {
  const [first = '', ...others] = path.replace(/\[(\d+)\]/g, '.$1').split('.');
  return [...(SHORT[first] ?? first).split('.'), ...others];
}

const isContainer = (part: unknown): part is Container => typeof part === 'object' && part !== null;
