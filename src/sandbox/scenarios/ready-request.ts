import type * as z from 'zod';
import { type AssetSymbol, isAssetSymbol } from '../../contract/assets.ts';
import type { Person } from '../../contract/ivms101.ts';
import { personsOf } from '../../contract/persons.ts';
import { refusals } from '../../contract/refusals.ts';
import type { VerifyAccountRequest, VerifyUserRequest } from '../../contract/requests.ts';
import {
  accountRequest,
  accountVerification,
  BORN,
  CUSTOMER,
  type RobotUser,
  userRequest,
  userVerification,
  WANTED,
} from '../../contract/sample-requests.ts';
import type { CallerId } from '../../contract/tenancy.ts';
import type { SandboxDeps } from '../deps.ts';
import { FOREIGN } from './provocations.ts';
import { READY_OPERATIONS, type ReadyOperation, type ReadyRequestQuery } from './schema.ts';

interface RequestParameters {
  robotVaspId: string;
  vaspId: string;
  user: RobotUser;
  symbol: AssetSymbol;
  amount: string;
  now: number;
  customer: { accountNumber: string[]; beneficiaryPersons: Person[] };
}

const PATHS: Record<ReadyOperation, string> = {
  'verify-account': '/v1/verifications/account',
  'verify-user': '/v1/verifications',
  'robot-verify-account': '/vega/robot/v1.0/action/verifications/account',
  'robot-verify-user': '/vega/robot/v1.0/action/verifications',
};

const BODIES: Record<ReadyOperation, (parameters: RequestParameters) => VerifyUserRequest | VerifyAccountRequest> = {
  'verify-account': accountRequest,
  'verify-user': parameters => userRequest({ ...parameters, from: parameters.customer.accountNumber[0]! }),
  'robot-verify-account': ({ customer, ...question }) => accountVerification({ ...question, beneficiary: customer }),
  'robot-verify-user': ({ user, customer, ...payment }) =>
    userVerification({
      ...payment,
      wanted: WANTED.natural,
      originator: { originatorPersons: personsOf(user).map(withBirth), accountNumber: [user.accounts[payment.symbol]] },
      beneficiary: customer,
    }),
};

const withBirth = (person: Person): Person =>
  person.naturalPerson ? { naturalPerson: { ...person.naturalPerson, dateAndPlaceOfBirth: BORN } } : person;

/** A complete and valid request of the caller. Throws `Refusal` not-found, unknown-symbol. */
export async function readyRequest(
  deps: SandboxDeps,
  operation: string,
  { symbol, user: id, amount, account }: z.output<typeof ReadyRequestQuery>,
  caller: CallerId,
) {
  if (!isReady(operation)) throw refusals.notOneOf('Request', operation, READY_OPERATIONS);
  if (!isAssetSymbol(symbol)) throw refusals.unknownSymbol(symbol);
  const user = (await deps.robot.usersOf(caller)).byId(id);
  if (!user) throw refusals.userNotFound(id);
  return readyCall(deps, operation, { symbol, user, amount, account }, caller);
}

export function readyCall(
  deps: SandboxDeps,
  operation: ReadyOperation,
  {
    symbol,
    user,
    amount,
    account,
  }: Pick<RequestParameters, 'symbol' | 'user' | 'amount'> & { account?: string | undefined },
  caller: CallerId,
) {
  const customer = customerOf(deps, symbol, caller);
  const parameters: RequestParameters = {
    robotVaspId: deps.robot.vaspId,
    vaspId: caller,
    user,
    symbol,
    amount,
    now: deps.clock.now(caller),
    customer: account === undefined ? customer : { ...customer, accountNumber: [account] },
  };
  return { operation, method: 'POST', path: PATHS[operation], body: BODIES[operation](parameters) } as const;
}

const isReady = (operation: string): operation is ReadyOperation => Object.hasOwn(PATHS, operation);

/** A customer of the reference VASP, the beneficiary of the newest verified deposit, or a sample. */
function customerOf(
  { enclave, referenceVasp }: SandboxDeps,
  symbol: AssetSymbol,
  caller: CallerId,
): RequestParameters['customer'] {
  const { vaspId, customers } = referenceVasp.state();
  const own = vaspId === caller ? customers[0] : undefined;
  const account = own?.accounts[symbol];
  if (own && account !== undefined) return { accountNumber: [account], beneficiaryPersons: personsOf(own) };
  const newest = enclave.newestVerified('RECEIVE', caller, symbol);
  const { accountNumber, beneficiaryPersons } = newest?.ivms101Beneficiary ?? {};
  return { accountNumber: accountNumber ?? [FOREIGN[symbol]], beneficiaryPersons: beneficiaryPersons ?? [CUSTOMER] };
}
