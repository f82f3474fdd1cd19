import * as z from 'zod';
import { type Chain, ChainUnreachable, type Cursor } from '../chains/port.ts';
import {
  ASSET_SYMBOLS,
  ASSETS,
  type AssetSymbol,
  accountProblem,
  addressText,
  CONTROLS,
  decimalsOfTheAsset,
  decimalsPattern,
  isAssetSymbol,
} from '../contract/assets.ts';
import { Refusal, refusals } from '../contract/refusals.ts';
import type { CallerId } from '../contract/tenancy.ts';
import { AccountNumber, Amount, named, optional, SymbolText, text } from '../contract/text.ts';
import { write } from '../db/transaction.ts';
import { calls, control, type Endpoint } from '../http/endpoint.ts';
import { parseUnits } from '../kernel/decimal.ts';
import { pause } from '../timers/loop.ts';
import type { EthereumControls, Network, SandboxDeps, Sending, XrplControls } from './deps.ts';

const RESUME =
  'D-33: a chain that was reset, or lost its state, is neither read nor paid on until this call. Open verifications on it end as ERROR / UNDEFINED-ERROR, unfinished transfers become CANCELED, deposits stay as history, and balances start at zero. D-47: an account of the robot that has made payments which no transfer explains pays nothing. The answer lists them as `held`, and only those that `accept` names hold no more.';
type ChainControl = keyof (typeof CONTROLS)['ETH'] | keyof (typeof CONTROLS)['XRP'];
const CONTROL_SUMMARIES: Readonly<Record<ChainControl, string>> = {
  mine: 'mine empty blocks',
  reorg: 'replace the newest blocks',
  drop: 'lose a transaction that waits, or the next one',
  hold: 'keep blocks empty until told otherwise',
  'fee-spike': 'raise the base fee of the next block',
  'start-over': 'begin with a new chain',
  close: 'close the ledger',
  delay: 'take the next submission into a later ledger',
  reorder: 'reverse the order of the next ledger',
  'load-factor': 'raise the minimum fee',
  'forget-history': 'delete old ledgers',
};

/** The chains. Only `resume` concerns chains that are reached by URL. */
export const chainEndpoints = (deps: SandboxDeps): Endpoint[] => [
  control(chainCalls.faucet, {
    access: 'vasp or operator',
    summary: 'Fund an address on an embedded chain',
    refusals: ['unknown-symbol', 'unknown-address', 'embedded-only', 'chain-refused', 'faucet-unreachable'],
    run: ({ body }, caller) => fundAddress(deps, body, caller),
  }),
  control(chainCalls.resumeChain, {
    access: 'operator',
    summary: 'Go on with a chain that started over, or with held accounts',
    description: RESUME,
    refusals: ['unknown-symbol', 'chain-unreachable'],
    examples: { default: { params: { symbol: 'ETH' }, body: {} } },
    run: ({ params, body }) => resumeRestarted(deps, params.symbol, body.accept),
  }),
  ...controls.map(({ symbol, control: name, shape, example }) =>
    control(
      { ...chainCalls.setControl, path: `/sandbox/v1/chains/${symbol}/${name}`, body: shape },
      {
        access: 'operator',
        summary: `${symbol}: ${CONTROL_SUMMARIES[name as ChainControl]}`,
        refusals: ['embedded-only', 'chain-unreachable', 'chain-refused'],
        ...(symbol === 'ETH' && name === 'drop' ? { precondition: 'transaction-waits' as const } : {}),
        examples: { [`${symbol} ${name}`]: { body: example } },
        run: ({ body }) => setControl(deps, symbol, name, body),
      },
    ),
  ),
  control(chainCalls.setControl, {
    access: 'operator',
    summary: 'Refuses a chain control that does not exist, and names those that do',
    refusals: ['unknown-symbol', 'embedded-only', 'not-found'],
    alwaysRefuses: true,
    examples: { default: { params: { symbol: 'ETH', control: 'close' } } },
    run({ params: { symbol, control } }) {
      if (!isAssetSymbol(symbol)) throw refusals.unknownSymbol(symbol);
      embedded(deps, symbol);
      throw refusals.notOneOf('ChainControl', control, Object.keys(CONTROLS[symbol]));
    },
  }),
];

/** A run of another VASP holds a ledger for a few seconds. */
const HELD_MS = 8_000;

