import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../support/db/scratch-folder.ts';
import { ROOT } from '../support/paths.ts';

/** The stages of the Dockerfile, each as its instructions `[name, rest]`. */
const stages = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
  .replaceAll('\\\n', '')
  .split(/^(?=FROM )/m)
  .slice(1)
  .map(stage => [...stage.matchAll(/^([A-Z]+) (.*)$/gm)].map(([, name = '', rest = '']) => ({ name, rest })));

const folder = scratchFolder();

/** Follows the COPY instructions of a stage, which keep every name. `earlier`: the folder of the stage before it. */
function copyAll(stage: (typeof stages)[number], folder: string, earlier: string): void {
  mkdirSync(folder);
  for (const { name, rest } of stage) {
    if (name !== 'COPY') continue;
    const isFromEarlier = rest.startsWith('--from=build ');
    const names = rest.replace('--from=build ', '').replaceAll('/app/', '').split(' ').slice(0, -1);
    for (const file of names.filter(each => each !== 'node_modules'))
      cpSync(join(isFromEarlier ? earlier : ROOT, file), join(folder, file), { recursive: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
}

test('each stage of the Dockerfile copies all that its commands need', () => {
  const [build = [], image = []] = stages;
  const [built, final] = [join(folder, 'build'), join(folder, 'image')];
  copyAll(build, built, folder);
  expect(build.some(({ name, rest }) => name === 'RUN' && rest.startsWith('npm run build &&'))).toBe(true);
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: built });

  copyAll(image, final, built);
  const { rest: firstStart = '' } = image.find(({ rest }) => rest.includes('cli.js serve ||')) ?? {};
  const said = execFileSync('sh', ['-ec', firstStart.replaceAll('/tmp/first', join(folder, 'first'))], {
    cwd: final,
    encoding: 'utf8',
  });
  expect(said).toContain('both chains are ready');
});
