import { Wallet as EthersWallet, keccak256, parseEther } from 'ethers';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { decode, multisign, Wallet as XrplWallet } from 'xrpl';
import { until } from '../support/until.ts';
import { forFile } from '../support/world/for-file.ts';
import { createTheftWorld, type Payee, report, verdictBecomes, verified } from '../support/world/theft-world.ts';

/** Every way to send to an embedded ledger keeps whose the transaction is. */

const world = await forFile(createTheftWorld());

describe('Ethereum: every way to send', () => {
  const signer = EthersWallet.createRandom();
  let nonce = 0;
  let amount: string;
  let payment: Payee;
  let theft: Payee;
  beforeAll(() => world.payer.api.faucet('ETH', signer.address, '30'));
  beforeEach(async () => {
    amount = world.nextAmount();
    [theft, payment] = [await verified(world.thief, 'ETH', amount), await verified(world.payer, 'ETH', amount)];
  });
  const signed = (more: object = {}) =>
    signer.signTransaction({
      chainId: 31_337,
      nonce: nonce++,
      to: payment.to,
      value: parseEther(amount),
      gasLimit: 30_000,
      maxFeePerGas: 3_000_000_000n,
      maxPriorityFeePerGas: 1_000_000_000n,
      ...more,
    });
  const old = { maxFeePerGas: undefined, maxPriorityFeePerGas: undefined, gasPrice: 3_000_000_000n };

  test.each([
    ['before EIP-2718', { type: 0, ...old }],
    ['with an access list', { type: 1, ...old, accessList: [] }],
    ['by EIP-1559', { type: 2 }],
  ])('a transaction %s', async (_, more) => {
    const { result: hash } = await world.eth(world.payer, 'eth_sendRawTransaction', await signed(more));
    await world.expectNoTheft(payment, theft, hash!);
  });

  test('in a batch, as a notification', async () => {
    const raw = await signed();
    await world
      .rpc(world.payer, '/devnet/ethereum', [
        { jsonrpc: '2.0', id: 1, method: 'eth_chainId' },
        { jsonrpc: '2.0', method: 'eth_sendRawTransaction', params: [raw] },
      ] as never)
      .catch(() => {});
    const hash = keccak256(raw);
    await until(async () => world.isKnown('ETH', hash));
    await world.expectNoTheft(payment, theft, hash);
  });

  test('over a WebSocket', async () => {
    const socket = new WebSocket(world.urlFor('ETH', world.payer).replace(/^http/, 'ws'));
    await new Promise(resolve => socket.once('open', resolve));
    const answer = new Promise<{ result: string }>(resolve =>
      socket.once('message', data => resolve(JSON.parse(String(data)))),
    );
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_sendRawTransaction', params: [await signed()] }));
    await world.expectNoTheft(payment, theft, (await answer).result);
    socket.close();
  });

  test('a replaced transaction and the one that took its nonce are both of the payer', async () => {
    await world.operator.setControl('ETH', 'hold', { on: true });
    const first = await world.eth(world.payer, 'eth_sendRawTransaction', await signed());
    await report(world.thief, theft, first.result!);
    await report(world.payer, payment, first.result!);
    await verdictBecomes(world.payer, payment, 'NOT-FINAL');
    nonce -= 1;
    const bid = { maxFeePerGas: 6_000_000_000n, maxPriorityFeePerGas: 2_000_000_000n };
    const second = await world.eth(world.payer, 'eth_sendRawTransaction', await signed(bid));
    await world.operator.setControl('ETH', 'hold', { on: false });
    await verdictBecomes(world.thief, theft, 'OF-ANOTHER-VASP');
    await world.payer.api.advance('1m');
    await verdictBecomes(world.payer, payment, 'REPLACED');
    await world.expectNoTheft(payment, theft, second.result!);
  });

  test('several payments in one transaction, each with its `vout`', async () => {
    const second = await verified(world.payer, 'ETH', amount, 'risk-low');
    const stolen = await verified(world.thief, 'ETH', amount, 'risk-low');
    const { body } = await world.payer.api.call<{ txHash: string }>('POST', '/sandbox/v1/faucet', {
      symbol: 'ETH',
      address: payment.to,
      amount,
      others: [{ address: second.to, amount }],
    });
    // The money for the contract that pays both is at position 0.
    for (const [payee, vout] of [
      [theft, '1'],
      [stolen, '2'],
    ] as const) {
      await report(world.thief, payee, body.txHash, vout);
      await verdictBecomes(world.thief, payee, 'OF-ANOTHER-VASP');
    }
    for (const [payee, vout] of [
      [payment, '1'],
      [second, '2'],
    ] as const) {
      await report(world.payer, payee, body.txHash, vout);
      await verdictBecomes(world.payer, payee, 'CREDITED');
    }
  });

  test('the event of a token', async () => {
    const { body } = await world.payer.api.call<{ txHash: string }>('POST', '/sandbox/v1/faucet', {
      symbol: 'ETH',
      address: payment.to,
      amount,
      token: true,
    });
    await report(world.thief, theft, body.txHash);
    await verdictBecomes(world.thief, theft, 'OF-ANOTHER-VASP');
    await report(world.payer, payment, body.txHash);
    await verdictBecomes(world.payer, payment, 'WRONG-RECIPIENT');
  });
});

