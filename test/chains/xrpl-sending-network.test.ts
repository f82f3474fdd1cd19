import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Chain, ChainRefused } from '../../src/chains/port.ts';
import { xrplChain } from '../../src/chains/xrpl.ts';
import { xrplConfig } from '../support/chains/chain-world.ts';
import { startXrplProxy, type XrplProxy } from '../support/chains/xrpl-proxy.ts';
import { useXrplSender } from '../support/chains/xrpl-sender.ts';

const our = useXrplSender();

describe('XRP Ledger: a bad connection while sending', () => {
  let proxy: XrplProxy;
  let other: Chain;
  beforeEach(async () => {
    proxy = await startXrplProxy(our.world.url);
    other = xrplChain({ ...xrplConfig(proxy.url), timeoutMs: 1_000 });
    await other.connect();
  });
  afterEach(async () => {
    await other.close();
    await proxy.close();
  });

  it.each(['cut', 'never answered'])('%s after it arrived: unclear, and the same bytes again pay once', async how => {
    const before = await our.paid();
    const { bytes, hash, validity } = await our.sign();
    proxy.rule((command, answer) => {
      if (command !== 'submit') return answer;
      if (how === 'cut') proxy.cut();
      return null;
    });
    expect(await other.broadcast(bytes)).toMatchObject({ status: 'unclear' });
    proxy.rule(undefined);
    let again = await other.broadcast(bytes);
    while (again.status === 'unclear') again = await other.broadcast(bytes);
    expect(again).toMatchObject({ status: 'already-known' });
    our.close();
    expect(await other.stateOf(hash, validity)).toMatchObject({ succeeded: true });
    expect(await our.paid()).toBe(before + 7n);
  });

  const answering = (engine_result: string) =>
    proxy.rule((command, answer) =>
      command === 'submit'
        ? { ...answer, result: { ...(answer.result as object), engine_result, engine_result_message: 'x' } }
        : answer,
    );
  it.each([
    ['tefALREADY', { status: 'already-known' }],
    ['tefPAST_SEQ', { status: 'already-known' }],
    ['tefNO_TICKET', { status: 'already-known' }],
    ['terQUEUED', { status: 'accepted' }],
    ['terPRE_SEQ', { status: 'accepted' }],
    ['tecPATH_DRY', { status: 'accepted' }],
    ['terRETRY', { status: 'unclear' }],
    ['telLOCAL_ERROR', { status: 'unclear' }],
    ['somethingNew', { status: 'unclear' }],
    ['telCAN_NOT_QUEUE_FEE', { status: 'rejected', final: false, reason: 'fee-too-low' }],
    ['telCAN_NOT_QUEUE_FULL', { status: 'rejected', final: false, reason: 'busy' }],
    ['telCAN_NOT_QUEUE_BLOCKED', { status: 'rejected', final: false, reason: 'busy' }],
    ['telWRONG_NETWORK', { status: 'rejected', final: false, reason: 'refused' }],
    ['tefMASTER_DISABLED', { status: 'rejected', final: false, reason: 'refused' }],
    ['temBAD_FEE', { status: 'rejected', final: true, reason: 'malformed' }],
  ])('%s means %o', async (result, expected) => {
    const { bytes } = await our.sign();
    answering(result);
    expect(await other.broadcast(bytes)).toMatchObject({ ...expected, code: result });
    our.close();
  });

  it.each(['tooBusy', 'slowDown', 'noNetwork', 'internal', 'highFee'])('the error %s is unclear', async error => {
    proxy.rule((command, { result, ...answer }) =>
      command === 'submit' ? { ...answer, status: 'error', error } : { ...answer, result },
    );
    expect(await other.broadcast((await our.sign()).bytes)).toMatchObject({ status: 'unclear' });
    our.close();
  });

  it('a server that became another network meanwhile gets nothing', async () => {
    const before = await our.paid();
    const { bytes } = await our.sign();
    proxy.rule((command, answer) => {
      if (command !== 'server_info') return answer;
      const { info } = answer.result as { info: object };
      return { ...answer, result: { info: { ...info, network_id: 1 } } };
    });
    proxy.cut();
    const outcome = async () => {
      for (let attempt = 0; ; attempt++) {
        const answer = await other.broadcast(bytes).catch(error => error);
        if (attempt === 100 || answer.status !== 'unclear') return answer;
      }
    };
    expect(await outcome()).toBeInstanceOf(ChainRefused);
    our.close();
    expect(await our.paid()).toBe(before);
  });
});

describe('XRP Ledger: many at once', () => {
  it('100 payments with reserved sequences, broadcast at once in any order, are each paid once', async () => {
    const before = await our.paid();
    const first = (await our.chain.numbers(our.world.ours)).next;
    const fee = await our.chain.quoteFee(our.world.payment);
    const signed = await Promise.all(Array.from({ length: 100 }, (_, i) => our.sign({ sequence: first + i, fee })));
    await Promise.all(signed.map((_, i) => our.chain.broadcast(signed[99 - i]!.bytes)));
    for (let i = 0; i < 3; i++) our.close();
    for (const { hash } of signed) expect(await our.chain.stateOf(hash)).toMatchObject({ succeeded: true });
    expect(await our.paid()).toBe(before + 700n);
  });
});
