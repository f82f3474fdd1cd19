#!/usr/bin/env node
import module from 'node:module';
import { ConfigFault, loadConfig } from './config.ts';
import { systemClock } from './kernel/clock.ts';

const HELP = `robot-vasp: the test counterpart for Travel Rule integrations

  robot-vasp serve     starts the sandbox (configuration: environment, see README)
  robot-vasp demo      plays the tests against a stand-in VASP and tells the story
  robot-vasp ledger    the embedded XRP Ledger as a server of its own
  robot-vasp version
`;

async function main([command = 'serve', ...rest]: string[]): Promise<void> {
  switch (command) {
    case 'serve':
      return serveUntilStopped();
    case 'demo':
      return process.exit(await (await import('./demo/demo.ts')).demo());
    case 'ledger':
      return ledgerUntilStopped(rest);
    case 'version':
    case '--version':
      return print((await import('./version.ts')).version);
    case 'help':
    case '--help':
    case '-h':
      return print(HELP);
    default:
      process.exitCode = 2;
      return print(`Unknown command: ${[command, ...rest].join(' ')}\n\n${HELP}`);
  }
}

async function serveUntilStopped(): Promise<void> {
  const config = loadConfig(process.env);
  const { serve } = await import('./main.ts');
  const running = await serve(config);
  print(`robot-vasp listens on ${running.url}  (first steps: ${running.url}/sandbox/v1/info)`);
  void running.app.ready().then(() => print('both chains are ready'));
  whenStopped(running.stop);
}

async function ledgerUntilStopped(argv: string[]): Promise<void> {
  const { SERVE_USAGE, serveXrplLedger, WrongArgument } = await import('./devnet/xrpl/serve.ts');
  if (argv.includes('--help') || argv.includes('-h')) return print(SERVE_USAGE);
  const { createLog } = await import('./kernel/log.ts');
  try {
    const log = createLog('warn', process.stderr);
    const ledger = await serveXrplLedger(argv, { clock: systemClock, log, say: print });
    whenStopped(ledger.close);
  } catch (error) {
    process.stderr.write(`robot-vasp ledger: ${(error as Error).message}\n`);
    process.exit(error instanceof WrongArgument ? 2 : 1);
  }
}

/** The first SIGTERM or SIGINT stops in order, a second one at once. */
function whenStopped(stop: () => Promise<void>): void {
  let stopping = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      if (stopping) process.exit(1);
      stopping = true;
      void stop().then(() => process.exit(0));
    });
}

const print = (text: string): void => void process.stdout.write(`${text.trimEnd()}\n`);

// Node 22.8 and newer: what is imported from here on is compiled once per installation.
(module as { enableCompileCache?(): void }).enableCompileCache?.();
main(process.argv.slice(2)).catch(error => {
  process.stderr.write(`${error instanceof ConfigFault ? error.message : String(error?.stack ?? error)}\n`);
  process.exit(1);
});
