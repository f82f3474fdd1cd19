import { loadConfig } from '../../app/config/config.ts';
import { type Client, client } from '../../client/client.ts';
import type { AssetSymbol } from '../../contract/assets.ts';
import { Failure } from '../command.ts';
import { connect } from '../connection.ts';
import { withEnvFile } from '../env-file.ts';
import { portOf } from '../input.ts';
import { cannotListen } from '../listen.ts';
import type { CheckValues } from './options.ts';

/** A running sandbox by --url, or one of its own in memory, with at least the ledgers of `symbols`. */
export async function openSandbox(
  values: CheckValues,
  symbols: readonly AssetSymbol[],
): Promise<{ api: Client; close(): Promise<void> }> {
  if (values.url) return { api: connect({ url: values.url, 'api-key': values['api-key'] }), close: async () => {} };
  const { serve } = await import('../../main.ts');
  const running = await serve(configuration(values)).catch(
    cannotListen({ port: '--port', host: 'HOST', or: ', or --url to the sandbox that runs there' }),
  );
  await running.ready(symbols).catch(async (error: Error) => {
    await running.stop();
    throw new Failure(3, 'NOT-READY', error.message);
  });
  return { api: client(running.url, { send: request => running.app.fetch(request) }), close: running.stop };
}

function configuration({ port, 'env-file': file }: CheckValues) {
  const { env, places } = withEnvFile(process.env, file);
  const own = { PORT: String(portOf(port)), DATABASE_PATH: ':memory:' };
  return loadConfig({ LOG_LEVEL: 'error', XRPL_CLOSE_INTERVAL: '100ms', ...env, ...own }, undefined, places);
}
