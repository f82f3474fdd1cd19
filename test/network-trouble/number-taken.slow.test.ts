import { Wallet as EthersWallet, Transaction } from 'ethers';
import { describe, expect, test } from 'vitest';
import { Client, ECDSA, type Payment, Wallet as XrplWallet } from 'xrpl';
import { rpcAt } from '../support/chains/on-chain.ts';
import { openOnce } from '../support/open-once.ts';
import { until } from '../support/until.ts';
import { EXTERNAL } from '../support/world/external-chains.ts';
import { behindProxies, createTroubledWorld, payable, paysOnce, statusOf } from '../support/world/troubled-world.ts';

/** SEND-3: a number that is used up says nothing of whose transaction has used it. */

const stage = openOnce(() => createTroubledWorld(behindProxies));

/** The server hides a transaction so often before it shows it. */
const DENIALS = 12;

describe('SEND-2: a server that does not know what it has itself put into the ledger', () => {
  test('ETH: nothing is paid a second time, and it is CONFIRMED when the node knows it again', async () => {
    const verification = await payable(stage, { symbol: 'ETH' });
    let denials = 0;
    stage.fronts.ETH.rule(({ method }) => {
      if (!['eth_getTransactionReceipt', 'eth_getTransactionByHash'].includes(method)) return undefined;
      denials += 1;
      return { body: { jsonrpc: '2.0', id: 0, result: null } };
    });
    await paysOnce(stage, verification, async () => {
      await until(() => denials >= DENIALS);
      expect(await statusOf(stage, verification)).toBe('PROCESSING');
      stage.fronts.ETH.rule(undefined);
    });
  });

  test('XRP: nothing is paid a second time, and it is CONFIRMED when the server knows it again', async () => {
    const verification = await payable(stage, { symbol: 'XRP' });
    let denials = 0;
    stage.fronts.XRP.rule((command, answer) => {
      if (command !== 'tx') return answer;
      denials += 1;
      return { id: answer.id, type: 'response', status: 'error', error: 'txnNotFound', searched_all: false };
    });
    await paysOnce(stage, verification, async () => {
      await until(() => denials >= DENIALS);
      expect(await statusOf(stage, verification)).toBe('PROCESSING');
      stage.fronts.XRP.rule(undefined);
    });
  });
});

describe('somebody else uses the robot’s key: what can never be paid any more is signed anew, and paid once', () => {
  test('ETH', async () => {
    const verification = await payable(stage, { symbol: 'ETH' });
    const own = EthersWallet.fromPhrase(EXTERNAL.mnemonic);
    expect(own.address.toLowerCase()).toBe(verification.from.toLowerCase());
    stage.fronts.ETH.rule(async ({ method, params }) => {
      if (method !== 'eth_sendRawTransaction') return undefined;
      stage.fronts.ETH.rule(undefined);
      const { chainId, nonce, maxFeePerGas, maxPriorityFeePerGas } = Transaction.from(params[0] as string);
      const foreign = { type: 2, chainId, nonce, maxFeePerGas, maxPriorityFeePerGas, gasLimit: 21_000n };
      const bytes = await own.signTransaction({ ...foreign, to: `0x${'f0'.repeat(20)}`, value: 1n });
      await rpcAt(stage.node.url)('eth_sendRawTransaction', bytes);
      return { cut: false, status: 503, text: '' };
    });
    await paysOnce(stage, verification, async () => {}, 2);
  });

  test('XRP', async () => {
    const verification = await payable(stage, { symbol: 'XRP' });
    const algorithm = EXTERNAL.seed.startsWith('sEd') ? ECDSA.ed25519 : ECDSA.secp256k1;
    const own = XrplWallet.fromSeed(EXTERNAL.seed, { algorithm });
    const client = new Client(stage.ledger.url!);
    await client.connect();
    let isTaken = false;
    stage.fronts.XRP.lose(command => {
      if (command !== 'submit' || isTaken) return false;
      isTaken = true;
      void client
        .autofill<Payment>({
          TransactionType: 'Payment',
          Account: own.classicAddress,
          Destination: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh',
          Amount: '1',
        })
        .then(payment => client.submit(own.sign(payment).tx_blob));
      return true;
    });
    await paysOnce(stage, verification, async () => {}, 2);
    await client.disconnect();
  });
});
