import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const MAC = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
/** Serves one after another, whoever asks: the second one finds it installed. */
const INSTALL = `flock /tmp/robot-vasp-chromium.lock sh -c '
command -v chromium || { apt-get update; apt-get install -y --no-install-recommends chromium; }'`;
const HOW =
  'The browser tests need Chromium. Install it (on Debian: apt-get install chromium), or say where it is in CHROMIUM_PATH.';

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** Path of a Chromium or Chrome on this machine. */
export function chromiumPath(): string | undefined {
  const named = process.env.CHROMIUM_PATH;
  if (named) return named;
  const folders = (process.env.PATH ?? '').split(delimiter);
  const places = [...folders.flatMap(folder => NAMES.map(name => join(folder, name))), MAC];
  return places.find(isExecutable);
}

/** Debian's, where nobody has installed one and we may. */
export function ensureChromium(): void {
  if (chromiumPath()) return;
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).status !== 0) throw new Error(HOW);
  console.log('Chromium is missing: Debian’s is being installed for the browser tests.');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const { status } = spawnSync('sh', ['-c', INSTALL], { stdio: ['ignore', 'inherit', 'inherit'], env });
  if (status !== 0 || !chromiumPath()) throw new Error(`apt-get could not install Chromium. ${HOW}`);
}
