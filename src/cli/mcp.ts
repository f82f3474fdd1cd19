import { command } from './command.ts';
import { CONNECTION, CONNECTION_EXITS, connect } from './connection.ts';

const mcp = command({
  summary: 'serves the tools of a running sandbox to a coding agent by MCP over stdio',
  details: 'It passes the messages to `/mcp` of the sandbox. An agent that speaks HTTP can use that address itself.',
  progress: '',
  options: CONNECTION,
  exits: CONNECTION_EXITS,
  examples: ['robot-vasp mcp', 'claude mcp add robot-vasp -- robot-vasp mcp --url http://127.0.0.1:8080'],
  async run({ values }) {
    const { url } = connect(values);
    const { bridge } = await import('./mcp-bridge.ts');
    await bridge(new URL('/mcp', url), values['api-key']);
    return 0;
  },
});
export const commands = { mcp };
