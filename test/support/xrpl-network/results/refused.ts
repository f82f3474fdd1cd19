import { payment, XRP } from '../network.ts';
import {
  named,
  pay,
  paymentsOnly,
  type Row,
  row,
  sequenceOf,
  settings,
  soon,
  type Told,
  tickets,
  usd,
  ZERO,
} from './row.ts';

const PAST_SEQ: Told = [-190, 'This sequence number has already passed.'];
const NO_TICKET: Told = [-180, 'Ticket is not in ledger.'];
const BAD_AMOUNT: Told = [-298, 'Malformed: Bad amount.'];
const INVALID_FLAG: Told = [-276, 'The transaction has an invalid flag.'];
const INVALID_COUNT: Told = [-266, 'Malformed: Count field outside valid range.'];
const DISABLED: Told = [-273, 'The transaction requires logic that is currently disabled.'];

/**
 * XRPL-4.2: what leaves everything as it was. Missing: telNO_DST_PARTIAL (shadowed by temBAD_SEND_XRP_PARTIAL), tefALREADY
 * (shadowed by tefPAST_SEQ); terQUEUED and temBAD_SIGNATURE have tests of their own.
 */
export const REFUSED_ROWS: readonly Row[] = [
  row('tefPAST_SEQ', PAST_SEQ, 'a Sequence that was used', async ({ alice, bob }, network) =>
    payment(alice, bob.classicAddress, 1n, { Sequence: (await sequenceOf(network, alice)) - 1 }),
  ),
  row(
    'tefMAX_LEDGER',
    [-187, 'Ledger sequence too high.'],
    'LastLedgerSequence has passed',
    async ({ alice, bob }, network) =>
      payment(alice, bob.classicAddress, 1n, { LastLedgerSequence: await network.validatedIndex() }),
  ),
  row('tefBAD_AUTH', [-196, "Transaction's public key is not authorized."], "another account's key", pay(), {
    signer: ({ bob }) => bob,
  }),
  row('tefMASTER_DISABLED', [-188, 'Master key is disabled.'], 'the disabled master key', ({ locked, bob }) =>
    payment(locked, bob.classicAddress, 1n),
  ),
  row('tefNO_TICKET', NO_TICKET, 'a ticket that was used', ({ holder, bob, usedTicket }) =>
    payment(holder, bob.classicAddress, 2n, { Sequence: 0, TicketSequence: usedTicket }),
  ),
  row('tefNO_TICKET', NO_TICKET, 'a ticket that was never made', pay({ Sequence: 0, TicketSequence: 1 })),
  row(
    'tefWRONG_PRIOR',
    [-189, 'This previous transaction does not match.'],
    'another predecessor',
    pay({ AccountTxnID: 'AB'.repeat(32) }),
  ),
  row(
    'terPRE_SEQ',
    [-92, 'Missing/inapplicable prior transaction.'],
    'a Sequence to come',
    async ({ alice, bob }, network) =>
      payment(alice, bob.classicAddress, 1n, {
        Sequence: (await sequenceOf(network, alice)) + 9,
        ...(await soon(network)),
      }),
  ),
  row('terPRE_TICKET', [-88, 'Ticket is not yet in ledger.'], 'a ticket to come', async ({ alice, bob }, network) =>
    payment(alice, bob.classicAddress, 1n, {
      Sequence: 0,
      TicketSequence: (await sequenceOf(network, alice)) + 9,
      ...(await soon(network)),
    }),
  ),
  row(
    'terNO_ACCOUNT',
    [-96, 'The source account does not exist.'],
    'no such source',
    async ({ nobody, bob }, network) => payment(nobody, bob.classicAddress, 1n, await soon(network)),
  ),
  row(
    'terINSUF_FEE_B',
    [-97, "Account balance can't pay fee."],
    'a fee above the balance',
    async ({ poor, bob }, network) =>
      payment(poor, bob.classicAddress, 1n, { Fee: String(3n * XRP), ...(await soon(network)) }),
  ),
  row(
    'telINSUF_FEE_P',
    [-394, 'Fee insufficient.'],
    'one drop less than the base fee',
    async ({ alice, bob }, network) =>
      payment(alice, bob.classicAddress, 1n, { Fee: String(network.facts.baseFee - 1n), ...(await soon(network)) }),
  ),
  row(
    'telWRONG_NETWORK',
    [-386, 'Transaction specifies a Network ID that differs from that of the local node.'],
    'another NetworkID',
    pay({ NetworkID: 5_000 }),
    { only: named },
  ),
  row(
    'telREQUIRES_NETWORK_ID',
    [-385, 'Transactions submitted to this node/network must include a correct NetworkID field.'],
    'no NetworkID',
    pay({ NetworkID: undefined }),
    { only: named },
  ),
  row(
    'telNETWORK_ID_MAKES_TX_NON_CANONICAL',
    [-384, 'Transactions submitted to this node/network must NOT include a NetworkID field.'],
    'its own NetworkID',
    ({ alice, bob }, { facts }) => payment(alice, bob.classicAddress, 1n, { NetworkID: facts.networkId }),
    { only: network => !named(network) },
  ),
  row('telBAD_DOMAIN', [-398, 'Domain too long.'], 'a Domain of 257 bytes', settings({ Domain: 'AB'.repeat(257) })),
  row('telBAD_PUBLIC_KEY', [-396, 'Public key is not valid.'], 'a message key', settings({ MessageKey: 'ABCD' })),
  row('temBAD_AMOUNT', BAD_AMOUNT, 'nothing', pay({ Amount: '0' })),
  row('temBAD_AMOUNT', BAD_AMOUNT, 'DeliverMin without partial payment', pay({ DeliverMin: '1' })),
  row(
    'temBAD_SEND_XRP_PARTIAL',
    [-285, 'Malformed: Partial payment is not allowed for XRP to XRP.'],
    'tfPartialPayment',
    pay({ Flags: 0x0002_0000 }),
  ),
  row(
    'temBAD_SEND_XRP_MAX',
    [-287, 'Malformed: Send max is not allowed for XRP to XRP.'],
    'SendMax',
    pay({ SendMax: '5' }),
  ),
  row('temBAD_SEND_XRP_PATHS', [-284, 'Malformed: Paths are not allowed for XRP to XRP.'], 'Paths', cast =>
    pay({ Paths: [[{ account: cast.bob.classicAddress, type: 1 }]] })(cast),
  ),
  row(
    'temBAD_SEND_XRP_NO_DIRECT',
    [-286, 'Malformed: No Ripple direct is not allowed for XRP to XRP.'],
    'tfNoRippleDirect',
    pay({ Flags: 0x0001_0000 }),
  ),
  row(
    'temBAD_SEND_XRP_LIMIT',
    [-288, 'Malformed: Limit quality is not allowed for XRP to XRP.'],
    'tfLimitQuality',
    pay({ Flags: 0x0004_0000 }),
  ),
  row('temREDUNDANT', [-275, 'The transaction is redundant.'], 'to itself', ({ alice }) =>
    payment(alice, alice.classicAddress, 1n),
  ),
  row('temDST_NEEDED', [-278, 'Destination not specified.'], 'to the zero account', ({ alice }) =>
    payment(alice, ZERO, 1n),
  ),
  row('temBAD_FEE', [-295, 'Invalid fee, negative or not XRP.'], 'a fee in tokens', cast =>
    pay({ Fee: usd(cast) })(cast),
  ),
  row(
    'temSEQ_AND_TICKET',
    [-263, 'Transaction contains a TicketSequence and a non-zero Sequence.'],
    'a ticket and a Sequence',
    pay({ TicketSequence: 1 }),
  ),
  row(
    'temINVALID',
    [-277, 'The transaction is ill-formed.'],
    'a ticket and a predecessor',
    pay({ Sequence: 0, TicketSequence: 1, AccountTxnID: 'AB'.repeat(32) }),
  ),
  row('temINVALID_FLAG', INVALID_FLAG, 'an unknown flag', pay({ Flags: 1 })),
  row('temINVALID_FLAG', INVALID_FLAG, 'the flag of an inner transaction', pay({ Flags: 0x4000_0000 })),
  row(
    'temBAD_TRANSFER_RATE',
    [-280, 'Malformed: Transfer rate must be >= 1.0 and <= 2.0'],
    'a rate below one',
    settings({ TransferRate: 999_999_999 }),
  ),
  row(
    'temBAD_REGKEY',
    [-289, 'Malformed: Regular key cannot be same as master key.'],
    'the master key',
    ({ alice: { classicAddress } }) => ({
      TransactionType: 'SetRegularKey',
      Account: classicAddress,
      RegularKey: classicAddress,
    }),
  ),
  row('temINVALID_FLAG', INVALID_FLAG, 'set and clear the same', settings({ SetFlag: 1, ClearFlag: 1 })),
  row('temINVALID_FLAG', INVALID_FLAG, 'contradicting flags', settings({ SetFlag: 1, Flags: 0x0002_0000 })),
  row('temINVALID_COUNT', INVALID_COUNT, 'no ticket', tickets(0)),
  row('temINVALID_COUNT', INVALID_COUNT, '251 tickets', tickets(251)),
  row('temBAD_SRC_ACCOUNT', [-281, 'Malformed: Bad source account.'], 'from the zero account', ({ alice, bob }) => ({
    ...payment(alice, bob.classicAddress, 1n),
    Account: ZERO,
  })),
  row(
    'temDISABLED',
    DISABLED,
    'a type that is not offered',
    ({ alice }) => ({ TransactionType: 'CheckCancel', Account: alice.classicAddress, CheckID: 'AB'.repeat(32) }),
    { only: paymentsOnly },
  ),
  row(
    'temDISABLED',
    DISABLED,
    'a token for another token',
    cast => ({
      ...payment(cast.alice, cast.strict.classicAddress, 1n, { DestinationTag: 1 }),
      Amount: usd(cast),
      SendMax: { ...usd(cast), currency: 'EUR' },
    }),
    { only: paymentsOnly },
  ),
];
