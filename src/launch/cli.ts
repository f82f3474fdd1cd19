#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import { loadCompiled } from './compiled-bundle.ts';
import { provideSqlite } from './provide-sqlite.ts';
import { tuneEngine } from './tune-engine.ts';

/** Commands that load most of the program. */
const LARGE = ['serve', 'demo', 'check', 'vasp'];
/** Besides these. */
const WITH_DATABASE = [...LARGE, 'enclave', 'robot', 'ledger', 'backup', 'restore', 'compact'];
const [command = 'serve', ...rest] = process.argv.slice(2);

const file = fileURLToPath(new URL('./cli.cjs', import.meta.url));
if (WITH_DATABASE.includes(command) && !rest.includes('--help')) await requireSqlite();
if (LARGE.includes(command)) tuneEngine();
loadCompiled(file, LARGE.includes(command) ? command : 'others');

async function requireSqlite(): Promise<void> {
  const print = (line: string) => void process.stderr.write(`${line}\n`);
  const isJson = rest.includes('--json');
  const message = await provideSqlite(file, isJson ? () => {} : print);
  if (message === undefined) return;
  print(isJson ? JSON.stringify({ code: 'NO-SQLITE', message }) : `robot-vasp ${command}: ${message}`);
  process.exit(1);
}
