import { ASSETS, type AssetSymbol, isNetworkOf, splitAddress } from '../../contract/assets.ts';
import type { Customer } from '../../contract/customers.ts';
import type { Named } from '../../contract/persons.ts';
import { isFilled } from '../../contract/text.ts';
import type { ModuleContext } from '../context.ts';
import { json } from '../evidence.ts';
import { type Condition, onlyIf, planModule } from '../module.ts';
import { resultIn } from '../steps/answers.ts';
import { type ConductMemo, judgeNoFurther, remember } from '../steps/conduct.ts';
import { awaitCall, callsOf, order, shownEnd } from '../steps/driver-acts.ts';
import { tells, valuesOf } from '../steps/told-values.ts';
import { accountCall, orderWithdrawal, type Withdrawal } from '../steps/withdrawals.ts';

export const listOfVasps = planModule({
  id: 'W1',
  title: 'The VASP finds the robot in the list of VASPs',
  needs: ['driver'],
  symbols: [],
  alone: true,
  conditions: {
    asked: { clause: 'WIRE-2.2', text: 'The VASP asks for the list of VASPs.' },
    'before-first': {
      clause: 'WIRE-2.2',
      severity: 'WARNING',
      text: 'It asks before its first verification of this run.',
    },
  },
  async run(ctx) {
    const acting = await order(ctx, {
      action: 'list-vasps',
      parameters: {},
      instruction: 'Ask for the list of VASPs (GET /v1/vasps).',
    });
    const call = await awaitCall(ctx, 'asked', acting, {
      operation: 'list-vasps',
      differences: exchange => (exchange.status === 200 ? [] : undefined),
    });
    ctx.check('asked', true, { expected: 'GET /v1/vasps', got: 'asked', from: [call] });
    const earlier = ['verify-account', 'verify-user']
      .flatMap(operation => ctx.evidence.received(operation))
      .filter(({ id }) => id < call.id);
    ctx.check('before-first', earlier.length === 0, {
      expected: 'no verification before it',
      got: earlier.length === 0 ? 'none' : `${earlier.length} before it`,
      from: earlier,
    });
  },
});

/** W2: account verifications of the tested VASP. A case that is denied begins as a withdrawal: nothing may follow. */

interface Case {
  letter: string;
  title: string;
  accepted: readonly string[];
  symbols?: readonly AssetSymbol[];
  /** The network is wrong on purpose. */
  isNetworkWrong?: true;
  /** Only the name is wrong: a VASP that asks about the address learns it from the user verification. */
  isNameWrong?: true;
  withdrawal(ctx: ModuleContext): Withdrawal;
}

export const STRANGER: Named = { kind: 'natural', names: { lastName: 'Nonesuch', firstName: 'Quentin' } };
const OTHER_NETWORK = 'Solana';
const VERIFIED = ['VERIFIED / OK'];
const ROBBINS = () => ({ payee: 'taylor-robbins' });

const CASES: readonly Case[] = [
  { letter: 'a', title: 'a natural person', accepted: VERIFIED, withdrawal: ROBBINS },
  { letter: 'b', title: 'a legal person', accepted: VERIFIED, withdrawal: () => ({ payee: 'garrit-studio' }) },
  { letter: 'c', title: 'XRP with a destination tag', accepted: VERIFIED, symbols: ['XRP'], withdrawal: ROBBINS },
  {
    letter: 'd',
    title: 'an address of nobody',
    accepted: ['DENIED / UNKNOWN-ADDRESS'],
    withdrawal: ctx => ({ payee: 'taylor-robbins', account: strangeAddress(ctx) }),
  },
  {
    letter: 'e',
    title: 'another name',
    accepted: ['DENIED / MISMATCHED-NAME'],
    isNameWrong: true,
    withdrawal: () => ({ payee: 'taylor-robbins', named: STRANGER }),
  },
  {
    letter: 'f',
    title: 'a user without KYC',
    accepted: ['DENIED / UNVERIFIED-KYC'],
    withdrawal: () => ({ payee: 'ethan-cook' }),
  },
  {
    letter: 'g',
    title: 'an unknown network',
    accepted: ['DENIED / UNKNOWN-NETWORK', 'DENIED / UNKNOWN-SYMBOL'],
    isNetworkWrong: true,
    withdrawal: () => ({ payee: 'taylor-robbins', network: OTHER_NETWORK }),
  },
  {
    letter: 'h',
    title: 'XRP without a destination tag',
    accepted: ['DENIED / UNKNOWN-ADDRESS'],
    symbols: ['XRP'],
    withdrawal: () => ({ payee: 'taylor-robbins', omit: ['destinationTag'] }),
  },
];

/** An address at the robot that belongs to none of its users. */
export function strangeAddress(ctx: ModuleContext): string {
  if (ctx.symbol === 'ETH') return `0x${ctx.world.uuid().replaceAll('-', '')}00000001`;
  const [account] = splitAddress(ctx.user('taylor-robbins').accounts.XRP);
  return `${account}:${4_100_000_000 + Number(ctx.amount.slice(2))}`;
}

const NO_ORIGINATOR: Condition = {
  clause: 'WIRE-2.3',
  text: 'The request tells nothing about the originator, whom nobody needs to know yet.',
};

