import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { isFor, PAGES } from '../../src/console/pages.ts';
import { useBrowser } from '../support/browser/browser.ts';
import { verified } from '../support/requests/from-tested-vasp.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

/** Where things stand on a screen: only a browser knows. */

const browser = useBrowser();
const world = await forFile(createWorld());
beforeAll(async () => {
  await verified(world);
});

const open = (path: string, size: 'wide' | 'phone') => browser.openInTab(world.url + path, size);
const AXIS = 'document.querySelector("#time-axis")';
const boxOf = async (page: Page, selector: string) => (await page.locator(selector).first().boundingBox())!;

test('a phone shows the whole axis of time, and its labels apart', async () => {
  const page = await open('/console/timers', 'phone');
  const figure = page.locator('#time-axis');
  expect(await page.evaluate(`${AXIS}.scrollWidth - ${AXIS}.clientWidth`)).toBe(0);
  const labels = await Promise.all((await figure.locator('svg text.tick').all()).map(each => each.boundingBox()));
  const inLine = labels.flatMap(box => box ?? []).sort((a, b) => a.x - b.x);
  const height = inLine[0]!.y;
  const below = inLine.filter(({ y }) => Math.abs(y - height) < 3);
  expect(below.length).toBeGreaterThan(2);
  for (const [index, box] of below.slice(1).entries())
    expect(box.x).toBeGreaterThan(below[index]!.x + below[index]!.width);
});

test.each(['results-by-hour', 'latencies'])('a phone shows the whole picture and its words: %s', async id => {
  const page = await open('/console', 'phone');
  const words = await page.locator(`#${id} svg text`).all();
  expect(words.length).toBeGreaterThan(6);
  for (const each of words) {
    const box = (await each.boundingBox())!;
    expect(box.x).toBeGreaterThanOrEqual(0);
    expect(box.x + box.width).toBeLessThanOrEqual(390);
    expect(box.height).toBeGreaterThan(9);
  }
});

test('a phone shows the newest block of a new chain', async () => {
  const page = await open('/console/chains', 'phone');
  const box = await boxOf(page, '#blocks-ETH rect');
  expect(box.x).toBeGreaterThanOrEqual(0);
  expect(box.x + box.width).toBeLessThanOrEqual(390);
  // With its stroke.
  expect(Math.round(box.width)).toBe(120);
});

test.each(['en', 'ko'])('the choices of a request and their button stand in one row: %s', async language => {
  const page = await open(`/console/send?lang=${language}`, 'wide');
  const amount = await boxOf(page, '#request [name="amount"]');
  const update = await boxOf(page, '#request form.action button');
  expect(update.x).toBeGreaterThan(amount.x + amount.width);
  expect(Math.abs(update.y + update.height - amount.y - amount.height)).toBeLessThan(6);
  await open('/console/send?lang=en', 'wide');
});

test('on a phone each cell of a wide table of the guide says what it is', async () => {
  const page = await open('/guide/production', 'phone');
  const cell = page.locator('.chapter td[data-head]').first();
  const CELL = 'document.querySelector(".chapter td[data-head]")';
  expect(await page.evaluate(`getComputedStyle(${CELL}, "::before").content`)).toBe(
    `"${await cell.getAttribute('data-head')}: "`,
  );
  const [code, copy] = await Promise.all([
    boxOf(await open('/guide/results', 'phone'), '.chapter pre code'),
    boxOf(page, '.chapter pre button.copy'),
  ]);
  const padding = await page.evaluate(
    'parseFloat(getComputedStyle(document.querySelector(".chapter pre code")).paddingTop)',
  );
  expect(copy.y + copy.height).toBeLessThanOrEqual(code.y + Number(padding));
});

/** Everything that a reader types into, also in what is folded. */
const CUT_PLACEHOLDERS = `(() => {
  for (const each of document.querySelectorAll('details')) each.open = true;
  return [...document.querySelectorAll('input[placeholder]')]
    .filter(input => {
      if (input.type !== 'search') input.type = 'text';
      input.value = input.placeholder;
      return input.clientWidth > 0 && input.scrollWidth > input.clientWidth;
    })
    .map(input => input.name + ': ' + input.placeholder);
})()`;

test.each(['en', 'ko'])('every placeholder is whole on a screen: %s', async language => {
  const inConsole = PAGES.filter(page => isFor(page, 'local') && !page.path.includes(':')).map(
    ({ path }) => `/console${path}`,
  );
  await open(`/console?lang=${language}`, 'wide');
  for (const path of ['/docs', ...inConsole, '/console/users/taylor-robbins', '/console/send?action=verify-account'])
    expect(await (await open(path, 'wide')).evaluate(CUT_PLACEHOLDERS), path).toEqual([]);
  await open('/console?lang=en', 'wide');
});
