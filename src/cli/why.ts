import { type Answers, Refused } from '../client/client.ts';
import { isUuid } from '../contract/text.ts';
import { command, Failure } from './command.ts';
import { CONNECTION, CONNECTION_EXITS, connect } from './connection.ts';

export const why = command({
  name: 'why',
  summary: 'explains why a verification is in its state, and what to do',
  argument: { name: '<uuid>', meaning: 'verificationUuid; `robot-vasp verifications` lists them' },
  options: CONNECTION,
  exits: CONNECTION_EXITS,
  examples: ['robot-vasp why 4a1f0c7e-0a52-4f4c-9d5f-5f5b0c1f7a11'],
  async run({ argument = '', values, print }) {
    const answer = await connect(values)
      .why(argument)
      .catch(error => Promise.reject(unknown(error, argument)));
    const steps = answer.next.map((step, index) => [step, commandFor(answer.calls[index])].filter(Boolean).join(' '));
    const next = steps.length === 0 ? ['Nothing is left to do.'] : steps;
    print(
      [answer.what, ...answer.facts.map(fact => `  ${fact}`), 'What to do:', ...next.map(step => `  ${step}`)].join(
        '\n',
      ),
      answer,
    );
    return 0;
  },
});

/** A call as the command that makes it, or as itself. */
function commandFor(call: Answers['why']['calls'][number] | undefined): string | undefined {
  if (!call) return undefined;
  const [, id] = /^\/sandbox\/v1\/callbacks\/(\d+)\/replay$/.exec(call.path) ?? [];
  if (id) return `\`robot-vasp replay ${id}\``;
  const { symbol, to } = call.body ?? {};
  if (call.path === '/sandbox/v1/transfers')
    return `\`robot-vasp deposit --symbol ${symbol} ${to ? `--to ${to} --last-name <name> --first-name <name>` : '--to <address>'}\``;
  return `\`${call.method} ${call.path}${call.body ? ` ${JSON.stringify(call.body)}` : ''}\``;
}

/** An identifier that this VASP does not have. */
const unknown = (error: unknown, id: string): unknown =>
  error instanceof Refused && error.status === 404
    ? new Failure(
        4,
        error.code ?? 'NOT-FOUND',
        `${error.reason}${isUuid(id) ? '' : ': it is no UUID'}. \`robot-vasp verifications\` lists those of your VASP`,
      )
    : error;
