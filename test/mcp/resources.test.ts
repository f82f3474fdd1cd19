import { expect, test } from 'vitest';
import { createRobot } from '../../src/testing.ts';
import { answer, overHttp } from '../support/mcp/agent.ts';
import { forFile } from '../support/world/for-file.ts';

const robot = await forFile(createRobot());

test('chapters, codes and runs are resources', async () => {
  const agent = await overHttp(robot.url);
  const { id } = await answer(agent, 'start_test_run', { plan: 'security', modules: ['S4'], unattended: true });
  const { resources } = await agent.listResources();
  const uris = resources.map(({ uri }) => uri);
  expect(uris).toEqual(expect.arrayContaining(['robot-vasp://guide/withdrawal-test', `robot-vasp://runs/${id}`]));
  const { resourceTemplates } = await agent.listResourceTemplates();
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
    'robot-vasp://guide/{chapter}',
    'robot-vasp://codes/{code}',
    'robot-vasp://runs/{id}',
  ]);
  const textOf = async (uri: string) => {
    const [content] = (await agent.readResource({ uri })).contents;
    expect(content).toMatchObject({ uri, mimeType: 'text/markdown' });
    return (content as { text: string }).text;
  };
  expect(await textOf('robot-vasp://guide/withdrawal-test')).toContain(`BASE=${robot.url}\n`);
  expect(await textOf('robot-vasp://codes/MISMATCHED-NAME')).toMatch(/^# MISMATCHED-NAME\n/);
  expect(await textOf(`robot-vasp://runs/${id}`)).toContain('plan security, only S4');
});

test('prompts name the tools, and why brings the explanation', async () => {
  const agent = await overHttp(robot.url);
  const { prompts } = await agent.listPrompts();
  expect(prompts.map(({ name }) => name)).toEqual(['make-my-vasp-pass', 'why-was-it-denied']);
  const { tools } = await agent.listTools();
  const textOf = async (name: string, args: Record<string, string>) => {
    const { messages } = await agent.getPrompt({ name, arguments: args });
    return (messages[0]!.content as { text: string }).text;
  };
  const pass = await textOf('make-my-vasp-pass', { plan: 'deposit' });
  const named = [...pass.matchAll(/`([a-z]+_[a-z_]+)`/g)].map(([, tool]) => tool);
  expect(named.length).toBeGreaterThan(4);
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(named));
  const { body } = await answer(agent, 'request', { request: 'verify-user', user: 'ethan-cook' });
  const { verificationUuid } = await answer(agent, 'verify', body);
  expect(await textOf('why-was-it-denied', { verificationUuid })).toContain('UNVERIFIED-KYC');
});

test('completions of plans, chapters, codes and verifications', async () => {
  const agent = await overHttp(robot.url);
  const valuesOf = async (uri: string, name: string, value: string) => {
    const { completion } = await agent.complete({ ref: { type: 'ref/resource', uri }, argument: { name, value } });
    return completion.values;
  };
  expect(await valuesOf('robot-vasp://guide/{chapter}', 'chapter', 'with')).toEqual(['withdrawal-test']);
  expect(await valuesOf('robot-vasp://codes/{code}', 'code', 'mismatched-n')).toEqual(['MISMATCHED-NAME']);
  expect(await valuesOf('robot-vasp://codes/{code}', 'nothing', '')).toEqual([]);
  const { completion } = await agent.complete({
    ref: { type: 'ref/prompt', name: 'make-my-vasp-pass' },
    argument: { name: 'plan', value: 'd' },
  });
  expect(completion.values).toEqual(['deposit']);
});
