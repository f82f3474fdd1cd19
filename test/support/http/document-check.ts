import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { TestedVasp } from '../vasp/tested-vasp.ts';

/** Holds every answer of a program, and every call that it makes, against the API document. */

type Content = Record<string, { schema?: object; example?: unknown; examples?: Record<string, { value: unknown }> }>;
export interface Operation {
  operationId?: string;
  requestBody?: { required?: boolean; content: Content };
  parameters?: { name: string; in: 'path' | 'query' | 'header'; required?: boolean; schema: object }[];
  responses: Record<string, { content?: Content }>;
}
type PathItem = Record<string, Operation>;
export interface ApiDocument {
  paths: Record<string, PathItem>;
  webhooks: Record<string, PathItem>;
  components: { schemas: Record<string, Record<string, unknown>> };
}

/** The examples of one body or answer: of the operations, of their callbacks and of the webhooks. */
export interface ShownExamples {
  where: string;
  count: number;
  /** The problems by its schema. */
  problems: string[];
}

export interface SentRequest {
  method: string;
  /** As in the document: `/a/{b}`. */
  template: string;
  path: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  /** Undefined: none was sent. */
  body: unknown;
}

export interface DocumentCheck {
  examplesOf(): ShownExamples[];
  /** True: the document admits such a request. */
  admits(request: SentRequest): boolean;
  /** The problem of an answer; undefined: none. `text`: its body, where it has been read. */
  answer(method: string, path: string, response: Response, text?: string): Promise<string | undefined>;
  /** The problem of a call that the tested VASP got. */
  call(operation: string, body: { callbackType?: string }): string | undefined;
}

