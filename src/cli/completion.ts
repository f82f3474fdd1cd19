import type { Client } from '../client/client.ts';
import { type Argument, type Command, command, EVERYWHERE, type Option } from './command.ts';
import { CONNECTION, connect } from './connection.ts';

/** For a name with a colon, such as that of a scenario, the colon ends no word. Zsh takes completions of bash when it is told. */
const SCRIPT = `if [ -n "$ZSH_VERSION" ]; then
  autoload -U +X compinit bashcompinit
  whence compdef > /dev/null || compinit
  bashcompinit
fi
COMP_WORDBREAKS=\${COMP_WORDBREAKS//:}
_robot_vasp() {
  local IFS=$'\\n'
  COMPREPLY=($(robot-vasp completion --line="\${COMP_LINE:0:$COMP_POINT}" 2>/dev/null))
}
complete -o default -F _robot_vasp robot-vasp`;
const FISH = `complete -c robot-vasp -a '(robot-vasp completion --line=(commandline -cp | string collect) 2>/dev/null | string unescape)'`;
const SHELLS = ['bash', 'zsh', 'fish'] as const;

const NEWEST = 50;

/** `everyCommand` loads all commands, this one included. */
export const completionOf = (everyCommand: () => Promise<readonly Command[]>) =>
  command({
    name: 'completion',
    summary: 'prints the completion for bash, zsh and fish: commands, options, values, ids and scenarios',
    details:
      'In ~/.bashrc or ~/.zshrc write `source <(robot-vasp completion)`, in ~/.config/fish/config.fish `robot-vasp completion fish | source`. Ids and scenarios come from the running sandbox.',
    argument: { name: '<shell>', meaning: SHELLS.join(', '), choices: SHELLS, isOptional: true },
    options: {
      line: { value: '<text>', meaning: 'prints what may stand at the end of this command line' },
      ...CONNECTION,
    },
    examples: ['source <(robot-vasp completion bash)', 'robot-vasp completion --line "robot-vasp why "'],
    async run({ argument, values, print }) {
      const { line } = values;
      if (line === undefined) {
        const script = argument === 'fish' ? FISH : SCRIPT;
        print(script, { script });
        return 0;
      }
      const words = wordsOf(line);
      const typed = words.at(-1) ?? '';
      const all = await candidates(words, await everyCommand(), () => connect(values));
      const fitting = all.filter(each => each.startsWith(typed));
      print(fitting.map(escaped).join('\n'), { candidates: fitting });
      return 0;
    },
  });

/** The last word is empty after a blank. */
const wordsOf = (line: string): string[] =>
  (line.match(/(\\.|\S)+|\s$/g) ?? []).map(word => word.trim().replaceAll(/\\(.)/g, '$1'));
const escaped = (text: string): string => text.replaceAll(/[\s'"\\]/g, '\\$&');

async function candidates(
  [, name = '', ...words]: readonly string[],
  commands: readonly Command[],
  api: () => Client,
): Promise<readonly string[]> {
  const found = commands.find(each => each.name === name);
  if (words.length === 0 || !found) return words.length === 0 ? commands.map(each => each.name) : [];
  const options: Record<string, Option> = { ...found.options, ...EVERYWHERE };
  const ofOption = (word = '') => (word.startsWith('--') ? options[word.slice(2)] : undefined);
  const before = ofOption(words.at(-2));
  if (before?.value !== undefined) return valuesOf(before, api);
  if (words.at(-1)?.startsWith('-')) return Object.keys(options).map(option => `--${option}`);
  const place = words.filter((word, index) => !word.startsWith('-') && !ofOption(words[index - 1])?.value);
  const { argument, moreArguments = [] } = found;
  const declared = [...(argument ? [argument] : []), ...moreArguments][place.length - 1];
  return declared ? valuesOf(declared, api) : [];
}

/** Nothing where no sandbox answers. */
async function valuesOf(
  { choices, listed }: Argument | Option,
  api: () => Client,
): Promise<readonly string[]> {
  if (listed === 'verifications') {
    const answer = await api()
      .verifications({ limit: NEWEST })
      .catch(() => undefined);
    return answer?.verifications.map(each => each.verificationUuid) ?? [];
  }
  if (listed === 'scenarios') {
    const answer = await api()
      .scenarios()
      .catch(() => undefined);
    return answer?.scenarios.map(({ id }) => id) ?? [];
  }
  return choices ?? [];
}
