import { command } from './command.ts';
import { CONNECTION, CONNECTION_EXITS, connect } from './connection.ts';

export const status = command({
  name: 'status',
  summary: 'shows readiness, chains and problems of a sandbox',
  options: CONNECTION,
  exits: { 1: 'it runs but is not ready', ...CONNECTION_EXITS },
  examples: ['robot-vasp status', 'robot-vasp status --json'],
  async run({ values, print }) {
    const api = connect(values);
    const health = await api.health();
    const chains = health.chains.map(
      ({ symbol, network, head, why }) => `  ${symbol}  ${network}: ${why ?? `block ${head}`}`,
    );
    const attention = health.attention.map(({ what, text }) => `  ${what}: ${text}`);
    const lines = [
      health.ready ? `ready at ${api.url}` : `not ready at ${api.url}: ${health.missing.join('; ')}`,
      ...chains,
      ...(attention.length === 0 ? [] : ['needs attention:', ...attention]),
    ];
    print(lines.join('\n'), { url: api.url, ...health });
    return health.ready ? 0 : 1;
  },
});
