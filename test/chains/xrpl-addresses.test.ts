import { describe, expect, it } from 'vitest';
import { ECDSA, type Payment, Wallet } from 'xrpl';
import { xrplWallet } from '../../src/chains/xrpl/wallet.ts';
import { parseXrpAddress, xrplChain } from '../../src/chains/xrpl.ts';
import { xrplConfig } from '../support/chains/chain-world.ts';

describe('D-08: XRP addresses', () => {
  const account = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';
  it.each([
    [account, { account }],
    [`${account}:0`, { account, tag: 0 }],
    [`${account}:1`, { account, tag: 1 }],
    [`${account}:4294967295`, { account, tag: 4_294_967_295 }],
  ])('%s is an address', (text, parts) => {
    expect(parseXrpAddress(text)).toEqual(parts);
  });
  it.each([
    `${account}:4294967296`,
    `${account}:99999999999`,
    `${account}:-1`,
    `${account}:+1`,
    `${account}:01`,
    `${account}:00`,
    `${account}:1.0`,
    `${account}:1e3`,
    `${account}:0x1`,
    `${account}: 1`,
    `${account}:`,
    `${account}:1:2`,
    `${account}::1`,
    ':1',
    ` ${account}`,
    account.toLowerCase(),
    account.slice(0, -1),
    `${account.slice(0, -1)}i`,
    'XVLhHMPHU98es4dbozjVtdWzVrDjtV5fdx1mHp98tDMoQXb',
    'T719a5UwUCnEs54UsxG9CJYYDhwmFCqkr7wxCcNcfZ6p5GZ',
    'snoPBrXtMeMyMHUVTgbuqAfg1SUTb',
    '',
  ])('%j is none', text => {
    expect(parseXrpAddress(text)).toBeUndefined();
  });

  it.each([
    ['snoPBrXtMeMyMHUVTgbuqAfg1SUTb', account],
    ['sEdTM1uX8pu2do5XvTnutH6HsouMaM2', 'rG31cLyErnqeVj2eomEjBZtq7PYaupGYzL'],
  ])('the seed %s is the account %s, whatever the index', async (seed, expected) => {
    const other = xrplChain({ ...xrplConfig('ws://127.0.0.1:9'), seed });
    expect([0, 7].map(other.ownAccount)).toEqual([expected, expected]);
    await other.close();
  });

  it.each([ECDSA.ed25519, ECDSA.secp256k1])('%s: address, signature and hash are those of the library', algorithm => {
    for (let n = 0; n < 10; n++) {
      const library = Wallet.generate(algorithm);
      const own = xrplWallet(library.seed!);
      expect(own.address, library.seed).toBe(library.classicAddress);
      const payment: Payment = {
        TransactionType: 'Payment',
        Account: own.address,
        Destination: account,
        Amount: '1250000',
        Fee: '12',
        Sequence: n,
        LastLedgerSequence: 77,
        ...(n % 2 === 0 ? { DestinationTag: 0, NetworkID: 21_337 } : {}),
        ...(n % 3 === 0 ? { SourceTag: 4_294_967_295, InvoiceID: 'AB'.repeat(32) } : {}),
      };
      const { tx_blob: blob, hash } = library.sign(payment);
      expect(own.sign(payment)).toEqual({ blob, hash });
    }
  });
});