export const accountVerifications = CASES.map(each =>
  planModule({
    id: `W2.${each.letter}`,
    paysNothing: true,
    title: `The VASP verifies an account: ${each.title}`,
    needs: ['driver'],
    ...(each.symbols ? { symbols: each.symbols } : {}),
    conditions: {
      result: { clause: 'WIRE-2.3', text: `The answer to its call is ${each.accepted.join(' or ')}.` },
      'one-account': { clause: 'WIRE-2.3', text: 'The request has exactly one account number.' },
      ...onlyIf(!each.isNetworkWrong, {
        network: { clause: 'D-07', text: 'The request names the network of the symbol, or none.' },
      }),
      // Of one case is enough.
      ...onlyIf(each.letter === 'a', { 'no-originator': NO_ORIGINATOR }),
      ...onlyIf(isDenied(each), {
        'no-further': { clause: 'WIRE-2.3', text: 'The VASP goes no further: no user verification, no payment.' },
      }),
    },
    run: ctx => play(ctx, each),
    ...(isDenied(each) ? { late: judgeNoFurther } : {}),
  }),
);

function isDenied({ accepted }: Case): boolean {
  return accepted !== VERIFIED;
}

interface AccountRequest {
  network?: unknown;
  payload?: {
    ivms101?: { originator?: unknown; beneficiary?: { accountNumber?: unknown; beneficiaryPersons?: unknown } };
  };
}

async function play(
  ctx: ModuleContext<'result' | 'one-account' | 'network' | 'no-originator' | 'no-further'>,
  each: Case,
): Promise<void> {
  const action = isDenied(each) ? 'withdraw' : 'verify-account';
  const ordered = await orderWithdrawal(ctx, action, each.withdrawal(ctx));
  const exchange = await awaitCall(ctx, 'result', ordered.acting, accountCall(ctx, ordered));
  const from = [exchange];
  const got = resultIn(exchange);
  const request = json(exchange.request) as AccountRequest;
  const { accountNumber: accounts, beneficiaryPersons: persons } = request.payload?.ivms101?.beneficiary ?? {};
  const isByAddress = each.isNameWrong === true && [persons ?? []].flat().length === 0;
  const accepted = isByAddress ? VERIFIED : each.accepted;
  const shown = await shownEnd(ctx, exchange, { answer: got, ...ordered.acting });
  ctx.check('result', accepted.includes(got), { expected: accepted.join(' or '), got, ...shown });
  const isList = Array.isArray(accounts);
  ctx.check('one-account', isList && accounts.length === 1, {
    expected: 'a list of 1',
    got: isList ? `a list of ${accounts.length}` : 'no list',
    from,
  });
  if (!each.isNetworkWrong) {
    const isRight = request.network == null || isNetworkOf(ctx.symbol, String(request.network));
    ctx.check('network', isRight, {
      expected: `${ASSETS[ctx.symbol].networks.join(' or ')}, or none`,
      got: String(request.network ?? 'none'),
      ...(got.endsWith('UNKNOWN-NETWORK') ? shown : { from }),
    });
  }
  const told = toldOfOriginator(request, ordered.customer);
  ctx.check('no-originator', told === undefined, {
    expected: 'nothing about the originator',
    got: told ?? 'nothing',
    from,
  });
  if (!isDenied(each)) return;
  await judgeNoFurther(ctx, remember(ctx, ordered, { mayVerifyUser: isByAddress }));
}

/** Wherever it stands. The beneficiary may have the same name. */
function toldOfOriginator(request: AccountRequest, payer: Customer | undefined): string | undefined {
  const { beneficiary: _, ...others } = request.payload?.ivms101 ?? {};
  if (isFilled(others.originator)) return 'an `originator`';
  const rest = { ...request, payload: { ...request.payload, ivms101: others } };
  return payer && tells(rest, valuesOf(payer)) ? 'the data of the customer who pays' : undefined;
}

const FAILS = {
  target: 'answer.verify-account',
  mode: 'status',
  status: 408,
  code: 'REQUEST-TIMEOUT',
  message: 'timeout of 1000ms exceeded',
} as const;

/** A VASP that asks again is VERIFIED, and may go on. */
export const failedAccountVerification = planModule({
  id: 'W2.i',
  title: 'A withdrawal begins with an account verification that fails: 408 REQUEST-TIMEOUT',
  needs: ['driver'],
  symbols: [],
  alone: true,
  conditions: {
    'no-further': {
      clause: 'WIRE-2.3',
      text: 'The VASP goes no further, unless it asks again and the account is VERIFIED.',
    },
  },
  async run(ctx) {
    await ctx.fault({ ...FAILS, times: 1 });
    const ordered = await orderWithdrawal(ctx, 'withdraw', { payee: 'monitoring-fails' });
    const failed = await awaitCall(ctx, 'no-further', ordered.acting, accountCall(ctx, ordered));
    if (failed.status !== FAILS.status) ctx.missesPremise('The account verification did not fail.');
    await judgeUnverified(ctx, remember(ctx, ordered));
  },
  late: judgeUnverified,
});

async function judgeUnverified(ctx: ModuleContext<'no-further'>, memo: ConductMemo): Promise<void> {
  const isVerified = callsOf(ctx, accountCall(ctx, memo)).some(each => resultIn(each) === VERIFIED[0]);
  if (isVerified) return void ctx.check('no-further', true, { expected: 'VERIFIED', got: 'VERIFIED later' });
  await judgeNoFurther(ctx, memo);
}
