import { ASSETS } from '../../contract/assets.ts';
import type { Customer } from '../../contract/customers.ts';
import type { Person } from '../../contract/ivms101.ts';
import { natural, personsOf } from '../../contract/persons.ts';
import type { VerifyAccountRequest, VerifyUserRequest } from '../../contract/requests.ts';
import { accountVerification, BORN, userVerification, WANTED } from '../../contract/sample-requests.ts';
import type { VaspVerifyAccountRequest, VaspVerifyUserRequest } from '../../contract/vasp-api.ts';
import type { ModuleContext } from '../context.ts';
import { noticedNow } from '../target.ts';

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

const questionOf = (ctx: ModuleContext, order: DepositRequest) => {
  const { customer, to = ctx.accountOf(customer), accounts = [to], network = networkOf(ctx) } = order;
  const { persons = customerPersons(customer) } = order;
  return {
    vaspId: ctx.world.vaspId,
    symbol: ctx.symbol,
    network,
    beneficiary: { beneficiaryPersons: persons, accountNumber: accounts },
  };
};

export function depositRequest(ctx: ModuleContext, order: DepositRequest): VerifyUserRequest {
  const { customer, amount = ctx.amount, payer = PAYER, wanted = WANTED[customer.kind] } = order;
  const { id, names, accounts } = ctx.user(payer);
  const { lastName = id, firstName = '' } = names as { lastName?: string; firstName?: string };
  return userVerification({
    ...questionOf(ctx, order),
    amount,
    wanted,
    now: noticedNow(ctx.world),
    originator: {
      originatorPersons: [natural(lastName, firstName, { dateAndPlaceOfBirth: BORN })],
      accountNumber: [accounts[ctx.symbol]],
    },
  });
}

export const accountQuestion = (ctx: ModuleContext, order: DepositRequest): VerifyAccountRequest =>
  accountVerification(questionOf(ctx, order));

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
