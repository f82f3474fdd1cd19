import { expect, test } from 'vitest';
import { natural, paid, verificationOf, verified } from '../support/requests/from-tested-vasp.ts';
import { until } from '../support/until.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

/** Pages say what happened, and nothing that did not. */

const world = await forFile(createWorld());

const textOf = async (path: string): Promise<string> => (await fetch(`${world.url}/console${path}`)).text();

test('a payment that is awaited is not called paid', async () => {
  const { uuid } = await verified(world);
  expect(await textOf('/verifications')).toContain('<span title="your payment"><span class="badge busy">AWAITED');
  expect(await textOf(`/verifications/${uuid}`)).toContain('your payment <span class="badge busy">AWAITED');
});

test('a denied verification waits for no report and no money, and its near miss comes before the member', async () => {
  const { verificationUuid } = await world.api.verifyUser(
    verificationOf(world, {
      change({ payload: { ivms101 } }) {
        ivms101.beneficiary.beneficiaryPersons = [natural('Robbins\u200b', 'Taylor')];
      },
    }),
  );
  await world.vasp.ordinary.callbackOf(verificationUuid, 'VERIFICATION_RESULT');
  const text = await textOf(`/verifications/${verificationUuid}`);
  const [why = ''] = text.match(/<section class="why">[\s\S]*?<\/section>/) ?? [];
  expect(why).toMatch(/MISMATCHED-NAME[\s\S]*Robbins<\/code>[\s\S]*Robbins⟨U\+200B⟩<\/code>[\s\S]*primaryIdentifier/);
  expect(text).not.toContain('not yet');
  expect(text).not.toContain('<dt>Money</dt>');
});

test('a page of what nobody knows has the name of the VASP like every page', async () => {
  const text = await textOf('/verifications/00000000-0000-4000-8000-000000000000');
  expect(text).toMatch(/class="identity"[^>]*>Tested VASP/);
});

test('a callback that a fault lost was not sent, and no answer is missed', async () => {
  await world.api.addFault({ target: 'callback', mode: 'drop', times: 1 });
  const { verificationUuid } = await world.api.verifyUser(verificationOf(world));
  const callback = async () => (await world.api.callbacks({ verificationUuid })).callbacks[0];
  await until(async () => (await callback())?.status === 'LOST');
  expect((await callback())!.attempts).toMatchObject([{ url: null, status: null }]);
  const text = await textOf(`/callbacks?verificationUuid=${verificationUuid}`);
  expect(text).toContain('NOT SENT');
  expect(text).not.toContain('NO ANSWER');
});

test('Money has one clock: that of the VASP', async () => {
  await world.api.advance('5h');
  const payment = await verified(world);
  const txHash = await paid(world, payment);
  await world.api.reportTransaction(payment.uuid, txHash);
  expect(await textOf(`/chain/ETH/${txHash}`)).toContain(`href="/console/verifications/${payment.uuid}"`);
  const found = (await world.api.receivedPayments()).payments.find(each => each.txHash === txHash)!;
  const { now, aheadMs } = await world.api.clock();
  expect(aheadMs).toBeGreaterThanOrEqual(5 * 3_600_000);
  expect(Math.abs(Date.parse(now) - Date.parse(found.creditedAt!))).toBeLessThan(60_000);
  const page = await textOf('/money?list=deposits');
  const [pictured = '', listed = ''] = page.split('id="payments"');
  for (const part of [pictured, listed]) {
    expect(part).toContain(found.creditedAt!.slice(0, 19).replace('T', ' '));
    expect(part).not.toContain(found.at.slice(0, 16).replace('T', ' '));
  }
});

test('a payment that nobody gets says why in the language of the page', async () => {
  await paid(world, { symbol: 'ETH', amount: '0.0773', to: world.user('not-allowed').accounts.ETH });
  const korean = { headers: { cookie: 'robot-vasp-language=ko' } };
  const page = await (await fetch(`${world.url}/console/money?list=deposits`, korean)).text();
  expect(page).toContain('귀속되지 않음: 이 주소와 태그로 열린 검증이 없음');
});

