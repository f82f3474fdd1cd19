import { expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };

const OF_AN_INSTALLATION = ['preinstall', 'install', 'postinstall', 'prepare'];

test('npm finds no script of the package that it would warn about when it installs it', () => {
  expect(Object.keys(packageJson.scripts).filter(name => OF_AN_INSTALLATION.includes(name))).toEqual([]);
  expect(packageJson.scripts.prepack).toBe(packageJson.scripts.build);
});