/** Funds an address on an embedded chain, or lets a payment to it fail. Resolves when the transfer is final, or waits in a held one. Throws `Refusal`. */
async function fundAddress(
  deps: SandboxDeps,
  { symbol, address, amount, fails = false, delivered, token = false, others }: z.output<typeof FaucetRequest>,
  caller: CallerId,
) {
  if (!isAssetSymbol(symbol)) throw refusals.unknownSymbol(symbol);
  const network = deps.networks[symbol];
  if (!network.fund) throw refusals.embeddedOnly();
  if (delivered !== undefined && symbol !== 'XRP')
    throw refusals.invalidField('delivered', 'should be absent: only the XRP Ledger has partial payments');
  const units = unitsOf(symbol, 'amount', amount);
  const part = delivered === undefined ? undefined : unitsOf(symbol, 'delivered', delivered);
  if (part !== undefined && part >= units) throw refusals.invalidField('delivered', 'should be less than `amount`');
  if (token && symbol !== 'ETH')
    throw refusals.invalidField('token', 'should be absent: an account of the XRP Ledger trusts no token by itself');
  if (others && symbol !== 'ETH')
    throw refusals.invalidField('others', 'should be absent: a payment of XRP pays one account');
  const chain = await network.chain();
  const accountOf = (field: string, text: string) => {
    const problem = accountProblem(symbol, text);
    if (problem) throw refusals.unknownAddress(field, problem);
    return chain.parseAddress(text)!;
  };
  const to = accountOf('address', address);
  const further = others?.map((each, index) => ({
    account: accountOf(`others[${index}].address`, each.address).account,
    amount: unitsOf(symbol, `others[${index}].amount`, each.amount),
  }));
  const options = {
    fails,
    token,
    before: (transaction: Sending) => deps.beforeSending(transaction, caller),
    ...(part === undefined ? {} : { delivered: part }),
    ...(further ? { others: further } : {}),
  };
  await deps.held.whenFree(symbol, caller, HELD_MS);
  const funded = await network.fund(to.account, to.tag, units, options);
  if (funded.isUnreachable) throw refusals.faucetUnreachable(symbol);
  if (funded.refused !== undefined && funded.isClosed)
    throw refusals.chainRefused('symbol', `cannot be paid now: ${funded.refused}`);
  if (funded.refused !== undefined) throw refusals.chainRefused('amount', `was refused: ${funded.refused}`);
  return { txHash: funded.txHash };
}

/** Throws `Refusal` invalid-field. */
export function unitsOf(symbol: AssetSymbol, field: string, amount: string): bigint {
  const { decimals } = ASSETS[symbol];
  const units = parseUnits(amount, decimals);
  if (typeof units === 'bigint') return units;
  throw refusals.invalidField(field, `should have at most ${decimals} decimals`);
}

/** The newest block that the robot has read. It reads first. */
type LastRead = () => Promise<number>;

type Actions<S extends AssetSymbol, ChainControls> = {
  readonly [K in keyof (typeof CONTROLS)[S]]: (
    controls: ChainControls,
    parameters: z.output<Extract<(typeof CONTROLS)[S][K], z.ZodType>>,
    lastRead: LastRead,
  ) => unknown;
};

const ETHEREUM: Actions<'ETH', EthereumControls> = {
  mine: (node, { blocks = 1 }) => node.mine(blocks),
  reorg: (node, { depth, moved = false }) => node.reorg(depth, moved),
  async drop(node, { txHash }) {
    if (!(await node.drop(txHash))) throw new Error('no transaction of this hash waits for a block');
  },
  hold: (node, { on }) => node.hold(on),
  'fee-spike': (node, { baseFee }) => node.feeSpike(BigInt(baseFee)),
  'start-over': node => node.startOver(),
};

const XRPL: Actions<'XRP', XrplControls> = {
  close: ledger => ledger.close(),
  hold: (ledger, { on }) => ledger.hold(on),
  drop: ledger => ledger.dropNext(),
  delay: (ledger, { closes }) => ledger.delayNext(closes),
  reorder: ledger => ledger.reorderNextClose(),
  'load-factor': (ledger, { factor }) => ledger.loadFactor(factor),
  // The robot skips no ledger: without the one that it has read last it never reads on.
  'forget-history': async (ledger, { upTo }, lastRead) => ledger.forgetHistory(Math.min(upTo, (await lastRead()) - 1)),
  'start-over': ledger => ledger.startOver(),
};

type Action = (controls: unknown, parameters: object, lastRead: LastRead) => unknown;
const ACTIONS = { ETH: ETHEREUM, XRP: XRPL } as Record<AssetSymbol, Record<string, Action>>;

function embedded(deps: SandboxDeps, symbol: AssetSymbol) {
  const network = deps.networks[symbol];
  if (!network.controls) throw refusals.embeddedOnly();
  return network;
}

