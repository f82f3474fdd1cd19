import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Debian's browser without a window. It opens a page four times as fast as Chromium. */
const SHELL = 'chromium-headless-shell';
const NAMES = [SHELL, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const MAC = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
const LOCK = '/tmp/robot-vasp-chromium.lock';
const INSTALL = `apt-get install -y -qq --no-install-recommends ${SHELL}`;
const HOW = `The browser tests need Chromium. Install it (on Debian: apt-get install ${SHELL}), or set CHROMIUM_PATH.`;

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

const onPath = (names: string[]): string | undefined => {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return [...names.flatMap(name => folders.map(folder => join(folder, name))), MAC].find(isExecutable);
};

/** Path of a Chromium or Chrome on this machine; the fastest one first. */
export const chromiumPath = (): string | undefined => process.env.CHROMIUM_PATH || onPath(NAMES);

/** Installs Debian's browser where that is possible; otherwise any browser of the machine serves. */
export function ensureChromium(): void {
  if (process.env.CHROMIUM_PATH || onPath([SHELL])) return;
  if (process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0) install();
  if (!chromiumPath()) throw new Error(HOW);
}

/** Workers that start together install it once. Package lists are fetched only if no browser is there at all. */
function install(): void {
  console.log(`${SHELL} is being installed for the browser tests.`);
  const update = chromiumPath() ? 'false' : `apt-get update -qq && ${INSTALL}`;
  spawnSync('flock', [LOCK, 'sh', '-c', `command -v ${SHELL} || ${INSTALL} || { ${update}; }`], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
}
