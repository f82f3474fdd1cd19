import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useBrowser } from '../support/browser/browser.ts';
import { verified } from '../support/requests/from-tested-vasp.ts';
import { until } from '../support/until.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

/** A browser has six connections to a server of HTTP/1.1. */
const PAGES = 8;
/** Only events wake the page. */
const EVENTS_ONLY = 'window.setInterval = () => 0;';

const browser = useBrowser();
const world = await forFile(createWorld({ file: true }));

const rowOf = (page: Page, uuid: string) => page.locator(`#verification-${uuid}`);

test(`${PAGES} pages of one browser load, stay live, and are live again after a restart`, async () => {
  const address = `${world.url}/console/verifications`;
  const first = await browser.visit(address, {
    script: EVENTS_ONLY,
    mayFail: /ERR_(CONNECTION|INCOMPLETE|EMPTY|ABORTED|FAILED)|Failed to fetch|network error/,
  });
  const others: Page[] = [];
  for (let count = 1; count < PAGES; count++) {
    const page = await first.context().newPage();
    await page.goto(address);
    others.push(page);
  }
  const pages = [first, ...others];
  const isSeenByAll = async () => {
    const { uuid } = await verified(world);
    await Promise.all(pages.map(page => rowOf(page, uuid).waitFor()));
  };
  await isSeenByAll();
  await isSeenByAll();

  // A page that is closed or left takes the stream from nobody.
  await pages.shift()!.close();
  await pages[0]!.goto(`${world.url}/console/callbacks`);
  await pages[0]!.goBack();
  await isSeenByAll();

  await world.restart();
  await isSeenByAll();
  for (const page of pages) await until(async () => (await page.locator('#connection').textContent()) === '');
});

test('without a shared worker a page reads itself regularly', async () => {
  const page = await browser.visit(`${world.url}/console/verifications`, { script: 'delete window.SharedWorker;' });
  const { uuid } = await verified(world);
  await rowOf(page, uuid).waitFor({ timeout: 30_000 });
  expect(await page.locator('#connection').textContent()).toBe('');
});
