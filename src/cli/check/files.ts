import { writeFile } from 'node:fs/promises';
import type { Client } from '../../client/client.ts';
import type { RunReport } from '../../contract/plans.ts';
import { wrongUsage } from '../command.ts';
import type { CheckValues } from './options.ts';

const FORMS = { json: 'json', junit: 'xml', html: 'html', summary: 'md', certificate: 'jws' } as const;

/** The sandbox makes every form of the report. */
export async function writeFiles(api: Client, { id }: RunReport, values: CheckValues): Promise<void> {
  for (const [option, form] of Object.entries(FORMS)) {
    const path = values[option as keyof typeof FORMS];
    if (path === undefined) continue;
    const query = `?withPersonalData=${values['with-personal-data']}`;
    const { body } = await api.call<unknown>('GET', `/sandbox/v1/runs/${id}/report.${form}${query}`);
    const text = typeof body === 'string' ? body : `${JSON.stringify(body, null, 2)}\n`;
    await writeFile(path, text).catch((error: NodeJS.ErrnoException) => {
      throw wrongUsage(`--${option}: ${path} cannot be written (${error.code})`);
    });
  }
}
