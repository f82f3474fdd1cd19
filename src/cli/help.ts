import { INSTALL } from '../kernel/program.ts';
import { type Argument, type Command, EVERYWHERE, EXIT_CODES, type Option } from './command.ts';

const GAP = 26;

const NARROWEST = 30;
const NO_TERMINAL = 1000;

/** Two columns. In a narrow terminal the right one stands below the left one. */
function row(left: string, right: string): string {
  const indent = widthOf() - GAP - 2 < NARROWEST ? 4 : GAP + 2;
  const lines = wrapped(right, indent).join(`\n${' '.repeat(indent)}`);
  return left.length < GAP && indent > GAP
    ? `  ${left.padEnd(GAP)}${lines}`
    : `  ${left}\n${' '.repeat(indent)}${lines}`;
}

const widthOf = (): number => process.stdout.columns || NO_TERMINAL;

/** Lines that fit into the terminal beside the indent. A longer word has a line of its own. */
const wrapped = (text: string, indent = 0): string[] =>
  text.match(new RegExp(`\\S.{0,${Math.max(1, widthOf() - indent - 1)}}(?= |$)|\\S+`, 'g')) ?? [];

const block = (title: string, rows: readonly string[]): string[] => (rows.length === 0 ? [] : ['', title, ...rows]);

function meaningOf({ meaning, default: fallback, env }: Option): string {
  const defaults = [...(env ? [`$${env}`] : []), ...(fallback ? [fallback] : [])];
  return defaults.length === 0 ? meaning : `${meaning}; default: ${defaults.join(' or ')}`;
}

export function helpText(command: Command): string {
  const { name, summary, details, options, exits, examples } = command;
  const named = argumentsOf(command);
  const optionRows = Object.entries({ ...EVERYWHERE, ...options } as Record<string, Option>).map(([option, spec]) =>
    row(`--${option}${spec.value ? ` ${spec.value}` : ''}`, meaningOf(spec)),
  );
  return [
    `robot-vasp ${name}${named.map(shownArgument).join('')} [options]`,
    '',
    ...wrapped(`${summary[0]?.toUpperCase()}${summary.slice(1)}.${details ? ` ${details}` : ''}`),
    ...block(
      named.length > 1 ? 'Arguments' : 'Argument',
      named.map(argument => row(argument.name, argument.meaning)),
    ),
    ...block('Options', optionRows),
    ...block(
      'Exit codes',
      Object.entries(exitsOf(exits)).map(([code, meaning]) => row(code, meaning)),
    ),
    ...block(
      'Examples',
      examples.map(example => `  ${example}`),
    ),
  ].join('\n');
}

/** The list of commands, as text or as one line of JSON. */
export function overview(commands: readonly Command[], isJson: boolean): string {
  if (isJson) return JSON.stringify({ commands: commands.map(helpData) });
  return [
    ...wrapped('robot-vasp: the test counterpart for Travel Rule integrations'),
    ...block(
      'Commands',
      commands.map(({ name, summary }) => row(name, summary)),
    ),
    ...block(
      'Options of every command',
      Object.entries(EVERYWHERE).map(([option, { meaning }]) => row(`--${option}`, meaning)),
    ),
    ...block(
      'Exit codes',
      Object.entries(EXIT_CODES).map(([code, meaning]) => row(code, meaning)),
    ),
    '',
    ...wrapped('`robot-vasp <command> --help` explains a command. Without a command, `serve` runs.'),
    ...wrapped(`\`${INSTALL}\` makes \`robot-vasp\` a command.`),
  ].join('\n');
}

export const helpData = ({ name, summary, details, argument, moreArguments, options, exits, examples }: Command) => ({
  name,
  summary,
  details,
  argument,
  moreArguments,
  options: { ...EVERYWHERE, ...options },
  exits: exitsOf(exits),
  examples,
});

const argumentsOf = ({ argument, moreArguments = [] }: Command): Argument[] => [
  ...(argument ? [argument] : []),
  ...moreArguments,
];

const shownArgument = ({ name, isOptional }: Argument): string => (isOptional ? ` [${name}]` : ` ${name}`);

const exitsOf = (exits: Command['exits'] = {}): Readonly<Record<number, string>> => ({
  0: EXIT_CODES[0],
  2: EXIT_CODES[2],
  ...exits,
});