test('a status that a fault replaced is not green, and the exchange names the fault', async () => {
  await world.api.addFault({ target: 'callback', mode: 'status', status: 503, times: 1 });
  const { verificationUuid } = await world.api.verifyUser(verificationOf(world));
  const sent = async () => (await world.api.exchanges({ verificationUuid, operation: 'callback' })).exchanges.at(-1);
  await until(async () => (await sent()) !== undefined);
  expect(await sent()).toMatchObject({ status: 200, error: expect.stringMatching(/^fault \d+, callback: /) });
  const text = await textOf(`/exchanges?verificationUuid=${verificationUuid}&operation=callback`);
  expect(text).toContain('badge warn">200<');
  expect(await textOf(`/exchanges?shown=${(await sent())!.id}`)).toMatch(
    /class="shown"[\s\S]*fault \d+, callback: status 503/,
  );
  expect(await textOf(`/verifications/${verificationUuid}`)).toContain('badge warn">200<');
});

test('a list that fits on one page has no pager', async () => {
  for (const path of ['/assessments', '/keys']) expect(await textOf(path)).not.toContain('class="pager"');
  expect(await textOf('/keys?after=0')).toContain('class="pager"');
});

test('the page says what to do in the words of `why`', async () => {
  const { uuid: open } = await verified(world);
  const { uuid: paidFor } = await verified(world, { amount: '0.0371' });
  await paid(world, { symbol: 'ETH', amount: '0.0371', to: world.user('taylor-robbins').accounts.ETH });
  const { verificationUuid: denied } = await world.api.verifyUser(verificationOf(world, { user: 'ethan-cook' }));
  const { verificationUuid: waits } = await world.api.verifyUser(verificationOf(world, { user: 'never-answers' }));
  await world.vasp.ordinary.callbackOf(denied, 'VERIFICATION_RESULT');
  for (const uuid of [open, paidFor, denied, waits]) {
    const { next } = await world.api.why(uuid);
    const said = (await textOf(`/verifications/${uuid}`)).match(/What to do:[\s\S]*?<\/p>/)![0];
    const words = (text: string) => text.replace(/<[^>]*>|\b0x\w{64}/g, '').replace(/0x\w+…\w+/, '');
    expect(words(said)).toContain(words(next.join(' ')));
    expect(next).not.toEqual([]);
  }
});

test('a hash in a sentence is short, and whole where the pointer rests', async () => {
  const txHash = `0x${'ab'.repeat(32)}`;
  const { uuid } = await verified(world);
  await world.api.reportTransaction(uuid, txHash);
  await world.idle();
  const [list = ''] = (await textOf('')).match(/<ul class="attentions">[\s\S]*?<\/section>/) ?? [];
  expect(list).toContain(`title="${txHash}">0xabab…ababab<`);
  expect(list.replaceAll(`title="${txHash}"`, '')).not.toContain(txHash);
});

test('a check that judged nothing is no failure, and says what to do', async () => {
  const { id } = await world.api.startRun({ plan: 'withdrawal', modules: ['W4.1'], symbols: ['ETH'] });
  await world.api.stopRun(id);
  const text = await textOf(`/checks/${id}`);
  expect(text).toContain('badge warn">INTERRUPTED<');
  expect(text).toMatch(/class="verdict warn">[\s\S]*<a href="\/console\/checks">Start it again<\/a>/);
});

