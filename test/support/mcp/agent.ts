import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { expect, onTestFinished } from 'vitest';

/** A coding agent: a client of MCP. */

export async function connected(transport: Transport): Promise<Client> {
  const agent = new Client({ name: 'agent', version: '1' });
  await agent.connect(transport);
  onTestFinished(() => agent.close());
  // From now on it compares each answer with the schema of its tool.
  await agent.listTools();
  return agent;
}

export const overHttp = (url: string, apiKey?: string): Promise<Client> => {
  const headers: Record<string, string> = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  return connected(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } }));
};

type Arguments = Record<string, unknown>;

export async function call(agent: Client, name: string, args: Arguments = {}) {
  const { content, isError = false } = await agent.callTool({ name, arguments: args });
  const [first] = content as { type: string; text: string }[];
  return { isError, text: first!.text };
}

// biome-ignore lint/suspicious/noExplicitAny: answers of any shape
export async function answer(agent: Client, name: string, args: Arguments = {}): Promise<any> {
  const { isError, text } = await call(agent, name, args);
  expect({ name, isError, text }).toMatchObject({ isError: false });
  return JSON.parse(text);
}
