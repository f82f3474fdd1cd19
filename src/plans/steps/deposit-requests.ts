import { ASSETS } from '../../contract/assets.ts';
import type { Customer } from '../../contract/customers.ts';
import type { Person } from '../../contract/ivms101.ts';
import { natural, personsOf } from '../../contract/persons.ts';
import type { VerifyAccountRequest, VerifyUserRequest } from '../../contract/requests.ts';
import { BORN, userRequest } from '../../contract/sample-requests.ts';
import type { VaspVerifyAccountRequest, VaspVerifyUserRequest } from '../../contract/vasp-api.ts';
import type { ModuleContext } from '../context.ts';

/** Requests of the robot to the tested VASP. */

export const PAYER = 'taylor-robbins';

export interface DepositRequest {
  customer: Customer;
  /** Default: the account of the customer. */
  to?: string;
  /** Default: one, `to`. */
  accounts?: string[];
  /** Default: that of the symbol. Null: none (WIRE-6.3). */
  network?: string | null;
  amount?: string;
  /** Default: the names of the customer. None: an account verification asks about the address only. */
  persons?: Person[];
  payer?: string;
  /** Information codes. Default: name and account number. */
  wanted?: string;
}

/** WIRE-6.3: names are free, so it is the one that this VASP knows. */
const networkOf = ({ symbol, world }: ModuleContext): string =>
  world.networkOf.get(symbol) ?? ASSETS[symbol].networks[0];

export const customerPersons = ({ kind, names }: Customer): Person[] => personsOf({ kind, names });

export function depositRequest(ctx: ModuleContext, order: DepositRequest): VerifyUserRequest {
  const { customer, to = ctx.accountOf(customer), amount = ctx.amount, payer = PAYER } = order;
  const {
    accounts = [to],
    network = networkOf(ctx),
    persons = customerPersons(customer),
    wanted = wantedOf(customer),
  } = order;
  const user = ctx.user(payer);
  const { symbol } = ctx;
  const from = user.accounts[symbol];
  const request = userRequest({
    robotVaspId: ctx.world.vaspId,
    user,
    symbol,
    amount,
    from,
    now: ctx.world.sandboxNow(),
  });
  const { lastName = user.id, firstName = '' } = user.names as { lastName?: string; firstName?: string };
  return {
    ...request,
    requiredBeneficiaryInfo: wanted,
    assetInfo: { ...request.assetInfo, network: network ?? undefined },
    payload: {
      version: '1.0',
      ivms101: {
        originator: {
          originatorPersons: [natural(lastName, firstName, { dateAndPlaceOfBirth: BORN })],
          accountNumber: [from],
        },
        beneficiary: { beneficiaryPersons: persons, accountNumber: accounts },
      },
    },
  };
}

const wantedOf = ({ kind }: Customer): string =>
  kind === 'natural'
    ? 'NATURAL_PERSON_NAME,ACCOUNT_NUMBER'
    : 'LEGAL_PERSON_NAME,CORPORATE_REPRESENTATIVE_NAME,ACCOUNT_NUMBER';

export const accountQuestion = (
  ctx: ModuleContext,
  {
    customer,
    to = ctx.accountOf(customer),
    accounts = [to],
    network = networkOf(ctx),
    persons = customerPersons(customer),
  }: DepositRequest,
): VerifyAccountRequest => ({
  keyType: 'PerVasp',
  beneficiaryVaspId: ctx.world.vaspId,
  symbol: ctx.symbol,
  network: network ?? undefined,
  payload: {
    version: '1.0',
    ivms101: {
      beneficiary: {
        ...(persons.length === 0 ? {} : { beneficiaryPersons: persons }),
        accountNumber: accounts,
      },
    },
  },
});

/** As the enclave sends it. */
export const onTheWire = (
  { world }: ModuleContext,
  { assetInfo, requiredBeneficiaryInfo, payload }: VerifyUserRequest,
  verificationUuid: string,
): VaspVerifyUserRequest => ({
  verificationUuid,
  assetInfo,
  requiredBeneficiaryInfo,
  originatingVaspId: world.robotVaspId,
  ...payload,
});

export const accountOnTheWire = (
  { world }: ModuleContext,
  { symbol, network, payload }: VerifyAccountRequest,
): VaspVerifyAccountRequest => ({ originatingVaspId: world.robotVaspId, symbol, network, ...payload });
