import { describe, expect, test } from 'vitest';
import { useBrowser } from '../support/browser/browser.ts';
import { field, leave, noticeText, press, row } from '../support/browser/forms.ts';
import { verificationOf, verified } from '../support/requests/from-tested-vasp.ts';
import { until } from '../support/until.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

/** A tester moves the time, changes users and orders faults. */

const browser = useBrowser();
const world = await forFile(createWorld());

const open = (path: string, options = {}) => browser.visit(`${world.url}/console${path}`, options);

async function resultOf(user: string) {
  const { users } = await world.api.users();
  const request = verificationOf({ ...world, user: id => users.find(each => each.id === id)! }, { user });
  const { verificationUuid } = await world.api.verifyUser(request);
  const callback = await world.vasp.ordinary.callbackOf(verificationUuid, 'VERIFICATION_RESULT');
  return { verificationUuid, result: callback.verificationResult, reason: callback.reason };
}

describe('timers', () => {
  test('time is advanced by a button: what fired is told, and has happened', async () => {
    const request = verificationOf(world, { user: 'never-answers' });
    const { verificationUuid: uuid } = await world.api.verifyUser(request);
    const page = await open('/timers');
    await press(page, '10 s');
    const fired = page.locator('#notice li', { hasText: 'The verification times out' });
    expect(await fired.getByRole('link').getAttribute('href')).toBe(`/console/verifications/${uuid}`);
    expect(await world.api.verification(uuid)).toMatchObject({ result: 'ERROR', reason: 'REQUEST-TIMEOUT' });
  });

  test('the next timer is one press away, and an own duration is read', async () => {
    const { uuid } = await verified(world);
    await world.idle();
    const page = await open('/timers');
    const pending = row(page, `timer-robot_deposit_inquire-${uuid}`);
    expect(await pending.textContent()).toContain('status query, unless a transaction report comes first');
    await leave(page, page.getByRole('button', { name: /^To the next timer/ }));
    expect(await noticeText(page)).toContain('The robot asks for the status of a transaction');
    await field(page, 'duration').fill('2d');
    await press(page, 'Advance');
    expect(await noticeText(page)).toContain('fired');
    const { timers } = await world.api.timers();
    expect(timers.filter(({ key }) => key === uuid)).toEqual([]);
  });
});

describe('users', () => {
  test('a user is added with a behaviour, behaves like it, is changed, removed and restored', async () => {
    const page = await open('/users');
    await field(page, 'userId').fill('mira-denied');
    await field(page.locator('#add-user'), 'behaviour').selectOption('NOT-ALLOWED');
    await field(page, 'firstName').fill('Mira');
    await field(page, 'lastName').fill('Lang');
    await press(page, 'Add');
    expect(await noticeText(page)).toContain('Mira Lang is now a user of the robot.');
    expect(await row(page, 'user-mira-denied').textContent()).toContain('DENIED / NOT-ALLOWED');
    expect(await resultOf('mira-denied')).toMatchObject({ result: 'DENIED', reason: 'NOT-ALLOWED' });

    await leave(page, page.getByRole('link', { name: 'Change mira-denied' }));
    await field(page, 'behaviour').selectOption('ORDINARY');
    await press(page, 'Change');
    expect(await noticeText(page)).toContain('Mira Lang was changed');
    expect(await resultOf('mira-denied')).toMatchObject({ result: 'VERIFIED' });

    await page.getByText('Remove mira-denied…').click();
    await press(page, 'Yes, remove mira-denied');
    expect(await noticeText(page)).toContain('mira-denied was removed');
    expect(await row(page, 'user-mira-denied').count()).toBe(0);

    await leave(page, page.getByRole('link', { name: 'Change taylor-robbins' }));
    await page.getByText('Remove taylor-robbins…').click();
    await press(page, 'Yes, remove taylor-robbins');
    expect(await row(page, 'user-taylor-robbins').count()).toBe(0);
    await page.getByText('Restore all users…').click();
    await press(page, 'Yes, restore all users');
    expect(await row(page, 'user-taylor-robbins').count()).toBe(1);
  });

  test('a company has its own fields, and what is refused stands in the form again', async () => {
    const page = await open('/users');
    await field(page, 'userId').fill('Not Kebab');
    await field(page, 'kind').selectOption('legal');
    await field(page, 'legalName').fill('Lantern GmbH');
    await field(page, 'representatives').fill('Moser, Ida\nKeller, Jon');
    expect(await field(page, 'firstName').isVisible()).toBe(false);
    await press(page, 'Add');
    expect(await noticeText(page)).toMatch(/kebab-case.*400 BAD-REQUEST/);
    expect(await field(page, 'legalName').inputValue()).toBe('Lantern GmbH');
    await field(page, 'userId').fill('lantern');
    await press(page, 'Add');
    const { users } = await world.api.users();
    expect(users.find(({ id }) => id === 'lantern')).toMatchObject({
      kind: 'legal',
      names: {
        legalName: 'Lantern GmbH',
        representatives: [
          { lastName: 'Moser', firstName: 'Ida' },
          { lastName: 'Keller', firstName: 'Jon' },
        ],
      },
    });
    await world.api.restoreUsers();
  });

  test('the list is narrowed by behaviour, and an address is copied', async () => {
    const page = await open('/users');
    await field(page.locator('form.filter'), 'behaviour').selectOption('TRANSFER-PENDING');
    await press(page, 'Filter');
    expect(await page.locator('tbody').count()).toBe(1);
    const { ETH } = world.user('transfer-pending').accounts;
    await page.getByRole('button', { name: `Copy ${ETH}` }).click();
    await until(async () => (await page.evaluate<string>('navigator.clipboard.readText()')) === ETH);
  });
});

