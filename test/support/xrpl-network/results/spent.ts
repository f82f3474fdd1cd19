import { payment, XRP } from '../network.ts';
import { pay, type Row, row, sequenceOf, settings, spendable, type Told, tickets, usd } from './row.ts';

const SUCCESS: Told = [0, 'The transaction was applied. Only final in a validated ledger.'];
const UNFUNDED: Told = [104, 'Insufficient XRP balance to send.'];
const TAG_NEEDED: Told = [143, 'A destination tag is required.'];

/** XRPL-4.2: what enters the ledger. Missing: tecINSUFF_FEE, which only an unlucky order at a close makes. */
export const SPENT_ROWS: readonly Row[] = [
  row('tesSUCCESS', SUCCESS, 'all is well', pay({ Amount: String(3n * XRP) })),
  row('tesSUCCESS', SUCCESS, 'a fee above the base fee is taken whole', pay({ Fee: '5000' })),
  row('tesSUCCESS', SUCCESS, 'tag 0 is a tag', ({ alice, strict }) =>
    payment(alice, strict.classicAddress, XRP, { DestinationTag: 0 }),
  ),
  row('tesSUCCESS', SUCCESS, 'a ticket', async ({ holder, bob }, network) =>
    payment(holder, bob.classicAddress, XRP, { Sequence: 0, TicketSequence: (await sequenceOf(network, holder)) - 2 }),
  ),
  row('tesSUCCESS', SUCCESS, 'the regular key', ({ keyed, bob }) => payment(keyed, bob.classicAddress, XRP), {
    signer: ({ key }) => key,
  }),
  row('tesSUCCESS', SUCCESS, 'all above the reserve; the fee may dip into it', async ({ spender, bob }, network) =>
    payment(spender, bob.classicAddress, await spendable(network, spender)),
  ),
  row('tecUNFUNDED_PAYMENT', UNFUNDED, 'one drop of the reserve', async ({ holder, bob }, network) =>
    payment(holder, bob.classicAddress, (await spendable(network, holder)) + 1n),
  ),
  row('tecUNFUNDED_PAYMENT', UNFUNDED, 'all that there is', async ({ alice, bob }, network) =>
    payment(alice, bob.classicAddress, await network.balance(alice.classicAddress)),
  ),
  row(
    'tecNO_DST_INSUF_XRP',
    [125, 'Destination does not exist. Too little XRP sent to create it.'],
    'one drop less than the reserve',
    ({ alice, nobody }, { facts }) => payment(alice, nobody.classicAddress, facts.reserveBase - 1n),
  ),
  row('tecNO_DST', [124, 'Destination does not exist. Send XRP to create it.'], 'tokens to nobody', cast => ({
    ...payment(cast.alice, cast.nobody.classicAddress, 1n),
    Amount: usd(cast),
  })),
  row('tecDST_TAG_NEEDED', TAG_NEEDED, 'no tag', ({ alice, strict }) => payment(alice, strict.classicAddress, XRP)),
  row('tecDST_TAG_NEEDED', TAG_NEEDED, 'no tag, and more than there is', ({ alice, strict }) =>
    payment(alice, strict.classicAddress, 1_000_000n * XRP),
  ),
  row('tecNO_PERMISSION', [139, 'No permission to perform requested operation.'], 'DepositAuth', ({ alice, shy }) =>
    payment(alice, shy.classicAddress, XRP),
  ),
  row(
    'tecINSUFFICIENT_RESERVE',
    [141, 'Insufficient reserve to complete requested operation.'],
    'tickets beyond the reserve',
    tickets(250, cast => cast.poor),
  ),
  row(
    'tecDIR_FULL',
    [121, 'Can not add entry to full directory.'],
    'more than 250 tickets',
    tickets(250, cast => cast.holder),
  ),
  row(
    'tecNO_ALTERNATIVE_KEY',
    [130, 'The operation would remove the ability to sign transactions with the account.'],
    'master key disabled without another',
    settings({ SetFlag: 4 }),
  ),
  row(
    'tecNEED_MASTER_KEY',
    [142, 'The operation requires the use of the Master Key.'],
    'the regular key disables the master key',
    ({ keyed }) => ({ TransactionType: 'AccountSet', Account: keyed.classicAddress, SetFlag: 4 }),
    { signer: ({ key }) => key },
  ),
];
