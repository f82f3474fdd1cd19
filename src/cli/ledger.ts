import { SERVE_OPTIONS, serveXrplLedger, WrongArgument } from '../devnet/xrpl/serve.ts';
import { systemClock } from '../kernel/clock.ts';
import { createLog } from '../kernel/log.ts';
import { command, Failure, wrongUsage } from './command.ts';
import { cannotListen } from './connection.ts';
import { cannotOpen, requireFile, requireWritable } from './input.ts';
import { whenStopped } from './output.ts';

const ledger = command({
  summary: 'starts only the embedded XRP Ledger and runs until Ctrl-C',
  details: 'WebSocket and JSON-RPC share one port. `POST /accounts` is the faucet.',
  options: SERVE_OPTIONS,
  exits: { 0: 'stopped', 1: 'it could not start, see the message' },
  examples: ['robot-vasp ledger --port 6006 --network-id 21117'],
  async run({ values, print }) {
    const { database } = values;
    requireFile(database);
    if (database !== ':memory:') await requireWritable(database, `--database: ${database}`);
    const world = { clock: systemClock, log: createLog('warn', process.stderr) };
    const { url, networkId, close } = await serveXrplLedger(values, world)
      .catch(cannotOpen(database))
      .catch(cannotListen({ port: '--port', host: '--host' }))
      .catch(refused);
    print(`XRP Ledger ready at ${url} (network ${networkId})`, { event: 'ready', url, networkId });
    whenStopped(close);
    return undefined;
  },
});
export const commands = { ledger };

function refused(error: Error): never {
  if (error instanceof Failure) throw error;
  if (error instanceof WrongArgument) throw wrongUsage(error.message);
  throw new Failure(1, 'NOT-STARTED', error.message);
}
