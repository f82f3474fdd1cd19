import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Robot } from '../../src/testing/robot.ts';
import { createRobot } from '../../src/testing.ts';
import { expectAccessible, expectNoOverflow, screenshots, useBrowser } from '../support/browser/browser.ts';
import { listening } from '../support/http/listening.ts';
import { forFile } from '../support/world/for-file.ts';

const { visit } = useBrowser();

let robot: Robot;
const ids: string[] = [];
/** Takes every order, and does nothing. */
const idleDriver = await forFile(
  listening(createServer((_, response) => response.writeHead(202).end('{"value":"0"}'))),
);
beforeAll(async () => {
  robot = await createRobot({ referenceVasp: true });
  const order = { plan: 'withdrawal', symbols: ['ETH'], modules: ['W1', 'W2', 'W3.a'] } as const;
  const bad = { driver: { url: `${idleDriver.url}/driver` }, wait: '1s' };
  for (const more of [bad, {}]) {
    const { id } = await robot.check({ ...order, symbols: ['ETH'], modules: [...order.modules], ...more });
    ids.push(id);
  }
});
afterAll(async () => {
  await robot?.close();
});

test.each(['wide', 'phone'] as const)('history, a failed run, a comparison and downloads (%s)', async size => {
  const [failed = '', passed = ''] = ids;
  const history = await visit(`${robot.url}/console/checks`, { size });
  await history.getByRole('link', { name: 'withdrawal' }).first().waitFor();
  await expectNoOverflow(history);
  await screenshots(history, `checks-${size}`);
  const failedPage = await visit(`${robot.url}/console/checks/${failed}`, { size });
  await failedPage.getByText('Expected:').first().waitFor();
  await expectNoOverflow(failedPage);
  await expectAccessible(failedPage);
  await screenshots(failedPage, `check-failed-${size}`);
  const compared = await visit(`${robot.url}/console/checks/${passed}?with=${failed}`, { size });
  await compared.getByRole('cell', { name: 'better' }).first().waitFor();
  await expectNoOverflow(compared);
  await expectAccessible(compared);
  await screenshots(compared, `check-compared-${size}`);
  const download = compared.waitForEvent('download');
  await compared.getByRole('link', { name: 'JUnit' }).click();
  expect((await download).suggestedFilename()).toBe('report.xml');
});

test('a run is shown live: what is awaited, and its end', async () => {
  const { id } = await robot.api.startRun({ plan: 'withdrawal', symbols: ['ETH'], modules: ['W3.a', 'W4'] });
  const page = await visit(`${robot.url}/console/checks/${id}`);
  await page.getByRole('button', { name: 'Certificate' }).waitFor();
  await page.locator('.verdict .badge', { hasText: 'PASSED' }).first().waitFor();
});
