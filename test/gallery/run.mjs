// After `npm run build`, `node test/gallery/run.mjs`: pictures of every page, findings of axe, first paint and bytes. Not a part of any tier.
import { execFileSync, spawn } from 'node:child_process';
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
  '/checks',
  '/send',
  '/ivms101',
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
const BUSY_PATHS = ['', '/verifications', '/verifications?result=DENIED', '/callbacks', '/exchanges', '/timers'];
/** Beside the chapters of the guide. */
const OTHER_PATHS = [
  '/docs',
  '/guide?search=hash',
  '/guide/codes',
  '/guide/codes/REPORT-LATE',
  '/guide/codes/MISMATCHED-NAME',
  '/guide/clauses',
];
const HOSTED_PATHS = ['/console', '/console/keys', '/console/usage', '/console/settings'];
const MANY = 10_000;
const AT_ONCE = 50;
const SIZES = {
  large: { width: 1920, height: 1000 },
  wide: { width: 1280, height: 800 },
  phone: { width: 390, height: 844 },
};
const MAX_PAINT_MS = 300;
const MAX_BYTES = 150_000;

const call = async (method, path, body, key) =>
  (
    await fetch(BASE + path, {
      method,
      headers: { 'content-type': 'application/json', ...(key ? { authorization: `Bearer ${key}` } : {}) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  ).json();

const OPERATOR_KEY = 'operator-key-of-the-gallery-0123456789';
const HOSTED = { MODE: 'hosted', OPERATOR_KEY, DATA_KEY: '0f'.repeat(32), PUBLIC_URL: BASE };
const start = (env = {}) =>
  spawn(process.execPath, ['dist/cli.js', 'serve'], {
    env: { ...process.env, PORT, DATABASE_PATH: ':memory:', LOG_LEVEL: 'warn', ...env },
    stdio: 'inherit',
  });
let program = start();
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

async function gallery(browser, state, paths, cookies = []) {
  const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  for (const [size, viewport] of Object.entries(SIZES))
    for (const colorScheme of ['light', 'dark']) {
      const context = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce' });
      await context.addCookies(cookies);
      const page = await context.newPage();
      page.on('pageerror', error => fail(`${page.url()}: ${error.message}`));
      for (const path of paths) {
        const answer = await page.goto(BASE + path);
        if (answer.status() !== 200) fail(`${path} answers ${answer.status()}`);
        const name = path.replaceAll(/[^\w]+/g, '-').replace(/^-/, '');
        await page.screenshot({ path: join(FOLDER, `${state}-${name}-${size}-${colorScheme}.png`), fullPage: true });
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

const linksOf = async (path, pattern) =>
  [...(await (await fetch(BASE + path)).text()).matchAll(/href="([^"#]*)"/g)]
    .map(([, link]) => link)
    .filter((link, position, all) => pattern.test(link) && all.indexOf(link) === position);

async function guidePaths() {
  const english = await linksOf('/guide', /^\/guide(\/[a-z\d-]+)?$/);
  const korean = await linksOf('/guide/ko', /^\/guide\/ko(\/[a-z\d-]+)?$/);
  return [...english, ...korean, ...OTHER_PATHS];
}

/** A denied verification, a check that has ended, and a transaction: the pages that others lead to. */
async function deepPaths(one) {
  const { id } = await call('POST', '/sandbox/v1/runs', { plan: 'security', modules: ['S4'], unattended: true });
  while ((await call('GET', `/sandbox/v1/runs/${id}`)).endedAt === null)
    await new Promise(resolve => setTimeout(resolve, 100));
  const [transaction] = await linksOf('/console/chains', /^\/console\/chain\//);
  const { verifications } = await call('GET', '/sandbox/v1/verifications?result=DENIED');
  const denied = `/console/verifications/${verifications[0].verificationUuid}`;
  return [
    one,
    `${one}?view=messages`,
    denied,
    `/console/checks/${id}`,
    `/sandbox/v1/runs/${id}/report.html`,
    transaction,
  ];
}

/** The cookie of a session in a hosted sandbox. */
async function signedIn(apiKey) {
  const body = new URLSearchParams({ apiKey, to: '/console' });
  const { headers } = await fetch(`${BASE}/console/sign-in`, { method: 'POST', body, redirect: 'manual' });
  const [, name, value] = /^([^=]+)=([^;]+)/.exec(headers.get('set-cookie'));
  return { name, value, url: BASE };
}

async function hostedGallery(browser) {
  program.kill();
  await new Promise(resolve => program.once('exit', resolve));
  program = start(HOSTED);
  await ready();
  await gallery(browser, 'hosted', ['/console/sign-in']);
  const { invitation } = await call('POST', '/sandbox/v1/invitations', { name: 'Bright Exchange' }, OPERATOR_KEY);
  const { apiKey } = await call('POST', '/sandbox/v1/registrations', { invitation, name: 'Bright Exchange' });
  await gallery(browser, 'hosted', HOSTED_PATHS, [await signedIn(apiKey)]);
  await gallery(browser, 'operator', ['/console/operator'], [await signedIn(OPERATOR_KEY)]);
}

const FIRST_PAINT = `new Promise(resolve =>
  new PerformanceObserver(list => {
    const paint = list.getEntriesByName('first-contentful-paint')[0];
    if (paint) resolve(paint.startTime);
  }).observe({ type: 'paint', buffered: true }))`;

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
    paints.push(await page.evaluate(FIRST_PAINT));
    bytes = Math.max(bytes, received);
    await context.close();
  }
  const median = paints.sort((a, b) => a - b)[2];
  console.log(`${path || '/'}: first contentful paint ${Math.round(median)} ms (median of 5), ${bytes} bytes cold`);
  if (median > MAX_PAINT_MS) fail(`${path} paints after ${Math.round(median)} ms`);
  if (bytes > MAX_BYTES) fail(`${path} transfers ${bytes} bytes`);
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
  const inConsole = PATHS.map(path => `/console${path}`);
  await gallery(browser, 'empty', [...inConsole, ...(await guidePaths())]);
  await call('PUT', '/sandbox/v1/reference-vasp', { running: true });
  execFileSync(process.execPath, ['dist/cli.js', 'demo', '--url', BASE]);
  const { verifications } = await call('GET', '/sandbox/v1/verifications?result=VERIFIED');
  const one = `/verifications/${verifications[0].verificationUuid}`;
  const deep = await deepPaths(`/console${one}`);
  await gallery(browser, 'full', [...inConsole, ...deep]);
  const korean = { name: 'robot-vasp-language', value: 'ko', url: BASE };
  await gallery(browser, 'korean', [...inConsole, ...deep, ...OTHER_PATHS], [korean]);
  await figures(browser, '');
  await figures(browser, one);
  await fillWithMany();
  await gallery(
    browser,
    'many',
    BUSY_PATHS.map(path => `/console${path}`),
  );
  await figures(browser, '');
  await figures(browser, one);
  await hostedGallery(browser);
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
