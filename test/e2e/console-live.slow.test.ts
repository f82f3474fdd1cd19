import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { useBrowser } from '../support/browser/browser.ts';
import { leave, press } from '../support/browser/forms.ts';
import { paid, verificationOf, verified } from '../support/requests/from-tested-vasp.ts';
import { until } from '../support/until.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

const browser = useBrowser();
const world = await forFile(createWorld({ file: true }));

/** Only events wake the page: reading itself again every few seconds would hide one that is lost. */
const EVENTS_ONLY = 'window.setInterval = () => 0;';
const open = (path: string) => browser.visit(`${world.url}/console${path}`, { script: EVENTS_ONLY });
const rowOf = (page: Page, uuid: string) => page.locator(`#verification-${uuid}`);
/** Is gone as soon as the browser loads the page anew. */
const mark = (page: Page) => page.evaluate('document.body.dataset.marked = "yes"');
const isMarked = async (page: Page) => (await page.evaluate('document.body.dataset.marked')) === 'yes';

/** The callback is refused until nobody tries any more. */
async function givenUp(): Promise<{ uuid: string; id: string }> {
  const { api, vasp } = world;
  vasp.script('callback', undefined, { status: 503, body: { result: false } });
  const { verificationUuid: uuid } = await api.verifyUser(verificationOf(world));
  await api.advance('3h');
  const { callbacks } = await api.callbacks({ verificationUuid: uuid });
  expect(callbacks).toMatchObject([{ status: 'GIVEN-UP' }]);
  vasp.script('callback', undefined, 'ordinary');
  return { uuid, id: callbacks[0]!.id };
}

describe('a live update', () => {
  test('brings what the API was asked for into the open list; focus and typed text stay', async () => {
    await verified(world);
    const page = await open('/verifications');
    await mark(page);
    await page.getByLabel('Search').pressSequentially('rob');
    const { uuid } = await verified(world);
    await rowOf(page, uuid).getByText('VERIFIED').waitFor();
    await page.keyboard.type('bi');
    expect(await page.getByLabel('Search').inputValue()).toBe('robbi');
    expect(await isMarked(page)).toBe(true);
  });

  test('leaves what was typed into a refused form', async () => {
    const page = await open('/users');
    const typed = page.locator('[name="setup"]');
    await typed.fill('{"users":');
    await press(page, 'Import');
    await page.getByText('This is not a file').first().waitFor();
    await world.api.putUser('late-payer', {
      kind: 'natural',
      names: { firstName: 'Ada', lastName: 'Late' },
      kyc: true,
      behaviour: 'ORDINARY',
    });
    await verified(world);
    await page.locator('#user-late-payer').waitFor();
    expect(await typed.inputValue()).toBe('{"users":');
    await world.api.restoreUsers();
  });

  test('comes even if the scripts of the page arrive one long after the other', async () => {
    const page = await browser.visit(`${world.url}/console/verifications`, {
      script: EVENTS_ONLY,
      delay: { file: 'live.js', ms: 500 },
    });
    const { uuid } = await verified(world);
    await rowOf(page, uuid).waitFor();
  });

  test('leaves open what is open', async () => {
    const { uuid } = await verified(world);
    const page = await open('/callbacks');
    await page
      .locator('tbody', { hasText: uuid.slice(0, 8) })
      .getByRole('link', { name: 'VERIFICATION_RESULT' })
      .click();
    const shown = page.locator('section.shown');
    await shown.getByRole('heading', { name: 'VERIFICATION_RESULT' }).waitFor();
    await mark(page);
    const another = await verified(world);
    await page.locator('tbody', { hasText: another.uuid.slice(0, 8) }).waitFor();
    expect(await shown.getByRole('heading', { name: 'VERIFICATION_RESULT' }).isVisible()).toBe(true);
    expect(await isMarked(page)).toBe(true);
  });

  test('keeps to the filter', async () => {
    const page = await open('/verifications');
    await page.getByLabel('Result').selectOption('DENIED');
    await press(page, 'Filter');
    await page.getByText('No verification matches this filter.').waitFor();
    await mark(page);
    const allowed = await verified(world);
    const denied = await world.api.verifyUser(verificationOf(world, { user: 'not-allowed' }));
    await rowOf(page, denied.verificationUuid).getByText('NOT-ALLOWED', { exact: true }).waitFor();
    expect(await rowOf(page, allowed.uuid).count()).toBe(0);
    expect(await isMarked(page)).toBe(true);
  });

  test('empties the open list when everything is removed', async () => {
    const { uuid } = await verified(world);
    const page = await open('/verifications');
    await rowOf(page, uuid).waitFor();
    await mark(page);
    await world.api.reset();
    await rowOf(page, uuid).waitFor({ state: 'detached' });
    expect(await isMarked(page)).toBe(true);
  });
});

