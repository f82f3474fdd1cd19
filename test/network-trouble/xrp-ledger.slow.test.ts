import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { forFile } from '../support/world/for-file.ts';
import {
  attentionOf,
  behindProxies,
  createTroubledWorld,
  LIMIT_MS,
  nothingLeft,
  paidOnce,
  payable,
  paysOnce,
  reportsOf,
  sentDuring,
  statusOf,
  withdraw,
} from '../support/world/troubled-world.ts';

const stage = await forFile(createTroubledWorld(behindProxies));
afterEach(() => {
  stage.fronts.XRP.rule(undefined);
  stage.ledger.controls.loadFactor(1);
  stage.ledger.controls.hold(false);
});

const USER = 'garrit-studio';
type Message = Record<string, unknown>;
const given = () => payable(stage, { user: USER, symbol: 'XRP' });

/** The first `times` answers to a submission are these instead; the submission has arrived. */
function onSubmit(times: number, fault: (answer: Message) => Message | null | Promise<Message>): () => number {
  let met = 0;
  stage.fronts.XRP.rule((command, answer) => {
    if (command !== 'submit' || met === times) return answer;
    met += 1;
    return fault(answer);
  });
  return () => met;
}

const engineResult = (engine_result: string) => (answer: Message) => ({
  ...answer,
  result: { ...(answer.result as Message), engine_result, engine_result_message: '' },
});

describe('SEND-2, XRP Ledger: whatever the submission is answered, it is paid exactly once', () => {
  test.each<[string, (answer: Message) => Message | null | Promise<Message>]>([
    ['it arrived and is never answered', () => null],
    [
      'it arrived and the connection was dropped',
      () => {
        stage.fronts.XRP.cut();
        return null;
      },
    ],
    [
      'it arrived and the answer comes after the time limit',
      async answer => {
        await delay(LIMIT_MS * 2);
        return answer;
      },
    ],
    ['tefPAST_SEQ, because it was applied', engineResult('tefPAST_SEQ')],
    ['tefALREADY', engineResult('tefALREADY')],
    ['tefMAX_LEDGER, which is not so', engineResult('tefMAX_LEDGER')],
    ['terPRE_SEQ, which is not so', engineResult('terPRE_SEQ')],
    ['telINSUF_FEE_P, which is not so', engineResult('telINSUF_FEE_P')],
    ['a result that nobody knows', engineResult('terMOON_IN_WRONG_HOUSE')],
    [
      'slowDown instead of an answer',
      answer => ({ id: answer.id, type: 'response', status: 'error', error: 'slowDown' }),
    ],
  ])('%s', async (_, fault) => {
    const verification = await given();
    const met = onSubmit(2, fault);
    await paysOnce(stage, verification);
    expect(met()).toBeGreaterThan(0);
    expect(new Set(await reportsOf(stage, verification)).size).toBe(1);
  });
});

describe('SEND-3, XRP Ledger: exactly once, whatever becomes of the transaction', () => {
  test('a server that forgets it gets the same bytes again', async () => {
    const verification = await given();
    stage.ledger.controls.dropNext();
    await paysOnce(stage, verification);
    expect(await reportsOf(stage, verification)).toHaveLength(1);
  });

  test('one that comes into a ledger much later than it was answered is not sent as another', async () => {
    const verification = await given();
    stage.ledger.controls.delayNext(6);
    await paysOnce(stage, verification);
    expect(new Set(await reportsOf(stage, verification)).size).toBe(1);
  });

  test('only after its last ledger, proven, another one is signed; the winner is reported', async () => {
    const verification = await given();
    stage.fronts.XRP.lose(command => command === 'submit');
    let first = '';
    await paysOnce(stage, verification, async () => {
      const signed = async () => (await stage.world.api.inquireTransaction(verification.uuid)).txHash;
      await until(async () => (await signed()) !== null);
      first = (await signed())!;
      await until(async () => (await signed()) !== first);
      stage.fronts.XRP.lose(undefined);
    });
    expect(await stage.onChain.XRP.transaction(first)).toBeUndefined();
    const { txHash } = await stage.world.api.inquireTransaction(verification.uuid);
    expect(txHash).not.toBe(first);
    expect(await reportsOf(stage, verification)).toEqual([txHash]);
  });

  test('a fee spike above the cap: it waits and says so, and is paid once when it is over', async () => {
    const verification = await given();
    stage.ledger.controls.loadFactor(1_000_000);
    await withdraw(stage, verification);
    await until(async () => (await attentionOf(stage)).includes("the network's fee is"));
    expect(await stage.onChain.XRP.balanceOf(verification.to)).toBe('0');
    stage.ledger.controls.loadFactor(1);
    await paidOnce(stage, verification);
  });

  test('a fee spike after it was signed: the bid is raised, paid once', async () => {
    const verification = await given();
    let isSpiked = false;
    stage.fronts.XRP.lose(command => {
      if (command === 'submit' && !isSpiked) {
        isSpiked = true;
        stage.ledger.controls.loadFactor(50);
      }
      return false;
    });
    const sent = await sentDuring(stage, verification, async () => {
      await withdraw(stage, verification);
      await paidOnce(stage, verification);
    });
    stage.fronts.XRP.lose(undefined);
    expect([isSpiked, sent]).toEqual([true, 1]);
  });

  test('two at once on one wallet, the first one lost on its way: both are paid once', async () => {
    const [one, other] = [await given(), await given()];
    stage.ledger.controls.dropNext();
    const sent = await sentDuring(stage, one, async () => {
      await Promise.all([withdraw(stage, one), withdraw(stage, other)]);
      await Promise.all([paidOnce(stage, one), paidOnce(stage, other)]);
    });
    expect(sent).toBe(2);
    await nothingLeft(stage, one);
  });

  test('while no ledger closes nothing is sent as another; then it is paid once', async () => {
    const verification = await given();
    stage.ledger.controls.hold(true);
    await withdraw(stage, verification);
    await until(async () => (await statusOf(stage, verification)) === 'PROCESSING');
    await delay(LIMIT_MS);
    expect(await statusOf(stage, verification)).toBe('PROCESSING');
    stage.ledger.controls.hold(false);
    await paidOnce(stage, verification);
    expect(await reportsOf(stage, verification)).toHaveLength(1);
  });
});
