import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

/** The code that the page of a code prints is run as it stands. */

const world = await forFile(createWorld());

async function run(code: string): Promise<string> {
  const markdown = await (await fetch(`${world.url}/guide/codes/${code}.md`)).text();
  const [, script = ''] = /^```sh\n([\s\S]*?)^```$/m.exec(markdown) ?? [];
  expect(script).toContain(`'${world.url}/v1/verifications'`);
  return (await promisify(execFile)('bash', ['-c', script])).stdout;
}

test.each(['MISMATCHED-NAME', 'UNKNOWN-NETWORK'])('%s', async code => {
  const { verificationUuid } = JSON.parse(await run(code));
  expect(await world.vasp.ordinary.callbackOf(verificationUuid, 'VERIFICATION_RESULT')).toMatchObject({
    verificationResult: 'DENIED',
    reason: code,
  });
});

test.each(['WRONG-AMOUNT', 'WRONG-TAG'])('%s', async code => {
  const { verifications } = JSON.parse(
    (await run(code))
      .trim()
      .split('\n')
      .at(-1)!
      .replace(/^.*?(?={"verifications")/, ''),
  );
  expect(verifications).toMatchObject([{ report: { verdict: code } }]);
});

test('the page shows the same code', async () => {
  const html = await (await fetch(`${world.url}/guide/codes/MISMATCHED-NAME`)).text();
  expect(html).toContain(
    `curl -s -X POST -H &#39;content-type: application/json&#39; &#39;${world.url}/v1/verifications`,
  );
  expect(html).toContain('name="scenario" value="verify-user: MISMATCHED-NAME"');
});
