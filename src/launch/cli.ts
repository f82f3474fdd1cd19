#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import { loadCompiled } from './compiled-bundle.ts';
import { tuneEngine } from './tune-engine.ts';

/** Commands that load most of the program. */
const LARGE = ['serve', 'demo', 'check', 'vasp'];
const [command = 'serve'] = process.argv.slice(2);

if (LARGE.includes(command)) tuneEngine();
loadCompiled(
  fileURLToPath(new URL('./cli.cjs', import.meta.url)),
  LARGE.includes(command) ? command : 'others',
);
