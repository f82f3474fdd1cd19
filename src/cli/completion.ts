import { type Command, command, EVERYWHERE } from './command.ts';
import { choiceOf } from './input.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

type Completed = Pick<Command, 'name' | 'summary' | 'argument' | 'options'>;

/** `everyCommand` loads all commands, this one included. */
export const completionOf = (everyCommand: () => Promise<readonly Completed[]>) =>
  command({
    name: 'completion',
    summary: 'prints the completion script of a shell',
    argument: { name: '<shell>', meaning: SHELLS.join(', '), choices: SHELLS },
    options: {},
    examples: [
      'source <(robot-vasp completion bash)',
      'robot-vasp completion zsh > ~/.zfunc/_robot-vasp',
      'robot-vasp completion fish > ~/.config/fish/completions/robot-vasp.fish',
    ],
    async run({ argument = '', print }) {
      const shell = choiceOf(argument, SHELLS);
      const commands = await everyCommand();
      const script = SCRIPTS[shell](commands.map(withEveryOption));
      print(script, { shell, script });
      return 0;
    },
  });

const withEveryOption = (each: Completed): Completed => ({
  ...each,
  options: { ...each.options, ...EVERYWHERE },
});

const choicesOf = ({ argument }: Completed): readonly string[] => argument?.choices ?? [];
const optionsOf = ({ options }: Completed): string[] => Object.keys(options).map(name => `--${name}`);
/** For a text in single quotes. */
const quoted = (text: string): string => text.replaceAll("'", "'\\''");

const SCRIPTS: Record<Shell, (commands: readonly Completed[]) => string> = {
  bash: commands => `_robot_vasp() {
  local word=\${COMP_WORDS[COMP_CWORD]} words
  if [ "$COMP_CWORD" -eq 1 ]; then
    words='${commands.map(({ name }) => name).join(' ')} help'
  else
    case \${COMP_WORDS[1]} in
${commands.map(each => `      ${each.name}) words='${[...choicesOf(each), ...optionsOf(each)].join(' ')}' ;;`).join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  [ -n "\${COMPREPLY[*]}" ] || COMPREPLY=($(compgen -f -- "$word"))
}
complete -F _robot_vasp robot-vasp`,
  zsh: commands => `#compdef robot-vasp
_robot_vasp() {
  local -a commands
  commands=(
${commands.map(({ name, summary }) => `    '${name}:${quoted(summary).replaceAll(':', '\\:')}'`).join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  case \${words[2]} in
${commands.map(each => `    ${each.name}) _arguments ${zshOptions(each)} ${zshChoices(each)}'*:file:_files' ;;`).join('\n')}
  esac
}
if [ "$funcstack[1]" = "_robot_vasp" ]; then _robot_vasp "$@"; else compdef _robot_vasp robot-vasp; fi`,
  fish: commands =>
    commands
      .flatMap(each => [
        `complete -c robot-vasp -n __fish_use_subcommand -f -a ${each.name} -d '${quoted(each.summary)}'`,
        ...choicesOf(each).map(
          choice => `complete -c robot-vasp -n '__fish_seen_subcommand_from ${each.name}' -f -a ${choice}`,
        ),
        ...Object.entries(each.options).map(
          ([name, { meaning, value }]) =>
            `complete -c robot-vasp -n '__fish_seen_subcommand_from ${each.name}' -l ${name}${value ? ' -r' : ''} -d '${quoted(meaning)}'`,
        ),
      ])
      .join('\n'),
};

const zshChoices = (each: Completed): string =>
  choicesOf(each).length === 0 ? '' : `'2:${each.name}:(${choicesOf(each).join(' ')})' `;

const zshOptions = ({ options }: Completed): string =>
  Object.entries(options)
    .map(([name, { meaning, value }]) => {
      const text = quoted(meaning).replace(/[[\]]/g, '\\$&').replaceAll(':', '\\:');
      return `'--${name}[${text}]${value ? ':value:' : ''}'`;
    })
    .join(' ');
