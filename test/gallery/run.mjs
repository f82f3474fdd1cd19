// `npm run gallery`: pictures of every page, findings of axe, first paint and bytes. Not a part of any tier.
import { spawn } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const PORT = process.env.PORT ?? '8931';
const BASE = `http://127.0.0.1:${PORT}`;
const FOLDER = process.env.SCREENSHOTS ?? 'screenshots';
const BROWSERS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/google-chrome'];
const PATHS = [
  '',
  '/tests',
  '/tests/withdrawal',
  '/tests/deposit',
  '/checks',
  '/send',
  '/verifications',
  '/callbacks',
  '/exchanges',
  '/money',
  '/assessments',
  '/timers',
  '/faults',
  '/chains',
  '/users',
  '/users/taylor-robbins',
  '/settings',
  '/keys',
];
/** Pages that many verifications change. */
const BUSY_PATHS = [
  '',
  '/verifications',
  '/verifications?result=DENIED',
  '/callbacks',
  '/exchanges',
  '/timers',
];
/** Pages of the guide, and Korean ones. */
const OTHER_PATHS = [
  '/guide',
  '/guide/results',
  '/guide/codes/REPORT-LATE',
  '/guide/ko',
  '/guide/ko/console',
];
const KOREAN_PATHS = ['?lang=ko', '/tests/withdrawal?lang=ko', '/verifications?lang=ko'];
const MANY = 10_000;
const AT_ONCE = 50;
const SIZES = { wide: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };
const MOST_PAINT_MS = 300;
const MOST_BYTES = 150_000;

const call = async (method, path, body) =>
  (
    await fetch(BASE + path, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  ).json();

const program = spawn(process.execPath, ['dist/cli.js', 'serve'], {
  env: { ...process.env, PORT, DATABASE_PATH: ':memory:', LOG_LEVEL: 'warn' },
  stdio: 'inherit',
});
let failures = 0;
const fail = text => {
  failures++;
  console.log(`FAILED ${text}`);
};

async function ready() {
  for (;;) {
    const answer = await fetch(`${BASE}/readyz`).catch(() => undefined);
    if (answer?.status === 200) return;
    await new Promise(resolve => setTimeout(resolve, 100));
  }
}

async function gallery(browser, state, paths) {
  const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  for (const [size, viewport] of Object.entries(SIZES))
    for (const colorScheme of ['light', 'dark']) {
      const context = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce' });
      const page = await context.newPage();
      page.on('pageerror', error => fail(`${page.url()}: ${error.message}`));
      for (const path of paths) {
        await page.goto(BASE + path);
        const name = path.replaceAll(/[^\w]+/g, '-').replace(/^-/, '');
        await page.screenshot({
          path: join(FOLDER, `${state}-${name}-${size}-${colorScheme}.png`),
          fullPage: true,
        });
        const width = await page.evaluate('document.documentElement.scrollWidth');
        if (width > viewport.width) fail(`${path} is ${width} px wide on a ${size} screen`);
        await page.evaluate(axe);
        const { violations } = await page.evaluate('axe.run({ resultTypes: ["violations"] })');
        for (const { id, impact, nodes } of violations)
          fail(`${path} ${size} ${colorScheme}: axe ${impact} ${id}: ${nodes[0].html.slice(0, 160)}`);
      }
      await context.close();
    }
}

async function figures(browser, path) {
  const paints = [];
  let bytes = 0;
  for (let round = 0; round < 5; round++) {
    const context = await browser.newContext({ viewport: SIZES.wide });
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    let received = 0;
    session.on('Network.loadingFinished', ({ encodedDataLength }) => {
      received += encodedDataLength;
    });
    await page.goto(`${BASE}/console${path}`, { waitUntil: 'load' });
    await page.waitForFunction('performance.getEntriesByName("first-contentful-paint").length > 0');
    paints.push(await page.evaluate('performance.getEntriesByName("first-contentful-paint")[0].startTime'));
    bytes = Math.max(bytes, received);
    await context.close();
  }
  const median = paints.sort((a, b) => a - b)[2];
  console.log(
    `${path || '/'}: first contentful paint ${Math.round(median)} ms (median of 5), ${bytes} bytes cold`,
  );
  if (median > MOST_PAINT_MS) fail(`${path} paints after ${Math.round(median)} ms`);
  if (bytes > MOST_BYTES) fail(`${path} transfers ${bytes} bytes`);
}

async function fillWithMany() {
  const bodies = await Promise.all(
    ['taylor-robbins', 'ethan-cook', 'not-allowed', 'garrit-studio'].map(
      async user => (await call('GET', `/sandbox/v1/requests/verify-user?user=${user}`)).body,
    ),
  );
  for (let sent = 0; sent < MANY; sent += AT_ONCE)
    await Promise.all(
      Array.from({ length: AT_ONCE }, (_, n) => call('POST', '/v1/verifications', bodies[n % bodies.length])),
    );
}

try {
  await mkdir(FOLDER, { recursive: true });
  await ready();
  const executablePath = process.env.CHROMIUM_PATH ?? (await firstOf(BROWSERS));
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  const inConsole = paths => paths.map(path => `/console${path}`);
  await gallery(browser, 'empty', [...inConsole(PATHS), ...OTHER_PATHS]);
  await call('PUT', '/sandbox/v1/reference-vasp', { running: true });
  const { verifications } = await call('POST', '/sandbox/v1/reference-vasp/fill');
  const one = `/verifications/${verifications[0].verificationUuid}`;
  await gallery(browser, 'full', inConsole([...PATHS, one, `${one}?view=messages`, ...KOREAN_PATHS]));
  await figures(browser, '');
  await figures(browser, one);
  await fillWithMany();
  await gallery(browser, 'many', inConsole(BUSY_PATHS));
  await figures(browser, '');
  await figures(browser, one);
  await browser.close();
} finally {
  program.kill();
}
console.log(failures === 0 ? `No findings. The pictures are in ${FOLDER}.` : `${failures} findings.`);
process.exitCode = failures === 0 ? 0 : 1;

async function firstOf(paths) {
  for (const path of paths)
    if (
      await readFile(path).then(
        () => true,
        () => false,
      )
    )
      return path;
  throw new Error('Set CHROMIUM_PATH.');
}