/** Turns a chain control of an embedded chain, then lets the robot read the result. Throws `Refusal`. */
async function setControl(deps: SandboxDeps, symbol: AssetSymbol, control: string, parameters: object) {
  const network = embedded(deps, symbol);
  const action = ACTIONS[symbol][control]!;
  const lastRead = async () => {
    await network.sync();
    return deps.robot.readPosition(symbol)?.height ?? 0;
  };
  const turn = async () => action(await network.controls!(), parameters, lastRead);
  try {
    await (control === 'start-over' ? startOver(deps, symbol, turn) : turn());
  } catch (error) {
    if (error instanceof Refusal) throw error;
    const [field = 'body'] = Object.keys(parameters);
    throw refusals.chainRefused(field, `was refused by the chain: ${(error as Error).message}`);
  }
  await network.sync();
  return { symbol, control, head: await headOf(network) };
}

/** A node that starts over refuses connections for a moment. */
const ATTEMPTS = 50;
const BETWEEN_ATTEMPTS_MS = 100;

const NOTHING = { endedVerifications: 0, canceledTransfers: 0 };
type Resumed = typeof NOTHING;

const MAX_HELD = 100;

/** D-33: goes on with a chain that started over. D-47: lets go of the payments that `accept` names. Throws `Refusal`. */
async function resumeRestarted(deps: SandboxDeps, symbol: string, accept: readonly string[] = []) {
  if (!isAssetSymbol(symbol)) throw refusals.unknownSymbol(symbol);
  const network = deps.networks[symbol];
  await network.sync();
  const notice = deps.robot.restartNotice(symbol);
  const resumed = notice === undefined ? NOTHING : await network.whileNotRead(() => resume(deps, symbol));
  const [unknown] = write(deps.db, tx => deps.robot.acceptPayments(tx, symbol, accept));
  if (unknown !== undefined)
    throw refusals.invalidField('accept', `names ${unknown.slice(0, 200)}, which holds no account on ${symbol}`);
  return {
    symbol,
    resumed: notice !== undefined || accept.length > 0,
    ...resumed,
    releasedPayments: accept.length,
    held: deps.robot.listHeldPayments(symbol).slice(0, MAX_HELD).map(shown),
    head: await headOf(network),
  };
}

const shown = ({ name, account, sequence: number, paid }: ReturnType<SandboxDeps['robot']['listHeldPayments']>[0]) => ({
  name,
  account: addressText(account),
  number,
  to: paid?.to ?? null,
  amount: paid?.amount ?? null,
  reference: paid?.reference ?? null,
});

/** D-33: makes an embedded chain start over and goes on with it. */
const startOver = (deps: SandboxDeps, symbol: AssetSymbol, restart: () => Promise<unknown>): Promise<Resumed> =>
  deps.networks[symbol].whileNotRead(async () => {
    deps.robot.stopPaying(symbol);
    await restart();
    return resume(deps, symbol);
  });

async function resume(deps: SandboxDeps, symbol: AssetSymbol): Promise<Resumed> {
  const chain = await deps.networks[symbol].chain();
  const beginning = await beginningOf(chain).catch(error => {
    if (!(error instanceof ChainUnreachable)) throw error;
    throw refusals.chainUnreachable(symbol, error.message);
  });
  await deps.robot.walletsAtRest(symbol);
  return write(deps.db, tx => {
    const cause = `CHAIN-RESTARTED: the chain of ${symbol} started over`;
    const canceledTransfers = deps.robot.resumeChain(tx, symbol, beginning, cause);
    const { isPaid } = deps.robot;
    const ended = deps.enclave.endVerificationsOn(tx, symbol, cause, isPaid);
    return { endedVerifications: ended + canceledTransfers, canceledTransfers };
  });
}

async function beginningOf(chain: Chain): Promise<Cursor> {
  for (let attempt = 1; ; attempt++)
    try {
      return await chain.beginning();
    } catch (error) {
      if (attempt === ATTEMPTS || !(error instanceof ChainUnreachable)) throw error;
      await pause(BETWEEN_ATTEMPTS_MS);
    }
}

/** Null: the node does not answer. */
async function headOf(network: Network) {
  const chain = await network.chain();
  const head = await chain.head().catch(() => undefined);
  return head ? { height: head.height, hash: head.hash } : null;
}

/** In ms. The first block of an embedded chain has a made-up time, so the chain is as old as its first transaction. */
export function headAge(
  head: { height: number; at: number } | undefined,
  isEmbedded: boolean,
  now: number,
): number | null {
  if (!head) return null;
  return isEmbedded && head.height === 0 ? 0 : Math.max(0, now - head.at);
}

