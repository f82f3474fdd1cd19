import { expect, test } from 'vitest';
import { toUnits } from '../../src/kernel/decimal.ts';
import { askedByRobot } from '../support/requests/from-robot.ts';
import { until } from '../support/until.ts';
import { forFile } from '../support/world/for-file.ts';
import {
  behindProxies,
  createTroubledWorld,
  nothingLeft,
  payable,
  sentDuring,
  withdraw,
} from '../support/world/troubled-world.ts';

const COUNT = 200;
const AMOUNT = '1.25';
/** So many submissions of the first ones arrive, and nobody hears of it. */
const UNANSWERED = 5;
const USER = 'garrit-studio';
/** 200 verifications at once take the machine longer than one. */
const PATIENT = { CHAIN_TIMEOUT: '5s', VASP_TIMEOUT_USER: '60s', VASP_TIMEOUT_CALLBACK: '60s' };

const stage = await forFile(createTroubledWorld(behindProxies, PATIENT, 250));

function loseSomeAnswers(): void {
  let left = { ETH: UNANSWERED, XRP: UNANSWERED };
  stage.fronts.ETH.rule(({ method }) => {
    if (method !== 'eth_sendRawTransaction' || left.ETH === 0) return undefined;
    left = { ...left, ETH: left.ETH - 1 };
    return { cut: true };
  });
  stage.fronts.XRP.rule((command, answer) => {
    if (command !== 'submit' || left.XRP === 0) return answer;
    left = { ...left, XRP: left.XRP - 1 };
    return null;
  });
}

test.each(['ETH', 'XRP'] as const)(
  '%s: 200 at once on one wallet, some answers lost: each paid once, with one number each',
  { timeout: 120_000 },
  async symbol => {
    const income = await payable(stage, { user: USER, symbol, amount: String(COUNT * Number(AMOUNT)) });
    const wish = { user: USER, symbol, amount: AMOUNT };
    const all = await Promise.all(Array.from({ length: COUNT }, () => askedByRobot(stage.world, wish)));
    await stage.world.idle();
    loseSomeAnswers();
    const sent = await sentDuring(stage, income, async () => {
      await Promise.all(all.map(verification => withdraw(stage, verification)));
      for (const { uuid } of all)
        await until(async () => (await stage.world.api.inquireTransaction(uuid)).transactionStatus === 'CONFIRMED');
    });
    expect(sent).toBe(COUNT);
    const onChain = stage.onChain[symbol];
    for (const { to } of all) expect(toUnits(await onChain.balanceOf(to), 18)).toBe(toUnits(AMOUNT, 18));
    await nothingLeft(stage, income);
    await expect(withdraw(stage, income)).rejects.toMatchObject({ status: 400 });
  },
);
