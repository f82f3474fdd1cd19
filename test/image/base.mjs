import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

const PACKAGES = 'ca-certificates,python3,make,g++';

/** Name -> content of the base images that the Dockerfile names, without the registry they come from. */
export const baseNames = dockerfile => [
  ...new Set([...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, name]) => `docker.io/library/${name}`)),
];

/**
 * Makes a Debian with the Node.js of this machine and a user `node`, and tags it with `names`. No registry of images is
 * needed: Debian's packages and Node.js are all there is in it.
 */
export function makeBase(names, folder, buildah) {
  const tar = join(folder, 'base.tar');
  execFileSync('mmdebstrap', ['--variant=minbase', `--include=${PACKAGES}`, 'bookworm', tar], {
    stdio: 'ignore',
  });
  const container = buildah('from', 'scratch');
  buildah('add', container, tar, '/');
  const node = process.execPath;
  buildah('copy', container, node, '/usr/local/bin/node');
  const modules = join(dirname(dirname(node)), 'lib/node_modules/npm');
  buildah('copy', container, modules, '/usr/local/lib/node_modules/npm');
  // For modules that are compiled: the headers of this Node.js.
  const headers = join(dirname(dirname(node)), 'include/node');
  if (existsSync(headers)) buildah('copy', container, headers, '/usr/local/include/node');
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