describe('with the mouse', () => {
  test('a failed callback is replayed', async () => {
    const { uuid, id } = await givenUp();
    const page = await open('/callbacks?status=GIVEN-UP');
    const row = page.locator(`#callback-${id}`);
    expect(await row.getAttribute('class')).toContain('loud');
    await leave(page, row.getByRole('button', { name: 'Replay' }));
    await page.getByText('VERIFICATION_RESULT will be sent again').waitFor();
    await page.waitForURL('**/console/callbacks?status=GIVEN-UP');
    expect(await world.vasp.ordinary.callbackOf(uuid, 'VERIFICATION_RESULT')).toMatchObject({ verificationUuid: uuid });
    await page.getByLabel('Status').selectOption('DELIVERED');
    await press(page, 'Filter');
    await row.getByText('DELIVERED').waitFor();
  });

  test('the overview says what needs attention, and leads there', async () => {
    const { id } = await givenUp();
    const page = await open('');
    await page
      .locator('.attention', { hasText: `callback ${id}` })
      .getByRole('link', { name: 'Callbacks' })
      .click();
    await page.locator(`#callback-${id}`).waitFor();
  });

  test('time is advanced, and the page of the verification shows what it has brought', async () => {
    const { uuid } = await verified(world);
    world.vasp.ordinary.setStatus(uuid, 'PROCESSING');
    expect(world.vasp.received('transactionStatus', uuid)).toEqual([]);
    const page = await open('/verifications');
    await leave(page, rowOf(page, uuid).getByRole('link', { name: uuid.slice(0, 8) }));
    await page.locator('.sequence .pending').waitFor();
    const steps = await page.locator('.sequence li').count();
    await page.getByLabel('By').fill('10m');
    await press(page, 'Advance time');
    await page.locator('#notice', { hasText: 'fired' }).waitFor();
    await page.waitForURL(`**/console/verifications/${uuid}`);
    expect(world.vasp.received('transactionStatus', uuid)).toHaveLength(1);
    await until(async () => (await page.locator('.sequence li').count()) > steps);
    const inquiry = page.locator('.sequence .message.left details', { hasText: 'transactionStatus' });
    await inquiry.locator('summary').click();
    await inquiry.locator('.json', { hasText: '"PROCESSING"' }).waitFor();
  });

  test('a transaction that has arrived is reported: its hash stands there already', async () => {
    const verification = await verified(world);
    const txHash = await paid(world, verification);
    const page = await open(`/verifications/${verification.uuid}`);
    await page.getByText('Report the transaction').click();
    await leave(page, page.getByRole('button', { name: 'Report as your VASP' }).first());
    await page.locator('#notice', { hasText: 'The transaction is reported.' }).waitFor();
    expect(await world.api.verification(verification.uuid)).toMatchObject({ txHash });
    await page.locator('.definition-list').getByText('CREDITED').first().waitFor();
  });

  test('the diagram says which field decided, and by how little', async () => {
    const { verificationUuid: uuid } = await world.api.verifyUser(
      verificationOf(world, {
        change: ({ payload }) => {
          const [person] = payload.ivms101.beneficiary.beneficiaryPersons as unknown as {
            naturalPerson: { name: { nameIdentifier: { primaryIdentifier: string }[] } };
          }[];
          person!.naturalPerson.name.nameIdentifier[0]!.primaryIdentifier = 'Robins';
        },
      }),
    );
    const page = await open(`/verifications/${uuid}`);
    const verdict = page.locator('.sequence .message.left details', { hasText: 'judge' });
    await verdict.locator('.near-miss', { hasText: /Robbins.*Robins.*primaryIdentifier/ }).waitFor();
    await verdict.locator('summary').click();
    await verdict.locator('tbody.loud', { hasText: 'name' }).waitFor();
  });
});

describe('with the keyboard', () => {
  const focused = (page: Page) => page.locator(':focus');
  async function tabTo(page: Page, name: string): Promise<void> {
    await until(async () => {
      await page.keyboard.press('Tab');
      return (await focused(page).textContent())?.trim().startsWith(name) ?? false;
    });
    const outline = await focused(page).evaluate('element => getComputedStyle(element).outlineStyle');
    expect(outline, `${name} shows that it has the focus`).not.toBe('none');
  }

  test('from the skip link to the details of a message', async () => {
    const { uuid } = await verified(world);
    const page = await open('');
    await page.keyboard.press('Tab');
    expect(await focused(page).textContent()).toContain('Skip to the content');
    expect(await focused(page).isVisible()).toBe(true);
    await page.keyboard.press('Enter');
    await page.locator('#main:focus').waitFor();
    await page.keyboard.press('Shift+Tab');
    await page.reload();
    await tabTo(page, 'Verifications');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/console/verifications');
    await tabTo(page, uuid.slice(0, 8));
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/${uuid}`);
    const steps = page.locator('.sequence details');
    await until(async () => {
      await page.keyboard.press('Tab');
      return (await page.locator('.sequence summary:focus').count()) === 1;
    });
    await page.keyboard.press('Enter');
    await steps.first().and(page.locator('[open]')).waitFor();
  });

  test('the menu of a phone opens and closes', async () => {
    const page = await browser.visit(`${world.url}/console`, { size: 'phone' });
    const faults = page.getByRole('link', { name: 'Faults', exact: true });
    expect(await faults.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Menu' }).press('Enter');
    await faults.waitFor();
    await page.keyboard.press('Escape');
    await faults.waitFor({ state: 'hidden' });
  });
});
