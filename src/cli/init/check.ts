import { loadConfig } from '../../app/config/config.ts';
import type { Answers } from '../../client/answers.ts';
import { client } from '../../client/client.ts';

export type Check = Answers['checkVasp']['checks'][number];

/** Calls the addresses with harmless samples, from a sandbox in memory. Throws `ConfigError`. */
export async function checkAddresses(variables: Readonly<Record<string, string>>): Promise<readonly Check[]> {
  const config = loadConfig({ LOG_LEVEL: 'silent', ...variables, PORT: '0', DATABASE_PATH: ':memory:' });
  const { serve } = await import('../../main.ts');
  const running = await serve(config);
  try {
    const api = client(running.url, { send: request => running.app.fetch(request) });
    const { checks } = await api.checkVasp(config.vasp.vaspId);
    return checks;
  } finally {
    await running.stop();
  }
}

export const lineOf = ({ endpoint, url, ok, problem, hint }: Check): string => {
  const name = endpoint.padEnd(17);
  if (url === null) return `  ${name} no address: it is not called`;
  return ok ? `  ${name} answers` : `  ${name} ${problem}${hint ? ` ${hint}` : ''}`;
};
