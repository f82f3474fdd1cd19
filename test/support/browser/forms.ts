import type { Locator, Page } from 'playwright-core';

/** An action that leads to a page. Resolves when that page is loaded with its scripts. */
export async function follow(page: Page, action: () => Promise<unknown>): Promise<void> {
  await Promise.all([page.waitForEvent('load'), action()]);
}

/** Clicks a button or a link that leads to a page. */
export const leave = (page: Page, target: Locator): Promise<void> => follow(page, () => target.click());

export const button = (within: Page | Locator, name: string): Locator =>
  within.getByRole('button', { name, exact: true });

/** Sends a form by its button. */
export const press = (page: Page, name: string): Promise<void> => leave(page, button(page, name));

export const field = (within: Page | Locator, name: string): Locator =>
  within.locator(`[name="${name}"]:not([type="hidden"])`);

export const row = (page: Page, id: string): Locator => page.locator(`tbody[id="${id}"]`);

export const noticeText = async (page: Page): Promise<string> => (await page.locator('#notice').textContent()) ?? '';
