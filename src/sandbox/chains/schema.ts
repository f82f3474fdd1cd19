import * as z from 'zod';
import { ASSET_SYMBOLS, decimalsOfTheAsset, decimalsPattern } from '../../contract/assets.ts';
import { CONTROLS } from '../../contract/chain-controls.ts';
import { AccountNumber, Amount, named, optional, SymbolText, text } from '../../contract/text.ts';
import { calls } from '../../http/endpoint.ts';

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
export const ControlResponse = named('ControlResponse', { symbol: z.string(), control: z.string(), head: Head });

/** `/chains/{symbol}/resume` */
const MAX_ACCEPTED = 1_000;
export const ResumeRequest = z
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
export const ResumeResponse = named('ResumeResponse', {
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
export const FaucetRequest = z
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
export const FaucetResponse = named('FaucetResponse', { txHash: z.string() });

export const chainCalls = calls({
  faucet: { body: FaucetRequest, response: FaucetResponse },
  setControl: { body: z.looseObject({}), bodyMayBeAbsent: true, response: ControlResponse },
  resumeChain: { body: ResumeRequest, bodyMayBeAbsent: true, response: ResumeResponse },
});
