import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PAGES as ALL, isFor } from '../../src/console/pages.ts';
import { expectAccessible, expectNoOverflow, SIZES, screenshots, useBrowser } from '../support/browser/browser.ts';
import { movingClock, reaches, received, verifiedForRobot } from '../support/requests/from-robot.ts';
import { paid, verificationOf, verified } from '../support/requests/from-tested-vasp.ts';
import { createWorld, type World } from '../support/world/world.ts';

const PAGES = ALL.filter(page => isFor(page, 'local'));
const browser = useBrowser();
let world: World;
/** Address of every page of the registry; those with parameters as other pages link to them. */
let addresses: Map<string, string>;

beforeAll(async () => {
  world = await createWorld({ clock: movingClock });
  await play();
  addresses = await addressesOfPages();
});
afterAll(() => world?.close());

/** Something of everything: credited, unattributed, paid, refused, open, given up. */
async function play(): Promise<void> {
  const { api, vasp } = world;
  await received(world, { symbol: 'XRP' });
  await received(world, { amount: '5' });
  const { uuid } = await verifiedForRobot(world);
  await api.robotWithdraw(uuid);
  await reaches(world, uuid, 'CONFIRMED');
  await api.assessKyt({ verificationUuid: uuid });
  const wrong = verificationOf(world, {
    change: request => {
      request.assetInfo.symbol = 'BTC';
    },
  });
  await api.verifyUser(wrong);
  await api.verifyUser(verificationOf(world, { user: 'never-answers' }));
  const unexpected = { symbol: 'XRP', to: world.user('garrit-studio').accounts.XRP, amount: '3' } as const;
  await paid(world, unexpected);
  vasp.script('callback', undefined, { status: 500, body: { result: false } });
  await api.verifyUser(verificationOf(world));
  await api.advance('3h');
  vasp.script('callback', undefined, 'ordinary');
  await verified(world);
  await api.addFault({ target: 'answer.get-self', mode: 'drop' });
  await api.startRun({ plan: 'security', modules: ['S4'], unattended: true });
}

async function addressesOfPages(): Promise<Map<string, string>> {
  const fixed = PAGES.filter(({ path }) => !path.includes(':')).map(({ path }) => path);
  const texts = await Promise.all(fixed.map(async path => (await fetch(`${world.url}/console${path}`)).text()));
  const links = texts.flatMap(text => [...text.matchAll(/href="\/console([^"?#]*)/g)].map(([, link]) => link!));
  return new Map(
    PAGES.flatMap(({ path }) => {
      const pattern = new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`);
      const address = fixed.includes(path) ? path : links.find(link => pattern.test(link));
      return address === undefined ? [] : [[path, address]];
    }),
  );
}

test('every page is reached by a link', () => {
  expect([...addresses.keys()]).toEqual(PAGES.map(({ path }) => path));
});

const openAll = (page: Page) =>
  page.evaluate('for (const each of document.querySelectorAll("main details")) each.open = true');

describe.each(PAGES.map(({ path, title }) => [title, path]))('%s (%s)', (_, path) => {
  const name = path.replaceAll(/\W+/g, '-').replace(/^-/, '') || 'overview';
  const address = () => `${world.url}/console${addresses.get(path)}`;

  test('no errors, no overflow, accessible, on a screen and on a phone', async () => {
    const page = await browser.openInTab(address(), 'phone');
    await expectNoOverflow(page);
    await screenshots(page, `${name}-phone`);
    await openAll(page);
    await expectNoOverflow(page);
    await expectAccessible(page, ['light']);
    await page.setViewportSize(SIZES.wide);
    await expectNoOverflow(page);
    await expectAccessible(page);
    await screenshots(page, `${name}-wide`);
  });

  test('is complete without JavaScript', async () => {
    const text = await (await fetch(address())).text();
    expect(text).toMatch(/<h1>.+<\/h1>/);
    expect(text).not.toContain('notice failed');
    expect(text).toMatch(/<div id="live".*>.+<\/div><\/main>/s);
  });
});

test.each(['', '/money', '/timers', '/chains'])(
  'the texts of the pictures of /console%s are readable on a phone',
  async path => {
    const page = await browser.openInTab(`${world.url}/console${path}`, 'phone');
    const heights = await page.evaluate<number[]>(
      "[...document.querySelectorAll('.picture text')].map(text => text.getBoundingClientRect().height).filter(height => height > 0)",
    );
    expect(heights.length).toBeGreaterThan(0);
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(10);
    await expectNoOverflow(page);
  },
);

test('local times say so in the language of the page', async () => {
  const page = await browser.visit(`${world.url}/console/callbacks?lang=ko`);
  await page.locator('#zone').click();
  expect(await page.locator('time .zone').first().textContent()).toBe('현지');
});

test('a verification of nobody is refused, in the frame', async () => {
  const nobodys = '/console/verifications/6b1c5f0e-0000-4000-8000-000000000000';
  const page = await browser.visit(world.url + nobodys, { mayFail: /404/ });
  expect(await page.locator('.notice.failed').textContent()).toContain('VERIFICATION-NOT-FOUND');
  expect(await page.locator('nav a').count()).toBeGreaterThan(10);
});
