import { AMOUNT, robotAccountRequest, robotUserRequest } from '../../contract/sample-requests.ts';
import type { CallerId } from '../../contract/tenancy.ts';
import type { RequestExample } from '../../http/endpoint.ts';
import type { ExamplesByOperation } from '../../http/openapi.ts';
import type { SandboxDeps } from '../deps.ts';
import { readInfo } from '../info.ts';
import { listScenarios } from '../scenarios.ts';
import { FOREIGN, PROVOCATIONS, perSymbol, userFor } from './provocations.ts';

type Examples = Record<string, RequestExample>;
type Scenario = { id: string; how: string; requests?: object };

/** Example requests of the API document that contain users of the robot. */
export async function requestExamples(deps: SandboxDeps, vaspId: CallerId): Promise<ExamplesByOperation> {
  const { users } = await readInfo(deps, vaspId);
  const user = userFor(users, PROVOCATIONS.OK);
  const { scenarios } = await listScenarios(deps, vaspId);
  const examplesOf = (operation: string): Examples =>
    Object.assign({}, ...scenarios.filter(each => each.operation === operation).map(requestsOf));
  return {
    'verify-account': examplesOf('verify-account'),
    'verify-user': examplesOf('verify-user'),
    'robot-verify-account': perSymbol(symbol => ({
      body: robotAccountRequest({ vaspId, symbol, to: FOREIGN[symbol] }),
    })),
    ...(user && {
      'robot-balance': perSymbol(symbol => ({ query: { vaspId, symbol, address: user.accounts[symbol] } })),
      'robot-verify-user': perSymbol(symbol => ({
        body: robotUserRequest({ vaspId, user, symbol, amount: AMOUNT, to: FOREIGN[symbol] }),
      })),
    }),
  };
}

function requestsOf({ id, how, requests = {} }: Scenario): Examples {
  const outcome = id.replace(/^.*: /, '');
  return Object.fromEntries(
    Object.entries(requests).map(([symbol, body]) => [
      `${outcome} with ${symbol}`,
      { summary: `${outcome} with ${symbol}: ${how}`, body },
    ]),
  );
}
