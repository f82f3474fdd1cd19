import { readFileSync } from 'node:fs';
import type { TestProject } from 'vitest/node';
import { ensureChromium } from './chromium.ts';

const opensBrowser = (file: string) => /support\/browser\/browser\.ts'/.test(readFileSync(file, 'utf8'));

/** Before any worker starts, and only if one of the files to run opens a browser. */
export async function setup(project: TestProject): Promise<void> {
  const { filenamePattern } = project.vitest as unknown as { filenamePattern?: string[] };
  const { testFiles } = await project.globTestFiles(filenamePattern);
  if (testFiles.some(opensBrowser)) ensureChromium();
}
