#!/usr/bin/env -S node --
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { loadCompiled, provideSqlite } from './compiled-bundle.ts';

/** Commands that load most of the program. */
const LARGE = ['serve', 'demo', 'check', 'vasp'];
/** Besides these. */
const WITH_DATABASE = [...LARGE, 'enclave', 'robot', 'ledger', 'backup', 'restore', 'compact'];
const [command = 'serve', ...rest] = process.argv.slice(2);

const file = fileURLToPath(new URL('./cli.cjs', import.meta.url));
if (WITH_DATABASE.includes(command) && !rest.includes('--help')) await requireSqlite();
if (LARGE.includes(command)) tuneEngine();
loadCompiled(file, LARGE.includes(command) ? command : 'others');

/** Settings of V8 for a server: they change memory and speed only. Throws nothing, and Node 20 to 24 know them. */
function tuneEngine(): void {
  // `fetch` parses HTTP by one huge WebAssembly function. To optimise it takes 30 MB, and 10 MB of them stay. It is nearly as
  // fast as it is compiled at first.
  setFlagsFromString('--no-wasm-dynamic-tiering');
  setFlagsFromString('--no-wasm-tier-up');
  // A burst of requests leaves much garbage. By default the heap grows to four times its live size first. A lower number
  // takes more time than it saves memory.
  setFlagsFromString('--heap-growing-percent=70');
}

async function requireSqlite(): Promise<void> {
  const print = (line: string) => void process.stderr.write(`${line}\n`);
  const isJson = rest.includes('--json');
  const message = await provideSqlite(file, isJson ? () => {} : print);
  if (message === undefined) return;
  print(isJson ? JSON.stringify({ code: 'NO-SQLITE', message }) : `robot-vasp ${command}: ${message}`);
  process.exit(1);
}