/** `/chains/{symbol}/{control}` */

/** Default: no parameters. `ETH drop` has no example: it needs a transaction that waits for a block. */
const EXAMPLES: Readonly<Record<string, object>> = {
  'ETH mine': { blocks: 3 },
  'ETH reorg': { depth: 1, moved: true },
  'ETH hold': { on: false },
  'ETH drop': { txHash: '0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b' },
  'ETH fee-spike': { baseFee: '2000000000' },
  'XRP hold': { on: false },
  'XRP delay': { closes: 2 },
  'XRP load-factor': { factor: 1 },
  'XRP forget-history': { upTo: 1 },
};

export const controls = ASSET_SYMBOLS.flatMap(symbol =>
  Object.entries(CONTROLS[symbol] as Readonly<Record<string, z.ZodType<object>>>).map(([control, shape]) => ({
    symbol,
    control,
    shape,
    example: EXAMPLES[`${symbol} ${control}`] ?? {},
  })),
);

const Head = z
  .object({ height: z.number().int(), hash: z.string() })
  .nullable()
  .describe('The newest block or ledger afterwards; null: the node does not answer.');

/** `/chains/{symbol}/resume` */
const MAX_ACCEPTED = 1_000;
const ResumeRequest = z
  .looseObject({
    accept: optional(z.array(text(200)).max(MAX_ACCEPTED)).describe(
      'D-47: the payments that hold an account of the robot and that you let go of, each by its `name` in `held`. Default: none.',
    ),
  })
  .meta({ id: 'ResumeRequest', description: 'What the operator lets go of.' });
const HeldPayment = named('HeldPayment', {
  name: z
    .string()
    .describe('Hash of the payment; or `<account>/<first>-<last>`: numbers whose payments were not found.'),
  account: z.string().describe('The account of the robot. It pays nothing.'),
  number: z.number().int().describe('Its number: the nonce, or the Sequence.'),
  to: z.string().nullable().describe('The recipient; null: not found.'),
  amount: z.string().nullable().describe('In whole coins; null: not found.'),
  reference: z.string().nullable().describe('XRP Ledger: the InvoiceID, which names its transfer.'),
});
const ResumeResponse = named('ResumeResponse', {
  symbol: z.string(),
  resumed: z.boolean().describe('false: nothing was held, so nothing was changed.'),
  endedVerifications: z.number().int().describe('Verifications that ended as ERROR.'),
  canceledTransfers: z.number().int().describe('Transfers of the robot that became CANCELED.'),
  releasedPayments: z
    .number()
    .int()
    .describe('Payments that were accepted. A transfer that one of them has paid still finds it.'),
  held: z
    .array(HeldPayment)
    .describe('What still holds accounts, oldest first, at most 100. Accept each by its `name`.'),
  head: Head,
});

const MAX_OTHERS = 8;

/** `/faucet` */
const FaucetRequest = z
  .object({
    symbol: SymbolText,
    address: AccountNumber,
    amount: Amount,
    fails: optional(z.boolean()).describe(
      'true: the transaction gets into the ledger and fails there, so nothing arrives. With `others` the transaction succeeds, and the call in it that pays is reverted. Default: it pays.',
    ),
    token: optional(z.boolean()).describe(
      'true: no ETH moves. A contract says in the Transfer event of ERC-20 that it has paid `amount` of its token. Ethereum only.',
    ),
    delivered: optional(Amount).describe(
      'XRP only: a partial payment that states `amount` and delivers this, which is less.',
    ),
    others: optional(
      z
        .array(z.object({ address: AccountNumber, amount: Amount.meta({ pattern: decimalsPattern('ETH') }) }))
        .min(1)
        .max(MAX_OTHERS),
    ).describe('Ethereum only: a contract makes these payments too, in the same transaction.'),
  })
  .meta({
    id: 'FaucetRequest',
    description: 'Funds an address on an embedded chain.',
    ...decimalsOfTheAsset('amount', 'delivered'),
  });

export const chainCalls = calls({
  faucet: { body: FaucetRequest, response: named('FaucetResponse', { txHash: z.string() }) },
  setControl: {
    body: z.looseObject({}),
    bodyMayBeAbsent: true,
    response: named('ControlResponse', { symbol: z.string(), control: z.string(), head: Head }),
  },
  resumeChain: { body: ResumeRequest, bodyMayBeAbsent: true, response: ResumeResponse },
});
