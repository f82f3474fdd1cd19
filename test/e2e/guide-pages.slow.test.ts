import { expect, test } from 'vitest';
import { expectAccessible, expectNoOverflow, SIZES, useBrowser } from '../support/browser/browser.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

const browser = useBrowser();
const world = await forFile(createWorld());

/** Tables, long code, lists, and a page for a code: every form that a chapter has. */
const PAGES = [
  '/guide',
  '/guide/results',
  '/guide/withdrawal-test',
  '/guide/codes/REPORT-LATE',
  '/guide/ko',
  '/guide/ko/your-vasp',
];

test.each(PAGES)('%s is accessible', async path => {
  const page = await browser.openInTab(world.url + path, 'phone');
  await expectNoOverflow(page);
  await expectAccessible(page, ['light']);
  await page.setViewportSize(SIZES.wide);
  await expectAccessible(page, ['dark']);
});

test('code names the address of this sandbox, and a button copies it', async () => {
  const page = await browser.openInTab(`${world.url}/guide/withdrawal-test`, 'wide');
  const code = page.locator('.chapter pre > code').first();
  expect(await code.textContent()).toContain(`BASE=${world.url}\n`);
  const blocks = await page.locator('.chapter pre').count();
  expect(await page.locator('.chapter pre > button[data-copy]').count()).toBe(blocks);
});

test('the search of the guide is accessible', async () => {
  const page = await browser.openInTab(`${world.url}/guide?search=hash`, 'wide');
  expect(await page.locator('.chapter li').count()).toBeGreaterThan(1);
  await expectAccessible(page);
});