export function documentCheck(document: ApiDocument): DocumentCheck {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, 'document');
  const at = (...steps: string[]): ValidateFunction => {
    const pointer = steps.map(step => encodeURIComponent(step.replace(/~/g, '~0').replace(/\//g, '~1')));
    return ajv.getSchema(`document#/${pointer.join('/')}`)!;
  };
  const paths = Object.keys(document.paths).map(template => ({ template, pattern: patternOf(template) }));
  paths.sort((a, b) => Number(a.template.includes('{')) - Number(b.template.includes('{')));

  async function answer(method: string, path: string, response: Response, text?: string): Promise<string | undefined> {
    const { status } = response;
    const type = typeOf(response);
    const { template } = paths.find(({ pattern }) => pattern.test(path)) ?? {};
    const operation = template && document.paths[template]![method.toLowerCase()];
    if (!operation) {
      if (CONTROL.test(path) && status >= 400) return undefined;
      const expected = template ? 405 : 404;
      return status === expected ? undefined : `${status}, and no operation is documented there`;
    }
    const documented = operation.responses[status];
    if (!documented) return `${status}, which is not among ${Object.keys(operation.responses).join(', ')}`;
    if (!documented.content || documented.content['*/*']) return undefined;
    if (!documented.content[type]) return `${status} as ${type}, which is not documented`;
    if (type !== 'application/json') return undefined;
    const body: unknown = JSON.parse(text ?? (await response.clone().text()));
    const { code } = Object(body) as { code?: string };
    const { examples } = documented.content[type];
    if (status >= 400 && examples && !Object.hasOwn(examples, String(code)))
      return `${status} ${code}, which is not among ${Object.keys(examples).join(', ')}`;
    const where = ['responses', String(status), 'content', type, 'schema'];
    return problem(at('paths', template, method.toLowerCase(), ...where), body);
  }

  function call(operation: string, body: { callbackType?: string }): string | undefined {
    const name = operation === 'callback' ? String(body.callbackType) : operation;
    if (!document.webhooks[name]) return `${name} is not documented`;
    return problem(at('webhooks', name, 'post', 'requestBody', 'content', 'application/json', 'schema'), body);
  }
  function admits({ method, template, path, query, body }: SentRequest): boolean {
    const steps = ['paths', template, method.toLowerCase()];
    const { parameters = [], requestBody } = document.paths[template]![method.toLowerCase()]!;
    const areAdmitted = parameters.every((parameter, n) => {
      if (parameter.in === 'header') return true;
      const value = parameter.in === 'path' ? path[parameter.name] : query[parameter.name];
      return value === undefined ? !parameter.required : at(...steps, 'parameters', String(n), 'schema')(value);
    });
    if (!areAdmitted || !requestBody) return areAdmitted;
    if (body === undefined) return !requestBody.required;
    return Boolean(at(...steps, 'requestBody', 'content', 'application/json', 'schema')(body));
  }

  function examplesOf(): ShownExamples[] {
    return contentsOf(document).flatMap(({ steps, content }) =>
      Object.entries(content).map(([type, { example, examples = {} }]) => {
        const shown = example === undefined ? Object.values(examples).map(each => each.value) : [example];
        const validate = at(...steps, type, 'schema');
        const problems = type === 'text/event-stream' ? [] : shown.flatMap(value => problem(validate, value) ?? []);
        return { where: [...steps, type].join(' '), count: shown.length, problems };
      }),
    );
  }
  return { answer, call, admits, examplesOf };
}

interface FoundContent {
  steps: string[];
  content: Content;
}
/** Every `content` of the document, wherever it stands. */
function contentsOf(value: object, steps: string[] = []): FoundContent[] {
  return Object.entries(value).flatMap(([name, member]) => {
    if (typeof member !== 'object' || member === null || name === 'schema' || name === 'components') return [];
    const here = [...steps, name];
    return name === 'content' ? [{ steps: here, content: member as Content }] : contentsOf(member, here);
  });
}

/** A chain control that does not exist is no operation of the document; its refusal names those that do. */
const CONTROL = /^\/sandbox\/v1\/chains\/[^/]+\/[^/]+$/;

const typeOf = ({ headers }: Response): string => (headers.get('content-type') ?? '').split(';')[0]!;

/** `/a/{b}` -> what paths of that form look like. */
const patternOf = (template: string): RegExp =>
  new RegExp(`^${template.replace(/[.]/g, '\\.').replace(/\{[^}]+\}/g, '[^/]+')}$`);

function problem(validate: ValidateFunction, value: unknown): string | undefined {
  if (validate(value)) return undefined;
  const errors = validate.errors!.map(textOf).join('; ');
  return `${errors} in ${JSON.stringify(value)?.slice(0, 1500)}`;
}

const textOf = ({ instancePath, message, params }: ErrorObject): string =>
  `${instancePath || 'the body'} ${message} ${JSON.stringify(params)}`;

export interface Watch {
  /** As `fetch`; throws where the answer is not what the document promises. */
  send(request: Request): Promise<Response>;
  /** Throws with everything that was found, in calls of the VASP too. */
  end(vasps: readonly Pick<TestedVasp, 'received'>[]): Promise<void>;
}

/** Compiled once per worker and document, not once per world. */
const checks = new Map<string, Promise<DocumentCheck>>();

/** `env`: the configuration of the program, for the names that its document has. */
export function watchAnswers(url: string, env: Record<string, string> = {}): Watch {
  const found: string[] = [];
  /** Whoever orders faults gets answers that no document promises; those of the sandbox itself never fail. */
  let isSpoilt = false;
  const names = `${env.PROVIDER_A_NAME} ${env.PROVIDER_B_NAME}`;
  const check = () => {
    const known = checks.get(names) ?? loadDocument(url).then(documentCheck);
    checks.set(names, known);
    known.catch(() => checks.delete(names));
    return known;
  };
  return {
    async send(request) {
      const { method } = request;
      const path = new URL(request.url).pathname;
      isSpoilt ||= method === 'PUT' && path === '/sandbox/v1/faults';
      const response = await fetch(request);
      if (isSpoilt && !path.startsWith('/sandbox/')) return response;
      // A clone of the answer would cost more than the request.
      const text = typeOf(response) === 'application/json' ? await response.text() : undefined;
      const problem = await (await check()).answer(method, path, response, text);
      if (problem === undefined) return text === undefined ? response : new Response(text, response);
      found.push(`${method} ${path} answered ${problem}`);
      throw new Error(found.at(-1));
    },
    async end(vasps) {
      const { call } = await check();
      for (const vasp of vasps)
        for (const operation of ['verifyUser', 'verifyAccount', 'transactionStatus', 'callback'] as const)
          for (const { body } of vasp.received(operation)) {
            const problem = call(operation, body);
            if (problem !== undefined) found.push(`the tested VASP got a ${operation} that is no such: ${problem}`);
          }
      if (found.length > 0) throw new Error(`against the API document:\n${[...new Set(found)].join('\n')}`);
    },
  };
}

export const loadDocument = async (url: string): Promise<ApiDocument> =>
  (await (await fetch(`${url}/openapi.json`)).json()) as ApiDocument;