describe('faults', () => {
  test('a fault is added by mouse, listed, hits and is gone', async () => {
    const page = await open('/faults');
    await field(page, 'target').selectOption('callback.VERIFICATION_RESULT');
    await press(page, 'Show its modes');
    await press(page, 'Add duplicate');
    expect(await noticeText(page)).toContain('Added: duplicate of callback.VERIFICATION_RESULT');
    const [fault] = (await world.api.faults()).faults;
    expect(await row(page, `fault-${fault!.id}`).textContent()).toContain('once');

    const { verificationUuid } = await resultOf('ethan-cook');
    await world.vasp.arrived('callback', verificationUuid, 2);
    await row(page, `fault-${fault!.id}`).waitFor({ state: 'detached' });
    await page.getByText('No fault is active').waitFor();
  });

  test('without JavaScript: first the target, then a mode that it knows, for one verification', async () => {
    const { uuid } = await verified(world);
    const page = await open(`/faults?verificationUuid=${uuid}`, { javaScriptEnabled: false });
    await field(page, 'target').selectOption('robot.transactionStatus');
    await press(page, 'Show its modes');
    const modes = await page.locator('#modes h3').allTextContents();
    expect(modes.slice(1)).toEqual(['delay', 'drop', 'status', 'malformed', 'never-answer', 'outdated']);
    const status = page.locator('article', { has: page.getByRole('heading', { name: 'status', exact: true }) });
    await field(status, 'status').fill('500');
    await field(status, 'times').fill('');
    await press(page, 'Add status');
    const { faults } = await world.api.faults();
    expect(faults).toMatchObject([
      { target: 'robot.transactionStatus', mode: 'status', verificationUuid: uuid, times: null },
    ]);
    await press(page, 'Remove status of robot.transactionStatus');
    expect((await world.api.faults()).faults).toEqual([]);
  });

  test('what is refused is said with code and message, and all are removed at once', async () => {
    const page = await open('/faults');
    const status = page.locator('#add-callback-status');
    await field(status, 'status').fill('200');
    await press(page, 'Add status');
    expect(await noticeText(page)).toMatch(/status.*400 BAD-REQUEST/);
    expect(await field(status, 'status').inputValue()).toBe('200');
    await press(page, 'Add drop');
    await press(page, 'Add malformed');
    await press(page, 'Remove all 2');
    expect(await noticeText(page)).toContain('2 faults were removed.');
  });
});
