import { ErrorCode, McpError, type Resource, type ResourceTemplate } from '@modelcontextprotocol/sdk/types.js';
import { textsOf } from '../console/texts/languages.ts';
import { PLANS, type RunSummary, scopeOf } from '../contract/plans.ts';
import { CHAPTERS, isChapter, readChapter } from '../guide/chapters.ts';
import { codePages, pageOfCode } from '../guide/codes.ts';
import { codeMarkdown } from '../guide/search.ts';
import { ToolFailure } from './schemas.ts';
import type { Api } from './test-run.ts';

/** The guide and the runs, for agents that read resources. */

const SCHEME = 'robot-vasp://';
const MARKDOWN = { mimeType: 'text/markdown' };
const NOT_FOUND = -32002;
/** The newest ones. Each has its resource, too, when it is not listed. */
const MAX_RUNS = 20;

export const TEMPLATES: ResourceTemplate[] = [
  { uriTemplate: `${SCHEME}guide/{chapter}`, name: 'chapter', title: 'A chapter of the guide', ...MARKDOWN },
  { uriTemplate: `${SCHEME}codes/{code}`, name: 'code', title: 'What a code means, and what to do', ...MARKDOWN },
  { uriTemplate: `${SCHEME}runs/{id}`, name: 'run', title: 'The report of a test run', ...MARKDOWN },
];

export async function listResources(api: Api): Promise<Resource[]> {
  const chapters = Object.entries(CHAPTERS).map(([name, title]) => ({
    uri: `${SCHEME}guide/${name}`,
    name,
    title,
    ...MARKDOWN,
  }));
  const runs = (await runsOf(api).catch(withoutRuns))
    .slice(0, MAX_RUNS)
    .map(run => ({
      uri: `${SCHEME}runs/${run.id}`,
      name: run.id,
      title: `${scopeOf(run)}: ${run.result ?? 'under way'}, ${run.startedAt}`,
      ...MARKDOWN,
    }));
  return [...chapters, ...runs];
}

/** The guide is also read where no runs are: in another process, or without a key. */
function withoutRuns(error: unknown): RunSummary[] {
  if (error instanceof ToolFailure) return [];
  throw error;
}

const runsOf = async ({ call }: Api): Promise<RunSummary[]> => (await call('runs', {})).runs as RunSummary[];

/** Throws `McpError`, `ToolFailure`. */
export async function readResource(api: Api, uri: string, origin: string) {
  const text = await textAt(api, uri, origin);
  if (text === undefined) throw new McpError(NOT_FOUND, 'Resource not found', { uri });
  return { contents: [{ uri, text, ...MARKDOWN }] };
}

async function textAt({ read }: Api, uri: string, origin: string): Promise<string | undefined> {
  const [, kind, name = ''] = /^robot-vasp:\/\/(guide|codes|runs)\/([^/]+)$/.exec(uri) ?? [];
  if (kind === 'guide') return isChapter(name) ? readChapter(name, 'en', origin) : undefined;
  if (kind === 'codes') return codeMarkdown(pageOfCode(name), textsOf('en'));
  return kind === 'runs' ? read('reportMarkdown', { id: name }) : undefined;
}

interface Prompt {
  readonly title: string;
  readonly description: string;
  readonly argument: { readonly name: string; readonly description: string; readonly required: boolean };
  text(api: Api, argument: string | undefined): string | Promise<string>;
}

const PROMPTS: Readonly<Record<string, Prompt>> = {
  'make-my-vasp-pass': {
    title: 'Make my VASP pass',
    description: 'Brings your VASP through a test run.',
    argument: { name: 'plan', description: `${PLANS.join(', ')}; default: complete`, required: false },
    text: (_, plan = 'complete') =>
      `Make my VASP pass a test run of robot-vasp, plan \`${plan}\`.

1. \`info\` has the \`vaspId\` of my VASP. Call \`check_endpoints\` with it, and correct each problem in the code of my VASP. \`set_vasp\` changes its endpoints.
2. Call \`start_test_run\` with the plan and \`unattended\` true, then \`read_test_run\` with the \`id\` until \`endedAt\` is set.
3. Take the causes one after the other: \`read_exchange\` shows the call, \`why\` the verification, \`search_guide\` and \`read_guide\` the rule. Correct my VASP.
4. Call \`start_test_run\` with only the \`modules\` that failed. When they pass, play the whole plan again, until its \`result\` is PASSED.`,
  },
  'why-was-it-denied': {
    title: 'Why was it denied',
    description: 'Explains the result of a verification, and says what to change.',
    argument: { name: 'verificationUuid', description: 'The verification.', required: true },
    async text({ call }, uuid) {
      const why = await call('why', { uuid });
      return `Explain to me why this verification has its result, and what I have to change in my VASP. \`timeline\` and \`read_exchange\` show more, \`read_guide\` explains a code.\n\n${JSON.stringify(why)}`;
    },
  },
};

export const listPrompts = () =>
  Object.entries(PROMPTS).map(([name, { title, description, argument }]) => ({
    name,
    title,
    description,
    arguments: [argument],
  }));

/** Throws `McpError`, `ToolFailure`. */
export async function readPrompt(api: Api, name: string, args: Readonly<Record<string, string>> = {}) {
  const prompt = promptOf(name);
  const { argument, description } = prompt;
  const value = args[argument.name];
  if (argument.required && !value) throw new McpError(ErrorCode.InvalidParams, `\`${argument.name}\` is required.`);
  const text = await prompt.text(api, value);
  return { description, messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] };
}

function promptOf(name: string): Prompt {
  if (Object.hasOwn(PROMPTS, name)) return PROMPTS[name]!;
  throw new McpError(ErrorCode.InvalidParams, `There is no prompt ${name}. prompts/list names all.`);
}

const MAX_VALUES = 100;

/** By the name of the argument: it means the same everywhere. */
const VALUES: Readonly<Record<string, (api: Api) => readonly string[] | Promise<readonly string[]>>> = {
  plan: () => PLANS,
  chapter: () => Object.keys(CHAPTERS),
  code: () => [...codePages(textsOf('en')).keys()],
  id: async api => (await runsOf(api)).map(({ id }) => id),
  async verificationUuid({ call }) {
    const { verifications } = await call('verifications', { limit: String(MAX_VALUES) });
    return (verifications as { verificationUuid: string }[]).map(each => each.verificationUuid);
  },
};

/** Throws `ToolFailure`. */
export async function complete(api: Api, { name, value }: { name: string; value: string }) {
  const all = Object.hasOwn(VALUES, name) ? await VALUES[name]!(api) : [];
  const found = all.filter(each => each.toLowerCase().startsWith(value.toLowerCase()));
  const values = found.slice(0, MAX_VALUES);
  return { completion: { values, total: found.length, hasMore: values.length < found.length } };
}
