import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { AxeResults } from 'axe-core';
import { type BrowserContext, type Browser as Chromium, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { chromiumPath, ensureChromium } from './chromium.ts';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--no-first-run',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
];
/** A step that hangs is named before the test ends by its own limit. */
const STEP_MS = 60_000;
export const SIZES = { wide: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } } as const;

export interface Visit {
  size?: keyof typeof SIZES;
  javaScriptEnabled?: boolean;
  /** Runs before anything of the page. */
  script?: string;
  /** A file of the page that comes late. */
  delay?: { file: string; ms: number };
  /** Console messages that the test provokes on purpose. */
  mayFail?: RegExp;
}

export interface Browser {
  /** A new visitor: nothing is shared with others. Left alone after the test. */
  visit(url: string, options?: Visit): Promise<Page>;
  /** In the one tab that all tests of the file share. A new visitor costs a process of the browser. */
  openInTab(url: string, size: keyof typeof SIZES): Promise<Page>;
}

/**
 * A browser for the tests of a file. A test fails on any error in the console, on a failed request, and on a request
 * to another host.
 */
export function useBrowser(): Browser {
  let browser: Chromium;
  /** Of one test. */
  const contexts: BrowserContext[] = [];
  const problems: string[] = [];

  beforeAll(async () => {
    ensureChromium();
    browser = await chromium.launch({ executablePath: chromiumPath()!, args: FLAGS });
  }, 300_000);
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map(context => context.close()));
    expect(problems.splice(0)).toEqual([]);
  });
  afterAll(() => browser?.close());

  let tab: Page | undefined;
  async function openContext(
    url: string,
    { size = 'wide', javaScriptEnabled = true, script = '', delay, mayFail }: Visit = {},
  ): Promise<Page> {
    const context = await browser.newContext({ viewport: SIZES[size], reducedMotion: 'reduce', javaScriptEnabled });
    context.setDefaultTimeout(STEP_MS);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await context.addInitScript(script);
    const page = await context.newPage();
    if (delay) await page.route(`**/${delay.file}`, route => setTimeout(() => route.continue(), delay.ms));
    watch(page, new URL(url).host, text => mayFail?.test(text) || problems.push(text));
    await page.goto(url);
    return page;
  }
  return {
    async visit(url, options) {
      const page = await openContext(url, options);
      contexts.push(page.context());
      return page;
    },
    async openInTab(url, size) {
      tab ??= await openContext(url, { size });
      await tab.setViewportSize(SIZES[size]);
      await tab.goto(url);
      return tab;
    },
  };
}

function watch(page: Page, host: string, problem: (text: string) => void): void {
  page.on('console', message => {
    if (message.type() === 'error') problem(`console: ${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', error => problem(`page: ${error.message}`));
  page.on('request', request => {
    if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).host !== host)
      problem(`request to another host: ${request.url()}`);
  });
  page.on('requestfailed', request => {
    // A page that is left ends its event stream.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED')
      problem(`request failed: ${request.url()} ${request.failure()?.errorText}`);
  });
}

/** Nothing that axe finds serious or critical. In dark only what a colour scheme changes is judged again. */
export async function expectAccessible(page: Page, schemes: Scheme[] = ['light', 'dark']): Promise<void> {
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme });
    // A script of the page may follow the scheme: it runs before the next frame.
    await page.evaluate('new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
    // Colours fade into those of the scheme.
    await page.evaluate(
      'Promise.allSettled(document.getAnimations().filter(each => each instanceof CSSTransition).map(each => each.finished)).then(() => {})',
    );
    if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(AXE);
    const options = { resultTypes: ['violations'], ...(colorScheme === 'dark' ? COLOUR_RULES : {}) };
    const { violations } = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(options)})`);
    const grave = violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html, failureSummary }) => ({ html, failureSummary })) }));
    expect(grave, `${page.url()} in ${colorScheme}`).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: 'light' });
}
type Scheme = 'light' | 'dark';
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const COLOUR_RULES = { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } };

/** Nothing sticks out of the page: what is wide scrolls inside its box. */
export async function expectNoOverflow(page: Page): Promise<void> {
  const { scrollWidth, clientWidth } = await page.evaluate<{ scrollWidth: number; clientWidth: number }>(
    '({ scrollWidth: document.documentElement.scrollWidth, clientWidth: document.documentElement.clientWidth })',
  );
  expect(scrollWidth, `${page.url()} is wider than its window`).toBeLessThanOrEqual(clientWidth);
}

/** For people: `SCREENSHOTS=/some/folder npm run test:only -- test/e2e` keeps what the tests have seen. */
export async function screenshots(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (!folder) return;
  await mkdir(folder, { recursive: true });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`), fullPage: true });
  }
}

/** On a screen and on a phone: nothing sticks out, and it is accessible. */
export async function looksGood(page: Page, name: string): Promise<void> {
  for (const [size, viewport] of Object.entries(SIZES)) {
    await page.setViewportSize(viewport);
    await expectNoOverflow(page);
    await screenshots(page, `${name}-${size}`);
  }
  await expectAccessible(page);
  await page.setViewportSize(SIZES.wide);
}