test('a check of one module has its name, and a stopped check of many folds what was not played', async () => {
  const { id: one } = await world.api.startRun({ plan: 'complete', modules: ['W4.1'], symbols: ['ETH'] });
  await world.api.stopRun(one);
  const small = await textOf(`/checks/${one}`);
  expect(small).toMatch(/<h1[^>]*>W4\.1 ETH: Transfer and report<\/h1>/);
  expect(small).not.toContain('id="modules-');
  const { id } = await world.api.startRun({ plan: 'complete' });
  await world.api.stopRun(id);
  const { modules } = await world.api.run(id);
  const text = await textOf(`/checks/${id}`);
  const [fold = ''] = text.match(/<details id="modules-INTERRUPTED" class="fold">[\s\S]*?<\/details>/) ?? [];
  const interrupted = modules.filter(({ result }) => result === 'INTERRUPTED');
  expect(interrupted.length).toBeGreaterThan(200);
  expect(fold).toContain(`INTERRUPTED</span> × ${interrupted.length}`);
  expect(fold.match(/<tbody id="module-/g)).toHaveLength(interrupted.length);
  expect(text).not.toContain(`with=${one}`);
});

test('every page names the chain controls that are on or wait for a transaction', async () => {
  const banner = async () => (await textOf('/users')).match(/<aside class="banner"[\s\S]*?<\/aside>/)?.[0];
  const before = await banner();
  await world.api.setControl('ETH', 'hold', { on: true });
  await world.api.setControl('ETH', 'fee-spike', { baseFee: '2000000000' });
  for (const [control, parameters] of Object.entries({ drop: {}, delay: { closes: 3 } }))
    await world.api.setControl('XRP', control, parameters);
  expect((await world.api.faults()).controls).toEqual([
    { symbol: 'ETH', control: 'hold' },
    { symbol: 'ETH', control: 'fee-spike 2000000000' },
    ...['drop', 'delay 3'].map(control => ({ symbol: 'XRP', control })),
  ]);
  expect(await banner()).toMatch(
    /<strong>ETH<\/strong> held[\s\S]*<strong>ETH fee-spike 2000000000, XRP drop, XRP delay 3</,
  );
  await world.api.setControl('ETH', 'hold', { on: false });
  await world.api.setControl('ETH', 'mine', { blocks: 8 });
  await world.api.setControl('XRP', 'start-over', {});
  expect((await world.api.faults()).controls).toEqual([]);
  expect(await banner()).toBe(before);
});

test('the list of all pages and actions leads from the word deposit to the tests', async () => {
  const entries = (await (await fetch(`${world.url}/console/palette`)).json()) as Record<string, string>[];
  const found = entries.filter(({ text }) => /deposit/i.test(text!));
  expect(found).toContainEqual({ group: 'Test', text: 'Deposit test', href: '/console/tests' });
  expect(found).toContainEqual({ group: 'Test', text: 'Deposit by hand', href: '/console/tests/deposit' });
});

test('no back-tick stands on the page of a scenario', async () => {
  const [article = ''] =
    (await textOf('/send?scenario=fault%3A+callback+delay')).match(/<article[\s\S]*?<textarea/) ?? [];
  expect(article).toContain('held back for <code>delay</code>');
  expect(article).not.toContain('`');
});

test('a user without a special behaviour says what he provokes, too', async () => {
  const page = await textOf('/users');
  const row = (id: string) => new RegExp(`<tbody id="user-${id}"[\\s\\S]*?</tbody>`).exec(page)?.[0] ?? '';
  expect(row('ethan-cook')).toMatch(/Provokes:.*UNVERIFIED-KYC/s);
  expect(row('risk-severe')).toContain('Provokes:');
});

test('Send offers no payment that belongs to another verification', async () => {
  const credited = await verified(world);
  const txHash = await paid(world, credited);
  await world.api.reportTransaction(credited.uuid, txHash);
  const payment = async () => (await world.api.receivedPayments()).payments.find(each => each.txHash === txHash);
  await until(async () => (await payment())?.status === 'CREDITED');
  const { uuid } = await verified(world, { amount: credited.amount });
  const send = await textOf(`/send?action=report-transaction&verificationUuid=${uuid}`);
  expect(send).toContain(`value="${uuid}" selected`);
  expect(send).not.toContain(txHash);
});
