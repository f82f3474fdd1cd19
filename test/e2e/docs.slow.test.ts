import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, expectNoOverflow, screenshots, useBrowser, type Visit } from '../support/browser/browser.ts';
import { registerVasp } from '../support/vasp/other-vasp.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

/** `/docs` in a browser: any error in its console and any request to another host fails a test. */

const browser = useBrowser();
const world = await forFile(createWorld());

const SLOW = 120_000;

/** The page with that operation open, by its address alone. */
async function openOperation(section: string, id: string, options: Visit = {}): Promise<Page> {
  const page = await browser.visit(`${world.url}/docs#/${encodeURIComponent(section)}/${id}`, options);
  page.setDefaultTimeout(SLOW / 2);
  await page.locator('.opblock.is-open').waitFor();
  return page;
}

/** The answer to the open operation's example, as the page shows it. */
async function tryItOut(page: Page): Promise<{ status: string; body: Record<string, string> }> {
  const operation = page.locator('.opblock.is-open');
  await operation.getByRole('button', { name: 'Try it out' }).click();
  await operation.getByRole('button', { name: 'Execute' }).click();
  const answer = operation.locator('.live-responses-table tbody .response');
  const [status = '', body = ''] = await Promise.all(
    ['.response-col_status', 'code'].map(part => answer.locator(part).first().textContent()),
  ).then(texts => texts.map(String));
  return { status: status.trim(), body: JSON.parse(body) };
}

test.each(['wide', 'phone'] as const)(
  'an operation is opened by its address, and its example is sent as it stands (%s)',
  { timeout: SLOW },
  async size => {
    const page = await openOperation('enclave: verifications', 'verify-user', { size });
    await expectNoOverflow(page);
    const { status, body } = await tryItOut(page);
    expect(status).toMatch(/^200/);
    const callback = await world.vasp.ordinary.callbackOf(body.verificationUuid!, 'VERIFICATION_RESULT');
    expect(callback).toMatchObject({ verificationResult: 'VERIFIED', reason: 'OK' });
    await expectNoOverflow(page);
    await screenshots(page, `docs-${size}`);
  },
);

test('D-01: with an API key requests are those of the registered VASP', { timeout: SLOW }, async () => {
  const other = await registerVasp(world, '77777777777777777');
  const page = await openOperation('enclave: VASPs', 'get-self');
  await page.getByRole('button', { name: 'Authorize' }).click();
  const dialog = page.locator('.dialog-ux');
  await dialog.getByRole('textbox').first().fill(other.apiKey);
  await dialog.getByRole('button', { name: 'Apply' }).first().click();
  await dialog.getByRole('button', { name: 'Close' }).first().click();
  expect(await tryItOut(page)).toMatchObject({ status: '200', body: { vaspId: other.vaspId } });
  await other.vasp.close();
});

test('the page names the console and every section of the API, and is accessible', { timeout: SLOW }, async () => {
  const page = await browser.visit(`${world.url}/docs`);
  await page
    .locator('.opblock')
    .first()
    .waitFor({ timeout: SLOW / 2 });
  const sections = await page
    .locator('.opblock-tag')
    .evaluateAll(all => all.map(each => each.getAttribute('data-tag')));
  expect(sections).toEqual(expect.arrayContaining(['enclave: verifications', 'robot', 'sandbox: time']));
  await expectAccessible(page);
  await page.getByRole('link', { name: 'robot-vasp', exact: true }).click();
  await page.waitForURL(`${world.url}/console`);
});
