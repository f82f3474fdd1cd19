/**
 * `node test/image/run.mjs`, as root on Debian with buildah and mmdebstrap. The steps run in a process group of their own: a
 * signal ends all of it, and nothing is left.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

for (const program of ['buildah', 'mmdebstrap']) {
  if (spawnSync(program, ['--version']).error === undefined) continue;
  console.error(`${program} is missing. On Debian, as root: apt-get install buildah mmdebstrap`);
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), 'robot-vasp-image-'));
const steps = fileURLToPath(new URL('./image.mjs', import.meta.url));
const child = spawn(process.execPath, [steps, folder], { detached: true, stdio: 'inherit' });
const toAll = signal => {
  try {
    return process.kill(-child.pid, signal);
  } catch {
    return false;
  }
};
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => toAll('SIGTERM'));
const [code] = await once(child, 'exit');
toAll('SIGTERM');
// mmdebstrap unmounts what it has mounted.
while (toAll(0)) await pause(100);
// After a failed step, buildah leaves its own mounts.
spawnSync('umount', ['--recursive', '--quiet', join(folder, 'root/overlay')]);
rmSync(folder, { recursive: true, force: true });
process.exit(code ?? 1);
