import { Readable } from 'node:stream';
import { StreamableHTTPClientTransport, StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import {
  ErrorCode,
  InitializeResultSchema,
  isJSONRPCRequest,
  type JSONRPCMessage,
} from '@modelcontextprotocol/sdk/types.js';
import { wrongUsage } from './command.ts';

/** Of one message. The sandbox takes less. */
const MAX_LINE_MIB = 4;
/** How many messages may wait for an answer. The input is read no further until they have one. */
const MAX_PENDING = 100;

/** Passes messages between stdio and the MCP server at `url`. Resolves when the agent closes its input. */
export async function bridge(url: URL, apiKey: string | undefined): Promise<void> {
  const headers: Record<string, string> = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  const pending = new Set<Promise<void>>();
  const input = Readable.from(limitedLines(process.stdin, pending), { objectMode: false });
  const agent = new StdioServerTransport(input);
  const sandbox = new StreamableHTTPClientTransport(url, { requestInit: { headers } });
  sandbox.onmessage = message => {
    const version = protocolVersionOf(message);
    if (version !== undefined) sandbox.setProtocolVersion(version);
    void agent.send(message);
  };
  agent.onmessage = message => {
    const passing = sandbox.send(message).catch(error => refuse(agent, message, error));
    pending.add(passing);
    void passing.finally(() => pending.delete(passing));
  };
  const ended = new Promise<void>((resolve, reject) => {
    input.once('error', reject).once('end', resolve).once('close', resolve);
  });
  agent.onerror = error => void agent.send(unreadable(error));
  await sandbox.start();
  await agent.start();
  await ended;
  await Promise.all(pending);
  await sandbox.close();
}

/** The input, line by line or in parts of one. Throws wrong usage at a line that is too long: it may never end. */
async function* limitedLines(input: AsyncIterable<Buffer>, pending: ReadonlySet<Promise<void>>) {
  let bytes = 0;
  for await (const chunk of input)
    for (let start = 0, end = 0; start < chunk.length; start = end) {
      const lineBreak = chunk.indexOf('\n', start);
      end = lineBreak === -1 ? chunk.length : lineBreak + 1;
      bytes += end - start;
      if (bytes > MAX_LINE_MIB * 1024 * 1024)
        throw wrongUsage(`a line of standard input has more than ${MAX_LINE_MIB} MiB`);
      if (lineBreak !== -1) bytes = 0;
      yield chunk.subarray(start, end);
      if (pending.size >= MAX_PENDING) await Promise.all(pending);
    }
}

/** JSON-RPC 2.0, 5.1: the id of what cannot be read is unknown. A line that is JSON is no request. */
const unreadable = (error: Error): JSONRPCMessage =>
  ({
    jsonrpc: '2.0',
    id: null,
    error:
      error instanceof SyntaxError
        ? { code: ErrorCode.ParseError, message: 'The line is not JSON.' }
        : { code: ErrorCode.InvalidRequest, message: 'The line is no JSON-RPC message.' },
  }) as unknown as JSONRPCMessage;

/** The version that the server chose, when the message is its answer to `initialize`. */
function protocolVersionOf(message: JSONRPCMessage): string | undefined {
  const result = 'result' in message ? InitializeResultSchema.safeParse(message.result) : undefined;
  return result?.success ? result.data.protocolVersion : undefined;
}

/** A request whose message could not be passed gets an error instead of silence. */
async function refuse(agent: StdioServerTransport, message: JSONRPCMessage, error: Error): Promise<void> {
  if (!isJSONRPCRequest(message)) return;
  const text =
    error instanceof StreamableHTTPError
      ? `The sandbox refused the message: ${error.message}`
      : `The sandbox does not answer: ${error.message}. Start it with \`robot-vasp serve\`, or set --url.`;
  await agent.send({ jsonrpc: '2.0', id: message.id, error: { code: ErrorCode.InternalError, message: text } });
}
