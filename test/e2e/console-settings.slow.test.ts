import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { SAMPLE_UUID } from '../../src/sandbox/probes.ts';
import { looksGood, useBrowser } from '../support/browser/browser.ts';
import { press } from '../support/browser/forms.ts';
import { PATIENT } from '../support/plans/run-plan.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

/** A developer enters addresses, registers a second VASP and removes all data, with the mouse. */

const { visit } = useBrowser();
const SLOW = { timeout: 180_000 };
const WAIT = { timeout: 60_000 };

const notice = (page: Page) => page.locator('#notice');

describe('settings', async () => {
  const world = await forFile(createWorld({ endpoints: [], env: PATIENT }));
  beforeAll(async () => {
    const pendingAnswer = { verificationUuid: SAMPLE_UUID, transactionStatus: 'PENDING' };
    world.vasp.script('transactionStatus', undefined, { body: pendingAnswer });
  });

  test('endpoints are entered, checked, a wrong one is explained and put right', SLOW, async () => {
    const page = await visit(`${world.url}/console/settings`);
    await looksGood(page, 'settings');
    const { verifyUser, verifyAccount, transactionStatus, callback } = world.vasp.endpoints;
    await page.getByLabel('Verify user').fill(verifyUser);
    await page.getByLabel('Verify account').fill(`${verifyAccount}-elsewhere`);
    await page.getByLabel('Transaction status').fill(transactionStatus);
    await page.getByLabel('Token', { exact: true }).fill('a-secret-token');
    await press(page, 'Save and call my endpoints now');
    const finding = page.locator('#check-verifyAccount');
    await finding.getByText('Answered with status 404').waitFor(WAIT);
    expect(await finding.textContent()).toContain('Compare the path');
    expect(await page.locator('#check-callback').textContent()).toContain('This endpoint is not configured');
    await looksGood(page, 'settings-wrong');

    await page.getByLabel('Verify account').fill(verifyAccount);
    await page.getByLabel('Callback').fill(callback);
    await press(page, 'Save');
    await notice(page).getByText('Saved.').waitFor(WAIT);
    await press(page, 'Call my endpoints now');
    await page.getByText('All endpoints answered correctly.').waitFor(WAIT);
    // The token was typed once: saving without it has left it as it was.
    expect(world.vasp.received('verifyUser').at(-1)!.headers.get('authorization')).toBe('Bearer a-secret-token');
    expect(await page.content()).not.toContain('a-secret-token');
    expect(await page.locator('.curl').textContent()).toContain(`VEGA_VERIFICATION_API_PATH=${verifyUser}`);
  });

  test('a second VASP is registered, signs in with its key, and sees its own data alone', SLOW, async () => {
    const page = await visit(`${world.url}/console/keys`);
    const who = () => page.locator('header .identity').textContent();
    await page.getByLabel('vaspId').fill('9200');
    await page.getByLabel('Name').last().fill('Second VASP');
    await press(page, 'Register');
    const apiKey = await notice(page).locator('.copyable code').textContent();
    expect(apiKey).toMatch(/^rv_/);
    await press(page, 'Sign in as Second VASP');
    await page.getByText('you signed in with its API key').waitFor(WAIT);
    expect(await who()).toBe('Second VASP');

    await page.getByLabel('API key of another VASP').fill('rv_nobody');
    await press(page, 'Sign in');
    await notice(page).getByText('This API key is unknown').waitFor(WAIT);
    expect(await who()).toBe('Second VASP');

    await page.goto(`${world.url}/console/send`);
    expect(await page.locator('.curl').textContent()).toContain('Authorization: Bearer $API_KEY');
    await page.goto(`${world.url}/console/keys`);
    await press(page, 'Sign out');
    await page.getByText('local mode').waitFor(WAIT);
    expect(await who()).toBe('Tested VASP');
    await page.getByLabel('API key of another VASP').fill(apiKey!);
    await press(page, 'Sign in');
    await page.getByText('you signed in with its API key').waitFor(WAIT);
  });

  test('all data of the VASP is removed only after a second yes', SLOW, async () => {
    const page = await visit(`${world.url}/console/send?action=verify-user`);
    await press(page, 'Send');
    await notice(page).getByText('VERIFIED').waitFor(WAIT);
    await page.goto(`${world.url}/console/settings`);
    await page.getByText('Remove all data of your VASP…').click();
    await page.getByText('This removes all verifications').waitFor();
    expect(await notice(page).textContent()).toBe('');
    await press(page, 'Yes, remove all data of your VASP');
    await notice(page).getByText('Your data was removed').waitFor(WAIT);
    await page.goto(`${world.url}/console/send?action=report-transaction`);
    await page.getByText('No verification fits yet').waitFor(WAIT);
  });
});
