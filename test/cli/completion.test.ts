import { execFileSync, spawnSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtCli } from '../support/process/build.ts';
import { commandHere } from '../support/process/command-line.ts';
import { verified } from '../support/requests/from-tested-vasp.ts';
import { createProgramWorld, type ProgramWorld } from '../support/world/program-world.ts';

let world: ProgramWorld;
let uuid: string;
beforeAll(async () => {
  world = await createProgramWorld();
  ({ uuid } = await verified(world));
});
afterAll(() => world.close());

async function completed(line: string, url = world.url): Promise<string[]> {
  const { code, stdout } = await commandHere(['completion', '--line', line, '--url', url, '--json']);
  expect(code).toBe(0);
  return JSON.parse(stdout).candidates;
}

test.each([
  ['robot-vasp wh', ['why']],
  ['robot-vasp why --ur', ['--url']],
  ['robot-vasp verifications --result ', ['VERIFIED', 'DENIED', 'UNKNOWN', 'ERROR']],
  ['robot-vasp chain resume X', ['XRP']],
  ['robot-vasp check --symbol ETH with', ['withdrawal']],
  ['robot-vasp scenarios verify-user:\\ MIS', ['verify-user: MISMATCHED-NAME']],
  ['robot-vasp nothing ', []],
  ['robot-vasp status more ', []],
])('%s', async (line, expected) => {
  expect((await completed(line)).slice(0, 4)).toEqual(expected);
});

test('ids come from the running sandbox; without one there are none', async () => {
  for (const line of [`why ${uuid.slice(0, 4)}`, 'wait --verification ', 'callbacks --json --verification '])
    expect(await completed(`robot-vasp ${line}`)).toEqual([uuid]);
  expect(await completed('robot-vasp why ', 'http://127.0.0.1:9')).toEqual([]);
});

test('both shells take the same script, named or not; another shell is refused with their names', async () => {
  const scripts = await Promise.all(
    [[], ['bash'], ['zsh']].map(shell => commandHere(['completion', ...shell])),
  );
  expect(new Set(scripts.map(({ stdout }) => stdout)).size).toBe(1);
  const { code, stderr } = await commandHere(['completion', 'tcsh']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('none of bash, zsh, fish')]);
});

test('bash completes with the script', () => {
  const script = `
    robot-vasp() { '${process.execPath}' '${builtCli()}' "$@"; }
    source <(robot-vasp completion)
    COMP_LINE='robot-vasp scenarios verify-user:\\ MIS'; COMP_POINT=\${#COMP_LINE}
    _robot_vasp; printf '%s|' "\${COMPREPLY[@]}"; complete -p robot-vasp`;
  const env = { PATH: process.env.PATH, ROBOT_VASP_URL: world.url };
  const said = execFileSync('bash', ['-c', script], { env, encoding: 'utf8' });
  expect(said).toBe('verify-user:\\ MISMATCHED-NAME|complete -o default -F _robot_vasp robot-vasp\n');
});

const zsh = spawnSync('zsh', ['--version']).error === undefined;
test.skipIf(!zsh)(
  `zsh completes with the script${zsh ? '' : ': not seen, because zsh is not installed'}`,
  () => {
    const script = `
    robot-vasp() { '${process.execPath}' '${builtCli()}' "$@"; }
    autoload -U compinit; compinit -u -D
    source <(robot-vasp completion)
    COMP_LINE='robot-vasp verifications --result VER'; COMP_POINT=\${#COMP_LINE}
    _robot_vasp; print -r -- "$COMPREPLY[1] $_comps[robot-vasp]"`;
    const env = { PATH: process.env.PATH, ROBOT_VASP_URL: world.url };
    const said = execFileSync('zsh', ['-f', '-c', script], { env, encoding: 'utf8' });
    expect(said).toMatch(/^VERIFIED .*_robot_vasp/);
  },
);

const fish = spawnSync('fish', ['--version']).error === undefined;
test.skipIf(!fish)(
  `fish completes with the script${fish ? '' : ': not seen, because fish is not installed'}`,
  () => {
    const script = `
    function robot-vasp; '${process.execPath}' '${builtCli()}' $argv; end
    robot-vasp completion fish | source
    complete -C 'robot-vasp chain resume X'; complete -C 'robot-vasp scenarios verify-user:\\ MIS'`;
    const env = { PATH: process.env.PATH, ROBOT_VASP_URL: world.url };
    const said = execFileSync('fish', ['-N', '-c', script], { env, encoding: 'utf8' });
    expect(said).toBe('XRP\nverify-user: MISMATCHED-NAME\n');
  },
);
