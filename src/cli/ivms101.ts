import { checkPayload } from '../contract/ivms101-check/check.ts';
import { MAX_DEPTH } from '../contract/parse.ts';
import { systemClock } from '../kernel/clock.ts';
import { jsonDepth } from '../kernel/json.ts';
import { command, wrongUsage } from './command.ts';
import { jsonOf, standardInput, textOf } from './input.ts';

const STANDARD_INPUT = '-';

const ivms101 = command({
  summary: 'checks IVMS101 in a file against the standard, clause by clause',
  details: 'It works offline. Nothing is stored or sent.',
  args: [
    {
      name: '<file>',
      meaning: `JSON that holds IVMS101, such as a request, its payload or a person; ${STANDARD_INPUT} reads standard input`,
    },
  ],
  options: {},
  exits: { 0: 'no failure; warnings are possible', 1: 'the standard forbids something' },
  examples: ['robot-vasp ivms101 request.json', 'jq .payload request.json | robot-vasp ivms101 - --json'],
  async run({ args: [file = ''], print }) {
    const isInput = file === STANDARD_INPUT;
    const where = isInput ? 'standard input' : file;
    const text = isInput ? await standardInput() : textOf(file);
    const payload = jsonOf(text, where);
    if (jsonDepth(text) > MAX_DEPTH) throw wrongUsage(`${where} has more than ${MAX_DEPTH} nested levels`);
    const answer = checkPayload(payload, systemClock.now());
    const lines = answer.problems.map(
      ({ severity, path, clause, text, wanted }) =>
        `${severity}  ${path || 'the whole payload'}: ${text} Wanted: ${wanted} (${clause})`,
    );
    print([`dialect ${answer.dialect}`, ...(lines.length === 0 ? ['no problem'] : lines)].join('\n'), answer);
    return answer.problems.some(({ severity }) => severity === 'FAILURE') ? 1 : 0;
  },
});
export const commands = { ivms101 };
