import { expect, test } from 'vitest';
import { looksGood, useBrowser } from '../support/browser/browser.ts';
import { field, press } from '../support/browser/forms.ts';
import { forFile } from '../support/world/for-file.ts';
import { createHostedWorld, OPERATOR_KEY, verificationBy } from '../support/world/hosted-world.ts';

const browser = useBrowser();
const world = await forFile(createHostedWorld());
const tenant = await world.register({ name: 'Bright Exchange' });

async function signIn(apiKey: string, path: string) {
  const page = await browser.visit(world.url + path);
  expect(new URL(page.url()).pathname).toBe('/console/sign-in');
  await field(page, 'apiKey').fill(apiKey);
  await press(page, 'Sign in');
  await page.waitForURL(world.url + path);
  return page;
}

test('the sign-in page is accessible, on a screen and on a phone', async () => {
  const page = await browser.visit(`${world.url}/console/sign-in`);
  await looksGood(page, 'sign-in');
});

test('the sign-in page changes its language and keeps the page to show afterwards', async () => {
  const page = await browser.visit(`${world.url}/console/usage`);
  await page.getByRole('link', { name: '한국어' }).click();
  await page.locator('html[lang=ko]').waitFor({ state: 'attached' });
  expect(await page.locator('input[name=to]').inputValue()).toBe('/console/usage');
  await page.getByRole('link', { name: 'English' }).click();
  await page.locator('html[lang=en]').waitFor({ state: 'attached' });
  expect(await page.locator('input[name=to]').inputValue()).toBe('/console/usage');
});

test.each(['/console', '/console/keys', '/console/usage', '/console/settings'])(
  'a hosted VASP: %s is accessible, on a screen and on a phone',
  async path => {
    const page = await signIn(tenant.apiKey, path);
    await looksGood(page, `hosted${path.replaceAll('/', '-')}`);
  },
);

test('a page whose session has ended leads to the sign-in page, and from there back', async () => {
  const page = await signIn(tenant.apiKey, '/console/verifications?result=DENIED');
  const otherTab = await page.context().newPage();
  await otherTab.goto(`${world.url}/console/keys`);
  await press(otherTab, 'Sign out');
  await otherTab.waitForURL(/\/console\/sign-in/);
  await tenant.api.verifyUser(await verificationBy(tenant));
  await field(page, 'apiKey').fill(tenant.apiKey);
  await press(page, 'Sign in');
  await page.waitForURL(`${world.url}/console/verifications?result=DENIED`);
});

test('the page of the operator is accessible, on a screen and on a phone', async () => {
  const page = await signIn(OPERATOR_KEY, '/console/operator');
  await page.getByText('Bright Exchange').first().waitFor();
  await looksGood(page, 'operator');
});

test('the audit log of the operator goes on to its older entries', async () => {
  for (let sent = 0; sent < 60; sent++) await world.invite();
  const page = await signIn(OPERATOR_KEY, '/console/operator');
  const oldest = page.getByText('POST /sandbox/v1/registrations');
  await page.getByText('POST /sandbox/v1/invitations').first().waitFor();
  expect(await oldest.count()).toBe(0);
  await page.getByRole('link', { name: 'Older entries' }).click();
  await page.waitForURL(/auditAfter=\d+/);
  await oldest.first().waitFor();
  await page.getByRole('link', { name: 'Older entries' }).waitFor({ state: 'detached' });
});
