import type { RobotUser } from '../client/answers.ts';
import { robotUserRequest, userRequest } from '../contract/sample-requests.ts';
import { FOREIGN } from '../sandbox/scenarios/provocations.ts';
import { changed } from './change.ts';
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