describe('XRP Ledger: every way to submit', () => {
  const [account, ...signers] = Array.from({ length: 3 }, () => XrplWallet.generate()) as [
    XrplWallet,
    XrplWallet,
    XrplWallet,
  ];
  let amount: string;
  let payment: Payee;
  let theft: Payee;
  beforeAll(async () => {
    await world.payer.api.faucet('XRP', account.address, '30');
    const list = {
      TransactionType: 'SignerListSet',
      SignerQuorum: 2,
      SignerEntries: signers.map(({ address }) => ({ SignerEntry: { Account: address, SignerWeight: 1 } })),
    };
    const { tx_blob } = account.sign((await filled(list)) as never);
    await world.xrp(world.payer, 'submit', { tx_blob });
  });
  beforeEach(async () => {
    amount = world.nextAmount();
    [theft, payment] = [await verified(world.thief, 'XRP', amount), await verified(world.payer, 'XRP', amount)];
  });
  async function filled(json: object) {
    const { result } = await world.xrp(world.payer, 'account_info', {
      account: account.address,
      ledger_index: 'current',
    });
    const { Sequence } = result.account_data as unknown as { Sequence: number };
    return { Account: account.address, Sequence, Fee: '100', NetworkID: 21_117, ...json };
  }
  const payingJson = () => {
    const [Destination, tag] = payment.to.split(':');
    const Amount = String(Math.round(Number(amount) * 1_000_000));
    return filled({ TransactionType: 'Payment', Destination, DestinationTag: Number(tag), Amount });
  };

  test('over a WebSocket', async () => {
    const { tx_blob, hash } = account.sign((await payingJson()) as never);
    const socket = new WebSocket(world.urlFor('XRP', world.payer));
    await new Promise(resolve => socket.once('open', resolve));
    socket.send(JSON.stringify({ id: 1, command: 'submit', tx_blob }));
    await new Promise(resolve => socket.once('message', resolve));
    await world.expectNoTheft(payment, theft, hash);
    socket.close();
  });

  test('with the signatures of several', async () => {
    const json = { ...(await payingJson()), SigningPubKey: '' } as never;
    const blob = multisign(signers.map(signer => signer.sign(json, true).tx_blob));
    const { result } = await world.xrp(world.payer, 'submit_multisigned', { tx_json: decode(blob) });
    expect(result.engine_result).toBe('tesSUCCESS');
    await world.expectNoTheft(payment, theft, (result.tx_json as unknown as { hash: string }).hash);
  });

  test('an escrow is of the VASP that has locked the money, whoever finishes it', async () => {
    const [Destination, tag] = payment.to.split(':');
    const { result } = await world.xrp(world.payer, 'ledger', { ledger_index: 'validated' });
    const { close_time } = result.ledger as unknown as { close_time: number };
    const create = await filled({
      TransactionType: 'EscrowCreate',
      Destination,
      DestinationTag: Number(tag),
      Amount: String(Math.round(Number(amount) * 1_000_000)),
      FinishAfter: close_time + 1,
    });
    await world.xrp(world.payer, 'submit', { tx_blob: account.sign(create as never).tx_blob });
    const finisher = XrplWallet.generate();
    await world.thief.api.faucet('XRP', finisher.address, '20');
    const info = await world.xrp(world.thief, 'account_info', { account: finisher.address });
    let hash = '';
    await until(async () => {
      const finish = {
        ...create,
        ...{ TransactionType: 'EscrowFinish', Account: finisher.address, Owner: account.address },
        OfferSequence: create.Sequence,
        Sequence: (info.result.account_data as unknown as { Sequence: number }).Sequence,
      };
      for (const name of ['Destination', 'DestinationTag', 'Amount', 'FinishAfter'])
        delete (finish as Record<string, unknown>)[name];
      const signed = finisher.sign(finish as never);
      ({ hash } = signed);
      const closed = await world.xrp(world.thief, 'ledger', { ledger_index: 'validated' });
      if ((closed.result.ledger as unknown as { close_time: number }).close_time <= close_time + 1) return false;
      const sent = await world.xrp(world.thief, 'submit', { tx_blob: signed.tx_blob });
      return sent.result.engine_result === ('tesSUCCESS' as never);
    });
    await expect(world.isKnown('XRP', hash)).resolves.toBe(true);
    await world.expectNoTheft(payment, theft, hash);
  });

  test('a partial payment of the faucet', async () => {
    const partial = await verified(world.thief, 'XRP', '0.05');
    const own = await verified(world.payer, 'XRP', '0.05');
    const { body } = await world.payer.api.call<{ txHash: string }>('POST', '/sandbox/v1/faucet', {
      symbol: 'XRP',
      address: payment.to,
      amount,
      delivered: '0.05',
    });
    await world.expectNoTheft(own, partial, body.txHash);
  });
});
